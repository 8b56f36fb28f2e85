#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Whole tables, byte for byte as OMB 7.4 prints them but for the figures: see
# layouts/README.md.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

layouts=$ALIDADE_SOURCE/tests/run/layouts

# Figures become #.##, where they end; those of init, in ms, become #.
mask() {
    awk '
        {
            line = ""
            while (match($0, / *[0-9]+\.[0-9][0-9]/)) {
                line = line substr($0, 1, RSTART - 1)
                figure = substr($0, RSTART, RLENGTH)
                # In a field, or behind a word.
                if (figure ~ /^ / || line == "")
                    line = line sprintf("%*s", RLENGTH, "#.##")
                else
                    line = line "#.##"
                $0 = substr($0, RSTART + RLENGTH)
            }
            line = line $0
            gsub(/ [0-9]+ ms/, " # ms", line)
            print line
        }' "$@"
}

@test "what is masked keeps its place: a field wider, narrower or without decimals shows" {
    local good=$BATS_TEST_TMPDIR/good line
    printf '8                       0.61\n' >"$BATS_TEST_TMPDIR/good"
    [[ $(mask "$good") == "8                       #.##" ]]
    printf '8                    1234.61\n             2.34\n' >"$good"
    [[ $(mask "$good") == "8                       #.##"$'\n'"             #.##" ]]
    for line in '8                      0.61' '8                        0.61' \
        '8                      0.610' '8                          1' '8                       0.6' \
        '8                       0.61 ' '8                     0.61  '; do
        [[ $(mask <<<"$line") != "8                       #.##" ]] || fail "not seen: '$line'"
    done
    [[ $(mask <<<"graph:12.30 us.") == "graph:#.## us." ]]
    [[ $(mask <<<"min: 12 ms, max: 345 ms") == "min: # ms, max: # ms" ]]
}

@test "every table is as OMB's" {
    local file name words
    for file in "$layouts"/*.txt; do
        name=${file##*/} name=${name%.txt}
        read -ra words < <(sed -n '1s/^% run //p' "$file")
        later "$name" "${words[@]}"
    done
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        [[ $(grep -c '^# Alidade ' "$out") -eq 1 ]] || fail "not one line of ours"
        diff <(sed '/^%/d' "$layouts/$name.txt") <(sed '1{/^# Alidade /d}' "$out" | mask) ||
            fail "another table"
    done
}
