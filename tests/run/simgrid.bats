#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# On simulated networks of known latency and bandwidth the programs print what
# arithmetic says; tests/simgrid has its own build of them.
# shellcheck disable=SC2154  # variables shared with common.bash

load common

setup_file() {
    export SIMGRID_WORK=$BATS_FILE_TMPDIR/simgrid
}

# It is the same under every MPI: scripts/check runs it once.
setup() {
    [[ ${ALIDADE_SIMGRID:-yes} == yes ]] || skip "was run in another build"
}

# truth ARGUMENT...: must end with exit code $code.
truth() {
    local seen=0
    timeout -k 5 900 "$ALIDADE_SOURCE/tests/simgrid/truth" "$@" \
        "$ALIDADE_SOURCE" "$SIMGRID_WORK" >"$BATS_TEST_TMPDIR/out" 2>&1 || seen=$?
    [[ $seen -ne 77 ]] || skip "$(<"$BATS_TEST_TMPDIR/out")"
    [[ $seen -eq $code ]] || {
        echo "exit status $seen"
        cat "$BATS_TEST_TMPDIR/out"
        return 1
    }
}

@test "what is printed is what the network's latency and bandwidth make, up to 64 ranks" {
    code=0 truth
    grep -q '64 ranks.* pass$' "$BATS_TEST_TMPDIR/out"
}

@test "a wrong expectation is found: without the envelope's 16 bytes" {
    code=1 truth --only multi_lat --envelope 0
}

@test "a wrong number of ranks is exit code 77 there too" {
    command -v smpirun >/dev/null || skip "smpirun is missing"
    local seen=0
    timeout 60 smpirun -quiet -no-privatize -platform "$SIMGRID_WORK/plain.xml" \
        -hostfile "$SIMGRID_WORK/hosts" -np 3 \
        "$SIMGRID_WORK/build/mpi/pt2pt/latency" -m 8:8 \
        >/dev/null 2>"$BATS_TEST_TMPDIR/err" || seen=$?
    [[ $seen -eq 77 ]]
    grep -q 'error E02: .*smpirun -n 2 [^ ]*latency$' "$BATS_TEST_TMPDIR/err"
}

@test "noise finds none where only MPI takes time, and an allreduce that costs itself" {
    command -v smpirun >/dev/null || skip "smpirun is missing"
    timeout 60 smpirun -quiet -no-privatize -platform "$SIMGRID_WORK/plain.xml" \
        -hostfile "$SIMGRID_WORK/hosts" -np 4 --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 \
        "$SIMGRID_WORK/build/mpi/system/noise" --budget=100ms >"$BATS_TEST_TMPDIR/out"
    [[ $(grep -Ec '^[0-3] .* 0\.00 +0\.000 +0\.0 +0\.00$' "$BATS_TEST_TMPDIR/out") -eq 4 ]]
    ! grep -Eq '^# (Noise|Speed|Held up by):' "$BATS_TEST_TMPDIR/out"
    awk '/^ / { n++; wrong += $1 != 0 || $2 <= 0 || ($3 / $2 - 1) ^ 2 > 0.01 ^ 2 || $4 != "0.000" || $5 != "0.000" }
         END { exit n != 1 || wrong > 0 }' "$BATS_TEST_TMPDIR/out"
}

# simulated RANKS HOSTS PROGRAM ARGUMENT...: the ranks are dealt in turn to so many hosts.
simulated() {
    local ranks=$1 hosts=$2 program=$3 i
    shift 3
    command -v smpirun >/dev/null || skip "smpirun is missing"
    for ((i = 0; i < ranks; i++)); do echo "h$((i % hosts))"; done >"$BATS_TEST_TMPDIR/hosts"
    timeout 300 smpirun -quiet -no-privatize -platform "$SIMGRID_WORK/plain.xml" \
        -hostfile "$BATS_TEST_TMPDIR/hosts" -np "$ranks" --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 \
        "$SIMGRID_WORK/build/mpi/$program" "$@" -i 1 -x 0 >"$BATS_TEST_TMPDIR/out"
}

