#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Persistent collectives with a computation between start and wait (--compute).
# shellcheck disable=SC2154  # variables shared with common.bash

load common

brief=(-i 3 -x 1)

setup() {
    [[ $persistent != no* ]] || skip "this MPI has no persistent collectives"
}

# The persistent collectives; in the short form one of each family and flow.
persistent_collectives() {
    if [[ -n ${ALIDADE_LONG:-} ]]; then
        programs | grep _persistent | grep -vE '^(latency|bw|bibw)_'
    else
        echo allreduce_persistent barrier_persistent bcast_persistent \
            alltoallw_persistent neighbor_alltoallv_persistent
    fi
}

@test "a library that moves old data in the second start is found out" {
    local name wrong=0
    for name in allgather gather scatter; do
        library_is_wrong "${name}_persistent" || continue
        later "$name" 2 "${name}_persistent" -m 8:8 -c "${brief[@]}"
        wrong=$((wrong + 1))
    done
    [[ $wrong -gt 0 ]] || skip "this library delivers what it should"
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 3
        expect_err "; first: iteration=2; "
        grep -qE '^8 .* Fail$' "$out" || fail "$name passes"
    done
}

@test "--compute prints the columns of non-blocking collectives, of verified data" {
    local name n=3 sizes
    for name in $(persistent_collectives); do
        sizes=()
        [[ $name == barrier* ]] || sizes=(-m 64:256 -c)
        later "$name" "$n" "$name" --compute "${sizes[@]}" "${brief[@]}"
    done
    all_good expect_figures \
        'expect_out "Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)"' \
        'expect_out "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait"' \
        '[[ $name == barrier* ]] || expect_all_pass 3'
}

@test "without --compute the table is OMB's; with it JSON says who computes" {
    launch 2 allreduce_persistent -m 8:8 "${brief[@]}"
    expect_status 0
    expect_out "# Size       Avg Latency(us)"
    refuse_out "Overall"
    need_json
    json=$BATS_TEST_TMPDIR/j
    launch 2 alltoallv_persistent -m 1000:1000 --compute=cpu -t 2 -f --counts=one "${brief[@]}" --json "$json"
    expect_status 0
    expect_out "Max Comm.(us)        Overlap(%)         Max Bytes"
    check <<'END'
method, row = d["method"], d["rows"][0]
assert method["computed_by"] == "cpu" and method["test_calls"] == 2, method
assert row["columns"]["test_us"] > 0, row["columns"]
part = row["overlap"]
expected = 100 - 100 * (row["value"] - (part["compute_us"] - part["test_us"])) / part["pure_us"]
assert abs(part["overlap_percent"] - expected) < 1e-3 * max(1, abs(expected)), (part, expected)
END
    launch 2 bcast_persistent -m 8:8 "${brief[@]}" --json "$json"
    check <<'END'
assert "computed_by" not in d["method"] and "overlap" not in d["rows"][0], d
END
}

@test "-t without a computation, and an unknown place of it, are refused" {
    direct bcast_persistent -t 3
    expect_status 1
    expect_err "E12: bcast_persistent: -t needs --compute"
    direct neighbor_alltoall_persistent --compute=abacus
    expect_status 1
    expect_err "--compute 'abacus' is not one of cpu, gpu, both"
}

@test "partitioned_latency --compute: the columns of OMB 8.0b, of one message of a round trip" {
    [[ $partitioned != no* ]] || skip "this MPI has no partitioned communication"
    launch 2 partitioned_latency --compute -m 8:64 -c "${brief[@]}"
    expect_status 0
    expect_out "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)        Validation"
    expect_all_pass 4
    launch 2 partitioned_latency -m 8:8 "${brief[@]}"
    expect_out "# Size       Avg Latency(us)"
    refuse_out "Overall"
    direct partitioned_latency -t 3
    expect_status 1
    expect_err "E12: partitioned_latency: -t needs --compute"
    need_json
    json=$BATS_TEST_TMPDIR/j
    launch 2 partitioned_latency --compute -m 1M:1M -q 4 --pready-threads 2 -t 2 -i 50 -x 5 --json "$json"
    expect_status 0
    check <<'END'
method, row = d["method"], d["rows"][0]
assert method["computed_by"] == "cpu" and method["test_calls"] == 2 and method["partitions"] == 4, method
part = row["overlap"]
expected = 100 - 100 * (row["value"] - (part["compute_us"] - part["test_us"])) / part["pure_us"]
assert abs(part["overlap_percent"] - expected) < 1e-3 * max(1, abs(expected)), (part, expected)
# Start, computation and wait of a message are half of what rank 0 timed; those of rank 1 count too.
whole = part["start_us"] + part["compute_us"] + part["wait_us"]
assert 0.6 < whole / row["value"] < 1.4, (whole, row["value"])
END
}
