#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# match_queue: every message of its queues is counted and verified, and wrong requests
# are refused.  tests/truth/planted has queues whose entries cost a known time.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

queues=(--posted=3 --unexpected=3 --reverse=3)

@test "match_queue: queues are filled and drained once a batch, and every message is received" {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 match_queue "${queues[@]}" -m 24:24 -i 20 -x 5 -c --verify=1
    expect_status 0
    expect_all_pass 4
    # Batches of 1, 4 and 21 iterations, 26 in all.  A batch of the first two queues has 3
    # entries; an iteration of the others has 4 messages.
    local rank call
    for rank in 0 1; do
        for call in "MPI_Send 24 0=52" "MPI_Isend 24 0=$((2 * 9 + 2 * 104))" \
            "MPI_Irecv 0 24=$((2 * (26 + 9) + 2 * 104))"; do
            [[ $(grep -c "^${call%=*}$" "$FAULT_TRACE.$rank") -eq ${call#*=} ]] ||
                fail "rank $rank: not $call"
        done
    done
}

@test "match_queue: each entry is verified, in each queue" {
    preload=(matching) impatient=yes
    local queue
    for queue in posted unexpected reverse; do
        FAULT=flip FAULT_RANK=0 FAULT_TAG=102 launch 2 match_queue "--$queue=3" -m 1000:1000 -i 2 -x 1
        echo "$queue"
        expect_status 3
        expect_error E14
        expect_err "block=2; byte=0;"
    done
    # And the message that is timed.
    preload=(plant)
    FAULT=byte FAULT_RANK=1 FAULT_BYTES=1000 launch 2 match_queue --posted=3 -m 1000:1000 -i 2 -x 1
    expect_status 3
    expect_err "rank=1; block=0;"
}

@test "match_queue: rows of the queues that were named; wildcards" {
    launch 2 match_queue --posted=2,0 --reverse=1 --wildcard=source -c -i 5 -x 1
    expect_status 0
    expect_all_pass 4
    [[ $(grep -E '^# (Entries|Operation)' "$out" | tr -d '\n') == "# Entries: 0.# Operation: posted."*"# Entries: 2.# Operation: posted."*"# Entries: 1.# Operation: in_order."*"# Entries: 1.# Operation: reverse." ]] ||
        fail "other sections"
    grep -Eq '^# Per entry: queue=posted; size=8; -?[0-9.]+ ns, -?[0-9.]+ to -?[0-9.]+;$' "$out" ||
        fail "no cost of an entry"
    # One length has no slope.
    refuse_out "queue=reverse;"
    launch 2 match_queue --posted=2 --wildcard=both -c -i 5 -x 1
    expect_status 0
    expect_all_pass 1
}

@test "match_queue: refuses what cannot be" {
    refusals <<'END'
1 E12 match_queue --wildcard=tag
1 E12 match_queue --wildcard=both --unexpected=1
1 E12 match_queue --posted=30001
1 E12 match_queue --posted=1,x
1 E12 match_queue --reverse=-1
1 E12 match_queue --wildcard=all
END
    launch 3 match_queue
    expect_error E02
}

@test "match_queue: JSON and CSV have the entries of each row, and what one costs" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    launch 2 match_queue --posted=0,4 --unexpected=4,2 -i 9 -x 1 --json "$json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    check <<'END'
assert [(row["operation"], row["entries"]) for row in d["rows"]] == \
    [("posted", 0), ("posted", 4), ("unexpected", 2), ("unexpected", 4)]
assert d["method"]["posted"] == [0, 4] and d["method"]["unexpected"] == [2, 4]
assert d["method"]["reverse"] == [] and d["method"]["wildcard"] == "none"
assert [one["operation"] for one in d["per_entry"]] == ["posted", "unexpected"]
for one in d["per_entry"]:
    rows = [row for row in d["rows"] if row["operation"] == one["operation"]]
    a, b = (row["over_iterations"]["median_us"] / 2 for row in rows)
    slope = 1000 * (b - a) / (rows[1]["entries"] - rows[0]["entries"])
    assert abs(one["ns"] - slope) <= 1e-6 * abs(slope) + 1e-6, (one, slope)
    assert one["low_ns"] <= one["ns"] <= one["high_ns"]
END
    [[ $(cut -d , -f 8,9 "$BATS_TEST_TMPDIR/x.csv" | tr '\n' ' ') == "operation,entries posted,0 posted,4 unexpected,2 unexpected,4 " ]] ||
        fail "other columns"
}
