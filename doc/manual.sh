#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: doc/manual.sh PROGRAM VERSION FOLDER
# Write the manual page of a program or a script from its --help; make does so.
help=$("$1" --help) || exit
file=$(basename "$1")
case $file in
alidade) name=alidade ;;
run-suite) name=alidade-suite ;;
*) name=alidade-$file ;;
esac
{
    printf '.TH %s 1 "" "Alidade %s"\n.SH NAME\n%s \\- ' "$name" "$2" "$name"
    printf '%s\n' "$help" | awk '/^Usage: / { usage = 1; next } usage && /^[A-Z]/ { print; exit }'
    printf '.SH DESCRIPTION\n.nf\n'
    printf '%s\n' "$help" | sed "s,$1,$file,g; s,scripts/run-suite,alidade suite,g; s,scripts/,alidade ,g"'
        s/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'
    echo .fi
} >"$3/$name.1"
