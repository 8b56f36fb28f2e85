#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Operations and types that OMB's reductions do not have.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

whole=mpi_char,mpi_int,mpi_int64,mpi_uint8,mpi_uint64

# types OP: all that it can combine, that every library has, and that this one is right in.
types() {
    case $1 in
    band | bor | bxor) echo $whole ;;
    min | max) if takes_for_signed; then echo mpi_char,mpi_int,mpi_int64,mpi_float,mpi_double; else echo $whole,mpi_float,mpi_double; fi ;;
    *) echo $whole,mpi_float,mpi_double,mpi_complex ;;
    esac
}

# MPICH 4.0 compares numbers without signs as if they had some (its issue 6083).
takes_for_signed() {
    [[ $mpich_release == 4.0.* ]]
}

@test "--op=min: a library that takes numbers without signs for signed ones is found out" {
    takes_for_signed || skip "this library does not"
    launch 2 allreduce -m 64:64 -T mpi_uint8 --op=min -i 1 -x 0 -c
    expect_status 3
    expect_err "error E14: allreduce: wrong data; size=64; "
}

# Each row is verified exactly.
@test "--op: every operation with every type that it can combine, on 3 ranks and on one" {
    local op
    for op in sum prod min max band bor bxor user; do
        later "$op.3" 3 allreduce -m 16:512:32 -T "$(types $op)" --op=$op -i 1 -x 0 -c
        later "$op.1" 1 reduce_local -m 16:512:32 -T "$(types $op)" --op=$op -i 1 -x 0 -c
    done
    together
    for op in "${ran[@]}"; do
        recall "$op"
        expect_status 0
        expect_all_pass $((2 * $(types "${op%.?}" | tr , '\n' | wc -l)))
        [[ $op == sum.? ]] && refuse_out '# Reduction' || expect_out "# Reduction: ${op%.?}."
    done
}

@test "--op: every reduction, blocking, non-blocking and persistent" {
    local name
    for name in reduce exscan reduce_scatter iscan ireduce_scatter allreduce_persistent; do
        later "$name" 3 "$name" -m 32:64 -T mpi_uint8,mpi_int64 --op=bxor -i 1 -x 0 -c
    done
    together
    for name in "${ran[@]}"; do
        recall "$name"
        [[ $status -ne 77 ]] || continue
        expect_status 0
        [[ $(grep -c ' Pass$' "$out") -eq 4 ]] || fail "$name: not all rows pass"
    done
}

# Arithmetic on what is infinite or no number takes another time.
@test "operands stay finite while they are timed, however often results are operands" {
    local op
    preload=(finite)
    for op in sum prod; do
        launch 2 allreduce -l -m 1K:1K -T mpi_float,mpi_complex,mpi_double --op=$op -i 500 -x 10
        expect_status 0
        launch 1 reduce_local -m 1K:1K -T mpi_float,mpi_complex,mpi_double --op=$op -i 500 -x 10
        expect_status 0
    done
}

# A function of the program makes libraries choose another algorithm: with user on one
# rank and a maximum on the other they would wait for each other.
@test "an operation planted wrong is E14" {
    local op
    preload=(plant)
    export FAULT=op
    for op in sum max bxor user; do
        if [[ $op != user ]]; then
            launch 2 allreduce -m 1000:1000 -T mpi_int --op=$op "${brief[@]}"
            expect_status 3
            expect_error E14
        fi
        FAULT_RANK=0 launch 1 reduce_local -m 1000:1000 -T mpi_int --op=$op "${brief[@]}"
        expect_status 3
        expect_error E14
    done
}

@test "--op: pairs that do not exist are one error of usage, on all ranks" {
    launch 2 allreduce --op=band
    expect_status 1
    expect_error E12
    expect_no_out
    refusals <<'END'
1 E12 iallreduce --op=bxor -T mpi_int,mpi_complex
1 E12 reduce_local --op=max -T mpi_complex
1 E43 bcast --op=sum
1 E12 allreduce --op=median
END
}

@test "-T: a type that the library lacks is E18 and exit code 77" {
    for type in mpi_float16 mpi_bfloat16; do
        direct reduce_local -m 8:8 -T $type "${brief[@]}"
        [[ $status -eq 0 ]] && continue
        expect_status 77
        expect_error E18
        expect_no_out
    done
}

