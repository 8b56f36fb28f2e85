# SPDX-License-Identifier: BSD-3-Clause
# Reads the functions of MPI (c/profile/prototypes.awk) and writes a library to be preloaded that makes
# any MPI take device memory of double.c: every buffer argument of every function is translated.
# DOUBLE_SPOIL=K: the last byte of every K-th message of 1000 bytes that MPI_Recv delivers is wrong.
BEGIN {
    FS = "\t"
    print "#include <mpi.h>"
    print "#ifdef OPEN_MPI"
    print "#    include <mpi-ext.h>"
    print "#endif"
    print "#include <stddef.h>"
    print "#include <stdlib.h>"
    print "static void *T(const void *p) {"
    for (i = split("cuda hip", mock, " "); i > 0; i--) {
        print "extern void *double_" mock[i] "_translate(const void *memory) __attribute__((weak));"
        print "if (p != NULL && double_" mock[i] "_translate != NULL) p = double_" mock[i] "_translate(p);"
    }
    print "return (void *)p; }"
    print "static void spoil(char *to, int count) { static long n;"
    print "const char *every = getenv(\"DOUBLE_SPOIL\");"
    print "if (every != NULL && count == 1000 && ++n % atol(every) == 0) to[count - 1] ^= 1; }"
}
{
    call = arguments = ""
    wanted = 0
    for (i = 2; i <= NF; i++) {
        word = $i
        gsub(/\[[^]]*\]/, "", word)
        stars = gsub(/\*/, " ", word)
        sub(/ +$/, "", word)
        sub(/.* /, "", word)
        buffer = $i ~ /void ?\*/ && stars == 1
        wanted += buffer
        call = call (i > 2 ? ", " : "") (buffer ? "T(" word ")" : word)
        arguments = arguments (i > 2 ? ", " : "") $i
    }
    if (!wanted)
        next
    after = $1 == "MPI_Recv" ? "spoil(T(buf), count);" : ""
    printf "int %s(%s)\n{ int result = P%s(%s); %s return result; }\n", $1, arguments, $1, call, after
}
