#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the header block of a program says that is printed, held to what its --help says, which is what its report
# prints (c/util/report/report.h).  Prints each contradiction: a half that only one of them has, another unit, a rate of
# both directions or a mean over ranks that only one of them has.
# usage: printed.sh SOURCE BUILD
set -eu
{
    awk '
        FNR == 1 { name = FILENAME; gsub(/.*\/|\.c$/, "", name); printed = 0 }
        /^ \* Printed  / { printed = 1; text = "header " name }
        printed && (/^ \*( [A-Z][a-z]* |\/|$)/ && !/^ \* Printed  /) { print text; printed = 0 }
        printed { sub(/^ \* (Printed)? */, ""); text = text " " $0 }' "$1"/mpi/*/*.c
    "$2/mpi/suite" all -- --help | awk '
        /^Usage: / { sub(/ \[OPTION.*/, ""); name = $0; sub(/.*[ \/]/, "", name); printed = 0 }
        /^Printed: / { printed = 1; text = "help " name }
        printed && /^(Ranks:|$)/ { print text; printed = 0 }
        printed { sub(/^Printed:/, ""); text = text " " $0 }'
} | awk '
    # The facts of a text, a word each.
    function facts(text,    all) {
        all = text ~ /(^| )half( |$)/ ? "half" : ""
        all = all (text ~ /(^| )us[ ,;:.]/ ? " us" : "")
        all = all (text ~ /MB\/s/ ? " MB/s" : "")
        all = all (text ~ /both directions|in and out|(^| )[24] \* / ? " both-ways" : "")
        all = all (text ~ /over (iterations, then over )?ranks|iterations and ranks/ ? " over-ranks" : "")
        return all
    }
    # The first sentence has it.
    {
        who = $1
        name = $2
        sub(/^[a-z]+ [a-z_]+ */, "")
        sub(/\. .*/, ".")
        text[who, name] = $0
    }
    who == "header" { names[++n] = name }
    END {
        for (i = 1; i <= n; i++) {
            name = names[i]
            if (!(("help", name) in text)) continue # not in this build
            a = facts(text["header", name])
            b = facts(text["help", name])
            if (a != b)
                printf "%s.c: Printed has \"%s\", --help of the program \"%s\":\n  %s\n  %s\n", name, a, b, text["header", name], text["help", name]
        }
        if (n == 0) print "no header block has Printed"
    }'
