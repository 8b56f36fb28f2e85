#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What collectives have in addition to OMB's tables: bandwidths.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

# S/t and S/t * factor, of the time in the same row; 4 ranks, 1,024 bytes.
@test "algbw and busbw are nccl-tests', of blocking, non-blocking and persistent collectives" {
    local csv=$BATS_TEST_TMPDIR/csv name time algbw busbw
    while read -r name time algbw busbw; do
        launch 4 "$name" -m 1024:1024 "${brief[@]}" --columns=algbw,busbw --csv="$csv"
        expect_status 0
        tr -d '\r' <"$csv" | awk -F, -v time="$time" -v a="$algbw" -v b="$busbw" '
            function near(x, y) { return (x - y) ^ 2 < (1e-6 * y) ^ 2 }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { good = near($at["algbw"], a / $at[time]) && near($at["busbw"], b / $at[time]) }
            END { exit NR != 2 || !good }' || fail "$name: $(<"$csv")"
    done <<END
allreduce latency_us 1024 1536
iallgather pure_us 4096 3072
gather_persistent latency_us 4096 3072
reduce_scatter latency_us 1024 768
ialltoallw pure_us 4096 3072
bcast latency_us 1024 1024
END
    grep -q ' Alg. BW(MB/s)      Bus BW(MB/s)$' "$out"
}

@test "algbw and busbw: --help has the formula; a barrier has none" {
    direct allgather --help
    expect_out '--columns=algbw,busbw: algbw = S/t, busbw = algbw * (n-1)/n, in MB/s.'
    expect_out 'busbw is not meaningful for trees and in-network reduction.'
    direct barrier --columns=busbw
    expect_error E12
}
