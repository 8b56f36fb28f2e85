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

cat <<'EOF'
# Benchmarks

This page lists every program, by family. Do not edit it, because `make doc` makes it from the program files and the built programs. `PROGRAM --help` has
the options of a program and [options.md](options.md) those of all, while [output.md](output.md) explains the columns of most tables. The tables
of this page have these columns:

- **OMB** is the name of the same program in the OSU Micro-Benchmarks 7.4, and **ranks** is the number of ranks that the program accepts.
- **One sample** is what happens between two readings of the clock, and **printed** is how the first column follows from the samples, and what the others
  are. MB is 10^6 bytes.
EOF
helps "$source" "$build" --help | awk -v folder="$source/" '
    BEGIN {
        title["pt2pt"] = "Point-to-point"
        title["congestion"] = "Congestion of one node"
        title["blocking"] = "Blocking collectives"
        title["non-blocking"] = "Non-blocking collectives"
        title["persistent"] = "Persistent collectives"
        title["guidelines"] = "Guidelines: collectives next to the same made of others"
        title["neighborhood"] = "Neighborhood collectives"
        title["one-sided"] = "One-sided"
        title["baseline"] = "Transport baselines: shared memory, TCP, UCX"
        title["startup"] = "Start-up"
        title["system"] = "System"
        title["application"] = "Applications"
    }
    function cell(text) {
        gsub(/\|/, "\\|", text)
        return " " text " |"
    }
    # What the program file says.
    function read_file(path,    line, file) {
        file = folder path ".c"
        about = theirs = even = ""
        while ((getline line < file) > 0) {
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
        close(file)
    }
    # One line of the table, of the program that has been read.
    function row(    ranks, by_default, sample, printed) {
        if (name == "")
            return
        sample = substr(said["Sample:"], 9)
        sub(/\.$/, "", sample)
        printed = substr(said["Printed:"], 10)
        sub(/\.$/, "", printed)
        if (said["Ranks:"] ~ /; /) {
            by_default = said["Ranks:"]
            sub(/.*; /, "; ", by_default)
            sub(/\.$/, "", by_default)
        }
        ranks = most == least ? least : most > 0 ? least " to " most : least " or more"
        print "|" cell("`" name "`") cell(theirs == "" ? "-" : theirs) cell(ranks (even ? ", even" : "") by_default) \
            cell(about) cell(sample) cell(printed)
        split("", said)
    }
    /^=/ {
        row()
        path = name = $2
        sub(/.*\//, "", name)
        read_file(path)
        if (substr($1, 2) != family) {
            family = substr($1, 2)
            sub(/\/[^\/]*$/, "", path)
            print "\n## " (family in title ? title[family] : family) " (`" path "`)\n"
            print "| program | OMB | ranks | measures | one sample | printed |\n|---|---|---|---|---|---|"
        }
        next
    }
    # Long sentences go on in the next line.
    /^(Sample|Printed|Ranks): / { part = $1 }
    /^$|^--columns=/ { part = "" }
    part != "" { said[part] = said[part] (said[part] == "" ? "" : " ") $0 }
    END { row() }'
