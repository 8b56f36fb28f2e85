#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# When MPI delivers wrong data, fails or hangs, the programs say so and say
# where; tests/faults has the libraries that make it do so.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash
# shellcheck disable=SC2030,SC2031  # each test exports for itself

load common

brief=(-i 5 -x 1)

setup() {
    preload=(plant)
    size=1000 # which no message of the harness has
    impatient=yes
}

@test "without a fault the libraries change nothing" {
    preload=(plant)
    launch 2 latency -m 1000:1000 -c "${brief[@]}"
    expect_status 0
    expect_out " Pass"
    preload=(stop)
    launch 2 latency -m 1000:1000 -c "${brief[@]}"
    expect_status 0
    expect_out " Pass"
}

# Lines "NTH BYTE KIND RANK RANKS PROGRAM OPTION...|WORDS...|WORDS": what is planted, in which message
# (0: in each), and what is said.  What is planted alike is in one job.
wrong_together() {
    local words seen fault n
    declare -A lines=()
    while IFS='|' read -r words seen; do
        fault=$(cut -d ' ' -f 1-5 <<<"$words")
        lines[$fault]+="${words#"$fault "} ${sizes:--m 1000:1000} -i 5 -x 1|size=$size;|$seen"$'\n'
    done
    for fault in "${!lines[@]}"; do
        read -r FAULT_NTH FAULT_AT FAULT FAULT_RANK n <<<"$fault"
        export FAULT FAULT_RANK FAULT_BYTES=$size FAULT_AT FAULT_NTH
        [[ $FAULT_AT != - ]] || unset FAULT_AT
        echo "$fault"
        wrong_data "$n" < <(printf %s "${lines[$fault]}")
    done
}

@test "point to point: one bit, the last byte, behind, stale; of a window, either rank, the second pair, persistent, threads" {
    wrong_together <<'END'
0 - byte 1 2 latency|wrong=1 of 1; first: iteration=1;|rank=1; block=0; byte=500;
0 - byte 0 2 latency|rank=0; block=0; byte=500;
0 -1 byte 1 2 latency|rank=1; block=0; byte=999;
0 -1 byte 1 2 latency -T mpi_int|rank=1;
0 - dropped 1 2 latency|rank=1; block=0; byte=0;
0 - dropped 0 2 latency|rank=0; block=0; byte=0;
0 - behind 1 2 latency|byte=1000 (after the end)
1 - byte 1 2 bw -W 4|rank=1; block=0; byte=500;
1 - byte 1 2 bibw -W 4 -b multiple|rank=1; block=0; byte=500;
1 - byte 1 2 mbw_mr -W 4|rank=1; block=0; byte=500;
4 - byte 1 2 bw -W 4|rank=1; block=3; byte=500;
4 - byte 1 2 mbw_mr -W 4 -b multiple|rank=1; block=3; byte=500;
4 - dropped 1 2 bw -W 4 -b multiple|rank=1; block=3; byte=0;
4 -1 byte 0 2 bibw -W 4|rank=0; block=3; byte=999;
0 - byte 1 2 bibw -W 1|rank=1; block=0; byte=500;
4 - byte 3 4 mbw_mr -W 4|rank=3; block=3; byte=500;
4 - byte 3 4 mbibw_mr -W 4|rank=3; block=3; byte=500;
4 - byte 1 4 mbibw_mr -W 4|rank=1; block=3; byte=500;
0 - byte 3 4 multi_lat|rank=3;
0 -1 byte 1 4 multi_lat|rank=1; block=0; byte=999;
0 - dropped 1 2 latency_persistent|rank=1;
0 - dropped 1 2 bw_persistent -W 3|rank=1;
0 - byte 0 2 bibw_persistent -W 3|rank=0;
0 - dropped 0 3 bw_fan_in --groups 3 -W 3|rank=0;
0 - byte 2 3 bw_fan_out --groups 3 -W 3|rank=2;
END
    # It needs another start of MPI than the others.
    unset FAULT_NTH FAULT_AT
    FAULT=byte FAULT_RANK=1 launch 2 latency_mt -t 2:2 -m "$size:$size" "${brief[@]}"
    expect_status 3
    expect_error E14
    expect_sizes
    expect_err "latency_mt: wrong data; size=$size; wrong=1 of 1; first: iteration=1;"
}

