#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: doc/manual.sh PROGRAM VERSION FOLDER [ADDRESS]
# Write the manual page of a program or a script from its --help; make does so.
help=$("$1" --help) || exit
file=$(basename "$1")
case $file in
alidade) name=alidade ;;
run-suite) name=alidade-suite ;;
*) name=alidade-$file ;;
esac
# Whoever installs may be root; whoever reads is not.
printf '%s\n' "$help" | sed "s, --allow-run-as-root,,; s,$1,$file,g; s,scripts/run-suite,alidade suite,g; s,scripts/,alidade ,g" |
    awk -v name="$name" -v version="$2" -v address="${4-}" -f "$(dirname "$0")/manual.awk" >"$3/$name.1"
