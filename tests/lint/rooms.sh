#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print what is wrong with the rooms of c/util, and with c/family.
# usage: rooms.sh includes|symbols|words|shape|headers SOURCE BUILD
set -eu
what=$1
build=$(cd "$3" && pwd)
cd "$2"

sources() {
    find "$@" -name '*.[ch]' -o -name '*.def' | sort
}

# Names that the objects of a family define, and others can see.
exported() {
    nm -g --defined-only "$build/$1"/*.o | awk 'NF == 3 { print $3 }'
}

# What the table forbids: includes of sources.
includes() {
    # shellcheck disable=SC2046  # paths without blanks
    awk -v what=includes -f tests/lint/rooms.awk tests/lint/rooms $(sources c mpi)
}

# What it forbids: names that objects use.
symbols() {
    (cd "$build" && find c -name '*.o' -exec nm -gA {} +) |
        awk -v what=symbols -f tests/lint/rooms.awk tests/lint/rooms -
}

# c/util names no family.
words() {
    for folder in c/family/*/; do
        folder=${folder%/}
        family=${folder##*/}
        # A room may have a module of that name.
        own=$(find c/util -name "$family.h")
        {
            exported "$folder" | sed 's/.*/\\<&\\>/'
            [ -n "$own" ] || printf '%s\n' "\\<${family}_" "struct $family\\>"
            for header in "$folder"/*.h; do
                name=${header##*/}
                [ -n "$(find c/util -name "$name")" ] ||
                    echo "\\<${name%.h}\\.h\\>"
            done
        } | grep -rn -f - --include='*.[ch]' --include='*.cu' c/util |
            sed "s/^/names family $family: /"
    done
}

# How large files, functions, rooms, scripts, and the parts of c are.
shape() {
    while read -r part most; do
        [ "$(find "$part" -type f ! -name '*.md' ! -name '*.json' ! -name '*.pyc' ! -name 'Makefile.*' -exec cat {} + | wc -l)" -le "$most" ] ||
            echo "$part: more than $most lines; delete as much as you add"
    done <<END
c/util 14988
c/watch 6283
c/family 18669
c/suite 1056
c/profile 1209
scripts 14870
END
    # shellcheck disable=SC2046  # paths without blanks
    awk 'FNR == 801 { print FILENAME ": more than 800 lines" }
         FNR == 1 { begin = 0 }
         /^{/ { begin = FNR }
         /^}/ && begin {
             if (FNR - begin >= 60)
                 print FILENAME ":" begin ": a function of more than 60 lines"
             begin = 0
         }' $(sources c)
    for room in c/util/*/ c/watch/*/ c/family/*/; do
        [ "$(find "$room" -type f | wc -l)" -le 30 ] ||
            echo "$room: more than 30 files"
        name=$(basename "$room")
        grep -q "^| \`$name/*\`" "$(dirname "$room")/README.md" ||
            echo "$room: has no row in $(dirname "$room")/README.md"
    done
    find c/util -maxdepth 1 -type f | grep -vE \
        '/(bench\.h|loop\.h|family\.h|watch\.h|README\.md|Makefile\.inc)$' |
        sed 's/$/: is in no room/'
}

# Every .c but that of main has a header: its own, or that of its family, whose name is the
# folder's; settings.h has the rows of options, too.
headers() {
    find c/util c/watch/*/ c/family -name '*.c' ! -path c/util/run/main.c ! -path c/util/options/settings_rows.c | sort |
        while read -r file; do
            folder=${file%/*}
            [ -f "${file%.c}.h" ] || [ -f "$folder/${folder##*/}.h" ] ||
                echo "$file: has no header"
        done
}

"$what"
