#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Guidelines: a collective next to its mock-ups.  Every one of them is verified, and a slow
# one is named.  Exact times: simgrid.bats; noise: test_judgement.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 10 -x 1)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

@test "2, 3 and 5 ranks, parts that are equal or not: every row passes, and is judged" {
    local name n
    for name in $(programs | grep '_guideline$'); do
        for n in 2 3 5; do
            later "$name.$n" "$n" "$name" -c --sizes 24,40,1000,6000 "${brief[@]}"
        done
    done
    all_good expect_figures 'expect_all_pass 4' 'expect_out "# Guideline: rows=4; "'
}

# Programs that have the same wrong call are in one job.
@test "one wrong bit is found in the operation and in each mock-up, which is named" {
    local name bytes call operation
    local -A lines=()
    preload=(named)
    while read -r name bytes call operation; do
        lines[$call]+="${name}_guideline -m $bytes:$bytes ${brief[*]}|size=$bytes; |operation=$operation; rank="$'\n'
    done <<'END'
allgather 8 MPI_Allgather allgather
allgather 8 MPI_Gather gather+bcast
allgather 8 MPI_Bcast gather+bcast
allgather 8 MPI_Allgatherv allgatherv
allreduce 8 MPI_Allreduce allreduce
allreduce 8 MPI_Reduce reduce+bcast
allreduce 8 MPI_Bcast reduce+bcast
allreduce 8 MPI_Reduce_scatter_block reduce_scatter+allgather
allreduce 8 MPI_Allgather reduce_scatter+allgather
allreduce 12 MPI_Reduce_scatter reduce_scatter+allgather
allreduce 12 MPI_Allgatherv reduce_scatter+allgather
alltoall 8 MPI_Alltoallv alltoallv
bcast 8 MPI_Scatter scatter+allgather
bcast 8 MPI_Allgather scatter+allgather
bcast 7 MPI_Scatterv scatter+allgather
bcast 7 MPI_Allgatherv scatter+allgather
gather 8 MPI_Gatherv gatherv
gather 8 MPI_Allgather allgather
reduce 8 MPI_Allreduce allreduce
reduce 8 MPI_Reduce_scatter_block reduce_scatter+gather
reduce 12 MPI_Gatherv reduce_scatter+gather
reduce_scatter_block 8 MPI_Reduce reduce+scatter
reduce_scatter_block 8 MPI_Scatter reduce+scatter
reduce_scatter_block 8 MPI_Reduce_scatter reduce_scatter
reduce_scatter_block 8 MPI_Allreduce allreduce
scan 8 MPI_Exscan exscan
scan 8 MPI_Reduce_local exscan
scatter 8 MPI_Scatterv scatterv
scatter 8 MPI_Bcast bcast
END
    for call in "${!lines[@]}"; do
        echo "$call"
        FAULT=$call FAULT_US=0 wrong_data 2 < <(printf %s "${lines[$call]}")
    done
}

@test "a slow operation is violated, and by which mock-up; --gate exits with code 2" {
    preload=(named)
    export FAULT=MPI_Allreduce FAULT_US=20000
    launch 2 allreduce_guideline -m 8:8 -i 100 -x 1 --gate
    expect_sizes 8
    if [[ $stdout == *"# Undecided: size=8; "* || $stdout == *"too few iterations"* ]]; then
        # On a busy machine times depend on those before, or mock-ups take as long now and then,
        # and the row says that it cannot tell.
        # tests/unit/test_judgement.c and make truth see that it can.
        expect_status 0
        expect_out "# Guideline: rows=1; violated=0; undecided=1; margin=5%;"
    else
        [[ $status -eq 2 || ($flavour == mpich && $status -eq 9) ]] || fail "exit status"
        expect_error E36
        expect_err "a mock-up is faster; rows=1; violated=1;"
        expect_out "# Violated: size=8; by=reduce"
        expect_out "# Guideline: rows=1; violated=1; undecided=0; margin=5%;"
    fi
    launch 2 allreduce_guideline -m 8:8 -i 3 -x 0 --gate
    expect_status 0
    expect_out "too few iterations for an interval;"
    expect_out "violated=0; undecided=1; "
}

@test "a slow mock-up violates nothing" {
    need_json
    preload=(named)
    FAULT=MPI_Allgatherv FAULT_US=100000 \
        launch 2 allgather_guideline -m 8:8 "${brief[@]}" --margin 90% --json "$json"
    expect_status 0
    expect_out "# Guideline: rows=1; violated=0; undecided="
    check <<'END'
assert d["method"]["margin"] == 0.9
row = d["rows"][0]
columns, guideline = row["columns"], row["guideline"]
ways = guideline["operations"]
assert [way["name"] for way in ways] == ["allgather", "gather+bcast", "allgatherv"]
assert ways[0]["ratio"] is None and ways[0]["ratio_low"] is None
assert [way["median_us"] for way in ways] == [
    columns[key] for key in ("native_us", "mockup_1_us", "mockup_2_us")]
assert ways[2]["median_us"] >= 100000 and ways[2]["ratio"] < 1
best = next(way for way in ways if way["name"] == guideline["best"])
assert best["name"] == "gather+bcast"
for key in "ratio", "ratio_low", "ratio_high":
    assert columns[key] == best[key], (key, columns, best)
# On a busy machine ten iterations may be worth too few for an interval.
assert best["ratio_low"] is None or best["ratio_low"] <= best["ratio"] <= best["ratio_high"]
assert guideline["iterations"] == row["iterations"] == 10
assert guideline["verdict"] in ("holds", "undecided")
# Statistics of the row are those of the operation alone.
assert row["over_iterations"]["median_us"] < 100000
END
}

@test "the order within an iteration changes, and is the same on all ranks" {
    preload=(trace)
    FAULT_TRACE=$BATS_TEST_TMPDIR/trace launch 2 scan_guideline -m 1000:1000 -i 40 -x 0
    expect_status 0
    local rank order=()
    for rank in 0 1; do
        order+=("$(grep -oE '^MPI_(Scan|Exscan) 1000 ' "$BATS_TEST_TMPDIR/trace.$rank" | cut -d' ' -f1 | tr '\n' ' ')")
    done
    [[ ${order[0]} == "${order[1]}" ]] || fail "ranks differ"
    [[ ${order[0]} == *"MPI_Scan MPI_Exscan MPI_Exscan MPI_Scan "* ]] ||
        fail "always one order: ${order[0]}"
}

@test "--op and -T in guidelines of reductions; what is not possible is refused" {
    cases <<'END'
| launch 3 scan_guideline -c -m 16:16 -T mpi_double,mpi_int --op=max "${brief[@]}" | 0 | $ expect_all_pass 2 && # Reduction: max.
| direct bcast_guideline --dry-run --ranks 4 --op=max | 1 | $ expect_error E43
| direct allreduce_guideline --dry-run --ranks 1 | 77 | $ expect_error E02
END
}
