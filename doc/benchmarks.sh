#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints doc/benchmarks.md: make doc.  Names and sentences come from the program
# files, samples, units and numbers of ranks from what the built programs say of themselves.
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
        about = theirs = ""
        while ((getline line < file) > 0) {
            if (about == "" && match(line, /^ \* [a-z0-9_]+ - /))
                about = substr(line, RLENGTH + 1)
            if (line ~ /^ *(\.title = )?"OSU /)
                theirs = "`osu_" name "`"
        }
        close(file)
    }
    # One line of the table, of the program that has been read.
    function row() {
        if (name == "")
            return
        print "|" cell("`" name "`") cell(theirs == "" ? "-" : theirs) cell(what("Ranks:")) cell(about) cell(what("Sample:")) \
            cell(what("Printed:"))
        split("", said)
    }
    # What --help says after a word, without the stop.
    function what(part) { return substr(said[part], length(part) + 2, length(said[part]) - length(part) - 2) }
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
