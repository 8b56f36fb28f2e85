#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Batches in which the kernel took the CPU from a rank are no part of a figure; what the
# network or the library does to a message is.  tests/faults/preempt.c plants both: in
# every second batch an iteration takes 40 ms longer.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    need_json
    json=$BATS_TEST_TMPDIR/json
    preload=(preempt)
    export FAULT_US=40000 FAULT_RANK=0
    planted=(-m 1000:1000 -z --budget=2s --raw --json "$json")
}

# What must hold in Python of the row, its disturbed batches d and the number of its planted
# samples.
expect_row() {
    expect_status 0
    python3 - "$json" "$1" << 'END' || fail "not so: $1"
import json, sys
row = json.load(open(sys.argv[1]))["rows"][0]
d = row["disturbed"]
planted = sum(us > 38000 for us in row["raw_us"]) if "raw_us" in row else None
assert eval("(" + sys.argv[2] + ")"), (planted, row["value"], row["iterations"], d, row["doubtful"])
END
}

@test "what the kernel took is left out, on whatever rank; what the library does stays" {
    local program
    for program in "1 reduce_local -T mpi_char" "2 latency" "2 allreduce -T mpi_char"; do
        # shellcheck disable=SC2086  # words
        set -- $program
        export FAULT_RANK=$(($1 - 1))
        FAULT=taken launch "$@" "${planted[@]}"
        expect_row 'd["found"] == d["left_out"] > 2 * planted and "disturbed" not in row["doubtful"]'
        [[ $stderr != *"disturbed: "* ]] || fail "not left out"
        [[ $2 == latency ]] || continue
        FAULT=taken launch "$@" "${planted[@]}" --disturbed=keep
        expect_row 'planted > d["left_out"] == 0 < d["found"] and "disturbed" in row["doubtful"]'
        expect_after latency "*disturbed: 1 of 1 rows, at 1000; the kernel took the CPU from a rank;*"
        # The rank that wakes another may be the one that takes its CPU: "given".  What a
        # busy machine itself takes is found meanwhile: few beside the planted ones.
        for FAULT in silent given; do
            FAULT=$FAULT launch "$@" "${planted[@]}"
            expect_row '2 * d["found"] == 2 * d["left_out"] < planted'
        done
    done
}

@test "a warm-up that others interrupt does not decide how a row is measured" {
    FAULT=warmup FAULT_CALLS=2 FAULT_US=100000 launch 1 reduce_local -m 1000:1000 -T mpi_char --json "$json"
    # Not a batch and a reading of the clock for each iteration, as for those that take 100 ms.
    expect_row 'row["stride"] > 1 and row["iterations"] > 20 * d["batches"] and not row["warmup"]["settled"]'
}

@test "what iterations note besides their time is left out with them" {
    local start_us
    export FAULT=taken FAULT_RANK=1 FAULT_US=150000
    launch 2 iallreduce -T mpi_char "${planted[@]}" --disturbed=keep
    expect_row 'd["left_out"] == 0'
    start_us=$(python3 -c "import json; print(json.load(open('$json'))['rows'][0]['overlap']['start_us'])")
    launch 2 iallreduce -T mpi_char "${planted[@]}"
    expect_row "d['left_out'] > 1 and row['overlap']['start_us'] < $start_us / 2"
}

@test "a row without an undisturbed batch counts all, and the line after the table says so" {
    export FAULT_NTH=1 FAULT=taken
    launch 1 reduce_local "${planted[@]}" -T mpi_char
    expect_row 'd["batches"] == d["found"] and planted > d["left_out"] == 0 and "disturbed" in row["doubtful"]'
    expect_after reduce_local "*disturbed: 1 of 1 rows, at 1000; the kernel took the CPU from a rank;*"
    launch 1 reduce_local -m 1000:1000 -T mpi_char --protocol=omb --json "$json"
    expect_row 'd == {"batches": 1, "found": 1, "left_out": 0}'
    expect_after reduce_local "*disturbed: 1 of 1 rows, *"
    # What looks known after 5 ms is not, as long as the next batch may be undisturbed.
    FAULT_US=300 launch 1 reduce_local -m 1000:1000 -T mpi_char --columns=disturbed,stop --json "$json"
    expect_row 'd["batches"] == d["found"] and row["stop"] == "budget" and row["precise"] is False'
    grep -Eq '^1000 .* 100\.00 +budget$' "$out" || fail "no column"
}