@test "collectives: one bit, the last byte, stale, swapped, of one rank, of every flow, in place" {
    local name kind
    {
        for name in bcast allgather allgatherv alltoall; do
            for kind in "500 byte" "-1 byte" "- dropped"; do
                echo "0 $kind 2 3 $name|rank=2;|ranks wrong=1 of 3;"
            done
        done
        for name in $(neighbours); do
            echo "2 -1 byte 2 3 $name|rank=2; block=1; byte=999;"|ranks wrong=1 of 3;
        done
        cat <<'END'
1 - swapped 1 3 alltoall|rank=1; block=0; byte=0;
1 - swapped 2 3 allgather|rank=2; block=0; byte=0;
0 - byte 2 3 allgather -T mpi_float|rank=2;
0 - byte 2 3 neighbor_allgatherv|
0 - dropped 2 3 neighbor_allgatherv|
1 - swapped 2 3 neighbor_allgatherv|
0 - byte 0 3 ineighbor_alltoallw|
0 - dropped 0 3 ineighbor_alltoallw|
1 - swapped 0 3 ineighbor_alltoallw|
0 - byte 1 3 iallreduce|rank=1; block=0; element=125;
0 -1 byte 2 3 iallreduce|rank=2; block=0; element=249;
0 - byte 1 3 allreduce_persistent|rank=1; block=0; element=125;
0 - dropped 0 3 allreduce_persistent|rank=0; block=0; element=0;
0 -1 byte 2 3 allreduce_persistent --compute -t 2|rank=2; block=0; element=249;
3 500 byte 0 3 gather|root=0; rank=0; block=2; byte=500;|ranks wrong=1 of 3;
1 500 byte 2 3 gather -l -k fixed:2|root=2; rank=2; block=0; byte=500;
2 500 byte 1 3 gatherv -k fixed:1|root=1; rank=1; block=1; byte=500;
2 0 byte 1 3 alltoallv|rank=1; block=1; byte=0;
3 999 byte 2 3 alltoallw|rank=2; block=2; byte=999;
0 999 byte 2 3 scatter|rank=2; block=0; byte=999;
0 999 byte 0 3 scatter -l -k fixed:1|root=1; rank=0; block=0; byte=999;
0 999 byte 1 3 scatterv|
0 999 byte 1 3 reduce -l -k fixed:1|root=1; rank=1; block=0; element=249;
0 999 byte 2 3 scan|rank=2; block=0; element=249;
0 - stray 0 3 exscan -l|rank=0; block=0; element=0;
0 999 byte 1 3 exscan|rank=1; block=0; element=249;
3 999 byte 2 3 gather -k rotate|root=2; rank=2; block=2; byte=999;
0 - stray 1 3 reduce|root=0; rank=1; block=0; element=0 (after the end); expected=0; got=1;
0 - stray 2 3 gather -k fixed:1|root=1; rank=2; block=0; byte=0 (after the end); expected=0; got=1;
0 - stray 2 3 reduce -k rotate|root=0; rank=2; block=0; element=0 (after the end);
END
    } >"$BATS_TEST_TMPDIR/faults"
    wrong_together <"$BATS_TEST_TMPDIR/faults"
}

@test "allreduce: one contribution missing, a float off by 0.5, one bit, last element, behind, stale" {
    wrong_together <<'END'
0 - missing 2 3 allreduce|rank=0; block=0; element=0;|ranks wrong=3 of 3;
0 - missing 1 3 allreduce -l|ranks wrong=3 of 3;
0 - missing 1 3 iallreduce|
0 - missing 1 2 allreduce -T mpi_double|
0 - missing 1 2 allreduce -T mpi_char|
0 - byte 1 3 allreduce|type=MPI_FLOAT; rank=1; block=0; element=125;|ranks wrong=1 of 3;
0 - byte 2 3 allreduce|rank=2; block=0; element=125;
0 -1 byte 0 3 allreduce|rank=0; block=0; element=249;
0 -1 byte 2 3 allreduce -T mpi_int|rank=2;
0 - behind 1 3 allreduce| (after the end)
0 - dropped 1 3 allreduce|element=0;
END
}

@test "reduce_scatter_block: the block of another rank" {
    local n
    export FAULT=next FAULT_RANK=-1 FAULT_BYTES=256
    for n in 2 4; do
        launch "$n" reduce_scatter_block -m 256:256 -c "${brief[@]}"
        expect_status 3
        expect_error E14
        expect_out "DATA VALIDATION ERROR"
    done
}

@test "--counts: a byte of a block that is longer or shorter than the others" {
    # On 3 ranks blocks of 500, 1000 and 1500 bytes.  The longest is in each call but one.
    local row file=$BATS_TEST_TMPDIR/rising
    for row in "alltoallv 2 byte 2 0 1500 rank=2; block=1; byte=0;" \
        "alltoallw 0 byte 3 -1 1500 rank=0; block=2; byte=499;" \
        "gatherv 0 byte 3 -1 1500 root=0; rank=0; block=2; byte=1499;" \
        "scatterv 1 behind 1 0 1000 root=0; rank=1; block=0; byte=1000 (after the end);"; do
        read -r name FAULT_RANK FAULT FAULT_NTH FAULT_AT FAULT_BYTES why <<<"$row"
        export FAULT FAULT_RANK FAULT_BYTES FAULT_AT FAULT_NTH
        printf '1 2 3\n' >"$file"
        [[ $name != alltoall* ]] || printf '1 2 3\n1 2 3\n' >>"$file"
        launch 3 "$name" -m 1000:1000 --counts="file:$file" "${brief[@]}"
        echo "$row"
        expect_status 3
        expect_error E14
        expect_sizes
        expect_err "$name: wrong data; size=1000;"
        expect_err "$why"
    done
}

@test "exscan: rank 0 receives nothing that could be wrong" {
    FAULT=stray FAULT_RANK=0 FAULT_BYTES=1000 \
        launch 3 exscan -c -m 1000:1000 "${brief[@]}"
    expect_status 0
}

