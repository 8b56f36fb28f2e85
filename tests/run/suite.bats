#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Scripts around the programs: run-suite, many in one go; bind-rail, a device for
# each rank.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    results=$BATS_TEST_TMPDIR/results
}

# suite ARGUMENT...
suite() {
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/run-suite" --build "$ALIDADE_BUILD" "$@"
}

@test "run-suite --list: every program once, with what it is for; names and families choose" {
    suite --list
    expect_status 0
    [[ $(awk '{ print $1 }' "$out" | sort) == \
        "$(find "$ALIDADE_BUILD"/mpi/*/ -maxdepth 1 -type f -perm -u+x -printf '%f\n' | sort)" ]] || fail "not all"
    expect_out "half the round-trip time of a message between two ranks"
    suite --list startup latency
    expect_status 0
    [[ $(awk '{ print $1 "/" $2 }' "$out" | tr '\n' ' ') == "comm_create/startup hello/startup init/startup latency/pt2pt " ]]
    suite --list nothing
    expect_status 1
    [[ $stderr == *"'nothing' is neither a program nor a family"* ]]
}

@test "run-suite: a table and a document of each; what has run does not run again" {
    suite --results "$results" latency barrier bcast bw_fan_in -- -m 8:8 -i 5 -x 1
    expect_status 0
    [[ $stdout == *"2 ran, 2 left out, 0 failed"* ]]
    [[ $stdout == *"left out: barrier: does not take -m"* ]]
    [[ $stdout == *"left out: bw_fan_in: "* ]]
    grep -q '^8 ' "$results/latency.txt"
    [[ $have_jansson != yes ]] || grep -q '"benchmark": "bcast"' "$results/bcast.json"
    cmp "$results/summary.txt" <(tail -n "$(wc -l <"$results/summary.txt")" "$out")
    # As if it had been stopped in front of bcast.
    grep -v bcast "$results/done" >"$results/kept"
    mv "$results/kept" "$results/done"
    suite --results "$results" latency barrier bcast bw_fan_in -- -m 8:8 -i 5 -x 1
    expect_status 0
    [[ $stdout == *"1 ran, 1 before, 2 left out, 0 failed"* ]]
    suite --results "$results" latency -- -m 16:16 -i 5 -x 1
    expect_status 1
    [[ $stderr == *"has figures of another command"* ]]
}

@test "run-suite: what fails is named with the reason, the others run, exit 1" {
    suite --results "$results" --limit 2 latency hello -- --budget 60s
    expect_status 1
    [[ $stdout == *"FAILED: latency: exit 124: took more than 2 s"* ]]
    [[ $stdout == *"1 failed"* ]]
    suite --results "$results.2" --launcher "false {n}" hello
    expect_status 1
    [[ $stdout == *"FAILED: hello: exit 1: "* ]]
    suite --ranks two
    expect_status 1
    [[ $stderr == *"--ranks 'two' is not a number of ranks"* ]]
}

@test "run-suite: an interrupted run says how to go on" {
    local pid
    "$ALIDADE_SOURCE/scripts/run-suite" --build "$ALIDADE_BUILD" --results "$results" \
        latency -- --budget 60s >"$BATS_TEST_TMPDIR/o" 2>"$BATS_TEST_TMPDIR/e" &
    pid=$!
    for _ in {1..50}; do
        [[ ! -e $results/latency.txt ]] || break
        sleep 0.1
    done
    kill -TERM "$pid"
    pkill -TERM -f "$ALIDADE_BUILD/mpi/pt2pt/latency" || true
    wait "$pid" && fail "it was not interrupted"
    grep -q -- "--results $results goes on" "$BATS_TEST_TMPDIR/e"
}

@test "bind-rail: each local rank gets its device, and around again; else one sentence" {
    local rank
    for rank in 0 1 2; do
        OMPI_COMM_WORLD_LOCAL_RANK=$rank run_to_files "$ALIDADE_SOURCE/scripts/bind-rail" --rails lo,lo env
        expect_status 0
        expect_out "UCX_NET_DEVICES=lo"$'\n'
        expect_out "OMPI_MCA_btl_tcp_if_include=lo"$'\n'
        expect_out "FI_TCP_IFACE=lo"$'\n'
    done
    MPI_LOCALRANKID=3 run_to_files "$ALIDADE_SOURCE/scripts/bind-rail" --rails lo,none env
    expect_status 1
    [[ $stderr == "bind-rail: this node has no device 'none' (local rank 3)" ]]
    run_to_files env -u OMPI_COMM_WORLD_LOCAL_RANK -u SLURM_LOCALID \
        "$ALIDADE_SOURCE/scripts/bind-rail" --rails lo true
    expect_status 1
    [[ $stderr == *"the launcher does not say"* ]]
    # Under the launcher of this build, with a real program.
    launch_by_rail
    expect_status 0
    [[ $(grep -c '^8 ' "$out") -eq 1 ]]
}

launch_by_rail() {
    run_to_files "$mpirun" -n 2 "$ALIDADE_SOURCE/scripts/bind-rail" --rails lo \
        "$(program latency)" -m 8:8 -i 5 -x 1
}
