# SPDX-License-Identifier: BSD-3-Clause
# wrappers.awk CALLS PROTOTYPES: the wrappers of profile.c, from the table of calls and from what prototypes.awk
# prints of this MPI's mpi.h.  Each is written in C, and as mpif.h and the modules mpi and mpi_f08 call it: there all
# arguments are addresses, and one more is the error code.
BEGIN { FS = "\t" }

FILENAME == ARGV[1] {
    if ($0 ~ /^#/)
        next
    split($0, word, / +/)
    text = $0
    sub(/^[^ ]+ +[^ ]+ +/, "", text)
    where[tolower(word[1])] = word[2] == "-" ? "nowhere" : word[2]
    bytes[tolower(word[1])] = text
    next
}

# The name in the table of a function, or "".
function listed(name, base) {
    base = tolower(substr(name, 5))
    sub(/_c$/, "", base)
    if (base in where)
        return base
    if (base ~ /^i/ && substr(base, 2) in where)
        return substr(base, 2)
    return ""
}

# An expression of the table with what a wrapper for Fortran has for each argument.
function of_fortran(text, n, i, to) {
    for (i = n; i >= 1; i--) {
        if (type[i] ~ /^MPI_Comm$/)
            to = "MPI_Comm_f2c(*(MPI_Fint *)b" i ")"
        else if (type[i] ~ /^MPI_Win$/)
            to = "MPI_Win_f2c(*(MPI_Fint *)b" i ")"
        else if (type[i] ~ /^MPI_Datatype$/)
            to = "MPI_Type_f2c(*(MPI_Fint *)b" i ")"
        else if (type[i] ~ /^int$/)
            to = "*(MPI_Fint *)b" i
        else if (type[i] ~ /^const int \[\]$/)
            to = "(const int *)b" i
        else
            to = "b" i
        gsub("a" i, to, text)  # a12 before a1
    }
    gsub(/in_place\(/, "in_place_f(", text)
    gsub(/mean_of\(/, "mean_of_f(", text)
    return text
}

function fortran_wrapper(name, below) {
    printf "__attribute__((weak)) void %s(%svoid *);\n", below, fortran
    printf "void %s(%svoid *code)\n{\n    RECORDED_F(%d, %s, %s, %s(%s, code))\n}\n", name, fortran, calls, \
        of_fortran(where[base], n), of_fortran(bytes[base], n), below, call
}

FNR == 1 { calls = 0 }
$1 !~ /^MPI_/ || listed($1) == "" { next }
{
    base = listed($1)
    n = NF - 1
    text = call = fortran = ""
    for (i = 1; i <= n; i++) {
        # The type of the argument: what is left without its name.
        type[i] = $(i + 1)
        tail = match(type[i], /(\[[^]]*\])+$/) ? substr(type[i], RSTART) : ""
        head = tail == "" ? type[i] : substr(type[i], 1, RSTART - 1)
        sub(/[A-Za-z_0-9]+$/, "", head)
        text = text (i > 1 ? ", " : "") head "a" i tail
        call = call (i > 1 ? ", " : "") "a" i
        fortran = fortran "void *b" i ", "
        sub(/ +$/, "", head)
        type[i] = head (tail == "" ? "" : " " tail)
    }
    names[calls] = $1
    printf "int %s(%s)\n{\n    RECORDED(%d, %s, %s, P%s(%s))\n}\n", $1, text, calls, where[base], bytes[base], $1, call
    if ($1 !~ /_c$/) {
        gsub(/a/, "b", call)
        base_f = tolower(substr($1, 5))
        fortran_wrapper("mpi_" base_f "_", "pmpi_" base_f "_")
        fortran_wrapper("mpi_" base_f "_f08_", "P_F08(" base_f ")")
    }
    calls++
}
END {
    print "static const char *const call_names[] = {"
    for (i = 0; i < calls; i++)
        print "    \"" names[i] "\","
    print "};"
}
