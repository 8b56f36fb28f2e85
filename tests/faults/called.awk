# SPDX-License-Identifier: BSD-3-Clause
# Reads a preprocessed mpi.h and writes called.c: no fault, but a library that counts the calls
# of every function of MPI by its public name, as profilers do.
#
# Each rank writes $FAULT_TRACE.RANK: for each program of the job "program", then "MPI_NAME N".
# A program begins with the error handler of MPI_COMM_WORLD.
BEGIN {
    RS = ";"
    names = 0
    print "#include \"fault.h\""
    print "#include <stdio.h>"
}
{
    gsub(/#[^\n]*\n/, "")
    gsub(/[ \t\n]+/, " ")
    if (!match($0, /(^| )int MPI_[A-Za-z_]+ ?\(/))
        next
    text = substr($0, RSTART)
    sub(/^ ?int /, "", text)
    name = text
    sub(/ ?\(.*/, "", name)
    if (name in number || name == "MPI_Pcontrol" || name == "MPI_Finalize")
        next
    sub(/^[^(]*\(/, "", text)
    # Up to the bracket that closes the first one.
    depth = 1
    for (i = 1; i <= length(text) && depth > 0; i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
    }
    text = substr(text, 1, i - 2)
    if (text ~ /[(]|\.\.\./)
        next
    n = split(text, argument, /,/)
    call = ""
    for (i = 1; i <= n && text != "void"; i++) {
        word = argument[i]
        gsub(/\[[^]]*\]|\*/, " ", word)
        sub(/ +$/, "", word)
        sub(/.* /, "", word)
        call = call (i > 1 ? ", " : "") word
    }
    number[name] = names
    names_of[names++] = name
    body[name] = text ")\n{ __atomic_add_fetch(&calls[" number[name] "], 1, __ATOMIC_RELAXED); return P" name "(" call "); }"
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
