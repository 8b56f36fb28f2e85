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

layout() {
    local name words
    for name in "$@"; do
        read -ra words < <(sed -n '1s/^% run //p' "$layouts/$name.txt")
        launch "${words[@]}"
        echo "$name: ${words[*]}"
        expect_status 0
        [[ $(grep -c '^# Alidade ' "$out") -eq 1 ]] || fail "not one line of ours"
        diff <(sed '/^%/d' "$layouts/$name.txt") <(sed '1{/^# Alidade /d}' "$out" | mask) ||
            fail "another table"
    done
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

@test "latency" {
    layout latency latency-c-z latency-z100 latency-T
}

@test "latency -D: Transmit Size" {
    layout latency-D
}

@test "bw" {
    layout bw bw-c-z
}

@test "bibw" {
    layout bibw
}

@test "multi_lat" {
    layout multi_lat multi_lat-z
}

@test "mbw_mr" {
    layout mbw_mr mbw_mr-c-z mbw_mr-R0
}

@test "mbw_mr -V: a column for each window" {
    layout mbw_mr-V mbw_mr-V-R0
}

@test "latency_mt: threads before the title" {
    layout latency_mt latency_mt-t
}

@test "latency_mp: processes before the title" {
    layout latency_mp
}

@test "persistent requests" {
    layout latency_persistent bw_persistent bibw_persistent
}

@test "bw_fan_in, bw_fan_out: bandwidths under their name" {
    layout bw_fan_in bw_fan_out
}

@test "allreduce" {
    layout allreduce allreduce-f
}

@test "bcast" {
    layout bcast-c-z bcast-f-c-z
}

@test "bcast -D: Transmit Size" {
    layout bcast-D
}

@test "barrier" {
    layout barrier barrier-f
}

@test "iallreduce" {
    layout iallreduce iallreduce-f
}

@test "ibarrier" {
    layout ibarrier ibarrier-f
}

@test "ibcast: another capital" {
    layout ibcast
}

@test "neighbor_alltoall: topology before the empty line" {
    layout neighbor_alltoall neighbor_alltoall-f
}

@test "ineighbor_alltoall" {
    layout ineighbor_alltoall
}

@test "put_latency" {
    layout put_latency-c put_latency-z
}

@test "get_bw" {
    layout get_bw
}

@test "put_bibw" {
    layout put_bibw
}

@test "acc_latency" {
    layout acc_latency
}

@test "get_acc_latency: no type line" {
    layout get_acc_latency
}

@test "fop_latency, cas_latency: one row" {
    layout fop_latency cas_latency
}

@test "init, hello" {
    layout init hello
}

@test "every layout is tested" {
    local file
    for file in "$layouts"/*.txt; do
        file=${file##*/}
        grep -Eq "^ +layout (.* )?${file%.txt}( |\$)" "$BATS_TEST_FILENAME" || fail "$file is not"
    done
}
