#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints c/family/README.md: make doc.  What a family is stands at the top of its header, and
# a program is one of its programs if it includes a header of the folder.
# usage: family_list.sh SOURCE
set -eu
cd "$1"

cat <<'EOF'
# Families

A family is what some programs share. Their descriptor plugs it into the run (`.family = &NAME_family`).
[c/util/README.md](../util/README.md) says how to make one, and [family.h](../util/family.h) what it can do.
A family may include any room of `c/util`. Some plug in nothing: programs and other families
name their patterns, reports and functions. Only the table in `tests/lint/rooms` lets a family include another.

This page is made from the headers and the programs by `make doc`; do not edit it.

| family | what it is | programs |
|---|---|---|
EOF
for folder in c/family/*/; do
    family=$(basename "$folder")
    about=$(awk -v start=" * $family.h - " '
        index($0, start) == 1 { text = substr($0, length(start) + 1); next }
        text != "" && /^ \*(\/|$)/ { exit }
        text != "" { sub(/^ \* */, ""); text = text " " $0 }
        END { sub(/ *\*\/$/, "", text); sub(/[.:]$/, "", text); gsub(/\|/, "\\|", text); print text }' "$folder$family.h")
    [ -n "$about" ] || {
        echo "family_list.sh: $folder$family.h does not begin with \"$family.h - what it is\"" >&2
        exit 1
    }
    # Many of a folder are a number.
    programs=$(for place in mpi/*/; do
        some=$(grep -l "^#include \"$family/" "$place"*.c || true)
        n=$(echo "$some" | grep -c . || true)
        if [ "$n" -gt 8 ]; then
            echo "$n of ${place%/}"
        else
            echo "$some" | sed 's,.*/,,; s/\.c$//'
        fi
    done | grep . | paste -sd, | sed 's/,/, /g')
    echo "| \`$family\` | $about | ${programs:--} |"
done
