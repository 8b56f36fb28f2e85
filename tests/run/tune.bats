#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# tune: finds algorithms that were made fast, keeps the default elsewhere, writes what the
# library reads. What has to decide between times is in the long form, which make truth runs.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    [[ $have_jansson == yes ]] || skip "this build has no jansson"
    [[ $flavour == openmpi || $flavour == mpich ]] || skip "tune knows Open MPI and MPICH"
    cd "$BATS_TEST_TMPDIR" || return
    export FAULT_SMALL=none FAULT_LARGE=none
    if [[ $flavour == mpich ]]; then
        small=recursive_doubling large=nb first=recursive_doubling second=nb
    else
        small=linear large=nonoverlapping first=1-basic_linear second=2-nonoverlapping
    fi
    both=${first#*-},${second#*-}
}

tune() { run_to_files "$ALIDADE_SOURCE/scripts/tune" --build "$ALIDADE_BUILD" "$@"; }

# Which algorithm is decided to be faster needs a machine without other work: long form.
need_long() { [[ -n ${ALIDADE_LONG:-} ]] || skip "in the long form"; }

# Of allreduce, with the library of slow algorithms.
planted() {
    LD_PRELOAD=$faults/algorithm.so tune --launches 6 --algorithms "$both" --results runs \
        --output tuned --json answer.json allreduce -- -m 16:256 -i 20 -x 2
}

@test "the one fast algorithm is chosen for all sizes, confirmed and written" {
    need_long
    export FAULT_SMALL=$small FAULT_LARGE=$small
    planted
    expect_status 0
    grep -Eq "^allreduce +2 +16 +256 .* $first +0\.[0-9]+ " "$out" || fail "another row"
    grep -q "\"algorithm\":\"$first\",\"control\":\".*[aA][lL][gG][oO][rR][iI][tT][hH][mM]=" answer.json || fail "no record of the control"
    # To resume starts nothing, and says the same.
    cp "$out" before
    planted
    expect_status 0
    diff before "$out" || fail "another answer"
    [[ -z $(find runs -name '*.json' -newer before) ]] || fail "runs were started"
}

@test "two that are fast at different sizes make two ranges; MPICH, which has no ranges, names one at most" {
    need_long
    export FAULT_SMALL=$small FAULT_LARGE=$large
    planted
    expect_status 0
    if [[ $flavour == mpich ]]; then
        # Each is faster at some sizes, and the same elsewhere: one for all is possible.
        [[ $(grep -c '^allreduce ' "$out") -le 1 ]] || fail "more than one algorithm"
        return
    fi
    grep -Eq "^allreduce +2 +16 +64 .* $first " "$out" || fail "another algorithm of small messages"
    grep -Eq "^allreduce +2 +128 +256 .* $second " "$out" || fail "another algorithm of large messages"
    [[ $(grep -c '^[0-9]* [12] 0 0$' tuned) -eq 2 ]] || fail "other rules"
}

@test "nothing is chosen where nothing is faster" {
    planted
    expect_status 0
    expect_out "# Nothing is faster than the default"
    [[ ! -e tuned ]] || fail "rules were written"
}

@test "an algorithm that crashes is dropped, and the others are measured" {
    export FAULT_SMALL=$small FAULT_LARGE=$small FAULT_CRASH=$large
    planted
    expect_status 0
    expect_err "$second is dropped: "
    [[ -n $(find runs -name "allreduce-*.json" -path "*/$first/*") ]] || fail "the other one was not measured"
    refuse_out " $second "
}

@test "interrupted, it leaves nothing behind but runs" {
    export TMPDIR=$PWD/temporary
    mkdir temporary
    set -m
    "$ALIDADE_SOURCE/scripts/tune" --build "$ALIDADE_BUILD" --algorithms "$both" --results runs allreduce -- -m 16 >o 2>e &
    sleep 4
    # SIGINT may have been ignored by whatever started the tests, and stays so.
    kill -TERM -- "-$!"
    status=0
    wait "$!" || status=$?
    [[ $status -eq 130 ]] || fail "status $status: $(<e)"
    grep -q 'interrupted.*--results' e || fail "not said: $(<e)"
    # mpirun has a folder of its own.
    [[ -z $(find temporary -name "tmp.*") ]] || fail "left: $(ls temporary)"
}

@test "bad input is one sentence" {
    local word
    for word in "--ranks x" "--margin y" "--algorithms no_such" "no_such" "--build /nowhere" "--nothing" "latency" \
        "--launches z --results r allreduce" "--output /nowhere/at/all"; do
        # shellcheck disable=SC2086  # words
        tune $word
        expect_status 1
        [[ $(grep -vc '^tune: allreduce with' "$err") -eq 1 ]] || fail "$word: $(<"$err")"
    done
}
