#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# mbw_mr_mt: its messages are counted and verified, whatever keeps threads apart; sections
# of threads and of processes.  tests/truth/planted has a lock that holds a known time.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

# Sections as "T OPERATION;".
sections() {
    sed -n 's/^# Threads or processes: \(.*\)\.$/\1/p; s/^# Operation: \(.*\)\.$/\1;/p' "$out" | tr '\n' ' '
}

expect_sections() {
    [[ $(sections) == "$1 " ]] || fail "sections: expected $1, saw $(sections)"
}

@test "mbw_mr_mt: every message of every thread, by communicators, by tags, and by neither" {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    local apart
    for apart in comm tag none; do
        echo "$apart"
        launch 2 mbw_mr_mt -t 2 -W 4 -m 24:24 -i 20 -x 5 -c --verify=1 -b multiple --apart=$apart
        expect_status 0
        expect_all_pass 1
        expect_sections "2 threads;"
        # One verified iteration; batches of 4 and 21 are 3 and 12 of each thread, with its lead-in.
        [[ $(grep -c '^MPI_Isend 24 0$' "$FAULT_TRACE.0") -eq $((16 * 2 * 4)) &&
            $(grep -c '^MPI_Irecv 0 24$' "$FAULT_TRACE.1") -eq $((16 * 2 * 4)) &&
            $(grep -c '^MPI_Send 0 0$' "$FAULT_TRACE.1") -ge $((16 * 2)) ]] || fail "other counts"
    done
}

@test "mbw_mr_mt: wrong data of any thread or process are found" {
    preload=(lock) impatient=yes
    local apart nth
    # The first and the last message of the windows of two threads.
    for apart in comm tag none; do
        for nth in 1 8; do
            echo "$apart $nth"
            FAULT=flip FAULT_NTH=$nth launch 2 mbw_mr_mt -t 2 -W 4 -m 1000:1000 -i 4 -x 1 --apart="$apart"
            expect_status 3
            expect_error E14
            expect_err "rank=1;"
        done
    done
    # The very first message.
    FAULT=flip FAULT_NTH=1 launch 4 mbw_mr_mt -t 1,2 -W 2 -m 1000:1000 -i 4 -x 1
    expect_status 3
    expect_err "rank=2; block=0; byte=0;"
}

@test "mbw_mr_mt: sections of threads, and of as many processes as there are ranks for" {
    launch 4 mbw_mr_mt -t 2,1,3 -m 8:8 -W 2 -c -i 8 -x 1
    expect_status 0
    expect_sections "2 threads; 1 threads; 3 threads; 2 processes; 1 processes;"
    expect_all_pass 5
    # The first section is the base.
    [[ $(column 4) == 1.00* ]] || fail "no base"
    launch 2 mbw_mr_mt -t 2 -m 8:8 -W 2 -i 8 -x 1
    expect_sections "2 threads;"
    expect_quiet W31
    expect_err "rows left out=1; operation=processes; threads=2; size=8; each of these processes needs two"
}

@test "mbw_mr_mt: communicators have info keys" {
    preload=(lock)
    FAULT=info launch 2 mbw_mr_mt -t 1,3 -m 8:8 -W 2 -i 2 -x 1
    expect_status 0
    [[ $(grep -c '^# info' "$err") -eq 3 ]] || fail "not a communicator for each thread"
    expect_err "# info mpi_assert_no_any_tag mpi_assert_no_any_source mpi_assert_new_vci"
    FAULT=info launch 2 mbw_mr_mt -t 3 --apart=tag -m 8:8 -W 2 -i 2 -x 1
    expect_status 0
    [[ $(grep -c '^# info' "$err") -eq 1 ]] || fail "not one communicator"
}

@test "mbw_mr_mt: refuses what cannot be" {
    refusals <<'END'
1 E12 mbw_mr_mt --dry-run --ranks 2 -t 0
1 E12 mbw_mr_mt --dry-run --ranks 2 -t 2:2
1 E12 mbw_mr_mt --dry-run --ranks 2 -t 1025
1 E12 mbw_mr_mt --dry-run --ranks 2 --apart=window
END
    launch 3 mbw_mr_mt
    expect_error E02
    preload=(plant)
    FAULT=single launch 2 mbw_mr_mt -t 1 -m 8:8
    expect_status 77
    expect_error E18
}

@test "mbw_mr_mt: JSON has threads, what keeps them apart, and the speed-up" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    launch 4 mbw_mr_mt -t 1,2 --apart=tag -m 8:8 -W 4 -i 8 -x 1 --json "$json"
    expect_status 0
    check <<'END'
assert d["method"]["apart"] == "tag"
rows = d["rows"]
assert [(row["operation"], row["threads"]) for row in rows] == \
    [("threads", 1), ("threads", 2), ("processes", 1), ("processes", 2)]
for row in rows:
    columns, mean = row["columns"], row["over_ranks"]["mean_us"]
    assert abs(columns["messages_per_s"] - 4e6 * row["threads"] / mean) < 1e-6 * columns["messages_per_s"]
    assert abs(columns["speed_up"] - row["value"] / rows[0]["value"]) < 1e-6 * columns["speed_up"]
    assert row["over_ranks"]["n"] == (row["threads"] if row["operation"] == "processes" else 1)
END
}