@test "reduce_scatter: the parts of all ranks, also if they are not equal" {
    local name
    export FAULT=byte FAULT_AT=-1
    # 250 elements: 84, 83, 83; equal parts 83.
    for name in reduce_scatter reduce_scatter_block; do
        FAULT_RANK=2 FAULT_BYTES=$([[ $name == *_block ]] && echo 996 || echo 1000) launch 3 "$name" -m 1000:1000 "${brief[@]}"
        echo "$name"
        expect_status 3
        expect_error E14
        expect_err "rank=2; block=0; element=82;"
    done
    FAULT_RANK=0 FAULT_BYTES=1000 launch 3 reduce_scatter -l -m 1000:1000 "${brief[@]}"
    expect_status 3
    expect_err "rank=0; block=0; element=83;"
    # Beyond its part nothing is written.
    FAULT=behind FAULT_RANK=1 FAULT_BYTES=1000 \
        launch 3 reduce_scatter -m 1000:1000 "${brief[@]}"
    expect_status 3
    expect_err "rank=1; block=0; element=332 (after the end);"
}

@test "put and get: elsewhere, lost, for every synchronisation, either way, on the second pair" {
    local sync
    {
        for sync in lock flush flush_local lock_all pscw fence; do
            echo "0 - displaced 0 2 put_latency -s $sync|rank=1; block=0; byte=0;"
            echo "0 - dropped 0 2 get_bw -W 4 -s $sync|rank=0; block=0; byte=0;"
        done
        cat <<'END'
0 - dropped 0 2 put_latency -w create|
0 - displaced 0 2 get_bw -W 1 -w dynamic|
0 - displaced 1 2 put_latency -s fence|rank=0; block=0; byte=0;
0 - displaced 0 2 put_bibw -W 4|rank=1; block=0; byte=0;
0 - dropped 1 2 put_bibw -W 4 -s fence|rank=0; block=0; byte=0;
0 - dropped 1 2 get_bibw -W 4|rank=1; block=0; byte=0;
0 - displaced 0 2 get_bibw -W 4 -s fence|rank=0; block=0; byte=0;
0 - dropped 1 4 put_mbw -W 4|rank=3; block=0; byte=0;
0 - displaced 1 4 get_mbw -W 4 -s fence|rank=1; block=0; byte=0;
0 - dropped 1 4 get_multi_lat -s pscw|rank=1; block=0; byte=0;
END
    } >"$BATS_TEST_TMPDIR/faults"
    wrong_together <"$BATS_TEST_TMPDIR/faults"
}

# Rank 0 is the origin.  What is lost or elsewhere spoils the result too, which it sees itself.
@test "what updates a window: lost, elsewhere, another number, another result" {
    local name sync
    # One element of a size that no message of the harness has either.
    for size in 1000 1; do
        sizes='-m 1000:1000' names='acc_latency get_acc_latency'
        [[ $size -eq 1000 ]] || sizes='-T mpi_char' names='fop_latency cas_latency'
        for name in $names; do
            for sync in flush pscw; do
                [[ $name == acc_latency ]] && seen='rank=1;' || seen=
                echo "0 - dropped 0 2 $name -s $sync|$seen"
                echo "0 - displaced 0 2 $name -s $sync|$seen"
                echo "0 - missing 0 2 $name -s $sync|rank=1;"
                [[ $name == acc_latency ]] || echo "0 - byte 0 2 $name -s $sync|rank=0;"
            done
        done >"$BATS_TEST_TMPDIR/faults"
        wrong_together <"$BATS_TEST_TMPDIR/faults"
    done
}

@test "-c: the wrong row stands in the table as Fail, is the last, and exit 3" {
    # The third of four sizes.
    export FAULT=byte FAULT_RANK=1 FAULT_BYTES=4000
    launch 2 latency -c -m 1000:8000 "${brief[@]}"
    expect_status 3
    expect_error E14
    expect_sizes 1000 2000 4000
    [[ $(grep -c ' Pass$' "$out") -eq 2 && $(grep -c ' Fail$' "$out") -eq 1 ]] ||
        fail "not two Pass and one Fail"
    [[ $(tail -n 1 "$out") == "DATA VALIDATION ERROR: "*"exited with status 3 on message size 4000." ]] ||
        fail "OMB's last line is missing"
    expect_err "rank=1; block=0; byte=2000;"
}

@test "-c on 2 and 3 ranks: all ranks leave together, whoever is wrong (OMB 29)" {
    local rank
    for rank in 0 1 2; do
        export FAULT=dropped FAULT_RANK=$rank FAULT_BYTES=1000
        launch 3 allreduce -c -m 1000:4000 "${brief[@]}"
        expect_status 3
        expect_error E14
        expect_sizes 1000
        expect_out " Fail"
    done
    for rank in 0 1; do
        export FAULT=byte FAULT_RANK=$rank
        launch 2 bibw -c -W 4 -m 1000:4000 "${brief[@]}"
        expect_status 3
        expect_error E14
        expect_sizes 1000
        expect_out " Fail"
    done
}

