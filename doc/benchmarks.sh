#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints doc/benchmarks.md: make doc.  Names, sentences and numbers of ranks come from
# the program files, samples and units from what the built programs say of themselves.
# usage: benchmarks.sh SOURCE BUILD
set -eu
source=$1
build=$2

# shellcheck source=doc/families.sh
. "$(dirname "$0")/families.sh"

# One line of the table.
row() {
    "$build/$1" --help | awk -v path="$1" -v source="$source/$1.c" '
        function cell(text) {
            gsub(/\|/, "\\|", text)
            return " " text " |"
        }
        # The units among the words of a sentence.
        function units(text,    word, n, i, list) {
            gsub(/messages per second/, "messages/s", text)
            gsub(/percent/, "%", text)
            n = split(text, word, /[ ,;:.()]+/)
            for (i = 1; i <= n; i++)
                if (word[i] ~ /^(us|ms|s|%|MB\/s|Mop\/s|messages\/s)$/ &&
                    index(", " list ",", ", " word[i] ",") == 0)
                    list = list (list == "" ? "" : ", ") word[i]
            return list == "" ? "-" : list
        }
        BEGIN {
            name = path
            sub(/.*\//, "", name)
            while ((getline line < source) > 0) {
                if (about == "" && match(line, /^ \* [a-z0-9_]+ - /))
                    about = substr(line, RLENGTH + 1)
                if (line ~ /^ *(\.title = )?"OSU /)
                    theirs = "`osu_" name "`"
                if (line ~ /\.ranks = /) {
                    least = most = line
                    sub(/.*\.min = /, "", least)
                    least += 0
                    most = sub(/.*\.max = /, "", most) ? most + 0 : 0
                    even = line ~ /\.even = true/
                }
            }
        }
        # Long sentences go on in the next line.
        /^(Sample|Printed|Ranks): / { part = $1 }
        /^$|^--columns=/ { part = "" }
        part != "" { said[part] = said[part] (said[part] == "" ? "" : " ") $0 }
        END {
            sample = substr(said["Sample:"], 9)
            sub(/\.$/, "", sample)
            if (said["Ranks:"] ~ /; /)
                by_default = said["Ranks:"]
            sub(/.*; /, "; ", by_default)
            sub(/\.$/, "", by_default)
            unit = units(substr(said["Printed:"], 10))
            ranks = most == least ? least : most > 0 ? least " to " most : least " or more"
            if (even)
                ranks = ranks ", even"
            ranks = ranks by_default
            print "|" cell("`" name "`") cell(theirs == "" ? "-" : theirs) cell(ranks) \
                cell(about) cell(sample) cell(unit)
        }'
}

cat <<'EOF'
# Benchmarks

This page lists every program, by family. It is made from the program files and the built
programs by `make doc`; do not edit it.

- **OMB** is the name of the same program in the OSU Micro-Benchmarks 7.4.
- **Ranks** is the number of ranks that the program accepts.
- **One sample** is what happens between two readings of the clock.
- **Unit** is the unit of the table. MB is 10^6 bytes.

`PROGRAM --help` has the options and the exact formula of each program.
[options.md](options.md) lists all options. [output.md](output.md) explains all columns.
EOF
family=
"$source/tests/lint/program_list.sh" "$source" | while read -r path; do
    if [ "$(family_of "$path")" != "$family" ]; then
        family=$(family_of "$path")
        echo
        case $family in
        pt2pt) echo "## Point-to-point" ;;
        congestion) echo "## Congestion of one node" ;;
        blocking) echo "## Blocking collectives" ;;
        non-blocking) echo "## Non-blocking collectives" ;;
        persistent) echo "## Persistent collectives" ;;
        guidelines) echo "## Guidelines: collectives next to the same made of others" ;;
        neighborhood) echo "## Neighborhood collectives" ;;
        one-sided) echo "## One-sided" ;;
        baseline) echo "## Transport baselines: shared memory, TCP, UCX" ;;
        startup) echo "## Start-up" ;;
        system) echo "## System" ;;
        application) echo "## Applications" ;;
        *) echo "## $family" ;;
        esac
        printf '\nThe programs are in %s.\n\n' "\`${path%/*}\`"
        echo '| program | OMB | ranks | measures | one sample | unit |'
        echo '|---|---|---|---|---|---|'
    fi
    row "$path"
done
