#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Global time: found, bounded and checked, with clocks that drift and without.
# tests/truth/clocks.c says what is printed.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

# Every SPAN ranks are a node of their own.
on_nodes_of() {
    # shellcheck disable=SC2016  # expanded in the rank
    wrapper=(bash -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
        export ALIDADE_NODE_ID=node$((rank / '"$1"')); exec "$@"' -)
}

# Rank r is r * 5 ms ahead and gains r times so many millionths; or only one
# rank, so much.
drifting() {
    preload=(drift)
    export FAULT_OFFSET_US=5000 FAULT_DRIFT_PPM=$1
    if [[ $# -gt 1 ]]; then
        export FAULT_RANK=$2
    fi
}

value() {
    local found
    found=$(sed -n "s/^$1=//p" "$out")
    [[ -n $found ]] || fail "no $1"
    printf '%s\n' "$found"
}

expect_value() {
    [[ $(value "$1") == "$2" ]] || fail "$1 is not $2"
}

# An arithmetic condition in which names like later.residual_us are values.
expect_that() {
    local condition=$1 key
    for key in $(grep -oE '(fit|later|refresh)\.[a-z_0-9]+' <<<"$1" | sort -ru); do
        condition=${condition//$key/($(value "$key"))}
    done
    awk "BEGIN { exit !($condition) }" || fail "not so: $1"
}

# The hard part of the bound holds however busy the machine is.
expect_promises_kept() {
    expect_status 0
    expect_that "fit.excess_us <= 0"
    expect_that "refresh.excess_us <= 0"
}

# MPI_Wtime of MPICH is the time of day, which may be set.
@test "a clock that steps back or forward: the row says so, and no iteration takes for ever" {
    need_json
    preload=(drift)
    local us
    json=$BATS_TEST_TMPDIR/step.json
    for us in -1000 1000000; do
        export FAULT_STEP=3000 FAULT_STEP_US=$us
        launch 2 latency -m 8:8 -i 5000 -x 10 --clock=mpi --json "$json"
        expect_out "# suspect: size=8; value="
        check <<'END'
(row,) = d["rows"]
assert "measured while the clock stepped" in row["suspect"], row["suspect"]
assert row["over_iterations"]["max_us"] < 1e7, row["over_iterations"]
END
    done
    # A rank whose clock nobody sets, on a CPU that it shares.
    preload=()
    launch 6 allreduce -m 8:8 --clock=mpi --json "$json"
    check <<'END'
assert not [row for row in d["rows"] if "measured while the clock stepped" in row["suspect"]]
END
}

@test "one rank needs no synchronisation" {
    launch 1 clocks 0
    expect_promises_kept
    expect_value fit.method none
    expect_value fit.levels 0
    expect_value later.residual_us 0.000
}

@test "ranks of one node share their oscillator" {
    launch 2 clocks 0
    expect_promises_kept
    expect_value fit.method shared
    expect_value fit.apart 0
    expect_value refresh.apart 0
    expect_value fit.slope_max_ppm 0.000
    expect_that "fit.error_us <= fit.noise_us"
    expect_that "later.residual_us <= later.residual_bound_us"
}

@test "more ranks than CPUs are synchronised in seconds" {
    launch 4 clocks 0
    expect_promises_kept
    expect_value fit.method shared
    expect_value fit.levels 2
    expect_that "fit.took_s < 5 && refresh.took_s < 5"
}

# A busy machine moves a time by some 20 us, which decides how narrow the first bounds are.
# Four seconds later the drift itself is ten times as large, so it is found anyway.
@test "a rank with a clock of its own is found out, and its drift measured" {
    drifting 50
    launch 2 clocks 4
    expect_promises_kept
    expect_value fit.method hca3
    expect_value fit.apart 1
    expect_that "later.residual_us <= later.bound_us + later.residual_bound_us"
    expect_value refresh.apart 1
    # From the way between both measurements, however noisy they are: two bounds over four seconds.
    expect_that "refresh.slope_max_ppm > 50 - refresh.slope_error_ppm - 0.01"
    expect_that "refresh.slope_max_ppm < 50 + refresh.slope_error_ppm + 0.01"
    expect_that "refresh.slope_error_ppm <= (fit.worst_bound_us + refresh.worst_bound_us) / 2 + 1"
    # Without its drift a rank would be 200 us off by now, where a quiet machine bounds it to 10 us.
    expect_that "refresh.residual_us <= refresh.bound_us + refresh.residual_bound_us"
}

@test "two nodes: drift and offset between leaders" {
    on_nodes_of 1
    drifting 10
    launch 2 clocks 1
    expect_promises_kept
    expect_value fit.method hca3
    expect_value fit.levels 1
    expect_value fit.apart 0
    expect_that "fit.slope_max_ppm > 10 - fit.slope_error_ppm - 0.01"
    expect_that "fit.slope_max_ppm < 10 + fit.slope_error_ppm + 0.01"
    expect_that "later.excess_us <= 0"
}

@test "a refresh knows the slope from the way between" {
    on_nodes_of 1
    drifting 10
    launch 2 clocks 2
    expect_promises_kept
    expect_that "refresh.slope_error_ppm <= fit.slope_error_ppm"
    expect_that "refresh.slope_max_ppm > 10 - refresh.slope_error_ppm - 0.01"
    expect_that "refresh.slope_max_ppm < 10 + refresh.slope_error_ppm + 0.01"
}

@test "two nodes of two: one rank apart, another not" {
    on_nodes_of 2
    drifting 10 3
    launch 4 clocks 0
    expect_promises_kept
    expect_value fit.method hca3+shared
    expect_value fit.levels 2
    expect_value fit.apart 1
}

@test "three nodes, each with its own clock" {
    on_nodes_of 1
    drifting -10
    launch 3 clocks 0
    expect_promises_kept
    expect_value fit.method hca3
    expect_value fit.levels 1
}

@test "the gate lets pass what the clocks are good for" {
    launch 2 clocks 0
    expect_value later.gate_1s 1
    # Not where rounding decides.
    if ! awk "BEGIN { exit !($(value later.residual_us) <= 0.11) }"; then
        expect_value later.gate_1us 0
    elif awk "BEGIN { exit !($(value later.residual_us) < 0.09) }"; then
        expect_value later.gate_1us 1
    fi
}

@test "a clock that stands still ends the synchronisation all the same" {
    on_nodes_of 1
    drifting -1000000 1
    launch 2 clocks 0
    expect_status 0
    expect_that "later.residual_us > 0"
    expect_value later.gate_1us 0
}

@test "--clock=mpi: ranks of a node count from one moment, where MPI does" {
    need_json
    [[ $flavour == mpich ]] || skip "this MPI counts from the start of each process"
    json=$BATS_TEST_TMPDIR/x.json
    launch 3 allreduce --clock=mpi -m 8:8 -i 20 -x 2 --json "$json"
    expect_status 0
    check <<'END'
s = d["environment"]["synchronization"]
assert d["environment"]["clock"]["name"] == "MPI_Wtime"
assert s["ranks_apart"] == 0, s
END
}