@test "--verify=N: how many iterations are wrong, and where the first is; the run goes on" {
    local json=(--json "$BATS_TEST_TMPDIR/x.json")
    export FAULT=byte FAULT_AT=-1 FAULT_EVERY=50
    launch 2 latency -m 1000:4000 --verify=200 -c -i 1 -x 0 "${json[@]}"
    expect_status 3
    expect_error E14
    expect_err "latency: wrong data; size=1000; wrong=4 of 200; first: iteration=50; type=MPI_CHAR; rank=1; block=0; byte=999; from rank=0; "
    expect_out "# wrong data: size=1000; wrong=4 of 200; first: iteration=50; "
    expect_sizes 1000 2000 4000
    [[ $(grep -c ' Pass$' "$out") -eq 2 && $(grep -c '^1000 .* Fail$' "$out") -eq 1 ]] || fail "not one Fail"
    "$python3" - "$BATS_TEST_TMPDIR/x.json" <<'END'
import json, sys

document = json.load(open(sys.argv[1]))
rows = document["rows"]
assert document["exit"]["code"] == 3, document["exit"]
assert [(row["verified"], row["checked"], row["wrong"]) for row in rows] == \
    [("fail", 200, 4), ("pass", 200, 0), ("pass", 200, 0)], rows
assert rows[1]["first_wrong"] is None
first = rows[0]["first_wrong"]
assert (first["iteration"], first["rank"], first["from_rank"], first["block"], first["at"]) == \
    (50, 1, 0, 0, 999), first
END
    # Without --verify the first wrong one ends the run: only those that are timed are.
    FAULT_SPARE=1 launch 2 latency -m 1000:1000 "${brief[@]}"
    expect_status 0
}

@test "--verify=N: what an earlier iteration left is wrong" {
    export FAULT=stale
    launch 2 latency -m 1000:1000 --verify=20 -i 1 -x 0
    expect_status 3
    expect_err "wrong=19 of 20; first: iteration=2; type=MPI_CHAR; rank=1; block=0; byte=0; from rank=0; "
    launch 2 allreduce -m 1000:1000 --verify=20 -i 1 -x 0
    expect_status 3
    expect_err "wrong=19 of 20; first: iteration=2; type=MPI_FLOAT; rank=1; block=0; element=0; "
}

