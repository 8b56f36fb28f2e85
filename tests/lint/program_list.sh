#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs that are built and installed, one path a line.
# usage: program_list.sh SOURCE
exec awk '
    /^programs *=/ { listed = 1 }
    listed {
        for (i = 1; i <= NF; i++)
            if ($i ~ /^mpi\//)
                print $i
        if ($NF != "\\")
            exit
    }' "$1/mpi/Makefile.inc"