@test "a row of few iterations is not called disturbed: two things with two names" {
    FAULT=taken FAULT_US=2000 FAULT_BYTES=4194304 launch 2 latency -m 4M:4M -z --budget=1ms --json "$json"
    expect_row 'row["iterations"] < 20 and d["left_out"] > 0 and "few iterations" in row["doubtful"] and "disturbed" not in row["doubtful"]'
    expect_after latency "*few iterations: 1 of 1 rows, at 4194304; fewer than 20 were undisturbed before the time was over; raise --budget;*"
    [[ $stderr != *"disturbed: "* ]] || fail "two names"
}

# What is told besides a table of OMB's: the count of verified iterations, rows that are left out,
# doubts.  Many readers take the last line for a row.
@test "on a disturbed machine, too, the table of every program of OMB ends with a row, and one line follows on stderr" {
    local name n options
    preload=(preempt)
    export FAULT=taken FAULT_US=2000 FAULT_NTH=1 FAULT_BYTES=16
    for name in $(programs); do
        has_word "$name" OF_OMB || continue
        n=${fewest_of[$name]} options=()
        ! takes_iterations "$name" || options+=(--disturbed=keep --budget=2ms)
        ! takes_sizes "$name" || options+=(-m 16:16 --verify=2 -c -f "-z50,99" --precision=20%)
        # shellcheck disable=SC2086  # options
        later "$name" "$n" "$name" "${options[@]}" ${needs_of[$name]}
    done
    together
    [[ ${#ran[@]} -ge 60 ]] || fail "only ${#ran[@]} programs"
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        ends_with_row || fail "$name: $(tail -n 1 "$out")"
        ! takes_sizes "$name" || expect_after "$name" "*verified: checked=*; wrong=0;*"
    done
    n=$(cat "$BATS_FILE_TMPDIR"/job.*.err | grep -c '^# [a-z_]*: .*disturbed: ')
    [[ $n -ge 2 ]] || fail "only $n tables were disturbed"
}

handling() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["method"]["disturbed"])' "$json"; }

@test "-i and --protocol=omb keep disturbed batches, and JSON says so" {
    local how
    for how in "-i 100" "-x 10" "--protocol=omb" "--disturbed=keep"; do
        # shellcheck disable=SC2086  # words
        launch 1 reduce_local -m 1000:1000 -T mpi_char $how --json "$json"
        [[ $(handling) == keep ]] || fail "$how"
    done
    launch 1 reduce_local -m 1000:1000 -T mpi_char --json "$json"
    [[ $(handling) == leave-out ]] || fail "not by default"
}

@test "ranks that share a CPU take it from each other: nothing is called disturbed" {
    wrapper=(taskset -c 0)
    FAULT=taken launch 2 allreduce -m 1000:1000 -i 20 -x 2 --json "$json"
    expect_row 'd is None'
}

@test "before the title: W40 where another process runs on the CPU of a rank, W37 where a thread of its own does" {
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    export FAULT_CROWDED=0
    local other
    # shellcheck disable=SC2016  # in the shell of the rank
    wrapper=(sh -c 'exec taskset -c "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}" "$@"' -)
    preload=()
    taskset -c 0 sh -c 'while :; do :; done' 3>&- &
    other=$!
    launch 2 latency -m 8:8 -i 5 -x 1 --json "$json"
    kill "$other"
    expect_status 0
    expect_err "warning W40: latency: other processes use the CPUs of the ranks (rank=0; its share of the CPU=0."
    grep -qE '"foreign_load": *\{' "$json" || fail "JSON does not say so"
    preload=(stop)
    FAULT=busy FAULT_RANK=1 launch 2 latency -m 8:8 -i 5 -x 1
    expect_status 0
    expect_err "warning W37: latency: more threads than CPUs (rank=1; threads=2; CPUs=1; host="
    [[ $stderr != *W40* ]] || fail "its own thread is called another process"
}
