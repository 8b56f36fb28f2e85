#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Who must call MPI for data to move: --target of one-sided programs, and progress.
# tests/truth/planted has libraries that need the CPU of a rank.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

@test "--target: a second pass, next to that with the target in MPI, for each synchronization" {
    local how
    for how in "flush --target=asleep:200" "lock --target=computing:200" "lock_all --target=asleep:100"; do
        # shellcheck disable=SC2086  # two words
        launch 2 put_latency -m 8:16 -c -i 4 -x 1 -s $how
        echo "$how"
        expect_status 0
        expect_all_pass 2
        how=${how#*=}
        expect_out "# Target: ${how/:/, } us at a time"
        grep -Eq '^# Size +Latency \(us\) +In MPI \(us\) +Ratio +Validation$' "$out" || fail "other columns"
    done
    launch 2 put_latency -m 8:8 -i 4 -x 1 --target=in-mpi
    expect_status 0
    refuse_out "Ratio"
    refuse_out "# Target"
    launch 2 put_latency -m 8:8 -i 4 -x 1 -s flush_local --target=asleep:100
    expect_out "Local (us)       In MPI (us)"
}

@test "--target: pairs that start together, windows of operations, and atomics" {
    launch 4 put_mbw -m 8:8 -W 3 -c -i 4 -x 1 --target=computing:100
    expect_status 0
    expect_all_pass 1
    expect_out "In MPI (MB/s)"
    launch 4 get_multi_lat -m 8:8 -c -i 4 -x 1 --target=asleep:100
    expect_status 0
    expect_all_pass 1
    launch 2 get_bw -m 8:8 -W 3 -c -i 4 -x 1 --target=asleep:100
    expect_status 0
    expect_all_pass 1
    launch 2 fop_latency -c -i 4 -x 1 --target=asleep:100
    expect_status 0
    expect_all_pass 1
    # The target is told after each batch of a pair alone, and calls MPI_Test until then.
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 put_latency -m 24:24 -i 4 -x 1 --target=asleep:100
    expect_status 0
    # Verification; one iteration of warm-up is the lead-in, in each of two passes of 5.
    [[ $(grep -c '^MPI_Put 24 0$' "$FAULT_TRACE.0") -eq 11 ]] || fail "other puts"
    [[ $(grep -c '^MPI_Test 0 0$' "$FAULT_TRACE.1") -ge 1 ]] || fail "the target does not call MPI"
}

@test "--target: wrong data are found" {
    preload=(plant) impatient=yes
    FAULT=dropped FAULT_RANK=0 launch 2 put_latency -m 1000:1000 -i 2 -x 1 --target=asleep:100
    expect_status 3
    expect_error E14
}

@test "--target: refuses active synchronization, and other words" {
    refusals <<'END'
1 E12 put_latency --target=asleep -s fence|need a passive target
1 E12 put_latency --target=computing:5 -s pscw|need a passive target
1 E12 put_latency --target=asleep:0|--target 'asleep:0' 
1 E12 put_latency --target=in-mpi:3|--target 'in-mpi:3' 
1 E12 put_latency --target=computing:x|--target 'computing:x' 
1 E12 put_latency --target=awake|--target 'awake' is not
1 E43 put_bibw --target=asleep|--target
1 E43 hotspot_get --target=asleep|--target
1 E43 completion --target=asleep|--target
END
}

@test "--target: JSON has what the target does, and both passes" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    launch 2 get_latency -m 8:8 -i 4 -x 1 --target=computing:300 --json "$json"
    expect_status 0
    check <<'END'
assert d["method"]["target"] == "computing" and d["method"]["target_us"] == 300
columns = d["rows"][0]["columns"]
assert abs(columns["ratio"] - columns["latency_us"] / columns["in_mpi_us"]) < 1e-6 * columns["ratio"]
END
}

@test "progress: a message an iteration in each of two passes, and an acknowledgement" {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 progress -m 24:24 --compute=10 -i 20 -x 5 -c --verify=1
    expect_status 0
    expect_all_pass 1
    expect_out "# Computation in us: 10."
    # Verification, and two passes of 4 and 21 iterations.
    [[ $(grep -c '^MPI_Isend 24 0$' "$FAULT_TRACE.0") -eq 51 &&
        $(grep -c '^MPI_Irecv 0 24$' "$FAULT_TRACE.1") -eq 51 &&
        $(grep -c '^MPI_Send 0 0$' "$FAULT_TRACE.1") -ge 51 ]] || fail "other counts"
    [[ $(column 3) != 0.00 ]] || fail "no computation"
    preload=(plant) impatient=yes
    FAULT=byte FAULT_RANK=1 launch 2 progress -m 1000:1000 --compute=10 -i 2 -x 1
    expect_status 3
    expect_error E14
}

@test "progress: the computation lasts as long as it says; percent in JSON may be negative" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    launch 2 progress -m 8:8 --compute=2000,500 -i 5 -x 1 --json "$json"
    expect_status 0
    check <<'END'
assert [row["sender_compute_us"] for row in d["rows"]] == [2000, 500]
for row in d["rows"]:
    parts, columns = row["overlap"], row["columns"]
    assert parts["compute_us"] >= row["sender_compute_us"], parts
    hidden = 100 - 100 * (row["value"] - parts["compute_us"]) / parts["pure_us"]
    assert abs(parts["overlap_percent"] - hidden) < 1e-6 * max(1, abs(hidden))
    progress = columns["progress_percent"]
    assert progress is None if hidden < -50 else \
        abs(progress - max(0, hidden)) < 1e-6 * max(1, abs(hidden)), (progress, hidden)
    # All of an iteration is in its parts, but the acknowledgement.
    assert row["value"] >= parts["start_us"] + parts["compute_us"]
END
    launch 2 progress --compute=0
    expect_error E12
    launch 3 progress
    expect_error E02
}