@test "64 ranks: groups by node, and blocks of a file of all pairs" {
    local i k
    simulated 64 16 collective/allgather --split=16:node -m 8:8
    grep -q '^8 ' "$BATS_TEST_TMPDIR/out"
    for ((i = 0; i < 64; i++)); do
        for ((k = 0; k < 64; k++)); do echo -n "$(((i + k) % 3)) "; done
        echo
    done >"$BATS_TEST_TMPDIR/matrix"
    simulated 64 64 collective/alltoallv --counts="file:$BATS_TEST_TMPDIR/matrix" -m 1:1
    # A rank sends 0, 1 or 2 bytes to each other: about 63.
    awk '/^1 / { n++; wrong += $3 < 60 || $3 > 66 } END { exit n != 1 || wrong }' "$BATS_TEST_TMPDIR/out"
}

# What the harness does besides grows as p log p: p^2 messages of 1,024 ranks would not end here.  What
# SimGrid does grows as p^2, so that 512 take a fifth of the time.
@test "512 ranks on 64 nodes, and in the long form 1,024: a row is verified" {
    local ranks=512
    [[ -z ${ALIDADE_LONG:-} ]] || ranks=1024
    simulated "$ranks" 64 collective/allreduce -m 8:8 -c
    grep -Eq '^8 .* Pass$' "$BATS_TEST_TMPDIR/out"
    grep -q "^# Alidade .*ranks=$ranks; nodes=64;" "$BATS_TEST_TMPDIR/out"
}

@test "a price is arithmetic: calls, times rounds, times what a message takes" {
    command -v smpirun >/dev/null || skip "smpirun is missing"
    local launcher
    "$python3" - >record.json <<'END'
import json
def call(name, calls, size, ranks):
    return {"call": "MPI_" + name, "from_bytes": size, "ranks": ranks, "nodes": ranks, "holders": 8, "count": 8 * calls,
            "bytes": 8 * calls * size, "seconds": 1.0, "shortest": 0.0, "least": 0.1, "most": 0.2}
print(json.dumps({"alidade_record": 1, "program": "cfd", "library": "SMPI", "complete": True, "ranks": 8, "nodes": 8,
                  "recorded_ranks": 8, "seconds": 9.0, "mpi_seconds": 4.0, "lost_calls": 0,
                  "calls": [call("Allreduce", 1000, 8, 8), call("Allreduce", 10, 4096, 4), call("Barrier", 150, 0, 4),
                            call("Send", 200, 1024, 8)]}))
END
    # A variable that all ranks share, as in the runs of truth, would be closed by the first of them.
    launcher="smpirun -quiet -platform $SIMGRID_WORK/plain.xml -hostfile $SIMGRID_WORK/hosts -np {n} $(<"$SIMGRID_WORK/settings")"
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" price --runs 5 --results price --json price.json record.json \
        "plain=$SIMGRID_WORK/build ${launcher//$'\n'/ } --cfg=smpi/privatization:dlopen --cfg=smpi/allreduce:rdb --cfg=smpi/barrier:ompi_bruck"
    expect_status 0
    "$python3" - <<'END'
import json
def message(size):  # 10 us, a byte in a nanosecond, and an envelope of 16 bytes
    return 10e-6 + (size + 16) * 1e-9
expected = {"Allreduce on 8": 1000 * 3 * message(8), "Allreduce on 4": 10 * 2 * message(4096),
            "Barrier on 4": 150 * 2 * message(0), "Send on 2": 200 * 2 * message(1024)}
price = json.load(open("price.json"))
seen = {"%s on %d" % (call["call"], call["ranks"]): call["prices"][0] for call in price["calls"]}
assert seen.keys() == expected.keys(), seen
for name, seconds in expected.items():
    assert abs(seen[name] / seconds - 1) < 2e-4, (name, seen[name], seconds)  # its clock is read in nanoseconds
whole = price["variants"][0]
assert abs(whole["seconds"] / sum(seen.values()) - 1) < 1e-12 and min(whole["runs"]) > 0.9999 * max(whole["runs"]), whole
END
}
