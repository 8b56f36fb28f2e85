#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What collectives have in addition to OMB's tables: bandwidths, other operations and types,
# rows by number of ranks, and groups of ranks.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

# S/t and S/t * factor, of the time in the same row; 4 ranks, 1,024 bytes.
@test "algbw and busbw are nccl-tests', of blocking, non-blocking and persistent collectives" {
    local csv=$BATS_TEST_TMPDIR/csv name time algbw busbw
    declare -A time_of algbw_of busbw_of
    mkdir "$csv"
    while read -r name time algbw busbw; do
        later "$name" 4 "$name" -m 1024:1024 "${brief[@]}" --columns=algbw,busbw --csv="$csv/$name.csv"
        time_of[$name]=$time algbw_of[$name]=$algbw busbw_of[$name]=$busbw
    done <<END
allreduce latency_us 1024 1536
iallgather pure_us 4096 3072
gather_persistent latency_us 4096 3072
reduce_scatter latency_us 1024 768
ialltoallw pure_us 4096 3072
bcast latency_us 1024 1024
END
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        tr -d '\r' <"$csv/$name.csv" | awk -F, -v time="${time_of[$name]}" -v a="${algbw_of[$name]}" -v b="${busbw_of[$name]}" '
            function near(x, y) { return (x - y) ^ 2 < (1e-6 * y) ^ 2 }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { good = near($at["algbw"], a / $at[time]) && near($at["busbw"], b / $at[time]) }
            END { exit NR != 2 || !good }' || fail "$(<"$csv/$name.csv")"
    done
    grep -q ' Alg. BW(MB/s)      Bus BW(MB/s)$' "$out"
}

@test "algbw and busbw: --help has the formula; a barrier has none" {
    direct allgather --help
    expect_out '--columns=algbw,busbw: algbw = S/t, busbw = algbw * (n-1)/n, in MB/s.'
    expect_out 'busbw is not meaningful for trees and in-network reduction.'
    direct barrier --columns=busbw
    expect_error E12
}

whole=mpi_char,mpi_int,mpi_int64,mpi_uint8,mpi_uint64

# types OP: all that it can combine and that every library has.
types() {
    case $1 in
    band | bor | bxor) echo $whole ;;
    min | max) echo $whole,mpi_float,mpi_double ;;
    *) echo $whole,mpi_float,mpi_double,mpi_complex ;;
    esac
}

# Each row is verified exactly.
@test "--op: every operation with every type that it can combine, on 5 ranks and on one" {
    local op
    for op in sum prod min max band bor bxor user; do
        later "$op.5" 5 allreduce -m 16:512:32 -T "$(types $op)" --op=$op -i 1 -x 0 -c
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
        library_fails "$name" 3 && continue
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
    preload=(wrong)
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
1 E12 bcast --op=sum
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

@test "--procs: a section for each number of ranks, verified; the others wait" {
    local csv=$BATS_TEST_TMPDIR/csv
    launch 5 allreduce -m 8:16 "${brief[@]}" -c --procs=all --csv="$csv"
    expect_status 0
    [[ $(grep -o '^# Ranks: .*' "$out" | tr -d '\n') == '# Ranks: 2.# Ranks: 4.# Ranks: 5.' ]] ||
        fail "not the sections of 2, 4 and all ranks"
    [[ $(grep -c ' Pass$' "$out") -eq 6 ]] || fail "not all rows pass"
    [[ $(cut -d, -f2,8 "$csv" | uniq | tr '\n' ' ') == 'ranks,procs 2,2 4,4 5,5 ' ]] || fail "$(<"$csv")"
    launch 3 iscatterv -m 8:8 "${brief[@]}" -c --procs=3,2
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 2 ]] || fail "not all rows pass"
    launch 3 barrier "${brief[@]}" --procs=all
    [[ $(grep -c '^# Ranks: ' "$out") -eq 2 ]] || fail "not two sections"
}

@test "--procs: wrong data in any section is E14" {
    preload=(wrong)
    FAULT=flip FAULT_RANK=1 launch 3 allreduce -m 1000:1000 "${brief[@]}" --procs=2,3
    expect_status 3
    expect_error E14
    FAULT=flip FAULT_RANK=2 launch 3 allreduce -m 1000:1000 "${brief[@]}" --procs=2,3
    expect_status 3
    expect_error E14
}

@test "--procs: numbers that cannot be are one error of usage" {
    launch 3 allreduce --procs=4
    expect_status 1
    expect_error E12
    launch 3 reduce --procs=2,3 -k fixed:2
    expect_status 1
    expect_error E12
}

@test "--split: groups run the operation at once, each verified, with the mean of the slowest" {
    local how
    for how in 2 2:cyclic 2:node; do
        launch 6 allgather -m 8:16 "${brief[@]}" -c --split=$how --columns=algbw
        expect_status 0
        expect_out 'Worst Group(us)'
        [[ $(grep -c ' Pass ' "$out") -eq 2 ]] || fail "not all rows pass"
        # 3 ranks in a group, not 6.
        awk '/^8 / { n++; x = 24 / $2; good = ($NF - x) ^ 2 < (0.01 + 0.01 * x) ^ 2 && $3 >= $2 }
            END { exit n != 1 || !good }' "$out" || fail "$how: the bandwidth, or the worst group"
    done
    launch 4 iallreduce -m 8:8 "${brief[@]}" -c --split=2
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 1 ]] || fail "not verified"
    launch 4 reduce_scatter -m 16:16 "${brief[@]}" -c --split=2 -f
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 1 ]] || fail "not verified"
}

@test "--split: wrong data in any group is E14" {
    preload=(wrong)
    local rank
    for rank in 0 3; do
        FAULT=flip FAULT_RANK=$rank launch 4 allreduce -m 1000:1000 "${brief[@]}" --split=2:cyclic
        expect_status 3
        expect_error E14
        expect_err " rank=$rank; "
    done
}

@test "--split: the JSON file has the groups, and their mean is the value" {
    need_json
    json=$BATS_TEST_TMPDIR/json
    launch 4 bcast -m 8:8 "${brief[@]}" --split=2:cyclic --json="$json"
    expect_status 0
    check <<'END'
row = d["rows"][0]
assert d["method"]["split"] == "2:cyclic", d["method"]
assert [g["first_rank"] for g in row["groups"]] == [0, 1], row["groups"]
mean = sum(g["mean_us"] for g in row["groups"]) / 2
assert abs(mean - row["value"]) < 1e-6 * mean, (mean, row["value"])
assert row["columns"]["worst_group_us"] == max(g["mean_us"] for g in row["groups"])
assert row["ranks"] == 2, row["ranks"]
END
}

@test "--split: groups that cannot be are one error of usage" {
    refusals <<'END'
1 E12 allreduce --split=0
1 E12 bcast --split=2:left
1 E12 allreduce --split=2 --procs=2
1 E12 allreduce --dry-run --ranks=4 --split=3
1 E12 allreduce --dry-run --ranks=4 --split=4
1 E12 bcast --dry-run --ranks=4 --split=2 -k fixed:2
END
    launch 3 allreduce --split=2
    expect_status 1
    expect_error E12
}
