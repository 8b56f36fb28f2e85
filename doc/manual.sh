#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: doc/manual.sh PROGRAM VERSION FOLDER [COMMAND [ADDRESS]]
# Write the manual page of a program or a script from its --help; make does so.
help=$("$1" --help) || exit
file=${1##*/}
command=${4-alidade}
case $file in
alidade) name=$command ;;
run-suite) name=$command-suite ;;
*) name=$command-$file ;;
esac
# Programs are not in PATH; scripts are words after the command.
case $1 in
*/scripts/*) start=$file ;;
*) start="\$($command which $file)" ;;
esac
# Whoever installs may be root; whoever reads is not.
printf '%s\n' "$help" | sed "s, --allow-run-as-root,,; s,$1,$start,g; s,scripts/run-suite,alidade suite,g; s,scripts/,alidade ,g
    s,^alidade [A-Za-z-],@&,; s,\([^A-Za-z0-9_/.@-]\)alidade \([A-Za-z-]\),\1$command \2,g; s,^@alidade,$command," |
    awk -v name="$name" -v version="$2" -v address="${5-}" -f "${0%/*}/manual.awk" >"$3/$name.1"
