#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print every include of c/util that the table in "layers" does not allow,
# every file that is missing in it, and every file of plain C that includes
# mpi.h.
# usage: layering.sh SOURCE
set -eu
source=$(cd "$1" && pwd)
cd "$source/c/util"
for file in *.c *.h; do
    sed -n "s/^ *# *include *[<\"]\([^>\"]*\)[>\"].*/$file \1/p" "$file"
done | awk '
    FNR == NR {
        if ($0 ~ /^[^#]/) {
            if (!($1 in depth))
                depth[$1] = ++layers
            for (i = 2; i <= NF; i++)
                layer[$i ".c"] = layer[$i ".h"] = depth[$1]
        }
        next
    }
    {
        here = $1
        there = $2
        if (!(here in layer)) {
            if (!(here in said))
                print here ": has no layer in tests/lint/layers"
            said[here] = 1
        } else if (there == "mpi.h" && layer[here] == 1)
            print here ": is plain C and includes mpi.h"
        else if (there in layer && layer[there] > layer[here])
            print here ": includes " there " of a higher layer"
    }' "$source/tests/lint/layers" -
