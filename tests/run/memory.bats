#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# SRC DST: kinds of memory of the two sides.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

# One program of each kind whose ranks are on two sides; in pair_matrix, pair_bw and the rings
# every rank is on both.
two_sided() {
    local name
    for name in $(kinds_of_programs); do
        [[ ${family_of[$name]} =~ ^(pt2pt|one-sided|congestion)$ &&
            ! $name =~ ^(pair_(matrix|bw)|(random_)?ring|exchange|bisection|impact)$ ]] && echo "$name"
    done
    return 0
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

@test "HH: programs of two sides, either side in huge pages, every row verified" {
    local name n options
    huge_pages || skip "this machine has no huge pages"
    # Else the program has no window of ours.
    takers win-options
    for name in $(two_sided); do
        n=4
        [[ ${rule_of[$name]} != two ]] || n=2
        read -ra options <<<"${needs_of[$name]} ${takes[$name]:+-w create}"
        for sides in "HH H" "H HH"; do
            # shellcheck disable=SC2086,SC2046  # words
            later "$name.${sides/ /-}" "$n" "$name" "${options[@]}" -c -i 3 -x 1 $(small "$name") $sides
        done
    done
    all_good 'messages W31' 'expect_out "mem=${name#*.};"' 'grep -qi " pass" "$out"'
}

# Sizes, of programs that have a choice.
small() {
    takes_sizes "$1" && echo -m 64:1K
    return 0
}

@test "the kernel finds buffers and windows where they were asked to be" {
    huge_pages || skip "this machine has no huge pages"
    preload=(kinds)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 put_latency -w create -m 1000:1000 -i 3 -x 1 H HH
    expect_status 0
    [[ $(kinds MPI_Win_create 0) == "- small" ]] && [[ $(kinds MPI_Win_create 1) == "- huge" ]] ||
        fail "$(cat "$FAULT_TRACE".*)"

    # Rank 0 sends, the others are the other side.
    rm "$FAULT_TRACE".*
    launch 3 hotspot_send --peers 2 -m 1000:1000 -i 3 -x 1 HH H
    expect_status 0
    expect_out "mem=HH-H;"
    [[ $(kinds MPI_Isend 0) == "- huge" ]] &&
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
    huge_pages || skip "this machine has no huge pages"
    cases <<'END'
| launch 2 bw -m 1K:4K -c -i 5 -x 1 --buffers=rotate HH HH | 0 | $ expect_all_pass 3
| launch 2 latency -m 1K:4K -c -i 5 -x 1 --buffers=rotate:1M --touch HH H | 0 | $ expect_all_pass 3
| launch 4 mbw_mr -m 1K:4K -c -i 5 -x 1 H HH | 0 | $ expect_all_pass 3
| launch 4 put_mbw -w dynamic -m 1K:4K -c -i 5 -x 1 HH HH | 0 | $ expect_all_pass 3
END
}

@test "JSON has the kinds of both sides, in each row too" {
    need_json
    huge_pages || skip "this machine has no huge pages"
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 latency -m 8:16 "${brief[@]}" --json "$json" H HH
    expect_status 0
    check <<'END'
assert d["environment"]["memory"] == "H-HH"
assert [(r["source"], r["destination"]) for r in d["rows"]] == 2 * [("H", "HH")]
END
}

@test "HH where it has no place is refused" {
    sed 's/^/1 E12 /' <<'END' >"$BATS_TEST_TMPDIR/words"
bcast HH HH
latency HH
latency D
latency -d cuda H
allreduce H D
latency H HH H
put_latency -w allocate_shared H HH
put_latency -w allocate_shared HH HH
put_bibw -w allocate_shared HH H
put_latency -s pscw -w allocate_shared HH H
is HH H
tcp_latency HH HH
END
    refusals <"$BATS_TEST_TMPDIR/words"
}

# --- Slots of a window ---------------------------------------------------------------

@test "-b: what the windows of a rank need" {
    local name most options
    while read -r most name options; do
        # shellcheck disable=SC2086  # words of options
        launch 1 "$name" --dry-run -m 64M:64M $options
        expect_status 0
        [[ " $(grep '^67108864' "$out") " == *" $most "* ]] || fail "$name $options: not $most"
    done <<'END'
1GiB bw
64MiB bw -b single
64MiB bw --protocol=omb
4GiB bw --protocol=omb -b multiple
512MiB bw -W 8
128MiB bibw -b single
1GiB mbw_mr
1GiB put_bw
1GiB get_bibw
1.063GiB pair_bw --ranks=4
1GiB bw_fan_in --groups=2
1GiB memory_bw
1GiB staged_bw
END
}

@test "messages of a window that share memory: the table and JSON say so, and the data are verified" {
    json=$BATS_TEST_TMPDIR/x.json
    launch 2 bw -W 4096 -m 256K:512K -i 1 -x 0 -c --json "$json"
    expect_status 0
    expect_out "# Messages of a window share buffers from size=524288 on; -b multiple gives each its own."
    expect_sizes 262144 524288
    [[ $python3 == none ]] ||
        [[ $("$python3" -c 'import json, sys
print([(row["window"], row["slots"], row["verified"]) for row in json.load(open(sys.argv[1]))["rows"]])' "$json") == \
            "[(4096, 4096, 'pass'), (4096, 2048, 'pass')]" ]] || fail "not recorded"
    # With a slot for one message, one at a time is verified.
    preload=(plant)
    export FAULT=byte FAULT_BYTES=2097152 FAULT_RANK=1
    impatient=yes
    launch 2 bw -W 4 -m 2M:2M -b single -i 1 -x 0
    expect_status 3
    expect_err "rank=1; block=0;"
}
