#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print what is wrong with the program files of mpi/.
# usage: program_files.sh headers|words|length SOURCE
set -eu
what=$1
cd "$2"

# The header block's claims against the file and the descriptor.
headers() {
    awk '
        function fail(text) { print file ": " text }
        # The file that has been read.
        function judge(    base) {
            if (file == "")
                return
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
        }
        # All string literals of a line, joined.
        function strings(line,    all) {
            while (match(line, /"[^"]*"/)) {
                all = all substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
            }
            return all
        }
        FNR == 1 { judge(); file = FILENAME; header = past = inside = sample = printed = 0; name = sentence = described = about = "" }
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
        END { judge() }' "$@"
}

# What a program file may not hold: it is a loop and its description.
words() {
    awk -v named=yes -f tests/lint/code.awk "$@" | awk '
        function fail(text) { print file ":" number " " text ": " line }
        {
            file = $1
            number = $2
            line = $0
            sub(/^[^ ]+ [0-9]+: /, "", line)
        }
        file != before { includes = 0; before = file }
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
    awk 'FNR == 1 { header = 1 }
        /^#include/ { header = 0 }
        header && /longer than/ { said[FILENAME] = 1 }
        { lines[FILENAME] = FNR }
        END {
            for (file in lines)
                if (lines[file] > 60 && !(file in said))
                    print file ": " lines[file] " lines, and the header block does not say why"
        }' "$@"
}

"$what" mpi/*.c mpi/*/*.c
