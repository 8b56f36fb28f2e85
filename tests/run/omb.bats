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
# A command line has as many as differ in their letters.
omb() {
    local name first option i words options lines=() letters=()
    IFS=';' read -ra options <<<"$1;-I"
    for option in "${options[@]}"; do
        for ((i = 0; i < ${#lines[@]}; i++)); do
            [[ ${letters[i]} == *"${option:1:1}"* ]] || break
        done
        lines[i]="${lines[i]:-} $option" letters[i]="${letters[i]:-}${option:1:1}"
    done
    read -r first _ <<<"$2"
    for name in $2; do
        for option in "${lines[@]}"; do
            # suite writes no files of counters.
            if [[ $option == *" -P "* ]]; then
                [[ -n ${ALIDADE_LONG:-} || $name == "$first" ]] || continue
                read -ra words <<<"$option"
                direct "$name" --dry-run "${words[@]}"
                # 77: no GPU, PAPI or sessions here; 1 is a refusal.
                [[ $status -eq 0 || $status -eq 77 ]] || fail "$name $option"
            else
                echo "$name --dry-run $option" >>"$BATS_TEST_TMPDIR/lines"
            fi
        done
        checked=$((checked + ${#options[@]}))
    done
}

@test "every option of every program of OMB is taken" {
    local checked=0 timed="-m 8:64;-i 10;-x 2;-G png;-P PAPI_TOT_INS" pairs collective
    pairs="$timed;-z;-z50,99;-c;-u 3;-D cont;-D vect:8:4;-T mpi_char;-T mpi_int,mpi_float;-T all"
    collective="$timed;-z;-c;-u 3;-T mpi_int;-f;-M 1000000;-a 64;-r cpu;-d cuda"
    omb "$pairs;-b single;-b multiple;-d cuda;-d managed;-d rocm" \
        "latency multi_lat latency_persistent"
    omb "$pairs;-W 8;-b single;-b multiple;-t 3;-d cuda" "bw bibw bw_persistent bibw_persistent"
    omb "$pairs;-W 8;-R 0;-p 1;-b multiple;-d cuda" mbw_mr
    omb "-V;-R 0;-p 1" mbw_mr
    omb "-m 8:64;-i 10;-x 2;-G png;-z;-c;-u 3;-D cont;-T mpi_int;-t 2:3" latency_mt
    omb "$timed;-z;-c;-u 3;-D cont;-T mpi_int;-t 2:3" latency_mp
    omb "$timed;-z;-W 8;-b single;-D cont;-T mpi_int;-p 1;-R 1;-d cuda" "bw_fan_in bw_fan_out"
    omb "-V;-R 1;-p 1" "bw_fan_in bw_fan_out"
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
    # 7.5.1: powers, a factor, and iterations by size.
    omb "-m 2^4:2^6;-i 32:4:2;-x 32:2:1;-m :2^6;-i 16:4,32:3,0:2;-x 16:2,1M:1,0:0;-m 2:2^6:4" \
        "latency bw mbw_mr put_latency allreduce iallreduce neighbor_alltoall"
    # 7.5: its partitioned latency.
    [[ $partitioned == no* ]] || omb "$timed;-q 2" partitioned_latency
    # A line that is refused would end it.
    direct suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    expect_out "failed=0; "
}

# OMB's help says: 8192:1000:100 is 1000 up to 8192 bytes and 100 beyond; of a list each
# number holds up to its size, in whatever order they stand, and the last beyond all others.
@test "sizes as powers and with a factor, iterations and warm-ups by size, as OMB's help says" {
    launch 2 latency -m 2^3:2^9:4 -i 2^5:7:3 -x 0 --columns=iterations
    expect_status 0
    expect_sizes 8 32 128 512
    [[ $(column 3) == "7 7 3 3" ]] || fail "iterations: $(column 3)"
    launch 2 allreduce -m :2^6:2 -i 32:9,8:7,0:3 -x 8:2,16:1,0:0 --columns=iterations
    expect_status 0
    expect_sizes 4 8 16 32 64
    [[ $(column 3) == "7 7 9 9 3" ]] || fail "iterations: $(column 3)"
    launch 2 latency -m 8:16 -i 8:2000:10 -z99.9 # the row of 16 bytes has too few samples
    expect_quiet W22
    expect_err "there are=10;"
    launch 2 latency -m 4:8 -i 8:2000:10 -z99.9
    expect_quiet
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 latency -m 4:32 -i 5 -x 8:2,16:1,0:0 --json "$json"
    check "$json" <<'END'
assert [row["warmup_iterations"] for row in d["rows"]] == [2, 2, 1, 0], d["rows"]
END
}

@test "options without effect: W36 once, in JSON, and not one row changes" {
    cases <<'END'
| launch 2 allreduce -m 8:16 "${brief[@]}" -a 64 -r both -a 32 | 0 | $ expect_sizes 8 16 && $ expect_quiet W36 && $ [[ $(messages "warning W36") -eq 1 ]] && W36: allreduce: no effect here: -a -r
| launch 2 barrier "${brief[@]}" -m 8:64 -M 1000 -u 3 | 0 | W36: barrier: no effect here: -m -u -M && $ [[ $(grep -c '^ *[0-9]' "$out") -eq 1 ]]
| launch 2 latency -m 8:8 "${brief[@]}" -b multiple | 0 | W36: latency: no effect here: -b
END
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 allreduce -m 8:8 "${brief[@]}" -a 64 --json "$json"
    check <<'END'
assert d["method"]["ignored"] == ["-a"], d["method"]
END
}

# --- --protocol omb: what MPI calls it makes, against OMB's documents and tables -------

# as_omb N PROGRAM ARGUMENT...: with MPI calls, and readings of the clock, written down.
as_omb() {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch "$@" --protocol omb --clock posix
    expect_status 0
}

# calls RANK PATTERN N: the rank made N calls that match.
calls() {
    local seen
    seen=$(grep -Ec "^$2\$" "$FAULT_TRACE.$1" || true)
    [[ $seen -eq $3 ]] || fail "rank $1: $seen times '$2', not $3"
}

# in_turn RANK PATTERN: its calls on one line, each followed by ";", match.
in_turn() {
    tr '\n' ';' <"$FAULT_TRACE.$1" | grep -Eq "$2" ||
        fail "rank $1: not '$2': $(head -n 60 "$FAULT_TRACE.$1" | tr '\n' ';')"
}
clock='clock_gettime [0-9]+ 0'

@test "--protocol omb: OMB's numbers of iterations and warm-ups, by size" {
    # Small and large sizes; one more iteration verifies each.  -i and -x still count.
    cases <<'END'
| as_omb 2 latency -m 8:8 | 0 | $ calls 0 'MPI_Send 8 0' $((10000 + 100 + 1))
| as_omb 2 latency -m 16K:16K | 0 | $ calls 0 'MPI_Send 16384 0' $((1000 + 10 + 1))
| as_omb 2 bw -W 2 -m 8:8 | 0 | $ calls 0 'MPI_Isend 8 0' $((2 * (100 + 10 + 1)))
| as_omb 2 bw -W 2 -m 16K:16K | 0 | $ calls 0 'MPI_Isend 16384 0' $((2 * (20 + 2 + 1)))
| as_omb 2 mbw_mr -W 2 -m 16K:16K | 0 | $ calls 0 'MPI_Isend 16384 0' $((2 * (100 + 10 + 1)))
| as_omb 3 bcast -m 40:40 | 0 | $ calls 0 'MPI_Bcast 0 40' $((1000 + 100 + 1))
| as_omb 3 bcast -m 16K:16K | 0 | $ calls 0 'MPI_Bcast 0 16384' $((100 + 10 + 1))
| as_omb 2 latency -m 8:8 -i 20 -x 5 | 0 | $ calls 0 'MPI_Send 8 0' $((20 + 5 + 1)) && ~ ^# Alidade .*start=library; protocol=omb; 
| launch 2 allreduce --protocol=omb --start=dissemination -m 8:8 -i 3 | 0 | ~ ^# Alidade .*start=dissemination; protocol=omb; 
END
}

@test "--protocol omb: get_acc_latency has the window and the synchronization that OMB leaves unset" {
    local n=(--protocol=omb -m 8:8 -i 20 -x 5)
    cases <<'END'
| launch 2 get_acc_latency "${n[@]}" | 0 | ~ ^# Window creation: MPI_Win_create$ && ~ ^# Synchronization: MPI_Win_lock/unlock$
| launch 2 get_acc_latency "${n[@]}" -s flush -w allocate | 0 | ~ ^# Window creation: MPI_Win_allocate$ && ~ ^# Synchronization: MPI_Win_flush$
| launch 2 acc_latency "${n[@]}" | 0 | ~ ^# Window creation: MPI_Win_allocate$ && ~ ^# Synchronization: MPI_Win_flush$
END
}

@test "--protocol omb: MPI_Barrier before each collective, but none between barriers" {
    local rank
    as_omb 3 allgather -m 40:40 -i 20 -x 5
    for rank in 0 1 2; do
        in_turn "$rank" "($clock;PMPI_Barrier 0 0;$clock;MPI_Allgather 40 120;){20}$clock;"
        calls "$rank" 'PMPI_Sendrecv 0 0' 0
    done
    as_omb 3 barrier -i 20 -x 5
    in_turn 1 "(MPI_Barrier 0 0;$clock;){20}"
    # Of the harness: three verified iterations, in each of which a rank comes late, and two batches.
    calls 1 'MPI_Barrier 0 0' $((20 + 5 + 3))
    calls 1 'PMPI_Barrier 0 0' 5
    as_omb 4 multi_lat -m 24:24 -i 20 -x 5
    in_turn 3 "($clock;PMPI_Barrier 0 0;$clock;MPI_Recv 0 24;MPI_Send 24 0;){20}$clock;"
    # The first pass of ibarrier has none, the second one has.
    as_omb 3 ibarrier -i 20 -x 5
    in_turn 2 "(MPI_Ibarrier 0 0;MPI_Wait 0 0;$clock;){20}"
    in_turn 2 "($clock;PMPI_Barrier 0 0;$clock;MPI_Ibarrier 0 0;$clock;MPI_Wait 0 0;){20}$clock;"
}

@test "--protocol omb: receives are posted in the iteration, into one buffer" {
    export FAULT_DISTANCES=1
    as_omb 2 bw -W 3 -m 64:64 -i 20 -x 5
    in_turn 1 "(MPI_Irecv [0-9]+ 64;(MPI_Irecv 0 64;){2}MPI_Waitall 0 0;MPI_Send 0 0;($clock;)?){20}"
    # -b multiple, and the verification, have a buffer for each message.
    calls 1 'MPI_Irecv [1-9][0-9]* 64' $((2 + 1))
    as_omb 2 bw -W 3 -m 64:64 -i 20 -x 5 -b multiple
    in_turn 1 "(MPI_Irecv [0-9]+ 64;(MPI_Irecv [1-9][0-9]* 64;){2}MPI_Waitall 0 0;MPI_Send 0 0;($clock;)?){20}"
    as_omb 2 bw_persistent -W 3 -m 64:64 -i 20 -x 5
    in_turn 1 "(MPI_Recv_init 0 64;){2}$clock;MPI_Startall 0 0;MPI_Waitall 0 0;MPI_Send 0 0;"
    in_turn 1 "(MPI_Startall 0 0;MPI_Waitall 0 0;MPI_Send 0 0;$clock;){20}"
    as_omb 4 mbw_mr -W 3 -m 64:64 -i 20 -x 5
    in_turn 3 "(PMPI_Barrier 0 0;MPI_Irecv [0-9]+ 64;(MPI_Irecv 0 64;){2}$clock;MPI_Waitall 0 0;MPI_Send 0 0;$clock;){20}"
}

@test "--protocol omb: reductions of characters from 1 byte, MPI_Wtime, two readings in put_latency" {
    launch 2 allreduce --protocol omb -m 1:4 -i 20 -x 5
    expect_status 0
    expect_sizes 1 2 4
    # OMB's word, for which readers look; JSON has the type.
    grep -q '^# Datatype: MPI_CHAR.$' "$out" || fail "another type"
    launch 2 allreduce --protocol omb -T mpi_float -m 1:8 -i 20 -x 5
    expect_sizes 4 8
    as_omb 2 put_latency -m 64:64 -i 20 -x 5
    in_turn 0 '(clock_gettime 2 0;MPI_Put 64 0;MPI_Win_flush 0 0;){20}'
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 allreduce --protocol omb -m 8:8 -i 20 -x 5 --json "$json"
    check "$json" <<'END'
assert d["method"]["protocol"] == "omb", d["method"]
assert d["method"]["start"] == "library", d["method"]
assert d["method"]["clock"] == "mpi", d["method"]
assert d["method"]["fixed_counts"] is True, d["method"]
assert d["environment"]["clock"]["name"] == "MPI_Wtime", d["environment"]["clock"]
assert d["rows"][0]["datatype"] == "MPI_SIGNED_CHAR", d["rows"]
END
}

# A rank may receive nothing: the rows are there, as in OMB.
@test "--protocol omb: every collective has OMB's rows, whatever the number of ranks" {
    local name all='' bytes n
    for ((bytes = 1; bytes <= 1 << 20; bytes *= 2)); do all+=" $bytes"; done
    for name in $blocking $nonblocking $persistent; do
        for n in 3 4; do echo "$name --dry-run --ranks $n --protocol=omb"; done
    done >"$BATS_TEST_TMPDIR/lines"
    direct suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    # What this MPI lacks is skipped.
    awk -v all="$all" '/^# [a-z_]+ on [34] ranks/ { if (n++ && seen != all) exit bad = 1; seen = "" }
        /^[0-9]/ { seen = seen " " $1 }
        END { exit bad || seen != all || n < 2 * 28 }' "$out" || fail "other sizes than OMB's"
    for name in reduce_scatter reduce_scatter_block ireduce_scatter ireduce_scatter_block; do
        launch 4 "$name" --protocol=omb -m 1:8 -c "${brief[@]}"
        echo "$name"
        expect_status 0
        expect_quiet
        expect_all_pass 4
        launch 3 "$name" --protocol=omb -m 1:4 -l -c "${brief[@]}"
        expect_status 0
        expect_all_pass 3
    done
}

@test "--protocol omb: -M is compared with a message for each rank, or with one" {
    local n=(--protocol=omb -i 3 -x 0)
    cases <<'END'
| launch 2 alltoall "${n[@]}" -T mpi_float -M 65536 -m 16000:32768 | 0 | $ expect_sizes 16000 32000
| launch 2 alltoall "${n[@]}" -T mpi_float -M 63999 -m 16000:32768 | 0 | $ expect_quiet W11 && $ expect_sizes 16000
| launch 3 gather "${n[@]}" -M 3000 -m 1000:2000 | 0 | $ expect_sizes 1000
| launch 3 allreduce "${n[@]}" -M 2000 -m 1000:4000 | 0 | $ expect_sizes 1000 2000
| direct alltoall --protocol=omb --dry-run --ranks 2 -M 65536 -m 16000:65536 | 0 | $ expect_sizes 16000 32000
END
}
