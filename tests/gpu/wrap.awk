# SPDX-License-Identifier: BSD-3-Clause
# Reads a preprocessed mpi.h (and mpi-ext.h) and writes a library to be preloaded that makes any MPI
# take device memory of double.c: every buffer argument of every function is
# translated.  DOUBLE_SPOIL=K: the last byte of every K-th message of 1000 bytes that
# MPI_Recv delivers is wrong.
BEGIN {
    RS = ";"
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
    gsub(/#[^\n]*\n/, "")
    gsub(/[ \t\n]+/, " ")
    if (!match($0, /int MPIX?_[A-Za-z_]+ ?\(/))
        next
    text = substr($0, RSTART + 4)
    name = text
    sub(/ ?\(.*/, "", name)
    if (name in done || name ~ /_f2c$|_c2f$|_attr$|_set_attr|keyval/)
        next
    sub(/^[^(]*\(/, "", text)
    # Up to the bracket that closes the first one.
    depth = 1
    for (i = 1; i <= length(text) && depth > 0; i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
    }
    text = substr(text, 1, i - 2)
    if (text ~ /[(]|\.\.\./ || text !~ /void ?\*/)
        next
    n = split(text, argument, /,/)
    call = ""
    wanted = 0
    for (i = 1; i <= n; i++) {
        word = argument[i]
        gsub(/\[[^]]*\]/, "", word)
        stars = gsub(/\*/, " ", word)
        sub(/ +$/, "", word)
        sub(/.* /, "", word)
        buffer = argument[i] ~ /void ?\*/ && stars == 1
        wanted += buffer
        call = call (i > 1 ? ", " : "") (buffer ? "T(" word ")" : word)
    }
    if (!wanted)
        next
    done[name] = 1
    after = name == "MPI_Recv" ? "spoil(T(buf), count);" : ""
    printf "int %s(%s)\n{ int result = P%s(%s); %s return result; }\n", name, text, name, call, after
}
