#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every option that OMB 7.4 and 7.5 take in a program is taken here too: with its meaning,
# or, where OMB itself ignores it, without effect (W36).
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

brief=(-i 5 -x 1)

# The options of OMB's programs, each with a value that OMB accepts (osu_NAME: NAME).
blocking="allgather allgatherv allreduce alltoall alltoallv alltoallw bcast gather gatherv \
reduce reduce_scatter reduce_scatter_block scatter scatterv"
neighborhood="neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw"
nonblocking=
for name in $blocking; do nonblocking+=" i$name"; done
for name in $neighborhood; do nonblocking_neighborhood+=" i$name"; done
persistent=
for name in $blocking; do
    [[ $name == reduce_scatter_block ]] || persistent+=" ${name}_persistent"
done

# omb OPTIONS PROGRAMS: what all of them take, each option with its value, separated by ";".
omb() {
    local name option words options
    IFS=';' read -ra options <<<"$1;-I"
    for name in $2; do
        for option in "${options[@]}"; do
            read -ra words <<<"$option"
            direct "$name" --dry-run "${words[@]}"
            checked=$((checked + 1))
            # 77: no GPU, PAPI or sessions here; 1 is a refusal.
            [[ $status -eq 0 || $status -eq 77 ]] || fail "$name $option"
            [[ $(messages "error E12") -eq 0 ]] || fail "$name $option"
        done
    done
}

@test "every option of every program of OMB is taken" {
    local checked=0 timed="-m 8:64;-i 10;-x 2;-G png;-P PAPI_TOT_INS" pairs collective
    pairs="$timed;-z;-z50,99;-c;-u 3;-D cont;-D vect:8:4;-T mpi_char;-T mpi_int,mpi_float;-T all"
    collective="$timed;-z;-c;-u 3;-T mpi_int;-f;-M 1000000;-a 64;-r cpu;-d cuda"
    omb "$pairs;-b single;-b multiple;-d cuda;-d managed;-d rocm;-d openacc;-d sycl" \
        "latency multi_lat latency_persistent"
    omb "$pairs;-W 8;-b single;-b multiple;-t 3;-d cuda" "bw bibw bw_persistent bibw_persistent"
    omb "$pairs;-W 8;-V;-R 0;-p 1;-b multiple;-d cuda" mbw_mr
    omb "-m 8:64;-i 10;-x 2;-G png;-z;-c;-u 3;-D cont;-T mpi_int;-t 2:3" latency_mt
    omb "$timed;-z;-c;-u 3;-D cont;-T mpi_int;-t 2:3" latency_mp
    omb "$timed;-z;-W 8;-b single;-D cont;-T mpi_int;-p 1;-R 1;-V;-d cuda" "bw_fan_in bw_fan_out"
    omb "$collective" "$blocking $persistent"
    omb "$collective;-t 4;-r gpu;-r both" "$nonblocking"
    omb "$collective;-N cart:1:1" "$neighborhood"
    omb "$collective;-t 4;-N cart:1:1" "$nonblocking_neighborhood"
    omb "-D cont;-D vect:8:4" "bcast gather scatter allgather alltoall $neighborhood"
    omb "-l" "allgather alltoall gather scatter allreduce reduce reduce_scatter iallreduce allreduce_persistent reduce_persistent"
    omb "-k fixed:1;-k rotate" "gather gatherv scatter scatterv reduce igather iscatter ireduce"
    omb "$timed;-z;-f;-M 1000000;-u 3;-a 64;-r cpu" "barrier barrier_persistent"
    omb "$timed;-z;-f;-M 1000000;-a 64;-r cpu;-t 4" ibarrier
    omb "$timed;-z;-d cuda;-s lock;-s flush;-s flush_local;-s lock_all;-s pscw;-s fence;-w create;-w allocate;-w dynamic" \
        "put_latency get_latency"
    omb "$timed;-z;-W 8;-s flush;-w create" "put_bw get_bw"
    omb "$timed;-z;-W 8;-s pscw;-s fence;-w create" put_bibw
    omb "$timed;-z;-c;-T mpi_int;-s flush;-w create" "acc_latency get_acc_latency fop_latency cas_latency"
    omb "-m 8:64;-i 10;-x 2" "init hello"
    [[ $checked -gt 1000 ]] || fail "only $checked"
    # 7.5: its partitioned latency, and -d sycl.
    [[ $partitioned == no* ]] || omb "$timed;-q 2" partitioned_latency
}

@test "options without effect: W36 once, in JSON, and not one row changes" {
    launch 2 allreduce -m 8:16 "${brief[@]}" -a 64 -r both -a 32
    expect_status 0
    expect_sizes 8 16
    expect_quiet W36
    [[ $(messages "warning W36") -eq 1 ]] || fail "W36 not once"
    expect_err "W36: allreduce: -a -r"
    launch 2 barrier "${brief[@]}" -m 8:64 -M 1000 -u 3
    expect_status 0
    expect_err "W36: barrier: -m -M -u"
    [[ $(grep -c '^ *[0-9]' "$out") -eq 1 ]] || fail "not one row"
    launch 2 latency -m 8:8 "${brief[@]}" -b multiple
    expect_err "W36: latency: -b"
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 allreduce -m 8:8 "${brief[@]}" -a 64 --json "$json"
    check "$json" <<'END'
assert d["method"]["ignored"] == ["-a"], d["method"]
END
}

@test "real mistakes are still refused" {
    direct latency -a 5
    expect_status 1
    expect_error E12
    direct barrier -W 3
    expect_status 1
    expect_error E12
    direct allreduce -b single
    expect_status 1
    expect_error E12
    direct comm_create -m 8:64
    expect_status 1
    expect_error E12
}