# Lines "NTH KIND RANK N BYTES PROGRAM OPTION...|PLACE|PLACE": of 1000 iterations 1 % is wrong, so
# that 4 to 17 are, with 95 % confidence; and where.  What is planted alike is in one job.
now_and_then() {
    local words seen fault n name wrong line
    declare -A lines=()
    while IFS='|' read -r words seen; do
        fault=$(cut -d ' ' -f 1-5 <<<"$words")
        lines[$fault]+="${words#"$fault "} --verify=1000 -i 1 -x 0|$seen"$'\n'
    done
    export FAULT_SHARE=10 FAULT_SEED=7 FAULT_AT=-1 FAULT FAULT_RANK FAULT_BYTES FAULT_NTH
    for fault in "${!lines[@]}"; do
        read -r FAULT_NTH FAULT FAULT_RANK n FAULT_BYTES <<<"$fault"
        echo "$fault"
        printf %s "${lines[$fault]}" >"$BATS_TEST_TMPDIR/seen"
        cut -d '|' -f 1 "$BATS_TEST_TMPDIR/seen" >"$BATS_TEST_TMPDIR/lines"
        launch "$n" suite --from="$BATS_TEST_TMPDIR/lines"
        expect_status 3
        while IFS='|' read -r words seen <&5; do
            name=${words%% *}
            line=$(grep "E14: $name: wrong data; " "$err") || fail "$name: nothing was found"
            wrong=${line#*wrong=} wrong=${wrong%% of *}
            # shellcheck disable=SC2053  # a pattern
            [[ $line == *"of 1000; "*${seen//|/*}* ]] || fail "$line"
            [[ $wrong -ge 4 && $wrong -le 17 ]] || fail "$line"
            expect_out "checked=1000; wrong=$wrong;"
        done 5<"$BATS_TEST_TMPDIR/seen"
    done
}

@test "--verify=N: 1 % of messages, at random, in every family: the rate and the place" {
    now_and_then <<'END'
0 byte 1 2 1000 latency -m 1000:1000|rank=1; block=0; byte=999; from rank=0;
0 byte 1 2 1000 bw -W 1 -m 1000:1000|rank=1; block=0; byte=999; from rank=0;
0 byte 1 2 1000 allreduce -l -m 1000:1000|rank=1; block=0; element=249;
0 byte 1 2 1000 bcast -m 1000:1000|root=0; rank=1; block=0; byte=999;
2 byte 1 3 1000 neighbor_alltoall -m 1000:1000|rank=1; block=1; byte=999; from rank=2;
0 dropped 0 2 1000 put_latency -m 1000:1000|rank=1; block=0; byte=0; from rank=0;
0 dropped 0 2 1000 get_latency -m 1000:1000|rank=0; block=0; byte=0; from rank=1;
0 dropped 0 2 1000 acc_latency -m 1000:1000|rank=1;
1 byte 2 3 1001 alltoallv -m 1001:1001|rank=2; block=0; byte=1000; from rank=0;
0 byte 2 3 odd scatter -m 1001:1001|rank=2; block=0; byte=1000; from rank=0;
0 byte 2 3 >65536 reduce_scatter_block -m 240000:240000|rank=2; block=0; element=19999;
END
}

@test "--verify=N: wrong only in odd sizes, only above 64 KiB; a halo" {
    export FAULT=byte FAULT_AT=-1 FAULT_EVERY=10 FAULT_BYTES=odd
    launch 2 latency --sizes=1000,1001,1002 --verify=50 -c -i 1 -x 0
    expect_status 3
    [[ $(grep -c ' Pass$' "$out") -eq 2 ]] || fail "not one alone"
    expect_err "size=1001; wrong=5 of 50; first: iteration=10; "
    FAULT_BYTES='>65536' launch 2 allreduce -m 64K:128K --verify=50 -c -i 1 -x 0
    expect_status 3
    [[ $(grep -c '^65536 .* Pass$' "$out") -eq 1 ]] || fail "not above alone"
    expect_err "size=131072; wrong=5 of 50; first: iteration=10; "
    FAULT_BYTES=512 launch 2 halo -m 512:512 --verify=50 -i 1 -x 0
    expect_status 3
    expect_err "rank=1; "
    [[ $stderr =~ wrong=([0-9]+)\ of\ 50 && ${BASH_REMATCH[1]} -ge 5 ]] || fail "too few"
}

@test "wrong data on several nodes: the host of the rank, and that of the sender if there is one" {
    local host
    host=$(hostname)
    # shellcheck disable=SC2016  # expanded by the rank
    wrapper=(sh -c 'ALIDADE_NODE_ID=${PMI_RANK:-$OMPI_COMM_WORLD_RANK} exec "$0" "$@"')
    export FAULT=byte FAULT_RANK=1 FAULT_BYTES=1000
    launch 2 latency -m 1000:1000 "${brief[@]}"
    expect_error E14
    expect_err "ranks wrong=1 of 2; host=$host; from host=$host;"
    FAULT=byte launch 2 iallreduce -m 1000:1000 "${brief[@]}"
    expect_error E14
    expect_err "; host=$host; from host=-;"
    wrapper=()
    launch 2 latency -m 1000:1000 "${brief[@]}"
    expect_error E14
    [[ $stderr != *"host="* ]] || fail "all ranks are on one"
}

@test "suite --verify=soak:TIME: each program has its share, and nothing is wrong" {
    launch 2 suite latency allreduce hello --verify=soak:4s -- -m 1000:1000 -i 1 -x 0
    [[ $(grep -Ec '^# (latency|allreduce): verified: checked=[1-9][0-9]+; wrong=0;' "$err") -eq 2 ]] || fail "not of each program"
    expect_status 0
    expect_out "# suite: hello: skipped; does not take "
    [[ $(grep -Ec '^# suite: (latency|allreduce): run; .* checked=[0-9]{3,}; wrong=0;$' "$out") -eq 2 ]] || fail "too few"
    [[ $stdout != *"time of --verify was over"* ]] || fail "there was time"
    launch 2 suite latency allreduce bw --verify=soak:1us -- -m 1000:1000 -i 1 -x 0
    expect_out "# suite: the time of --verify was over before 3 of the programs: each of their rows was verified once;"
}

@test "--no-verify measures what -c would refuse" {
    export FAULT=byte FAULT_RANK=1 FAULT_BYTES=1000
    launch 2 latency --no-verify -m 1000:1000 "${brief[@]}"
    expect_status 0
    expect_sizes 1000
}

# --- Errors --------------------------------------------------------------------

# failing CALL PROGRAM ARGUMENT...
failing() {
    preload=(stop)
    export FAULT=error FAULT_CALL=$1 FAULT_BYTES=64 FAULT_RANK=${rank:-1} FAULT_NTH=${nth:-1}
    shift
    launch 2 "$@"
    expect_given_up
    [[ $(messages error) -ge 1 && $(messages error) -eq $(messages "error E16:") ]] ||
        fail "expected E16 and nothing else"
}

@test "an MPI error: E16 names program, rank, row and MPI's text; exit 2" {
    failing MPI_Send latency -m 64:64 "${brief[@]}"
    expect_err "E16: latency: rank=1;"
    expect_err "size=64;"
    # Open MPI 5 writes a null byte among its own lines.
    grep -qi 'rank' <(grep -a 'E16' "$err" | sed 's/rank=//') ||
        fail "MPI's text is missing"
    expect_sizes
}

@test "an MPI error while measuring: rows before are there, the row is named" {
    # 8 and 16 and 32 are done when a message of 64 bytes fails: after the
    # verification, in the 4th iteration.
    nth=5 failing MPI_Send latency -m 8:128 "${brief[@]}"
    expect_err "phase=measuring; size=64;"
    expect_sizes 8 16 32
}

@test "an MPI error in a collective and in a window" {
    failing MPI_Bcast bcast -m 64:64 "${brief[@]}"
    rank=0 failing MPI_Put put_latency -m 64:64 "${brief[@]}"
    expect_err "E16: put_latency: rank=0;"
    rank=0 failing MPI_Isend bw -m 64:64 "${brief[@]}"
}

# --- Crashes -------------------------------------------------------------------

@test "a crash: E38 has the rank, the row and the call, rows are kept, and the signal goes on" {
    preload=(stop)
    impatient=no
    export FAULT=crash FAULT_CALL=MPI_Send FAULT_RANK=1 FAULT_BYTES=64 FAULT_NTH=5 FAULT_SIGNAL
    local json=(--json "$BATS_TEST_TMPDIR/x.json") name
    for name in SEGV FPE ABRT; do
        FAULT_SIGNAL=$(kill -l "$name")
        launch 2 latency -m 8:128 "${brief[@]}" "${json[@]}"
        [[ $status -gt 2 ]] || fail "the signal has not ended it"
        grep -Eq "^alidade: error E38: latency: crash \(SIG$name\); rank=1; host=.*; phase=measuring; size=64; .* call=MPI_Send; stack=" "$err" ||
            fail "no E38"
        expect_sizes 8 16 32
        expect_kept 2 3
        [[ $flavour != openmpi ]] || expect_err "*** Process received signal ***"
    done
    FAULT_NTH=1
    launch 2 latency -m 8:128 "${brief[@]}"
    expect_err "phase=verification; size=64; "
}

# --- Hangs ---------------------------------------------------------------------

@test "a call that never returns: E15 from the ranks, exit 2, rows are kept" {
    preload=(stop)
    impatient=no
    export FAULT=hang FAULT_CALL=MPI_Send FAULT_BYTES=64 FAULT_RANK=1 FAULT_NTH=5
    local json=(--json "$BATS_TEST_TMPDIR/x.json")
    launch 2 latency -m 8:128 --timeout 2s "${brief[@]}" "${json[@]}"
    expect_given_up
    [[ $(messages "error E15:") -eq 2 ]] || fail "not E15 from both ranks"
    expect_err "no progress for 2 s; rank=0;"
    expect_err "no progress for 2 s; rank=1;"
    expect_err "phase=measuring; size=64; iterations="
    # The rank that does not send and the one that waits for it.
    expect_err " call=MPI_Send; stack="
    expect_err " call=MPI_Recv; stack="
    expect_sizes 8 16 32
    expect_kept 2 3
}

@test "of many ranks in the same call E15 names the late one apart, and the others in few lines" {
    preload=(stop)
    impatient=no
    export FAULT=hang FAULT_CALL=MPI_Bcast FAULT_BYTES=1000 FAULT_RANK=20
    launch 24 bcast -m 1000:1000 --timeout 8s "${brief[@]}"
    expect_given_up
    grep -q "no progress for 8 s; rank=20; .* call=MPI_Bcast; stack=[^;]*pause" "$err" || fail "rank 20 is not apart"
    [[ $stderr != *"says nothing"* ]] || fail "a rank that waits is called silent"
    [[ $(messages "error E15:") -le 9 ]] || fail "too many lines"
    [[ $(sed -n 's/.*no progress for 8 s; ranks*=\([^;]*\);.*/\1/p' "$err" | tr , '\n' |
        awk -F- '{ n += NF > 1 ? $2 - $1 + 1 : 1 } END { print n }') -eq 24 ]] || fail "not all ranks"
}

@test "a call that never returns while verifying a collective: phase=verification" {
    preload=(stop)
    impatient=no
    export FAULT=hang FAULT_CALL=MPI_Bcast FAULT_BYTES=1000 FAULT_RANK=2
    launch 3 bcast -m 1000:1000 --timeout 2s "${brief[@]}"
    expect_given_up
    [[ $(messages "error E15:") -ge 1 ]] || fail "no E15"
    expect_err "rank=2;"
    expect_err "phase=verification; size=1000;"
    expect_sizes
}

@test "MPI_Finalize that never returns: E15 and advice of its own; table and JSON are complete" {
    preload=(stop)
    impatient=no
    export FAULT=hang FAULT_CALL=MPI_Finalize FAULT_RANK=1
    local json=(--json "$BATS_TEST_TMPDIR/x.json")
    limit=20
    launch 2 latency -m 8:16 --timeout 1s "${brief[@]}" "${json[@]}"
    # mpirun itself may stay when both ranks have ended, or crash (doc/known-issues.md).
    [[ $flavour == openmpi && $status =~ ^(137|139)$ ]] || expect_given_up
    [[ $(messages "error E15:") -ge 1 ]] || fail "no E15"
    expect_err "phase=MPI_Finalize; results are complete"
    expect_err "The table is not affected. Look for a rank"
    expect_sizes 8 16
    expect_kept 2 2
}

@test "MPI_Finalize that returns an error: E16, exit code 2, in JSON too; table and rows are complete" {
    preload=(stop)
    impatient=no
    export FAULT=error FAULT_CALL=MPI_Finalize FAULT_RANK
    local json=(--json "$BATS_TEST_TMPDIR/x.json") code
    for FAULT_RANK in 0 1; do
        launch 2 latency -m 8:16 "${brief[@]}" "${json[@]}"
        exit_code_lost || [[ $status -eq 2 ]] || fail "exit code $status"
        expect_err "alidade: error E16: latency: MPI_Finalize returned the error code="
        expect_err "(rank=$FAULT_RANK;)"
        expect_sizes 8 16
        code=$((FAULT_RANK == 0 ? 2 : 0))
        expect_kept "$code" 2
    done
    launch 2 suite latency -- -m 8:16 "${brief[@]}"
    exit_code_lost || [[ $status -eq 2 ]] || fail "exit code $status"
    expect_error E16
}

@test "a rank that leaves by exit(0) in a row: E38, an exit code, and rows are kept" {
    preload=(stop)
    impatient=no
    export FAULT=leave FAULT_RANK FAULT_CALL=MPI_Allreduce FAULT_BYTES=64 FAULT_NTH=3
    local json=(--json "$BATS_TEST_TMPDIR/x.json") n
    for n in 2 3 4; do
        for FAULT_RANK in 0 1; do
            launch "$n" allreduce -m 16:64 "${brief[@]}" "${json[@]}"
            exit_code_lost || [[ $status -ne 0 ]] || fail "exit code 0"
            expect_err "alidade: error E38: allreduce: something called exit; rank=$FAULT_RANK; "
            expect_err "phase=measuring; size=64; "
            expect_sizes 16 32
            expect_kept 2 2
        done
    done
}

@test "MPI_Init that never returns: E15 of four ranks of a host, and advice of its own" {
    preload=(stop)
    impatient=no
    limit=60
    FAULT=hang FAULT_CALL=MPI_Init FAULT_RANK=1 launch 6 barrier --timeout 1s
    expect_given_up
    expect_err "no progress for 30 s; rank=1; "
    [[ $(grep -c 'no progress' "$err") -le 4 ]] || fail "too many speak"
    expect_err "phase=MPI_Init; "
    expect_err "The processes do not reach each other. Check whether"
    [[ $stderr != *"Repeat the row"* ]] || fail "the advice of a row"
}

@test "the JSON file has the exit code of the process on every path" {
    need_json
    impatient=no
    local code id n name file=$BATS_TEST_TMPDIR/x.json options
    while read -r code id n name options; do
        echo "$id"
        # shellcheck disable=SC2086  # words of options
        launch "$n" "$name" $options "${brief[@]}" --json "$file"
        expect_status "$code"
        expect_error "$id"
        expect_kept "$code" 0
        [[ ! -e $file.part ]] || fail "FILE.part is left over"
    done <<'END'
77 E02 3 latency -m 8:8
1 E12 2 latency -m 8:8 -d openacc
1 E12 2 latency -m 8:7
1 E12 2 bcast -m 8:8 -k fixed:2
77 E18 2 latency -m 8:8 -T mpi_float16
2 E10 2 latency -m 8:8 -M 1
2 E35 2 latency -m 8:8 --expect=path=inter-node
END
    # E15 and E38 above; of an error of MPI, in verification and in a row.
    preload=(stop)
    export FAULT=error FAULT_CALL=MPI_Send FAULT_RANK=0 FAULT_BYTES=64 FAULT_NTH
    for FAULT_NTH in 1 5; do
        launch 2 latency -m 32:64 "${brief[@]}" --json "$file"
        expect_error E16
        expect_kept 2 1
    done
}

@test "--timeout does not end a start that takes longer" {
    preload=(stop)
    export FAULT=late
    launch 2 hello --timeout 2s
    expect_status 0
}

@test "--timeout does not end a run that moves, however long it takes" {
    unset FAULT
    preload=()
    launch 2 latency -m 8:8 --timeout 2s --precision 0.001% --budget 3500ms
    expect_status 0
    expect_sizes 8
    # One iteration takes longer than a look of the watchdog, not than the timeout.
    launch 2 iallreduce -m 8:8 --timeout 4s "${brief[@]}"
    expect_status 0
}

# Elements on a rank's log of a row, positions on one line.
logged() {
    awk '/^[0-9]/ { printf "%s%s", sep, $1; sep = " " }' "$folder/log-$1.log"
}

@test "-clog: what is wrong, on the rank where it is, and nowhere else" {
    local folder=$BATS_TEST_TMPDIR/log expected actual
    export FAULT=byte FAULT_RANK=1 FAULT_BYTES=1000
    launch 2 latency "-clog:$folder" -m 500:1000 "${brief[@]}"
    expect_status 3
    expect_out " Fail"
    [[ $(ls "$folder") == log-1.log ]] || fail "files: $(ls "$folder")"
    [[ $(head -n 2 "$folder/log-1.log") == "Size: 1000, Iteration:0, Datatype: MPI_CHAR
Position            Expected            Actual" ]] || fail "$(head -n 2 "$folder/log-1.log")"
    # Each of the five iterations that -c verifies.
    [[ $(logged 1) == '500 500 500 500 500' && $(wc -l <"$folder/log-1.log") -eq 15 ]] || fail "$(cat "$folder/log-1.log")"
    read -r _ expected actual < <(tail -n 1 "$folder/log-1.log")
    [[ $((expected ^ actual)) -eq 16 ]] || fail "not one bit: $expected $actual"
    # Of a reduction elements; every rank is wrong.
    FAULT=missing launch 3 allreduce "-clog:$folder-2" -m 1000:1000 "${brief[@]}"
    expect_status 3
    [[ $(cd "$folder-2" && echo *) == "log-0.log log-1.log log-2.log" ]] || fail "not all"
    folder=$folder-2
    [[ $(logged 2) == "0 1 2 "* ]] || fail "$(logged 2)"
    grep -q 'Datatype: MPI_FLOAT' "$folder/log-2.log" || fail "no type"
}

@test "-clog: a folder that is there on another node alone is refused" {
    local i
    # Each rank has a folder of its own, as on nodes with file systems of their own.
    # shellcheck disable=SC2016  # in the shell of the rank
    wrapper=(sh -c 'cd "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" && exec "$@"' -)
    for i in 0 1 2; do mkdir "$i"; done
    launch 3 bcast -clog:logs -m 8:8 "${brief[@]}"
    expect_status 0
    [[ -d 0/logs && -d 1/logs && -d 2/logs ]] || fail "a folder is missing"
    rm -r 0/logs 2/logs
    launch 3 bcast -clog:logs -m 8:8 "${brief[@]}"
    expect_error E17
    expect_err "-clog: logs on rank=1; File exists"
    [[ ! -e 0/logs && ! -e 2/logs ]] || fail "folders were made"
}

@test "-clog: at most 1000 lines of a row; without a fault an empty folder" {
    local folder=$BATS_TEST_TMPDIR/validation_output
    export FAULT=dropped FAULT_RANK=1 FAULT_BYTES=5000
    launch 2 latency "-clog:$folder" -m 5000:5000 "${brief[@]}"
    expect_status 3
    [[ $(grep -c '^[0-9]' "$folder/log-1.log") -eq 1000 ]] || fail "not 1000 lines"
    [[ $(tail -n 1 "$folder/log-1.log") =~ ^\#\ [0-9]+\ more\ differ$ ]] || fail "the rest is not counted"
    rm -r "$folder"
    FAULT_RANK=9 launch 2 latency -clog -m 8:8 "${brief[@]}"
    expect_status 0
    expect_out " Pass"
    [[ -d $folder && -z $(ls "$folder") ]] || fail "no empty folder of that name"
}

@test "latency_mt without MPI_THREAD_MULTIPLE: E18 and 77" {
    FAULT=single launch 2 latency_mt "${brief[@]}"
    expect_status 77
    expect_error E18
    expect_no_out
}

# A wrong number, in what ranks say to each other, ends the program with any exit code, but not in silence.
@test "no exit code but 0 without a message; the JSON file has the same code" {
    local name file=$BATS_TEST_TMPDIR/x.json silent=0
    need_json
    preload=(own)
    export FAULT=more FAULT_CALL FAULT_NTH
    while read -r FAULT_CALL FAULT_NTH name; do
        rm -f "$file" "$file.part"
        launch 2 "$name" -m 4:16 "${brief[@]}" -c --timeout 5s --json "$file"
        echo "$FAULT_CALL $FAULT_NTH: $name: $status"
        [[ $status -eq 0 || $(messages "error ") -gt 0 ]] || fail "in silence"
        [[ $FAULT_CALL != PMPI_Allreduce ]] || expect_err "error E41: $name: MPI_Allreduce says that the minimum is "
        silent=$((silent + $(messages "error E41: $name: no rank says why ")))
        [[ ! -s $file || ($status -ne 0 && $(exit_code_lost && echo lost) == lost) || ($flavour == mpich && $status -eq 9) ]] ||
            [[ $("$python3" -c 'import json, sys; print(json.load(open(sys.argv[1]))["exit"]["code"])' "$file") -eq $status ]] ||
            fail "another code in the file"
    done <<'END'
PMPI_Allreduce 0 allreduce
PMPI_Allreduce 0 latency
PMPI_Bcast 1 latency
PMPI_Bcast 2 latency
PMPI_Bcast 3 latency
PMPI_Bcast 4 latency
PMPI_Bcast 5 latency
END
    [[ $silent -gt 0 ]] || fail "no code came of nothing"
}

# Lines "PROGRAM CALL OPTION...".
refused() {
    cat <<'END'
latency_mt pthread_create -t 1:3
mbw_mr_mt pthread_create -t 2
latency_mp fork -t 3
partitioned_latency pthread_create --pready-threads=2
END
}

@test "threads and processes that the system refuses: E42 names the call and the limit; other programs run" {
    local name call options
    preload=(refused)
    while read -r name call options; do
        [[ $name != partitioned_* || $partitioned != no* ]] || continue
        # The second rank of partitioned_latency has no threads.
        [[ $name != partitioned_* ]] || export FAULT_RANK=0
        # shellcheck disable=SC2086  # words
        launch 2 "$name" -m 8:8 "${brief[@]}" $options
        echo "$name"
        expect_status 2
        expect_error E42
        expect_err "$name: $call: Resource temporarily unavailable; ulimit -u="
        expect_err "(-t), or fewer ranks on each node."
    done < <(refused)
    FAULT_RANK=0 launch 2 latency -m 8:8 "${brief[@]}"
    expect_status 0
    expect_quiet
    command -v gnuplot >/dev/null || return 0
    FAULT_RANK=0 launch 2 latency -m 8:8 "${brief[@]}" -G tty
    expect_status 0
    expect_err "warning W25: latency: gnuplot: it could not be started: Resource temporarily unavailable"
}

# The address sanitizer is in the build of make distcheck (poisoned.bats).
@test "memory that MPI is given: where there is nobody to ask about it, the run ends with 87" {
    ! nm "$(program latency)" | grep -q __asan_init || skip "this build has the address sanitizer"
    preload=(poisoned)
    direct latency --help
    expect_status 87
    expect_err "poisoned: there is no address sanitizer to ask"
    expect_no_out
}
