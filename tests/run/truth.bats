#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Delays that were planted are what the programs print: tests/truth/planted, of
# which this is the short form.

setup() {
    planted=$ALIDADE_SOURCE/tests/truth/planted
    table=$BATS_TEST_TMPDIR/table
}

# planted CASE [OPTION...]: must end with exit code 0.
planted() {
    local status=0
    timeout -k 5 300 "$planted" "${@:2}" --only "$1" "$ALIDADE_BUILD" \
        >"$table" 2>&1 3>&- || status=$?
    cat "$table"
    [[ $status -ne 77 ]] || skip "$(<"$table")"
    [[ $status -eq 0 ]]
}

@test "latency: 20 ms in both receives are there, and not much more" {
    planted both
}

@test "latency: of 20 ms in one receive half is there" {
    planted one
}

@test "bcast: a rank that is late is named, and completion has its delay" {
    planted bcast
}

@test "allreduce: completion has the delay of the rank that is late" {
    planted allreduce
}

@test "a rank that is late to the start is seen by the global clock, and named" {
    planted start
}

@test "--start=clock takes the skew away, and drops iterations that begin too late" {
    planted clock
}

@test "--arrival=one: a rank that starts late costs what a planted call costs that begins late" {
    planted arrival
}

@test "a library whose barrier lets ranks go one after the other moves nothing" {
    planted stagger
}

@test "first calls that take long are in the first iteration, and in no row" {
    planted first
}

@test "one iteration of a hundred that takes long is in the mean, not in the median" {
    planted burner
}

@test "a delay that grows is called a drift" {
    planted drift
}

@test "match_queue: queues whose entries cost a known time have that slope" {
    planted queues
}

@test "mbw_mr_mt: a lock that is held for 20 ms lets one message pass in that time, whatever T" {
    planted lock
}

@test "progress: what half of a message hides is found, and nothing where only MPI_Wait moves data" {
    planted progress
}

@test "put_latency: the target's next call of MPI is waited for where it is needed" {
    planted away
}

@test "without a delay the comparison fails" {
    local case chance
    # MPICH needs the CPU of the target by itself.
    for case in both bcast drift queues progress guideline \
        $(grep -q "^flavour='mpich'" "$ALIDADE_BUILD/environment.sh" || echo away); do
        # What a busy machine does can look like a planted drift, but hardly three times.
        for chance in 1 2 3; do
            planted "$case" --nothing || break
            [[ $chance -lt 3 ]] || return 1
        done
        grep -q ' FAIL$' "$table"
    done
}

@test "halo: a rank that is late delays its two neighbors, and nobody else" {
    planted halo
}

@test "a guideline: a collective that takes 100 ms longer is found, and so is a mock-up" {
    planted guideline
}
