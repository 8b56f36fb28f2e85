#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# SRC DST: kinds of memory of the two sides.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

# Programs whose ranks are on two sides; in pair_matrix every rank is on both.
two_sided() {
    local name
    for name in $(programs); do
        [[ $(family "$name") =~ ^(pt2pt|one-sided|congestion)$ && $name != pair_matrix ]] && echo "$name"
    done
    return 0
}

# Options without which a program has no window of ours.
window_of() {
    direct "$1" --help
    if grep -q -- '--win-options' "$out"; then
        echo -w create
    fi
}

# Has this machine huge pages to give?  Asked without the benchmarks.
huge_pages() {
    grep -q '^HugePages_Free: *[1-9][0-9]' /proc/meminfo ||
        grep -Eq '\[(always|madvise)\]' /sys/kernel/mm/transparent_hugepage/enabled
}

# kinds CALL RANK: what the kernel says of the memory that the call was given.
kinds() {
    sed -n "s/^$1 //p" "$BATS_TEST_TMPDIR/trace.$2"
}

@test "F: every program of two sides, either side in a file, every row verified" {
    local name n options
    for name in $(two_sided); do
        n=4
        [[ $(rank_rule "$name") != two ]] || n=2
        ! library_fails "$name" "$n" || continue
        read -ra options <<<"$(required "$name") $(window_of "$name")"
        for sides in "F H" "H F"; do
            echo "$name $sides"
            # shellcheck disable=SC2086  # two words
            launch "$n" "$name" "${options[@]}" -c -i 3 -x 1 $(small "$name") $sides
            expect_status 0
            expect_quiet
            expect_out "mem=${sides/ /-};"
            [[ $(grep -c -i ' pass' "$out") -ge 1 ]] || fail "no row is verified"
        done
    done
}

# Sizes, of programs that have a choice.
small() {
    takes_sizes "$1" && echo -m 64:1K
    return 0
}

@test "the kernel finds buffers and windows where they were asked to be" {
    preload=(kinds)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 latency -m 1000:1000 -i 3 -x 1 H F
    expect_status 0
    [[ $(kinds MPI_Send 0) == "- small" ]] && [[ $(kinds MPI_Recv 0) == "- small" ]] &&
        [[ $(kinds MPI_Send 1) == "/dev/shm/"*" small" ]] &&
        [[ $(kinds MPI_Recv 1) == "/dev/shm/"*" small" ]] ||
        fail "$(cat "$FAULT_TRACE".*)"

    rm "$FAULT_TRACE".*
    mkdir "$BATS_TEST_TMPDIR/files"
    launch 2 put_latency -w create -m 1000:1000 -i 3 -x 1 --file-dir "$BATS_TEST_TMPDIR/files" H F
    expect_status 0
    [[ $(kinds MPI_Win_create 0) == "- small" ]] &&
        [[ $(kinds MPI_Win_create 1) == "$BATS_TEST_TMPDIR/files/"*" small" ]] ||
        fail "$(cat "$FAULT_TRACE".*)"
    [[ -z $(ls -A "$BATS_TEST_TMPDIR/files") ]] || fail "a file was left behind"

    # Rank 0 sends, the others are the other side.
    rm "$FAULT_TRACE".*
    launch 3 hotspot_send --others 2 -m 1000:1000 -i 3 -x 1 F H
    expect_status 0
    expect_out "mem=F-H;"
    [[ $(kinds MPI_Isend 0) == "/dev/shm/"*" small" ]] &&
        [[ $(kinds MPI_Irecv 1) == "- small" ]] && [[ $(kinds MPI_Irecv 2) == "- small" ]] ||
        fail "$(cat "$FAULT_TRACE".*)"
}

@test "HH: all in huge pages, or E32 where there are none" {
    preload=(kinds)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 latency -m 1000:1000 -i 3 -x 1 -c HH H
    if ! huge_pages; then
        expect_status 77
        expect_error E32
        skip "this machine has no huge pages"
    fi
    expect_status 0
    expect_quiet
    expect_out "mem=HH-H;"
    expect_all_pass 1
    [[ $(kinds MPI_Send 0) == "- huge" ]] && [[ $(kinds MPI_Recv 0) == "- huge" ]] &&
        [[ $(kinds MPI_Send 1) == "- small" ]] || fail "$(cat "$FAULT_TRACE".*)"
    launch 2 bw -m 64K:1M -W 4 -c -i 3 -x 1 --buffers=rotate HH HH
    expect_status 0
    expect_all_pass 5
}

@test "kinds of memory with rotating buffers, threads, processes, on more pairs" {
    launch 2 bw -m 1K:4K -c -i 5 -x 1 --buffers=rotate F F
    expect_status 0
    expect_all_pass 3
    launch 2 latency -m 1K:4K -c -i 5 -x 1 --buffers=rotate:1M --touch F H
    expect_status 0
    expect_all_pass 3
    launch 4 mbw_mr -m 1K:4K -c -i 5 -x 1 H F
    expect_status 0
    expect_all_pass 3
    launch 4 put_mbw -w dynamic -m 1K:4K -c -i 5 -x 1 F F
    expect_status 0
    expect_all_pass 3
}

@test "JSON has the kinds of both sides, in each row too" {
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 latency -m 8:16 "${brief[@]}" --json "$json" H F
    expect_status 0
    check <<'END'
assert d["environment"]["memory"] == "H-F"
assert [(r["source"], r["destination"]) for r in d["rows"]] == 2 * [("H", "F")]
END
}

@test "a folder that is not there, or is full: E32 and 77 on all ranks, nothing left behind" {
    launch 2 latency -m 8:8 "${brief[@]}" --file-dir "$BATS_TEST_TMPDIR/none" H F
    expect_status 77
    expect_error E32
    expect_err "F: no file could be made or filled in the folder of --file-dir: No such file"
    expect_err "(rank=1;)"
    mkdir "$BATS_TEST_TMPDIR/full"
    mount -t tmpfs -o size=64k none "$BATS_TEST_TMPDIR/full" 2>/dev/null ||
        skip "no file system of a known size can be mounted here"
    launch 2 latency -m 64K:1M "${brief[@]}" --file-dir "$BATS_TEST_TMPDIR/full" F H
    umount "$BATS_TEST_TMPDIR/full"
    expect_status 77
    expect_error E32
    expect_err "No space left on device"
}

@test "HH and F where they have no place are refused" {
    local words
    while read -r words; do
        # shellcheck disable=SC2086  # words
        direct $words
        echo "$words"
        expect_status 1
        expect_error E12
    done <<'END'
bcast F F
barrier HH HH
latency F
latency H F H
put_latency H F
put_latency -w allocate_shared F HH
put_bibw F H
put_latency -s pscw F H
get_latency -s fence -w allocate F H
is HH H
tcp_latency F F
END
    direct bcast --file-dir /tmp
    expect_error E12
}
