#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: doc/manual.sh SCRIPT VERSION FOLDER
# Write the manual page of a script from its --help; make does so.
script=$(basename "$1")
case $script in
alidade) name=alidade ;;
run-suite) name=alidade-suite ;;
*) name=alidade-$script ;;
esac
{
    printf '.TH %s 1 "" "Alidade %s"\n.SH NAME\n%s \\- ' "$name" "$2" "$name"
    awk '/^# Usage: / { usage = 1; next } usage && /^# [A-Z]/ { print substr($0, 3); exit }' "$1"
    printf '.SH DESCRIPTION\n.nf\n'
    "$1" --help | sed 's,scripts/run-suite,alidade suite,g; s,scripts/,alidade ,g; s/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'
    echo .fi
} >"$3/$name.1"
