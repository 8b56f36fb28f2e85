#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print what is wrong with the program files of mpi/.
# usage: program_files.sh headers|words|length SOURCE
set -eu
what=$1
cd "$2"

# The header block's claims against the file and the descriptor.
headers() {
    awk -v file="$1" '
        function fail(text) { print file ": " text }
        # All string literals of a line, joined.
        function strings(line,    all) {
            while (match(line, /"[^"]*"/)) {
                all = all substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
            }
            return all
        }
        /^#include/ { header = 0; past = 1 }
        FNR == 2 && $0 == "/*" { header = 1 }
        header && name == "" && match($0, /^ \* [a-z0-9_]+ - /) {
            name = $2
            sentence = substr($0, RLENGTH + 1)
        }
        header && /^ \* Sample   [^ ]/ { sample = 1 }
        header && /^ \* Printed  [^ ]/ { printed = 1 }
        past && /^    \.name = / { described = strings($0) }
        past && /^    \.about =/ { inside = 1 }
        inside { about = about strings($0); if (/,$/) inside = 0 }
        END {
            base = file
            sub(/.*\//, "", base)
            sub(/\.c$/, "", base)
            if (name == "")
                fail("header block does not begin with \"" base " - sentence\"")
            if (name != base)
                fail("header block names \"" name "\"")
            if (described != base)
                fail(".name is \"" described "\"")
            if (about != sentence)
                fail(".about is \"" about "\", the header block says \"" \
                     sentence "\"")
            if (!sample)
                fail("header block has no Sample")
            if (!printed)
                fail("header block has no Printed")
        }' "$1"
}

# What a program file may not hold: it is a loop and its description.
words() {
    awk -f tests/lint/code.awk "$1" | awk -v file="$1" '
        function fail(text) { print file ":" number " " text ": " line }
        {
            number = $1
            line = $0
            sub(/^[0-9]+: /, "", line)
        }
        line ~ /^ *#/ && line !~ /^#include "(bench|[a-z_]+\/[a-z_]+)\.h"$/ {
            fail("a preprocessor line other than an include of bench.h or a family")
        }
        line ~ /^#include/ && ++includes == 1 && line !~ /"bench\.h"/ {
            fail("bench.h comes first")
        }
        line ~ /^#include/ && includes > 2 {
            fail("more than bench.h and the header of one family")
        }
        line ~ /(^|[^a-z_])(f|s|sn|v)?printf *\(|(^|[^a-z_])f?puts *\(/ {
            fail("output belongs to the harness")
        }
        line ~ /(^|[^a-z_])(m|c|re)alloc *\(|(^|[^a-z_])free *\(/ {
            fail("memory belongs to the harness")
        }
        line ~ /MPI_Wtime|clock_now|clock_gettime|gettimeofday/ {
            fail("the clock belongs to the harness")
        }
        line ~ /MPI_SUCCESS|MPI_ERR_|[=!(] *MPI_[A-Z][a-z_]+ *\(/ {
            fail("MPI calls stand bare: the error handler sees to errors")
        }
        line ~ /(^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]+ *\(/ {
            fail("a macro with arguments")
        }
        line ~ /^[ ]+static / { fail("a static variable") }
        line ~ /^[a-z].*[;=]/ && line !~ /^static const struct bench bench = / {
            fail("a global other than the descriptor")
        }'
}

# At most 60 lines, unless the header block says why it is "longer than" that.
length() {
    lines=$(wc -l <"$1")
    [ "$lines" -le 60 ] ||
        sed '/^#include/q' "$1" | grep -q 'longer than' ||
        echo "$1: $lines lines, and the header block does not say why"
}

for file in mpi/*.c mpi/*/*.c; do
    "$what" "$file"
done
