# SPDX-License-Identifier: BSD-3-Clause
# Reads what prototypes.awk prints and writes called.c: no fault, but a library that counts the calls
# of every function of MPI by its public name, as profilers do.
#
# Each rank writes $FAULT_TRACE.RANK: for each program of the job "program", then "MPI_NAME N".
# A program begins with the error handler of MPI_COMM_WORLD.
BEGIN {
    FS = "\t"
    names = 0
    print "#include \"fault.h\""
    print "#include <stdio.h>"
}
$1 !~ /^MPI_/ || $1 ~ /^MPI_(Pcontrol|Finalize)$/ { next }
{
    text = call = ""
    for (i = 2; i <= NF; i++) {
        word = $i
        gsub(/\[[^]]*\]|\*/, " ", word)
        sub(/ +$/, "", word)
        sub(/.* /, "", word)
        text = text (i > 2 ? ", " : "") $i
        call = call (i > 2 ? ", " : "") (word == "void" ? "" : word)
    }
    names_of[names] = $1
    body[$1] = text ")\n{ __atomic_add_fetch(&calls[" names "], 1, __ATOMIC_RELAXED); return P" $1 "(" call "); }"
    names++
}
END {
    print "static long calls[" names "]; static const char *const name[] = {"
    for (i = 0; i < names; i++)
        print "\"" names_of[i] "\","
    print "};"
    print "static void write_down(void)\n{"
    print "    static FILE *to; char path[4096];"
    print "    if (to == NULL) { snprintf(path, sizeof path, \"%s.%d\", getenv(\"FAULT_TRACE\"), fault_rank()); to = fopen(path, \"w\"); }"
    print "    else fputs(\"program\\n\", to);"
    print "    for (int i = 0; i < " names "; i++) { if (calls[i] > 0) fprintf(to, \"%s %ld\\n\", name[i], calls[i]); calls[i] = 0; }"
    print "    fflush(to);\n}"
    print "int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)\n{"
    print "    if (comm == MPI_COMM_WORLD) write_down();"
    print "    return FAULT_BELOW(Comm_set_errhandler)(comm, handler);\n}"
    print "int MPI_Finalize(void) { write_down(); return fault_finalize(); }"
    for (i = 0; i < names; i++)
        print "int " names_of[i] "(" body[names_of[i]]
}
