#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The list of programs for README.md, from mpi/Makefile.inc and the first line
# of each header block.
# usage: programs.sh SOURCE
set -eu
cd "$1"
group=
tests/lint/program_list.sh . | while read -r program; do
    if [ "${program%/*}" != "$group" ]; then
        [ -z "$group" ] || echo
        group=${program%/*}
        case $group in
        mpi/pt2pt) echo "Point-to-point, in \`$group\`:" ;;
        mpi/congestion) echo "Congestion of one node, in \`$group\`:" ;;
        mpi/collective) echo "Collective, in \`$group\`:" ;;
        mpi/one-sided) echo "One-sided, in \`$group\`:" ;;
        mpi/baseline) echo "Below MPI, in \`$group\`:" ;;
        mpi/startup) echo "Start-up, in \`$group\`:" ;;
        mpi/application) echo "Applications, in \`$group\`:" ;;
        *) echo "In \`$group\`:" ;;
        esac
        echo
    fi
    awk '/^#include/ { exit }
         match($0, /^ \* [a-z0-9_]+ - /) {
             print "- `" $2 "` - " substr($0, RLENGTH + 1)
             exit
         }' "$program.c"
done
