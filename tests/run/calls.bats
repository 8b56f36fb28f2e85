#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which MPI calls a program makes, how many, and what stands between two
# readings of the clock: the program's own calls and nothing else.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    preload=(trace)
    trace=$BATS_TEST_TMPDIR/trace
    export FAULT_TRACE=$trace
}

# The trace sees clock_gettime; the time stamp counter is read without a call.
traced() {
    launch "$@" --clock posix
}

# Lines "PROGRAM OPTION..." on N ranks, in one job.
traced_together() {
    sed 's/$/ -i 20 -x 5 --clock posix/' >"$BATS_TEST_TMPDIR/lines"
    launch "$1" suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    expect_out "skipped=0; failed=0; "
}

# Lines "NAME SENT RECEIVED" of a rank's trace that match.
count() {
    grep -Ec "^$2\$" "$trace.$1" || true
}

expect_count() {
    local seen
    seen=$(count "$1" "$2")
    [[ $seen -eq $3 ]] || fail "rank $1: expected $3 times '$2', saw $seen"
}

# The trace of a rank on one line, each call followed by ";".
line_of() {
    tr '\n' ';' <"$trace.$1"
}

# repeated RANK N CALLS BETWEEN: N times CALLS, each but the last followed by
# BETWEEN, stand in the trace of the rank with nothing else among them.
repeated() {
    line_of "$1" | grep -Eq "($3;$4;){$(($2 - 1))}$3;" ||
        fail "rank $1: not $2 times '$3', '$4'"$'\n'"$(head -n 90 "$trace.$1" | tail -n 50)"
}

clock='clock_gettime 1 0'

@test "latency: 100 iterations, 10 of warm-up, 1 of verification, and one clock reading an iteration" {
    traced 2 latency -m 8:8 -i 100 -x 10
    expect_status 0
    local rank
    for rank in 0 1; do
        expect_count "$rank" 'MPI_Send 8 0' 111
        expect_count "$rank" 'MPI_Recv 0 8' 111
        expect_count "$rank" 'MPI_Isend .*' 0
        expect_count "$rank" 'P?MPI_Barrier .*' 0
    done
    # The first reading before and the last after a batch are followed by the
    # harness's own.
    repeated 0 100 'MPI_Send 8 0;MPI_Recv 0 8' "$clock"
    repeated 1 100 'MPI_Recv 0 8;MPI_Send 8 0' "$clock"
}

# Without -i a batch of a busy machine may be a single sample.
@test "latency with a stride: as many round trips between two readings as it says" {
    traced 2 latency -m 8:8 --budget 1s --columns iterations,samples
    expect_status 0
    local stride
    stride=$(awk '/^8 / { print $3 / $4 }' "$out")
    line_of 0 | grep -Eq "clock_gettime . 0;(MPI_Send 8 0;MPI_Recv 0 8;){$stride}clock_gettime" ||
        fail "not $stride round trips between two readings"
}

@test "latency -z: a reading each iteration" {
    traced 2 latency -m 8:8 -i 10 -x 0 -z --columns iterations,samples
    expect_status 0
    [[ $(awk '/^8 / { print ($6 == 10 && $7 == 10) }' "$out") == 1 ]] || fail "iterations are not samples"
    repeated 0 10 'MPI_Send 8 0;MPI_Recv 0 8' "$clock"
}

@test "bw: a window, its wait and an empty acknowledgement" {
    traced 2 bw -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    expect_count 0 'MPI_Isend 8 0' $((4 * 26))
    expect_count 1 'MPI_Irecv 0 8' $((4 * 26))
    repeated 0 20 '(MPI_Isend 8 0;){4}MPI_Waitall 0 0;MPI_Recv 0 0' "$clock"
    # Receives are posted before their messages are sent: an iteration ahead, and
    # none after the last iteration.
    repeated 1 20 'MPI_Waitall 0 0;(MPI_Irecv 0 8;){4}MPI_Send 0 0' "$clock"
    line_of 1 | grep -Eq "$clock;MPI_Waitall 0 0;MPI_Send 0 0;clock_gettime 3 0;" ||
        fail "the last iteration posts receives for an iteration that never comes"
}

@test "bibw: a window each way, one wait" {
    traced 2 bibw -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    local rank
    for rank in 0 1; do
        expect_count "$rank" 'MPI_Isend 8 0' $((4 * 26))
        repeated "$rank" 20 '(MPI_Irecv 0 8;){4}(MPI_Isend 8 0;){4}MPI_Waitall 0 0' "$clock"
    done
}

@test "persistent requests: made before the loop and freed after it, only started in it" {
    local rank
    traced 2 latency_persistent -m 8:8 -i 20 -x 5
    expect_status 0
    for rank in 0 1; do
        repeated "$rank" 20 'MPI_Start 0 0;MPI_Wait 0 0;MPI_Start 0 0;MPI_Wait 0 0' "$clock"
        # Verification, warm-up, and the iterations with the last of the warm-up.
        expect_count "$rank" 'MPI_Send_init 8 0' 3
        expect_count "$rank" 'MPI_Recv_init 0 8' 3
        expect_count "$rank" 'MPI_Request_free 0 0' 6
    done
    traced 2 bw_persistent -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    repeated 0 20 'MPI_Startall 0 0;MPI_Waitall 0 0;MPI_Recv 0 0' "$clock"
    repeated 1 20 'MPI_Waitall 0 0;MPI_Startall 0 0;MPI_Send 0 0' "$clock"
    # As many starts as iterations: none for an iteration that never comes.
    expect_count 1 'MPI_Startall 0 0' 26
    expect_count 1 'MPI_Recv_init 0 8' $((4 * 3))
    traced 2 bibw_persistent -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    for rank in 0 1; do
        repeated "$rank" 20 'MPI_Startall 0 0;MPI_Waitall 0 0' "$clock"
        expect_count "$rank" 'MPI_Send_init 8 0' $((4 * 3))
        expect_count "$rank" 'MPI_Request_free 0 0' $((8 * 3))
    done
}

@test "latency_mt: every message of every thread, and as many back" {
    # -t, and the messages of the verified iteration, of a batch of 4 and of one of 21 with its lead-in:
    # each thread makes a lead-in of its own.
    local case sides messages rank
    for case in 1:2/2/5/22 2:2/2/6/24 3:2/3/9/24 2:5/6/6/24; do
        IFS=/ read -ra messages <<<"${case#*/}"
        sides=${case%%/*}
        traced 2 latency_mt -t "$sides" -m 24:24 -i 20 -x 5
        echo "-t $sides"
        expect_status 0
        for rank in 0 1; do
            expect_count "$rank" 'MPI_Send 24 0' $((messages[0] + messages[1] + messages[2]))
            expect_count "$rank" 'MPI_Recv 0 24' $((messages[0] + messages[1] + messages[2]))
        done
    done
}

# Between two iterations where the ranks are brought together: our barrier, which has
# two rounds on 3 and on 4 ranks, stands behind the stop of one iteration and before
# the start of the next.
together="$clock;PMPI_Sendrecv 0 0;PMPI_Sendrecv 0 0"

@test "mbw_mr and multi_lat: brought together, then the pair's calls alone" {
    traced 4 mbw_mr -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    local sender='(MPI_Isend 8 0;){4}MPI_Waitall 0 0;MPI_Recv 0 0'
    # Receives are posted before the ranks are brought together.
    local receiver="$clock;MPI_Waitall 0 0;MPI_Send 0 0;$clock"
    repeated 0 20 "$clock;$sender" "$together"
    line_of 3 | grep -Eq "((MPI_Irecv 0 8;){4}(PMPI_Sendrecv 0 0;){2}$receiver;){20}" ||
        fail "receives are not posted before the start"
    expect_count 1 'MPI_Isend 8 0' $((4 * 26))
    expect_count 2 'MPI_Irecv 0 8' $((4 * 26))
    # Not of 8 bytes, as the harness has to synchronise the clocks.
    traced 4 multi_lat -m 24:24 -i 20 -x 5
    expect_status 0
    repeated 1 20 "$clock;MPI_Send 24 0;MPI_Recv 0 24" "$together"
    expect_count 3 'MPI_Send 24 0' 26
}

@test "mbibw_mr: receives, brought together, a window each way" {
    traced 4 mbibw_mr -W 4 -m 8:8 -i 20 -x 5
    expect_status 0
    local rank
    for rank in 0 1 2 3; do
        line_of "$rank" | grep -Eq "((MPI_Irecv 0 8;){4}(PMPI_Sendrecv 0 0;){2}$clock;(MPI_Isend 8 0;){4}MPI_Waitall 0 0;$clock;){20}" ||
            fail "other calls on rank $rank"
    done
}

# Lines "CALLS|PROGRAM [ARGUMENT...]", in one job of three ranks: between two readings stand the
# calls, and between two iterations nothing but our barrier of two rounds.
collectives() {
    local calls words rank
    local -A times=()
    while IFS='|' read -r calls words; do
        times[$calls]=$((${times[$calls]:-0} + 1))
        echo "$words"
    done >"$BATS_TEST_TMPDIR/programs"
    traced_together 3 <"$BATS_TEST_TMPDIR/programs"
    for rank in 0 1 2; do
        line_of "$rank" >"$BATS_TEST_TMPDIR/line"
        for calls in "${!times[@]}"; do
            # As often as programs make them: persistent operations have the same.
            [[ $(grep -Eo "($clock;$calls;$together;){19}$clock;$calls;" "$BATS_TEST_TMPDIR/line" | wc -l) -ge ${times[$calls]} ]] ||
                fail "rank $rank: not $calls"
        done
    done
}

@test "collectives: one call between start and stop of an iteration, on every rank" {
    collectives <<'END'
MPI_Allreduce 8 8|allreduce -m 8:8
MPI_Bcast 0 1000|bcast -m 1000:1000
MPI_Allgather 8 24|allgather -m 8:8
MPI_Allgatherv 8 24|allgatherv -m 8:8
MPI_Alltoall 24 24|alltoall -m 8:8
MPI_Barrier 0 0|barrier
MPI_Start 0 0;MPI_Wait 0 0|allreduce_persistent -m 8:8
MPI_Iallreduce 8 8;MPI_Wait 0 0|iallreduce -m 8:8
END
    # Warm-up and iterations, and one to verify where there are data; no other program calls a barrier.
    expect_count 2 'MPI_Bcast 0 1000' 26
    expect_count 1 'MPI_Allgather 8 24' 26
    # Each of three ranks comes late to a barrier that is verified.
    expect_count 0 'MPI_Barrier .*' 28
    # Verification, and two passes.
    expect_count 0 'MPI_Iallreduce 8 8' $((1 + 25 + 25))
}

@test "-k rotate: the root of iteration i is i modulo the ranks, warm-up and all" {
    launch 3 gather -k rotate -m 40:40 -i 6 -x 2
    expect_status 0
    # Rank 1 is the root of the second of three rehearsals, and of iterations 1, 4
    # and 7 of eight; as the root it receives three blocks.
    [[ $(awk '/^MPI_Gather 40 / { printf "%d ", $3 }' "$trace.1") == \
        "0 120 0 0 120 0 0 120 0 0 120 " ]] || fail "$(grep MPI_Gather "$trace.1")"
}

# 11 ranks: as many as iterations in a batch and its lead-in.
@test "-k rotate: every root counts equally often, whatever the length of a batch" {
    need_json
    local n
    preload=(roots)
    for n in 2 5 11; do
        launch "$n" gather -k rotate -m 8:8 --clock=mpi --budget 60ms --raw --json x.json
        "$python3" - x.json "$n" <<'END'
import collections, json, sys
(row,) = json.load(open(sys.argv[1]))["rows"]
roots = collections.Counter(round(us) - 100 for us in row["raw_us"])
print(roots)
counts = [roots.pop(rank, 0) for rank in range(int(sys.argv[2]))]
assert not roots and len(row["raw_us"]) > 50 and max(counts) - min(counts) <= 1, counts
END
    done
}

@test "neighbourhoods: one call, or start and wait" {
    local name
    for name in $(neighbours); do
        case $name in
        *_persistent) echo "MPI_Start 0 0;MPI_Wait 0 0|$name -m 8:8" ;;
        i*) echo "MPI_I${name#i} 8 8;MPI_Wait 0 0|$name -m 8:8" ;;
        *) echo "MPI_${name^} 8 8|$name -m 8:8" ;;
        esac
    done >"$BATS_TEST_TMPDIR/calls"
    collectives <"$BATS_TEST_TMPDIR/calls"
}

@test "iallreduce: tests between start and wait" {
    traced 2 iallreduce -t 3 -i 20 -x 5 -m 8:8
    expect_status 0
    expect_count 0 'MPI_Test 0 0' $((3 * 25))
    repeated 0 20 "$clock;MPI_Iallreduce 8 8;clock_gettime 2 0;(MPI_Test 0 0;clock_gettime 2 0;){3}MPI_Wait 0 0" \
        "clock_gettime 1 0;PMPI_Sendrecv 0 0"
}

@test "allreduce_persistent --compute: alone, and with tests between start and wait" {
    [[ $persistent != no* ]] || skip "this MPI has no persistent collectives"
    # Verification of two starts, and two passes.
    traced 2 allreduce_persistent --compute -i 20 -x 5 -m 8:8
    expect_status 0
    expect_count 0 'MPI_Start 0 0' $((2 + 25 + 25))
    traced 2 allreduce_persistent --compute -t 3 -i 20 -x 5 -m 8:8
    expect_status 0
    expect_count 0 'MPI_Test 0 0' $((3 * 25))
    repeated 0 20 "$clock;MPI_Start 0 0;clock_gettime 2 0;(MPI_Test 0 0;clock_gettime 2 0;){3}MPI_Wait 0 0" \
        "clock_gettime 1 0;PMPI_Sendrecv 0 0"
}

@test "partitioned_latency --compute: each message alone, and with tests before its wait" {
    [[ $partitioned != no* ]] || skip "this MPI has no partitioned communication"
    traced 2 partitioned_latency --compute -t 3 -i 20 -x 5 -m 8:8
    expect_status 0
    expect_count 0 'MPI_Start 0 0' $((2 * (2 + 25 + 25)))
    expect_count 0 'MPI_Test 0 0' $((2 * 3 * 25))
}

# one_sided PROGRAM OPTION...: with each synchronisation, in one job; that with lock has messages of
# 16 bytes, all others of 8.
one_sided() {
    {
        echo "$* -s lock -m 16:16"
        printf "$* -s %s -m 8:8\n" flush flush_local lock_all pscw fence
    } >"$BATS_TEST_TMPDIR/programs"
    traced_together 2 <"$BATS_TEST_TMPDIR/programs"
}

@test "put_latency: each synchronisation as its manual says" {
    local put='MPI_Put 8 0'
    one_sided put_latency
    repeated 0 20 "MPI_Win_lock 0 0;MPI_Put 16 0;MPI_Win_unlock 0 0" "$clock"
    expect_count 0 "MPI_Put 16 0" 26
    expect_count 1 "MPI_Put 16 0" 0
    repeated 0 20 "$put;MPI_Win_flush 0 0" "$clock"
    repeated 0 20 "$put;MPI_Win_flush_local 0 0" "$clock"
    repeated 0 20 "MPI_Win_lock_all 0 0;$put;MPI_Win_unlock_all 0 0" "$clock"
    repeated 0 20 "MPI_Win_start 0 0;$put;MPI_Win_complete 0 0;MPI_Win_post 0 0;MPI_Win_wait 0 0" "$clock"
    repeated 1 20 "MPI_Win_post 0 0;MPI_Win_wait 0 0;MPI_Win_start 0 0;$put;MPI_Win_complete 0 0" "$clock"
    repeated 0 20 "MPI_Win_fence 0 0;$put;MPI_Win_fence 0 0;MPI_Win_fence 0 0" "$clock"
    repeated 1 20 "MPI_Win_fence 0 0;MPI_Win_fence 0 0;$put;MPI_Win_fence 0 0" "$clock"
}

@test "get_bw: each synchronisation as its manual says" {
    local gets='MPI_Get 0 8;MPI_Get 0 8'
    one_sided get_bw -W 2
    repeated 0 20 "MPI_Win_lock 0 0;MPI_Get 0 16;MPI_Get 0 16;MPI_Win_unlock 0 0" "$clock"
    expect_count 0 'MPI_Get 0 16' $((2 * 26))
    repeated 0 20 "$gets;MPI_Win_flush 0 0" "$clock"
    repeated 0 20 "$gets;MPI_Win_flush_local 0 0" "$clock"
    repeated 0 20 "MPI_Win_lock_all 0 0;$gets;MPI_Win_unlock_all 0 0" "$clock"
    repeated 0 20 "MPI_Win_start 0 0;$gets;MPI_Win_complete 0 0" "$clock"
    repeated 1 20 'MPI_Win_post 0 0;MPI_Win_wait 0 0' "$clock"
    repeated 0 20 "MPI_Win_fence 0 0;$gets;MPI_Win_fence 0 0" "$clock"
    repeated 1 20 'MPI_Win_fence 0 0;MPI_Win_fence 0 0' "$clock"
}

@test "put_bibw: both ranks put, each into the epoch of the other" {
    local puts='MPI_Put 8 0;MPI_Put 8 0' iterations
    iterations="MPI_Win_post 0 0;MPI_Win_start 0 0;$puts;MPI_Win_complete 0 0;MPI_Win_wait 0 0"
    traced_together 2 <<'END'
put_bibw -W 2 -m 8:8
put_bibw -s fence -W 2 -m 8:8
END
    repeated 0 20 "$iterations" "$clock"
    repeated 1 20 "$iterations" "$clock"
    repeated 1 20 "MPI_Win_fence 0 0;$puts;MPI_Win_fence 0 0" "$clock"
}

@test "get_bibw: both ranks get, each in the epoch of the other" {
    local gets='MPI_Get 0 8;MPI_Get 0 8' iterations
    iterations="MPI_Win_post 0 0;MPI_Win_start 0 0;$gets;MPI_Win_complete 0 0;MPI_Win_wait 0 0"
    traced 2 get_bibw -W 2 -m 8:8 -i 20 -x 5
    repeated 0 20 "$iterations" "$clock"
    repeated 1 20 "$iterations" "$clock"
}

@test "acc, get_acc, fop, cas: the operation alone in its epoch" {
    local flush='MPI_Win_flush 0 0'
    traced_together 2 <<'END'
acc_latency -m 8:8
get_acc_latency -m 8:8
fop_latency
cas_latency
END
    repeated 0 20 "MPI_Accumulate 8 0;$flush" "$clock"
    repeated 0 20 "MPI_Get_accumulate 8 8;$flush" "$clock"
    repeated 0 20 "MPI_Fetch_and_op 4 4;$flush" "$clock"
    repeated 0 20 "MPI_Compare_and_swap 8 4;$flush" "$clock"
}

@test "get_multi_lat, get_mbw, put_mbw: brought together, every pair in its own epoch" {
    # Not of 8 bytes, as the harness has to synchronise the clocks.
    traced_together 4 <<'END'
get_multi_lat -m 24:24 -s lock
put_mbw -W 2 -m 24:24
get_mbw -W 2 -m 24:24 -s pscw
END
    repeated 1 20 "$clock;MPI_Win_lock 0 0;MPI_Get 0 24;MPI_Win_unlock 0 0" "$together"
    expect_count 2 'MPI_Get 0 24' 0
    repeated 1 20 "$clock;MPI_Put 24 0;MPI_Put 24 0;MPI_Win_flush 0 0" "$together"
    repeated 0 20 "$clock;MPI_Win_start 0 0;MPI_Get 0 24;MPI_Get 0 24;MPI_Win_complete 0 0" "$together"
    repeated 3 20 "$clock;MPI_Win_post 0 0;MPI_Win_wait 0 0" "$together"
}

@test "no message of the harness grows with the number of ranks, but at its root" {
    local n json=(--json "$BATS_TEST_TMPDIR/x.json")
    for n in 2 4; do
        traced "$n" allreduce -m 8:8 -i 20 -x 5 "${json[@]}"
        expect_status 0
        # One line for each kind of call and size, without readings of the clock.
        grep -v clock "$trace.1" | sort -u >"$BATS_TEST_TMPDIR/kinds.$n"
        if grep -Eq '^P?MPI_(Allgatherv?|Alltoallv?|Gatherv) ' "$trace.1"; then
            fail "a collective that receives from every rank"
        fi
    done
    diff "$BATS_TEST_TMPDIR"/kinds.[24] || fail "calls of rank 1 differ from 2 to 4 ranks"
}

@test "MPI_Barrier is not used unless asked for: its exit skew cannot matter" {
    export FAULT_STAGGER_US=1000
    traced 3 bcast -m 8:8 -i 20 -x 5
    expect_status 0
    local rank
    for rank in 0 1 2; do
        expect_count "$rank" 'P?MPI_Barrier .*' 0
    done
    traced 3 bcast -m 8:8 -i 20 -x 5 --start library
    expect_status 0
    [[ $(count 1 'PMPI_Barrier 0 0') -ge 26 ]] || fail "--start library does not call it"
    expect_count 1 'PMPI_Sendrecv 0 0' 0
    repeated 1 20 "$clock;MPI_Bcast 0 8" "$clock;PMPI_Barrier 0 0"
}

@test "--start=none: calls follow back to back, batches begin together, data are right" {
    local rank
    traced 3 bcast -m 8:8 -i 20 -x 5 -c --verify=1 --start none
    expect_status 0
    expect_quiet
    expect_out "start=none;"
    [[ $(grep -Ec '^8 .* Pass$' "$out") -eq 1 ]]
    for rank in 0 1 2; do
        # The lead-in, which is the last iteration of the warm-up, and twenty.
        [[ $(grep -v clock "$trace.$rank" | uniq -c |
            awk '$2 == "MPI_Bcast" && $4 == 8 && $1 > most { most = $1 } END { print most }') -eq 21 ]] ||
            fail "rank $rank: not twenty iterations in a row"
        # Before the verified iteration, and before two batches: two rounds each.
        expect_count "$rank" 'PMPI_Sendrecv 0 0' 6
    done
    launch 4 iallgather -m 8:8 -i 20 -x 5 -c --start none
    expect_status 0
    launch 2 completion -m 8:8 -i 20 -x 5 -c --start none
    expect_status 0
}

@test "the first use of a row's size comes just before it is measured" {
    traced 2 latency -m 8:32 -i 50 -x 5
    expect_status 0
    # One message to verify, then 55.
    [[ $(grep '^MPI_Send [1-9]' "$trace.0" | uniq -c | awk '{ printf "%d:%d ", $1, $3 }') == \
        "56:8 56:16 56:32 " ]] || fail "another order"
}

# --- What programs call by public names: what is put before MPI, or profiles it, sees nothing else ---

# Handles, their end included, and what neither communicates nor synchronizes.
handles='Init|Init_thread|Query_thread|Finalize|(Type|Op|Group|Info)_.*|Comm_(dup_with_info|free|group|split)|Request_free|.*_init'
handles+='|Win_(allocate|allocate_shared|attach|create|create_dynamic|detach|free)|Dist_graph_create_adjacent'

# Lines "PROGRAM RANK NAME N": what N ranks called, in a job of the programs in the file "ran".
publicly_called() {
    local rank
    for ((rank = 0; rank < $1; rank++)); do
        awk -v rank="$rank" -v handles="^MPI_($handles)\$" '
            FNR == NR { program[++programs] = $1; next }
            /^program/ { at++; next }
            at > 0 && $1 !~ handles { print program[at], rank, $1, $2 }
            END { if (at != programs) print "in vain:", at, "of", programs }' "$BATS_TEST_TMPDIR/ran" "$trace.$rank"
    done >>"$BATS_TEST_TMPDIR/seen"
}

# called_in_one_job N: the lines on stdin.
called_in_one_job() {
    cat >"$BATS_TEST_TMPDIR/lines"
    limit=300 launch "$1" suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    sed -n 's/^# suite: \([a-z_]*\): run; .*/\1/p' "$out" >"$BATS_TEST_TMPDIR/ran"
    publicly_called "$1"
}

@test "profilers count the iterations of --protocol=omb, one that is verified, and nothing else" {
    preload=(called)
    sed 's/$/ -i 1000 -x 100 --protocol=omb/' >"$BATS_TEST_TMPDIR/programs" <<'END'
allreduce -m 8:8
bcast -m 8:8
gather -m 8:8
latency -m 8:8
put_latency -m 8:8 -s lock
END
    called_in_one_job 2 <"$BATS_TEST_TMPDIR/programs"
    diff - <(grep ' 0 ' "$BATS_TEST_TMPDIR/seen" | sort) <<'END'
allreduce 0 MPI_Allreduce 1101
bcast 0 MPI_Bcast 1101
gather 0 MPI_Gather 1101
latency 0 MPI_Recv 1101
latency 0 MPI_Send 1101
put_latency 0 MPI_Put 1101
put_latency 0 MPI_Win_lock 1101
put_latency 0 MPI_Win_unlock 1101
END
}

# Lines "PROGRAM NAME": what the objects of programs call, and their loops elsewhere.
may_call() {
    local name
    for name; do
        nm -u "$(program "$name").o" | awk -v name="$name" '$2 ~ /^MPI_/ { print name, $2 }'
    done
    printf 'match_queue MPI_%s\n' Isend Sendrecv Waitall
    echo 'init MPI_Barrier'
}

# What a program needs for few rows and iterations.
in_short() {
    local words="${needs_of[$1]}"
    if takes_sizes "$1"; then words+=' -m 64:64'; fi
    if takes_iterations "$1"; then words+=' -i 20 -x 5'; fi
    echo "$1 $words"
}

@test "every program calls by public names what its loop has, as often as it has iterations" {
    local n name words alone=' init latency_mp latency_mt mbw_mr_mt ' # not in a job with others
    preload=(called)
    for n in 1 2 3 4; do
        for name in $(programs); do
            [[ ${fewest_of[$name]} -ne $n || $alone == *" $name "* ]] || in_short "$name"
        done >"$BATS_TEST_TMPDIR/of.$n"
        called_in_one_job "$n" <"$BATS_TEST_TMPDIR/of.$n"
    done
    for name in $alone; do
        read -ra words < <(in_short "$name")
        launch "${fewest_of[$name]}" "${words[@]}"
        expect_status 0
        echo "$name" >"$BATS_TEST_TMPDIR/ran"
        publicly_called "${fewest_of[$name]}"
    done
    [[ $(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/seen" | sort -u | wc -l) -gt 60 ]] || fail "few programs"
    # shellcheck disable=SC2046  # words
    may_call $(programs) >"$BATS_TEST_TMPDIR/may"
    # With the verification 26 iterations, or 51 in two passes, of persistent ones and of cas_latency one more, since two
    # are verified; epochs: one for each of three batches, or four.
    awk 'NR == FNR { may[$1, $2] = 1; next }
         !(($1, $3) in may) { print "not in its loop: " $0 }
         $1 ~ /^(is|ft|noise|halo|impact|completion|match_queue|host_overhead|buffer_reuse_.*|.*_m[pt]|init|i?barrier|barrier_persistent|hotspot_put)$/ { next }
         { more = $1 ~ /^(cas_latency|.*_persistent|partitioned_.*)$/ && $1 != "bw_persistent" }
         $3 ~ /^MPI_Win_(un)?lock/ && $4 % (3 + more) == 0 { next }
         $4 % (26 + more) != 0 && $4 % (51 + more) != 0 { print "another number: " $0 }' \
        "$BATS_TEST_TMPDIR/may" "$BATS_TEST_TMPDIR/seen" >"$BATS_TEST_TMPDIR/wrong"
    [[ ! -s $BATS_TEST_TMPDIR/wrong ]] || fail "$(<"$BATS_TEST_TMPDIR/wrong")"
}

@test "collectives that somebody wrote in part are measured, under the header of any other run" {
    local words header
    preload=(own)
    while read -ra words; do
        echo "${words[*]}"
        FAULT=none launch 2 "${words[@]}" -m 64:64 -i 20 -x 5 -c
        header=$(head -n 1 "$out")
        FAULT=partial launch 2 "${words[@]}" -m 64:64 -i 20 -x 5 -c
        expect_status 0
        expect_out " Pass"
        expect_quiet
        [[ $(head -n 1 "$out") == "$header" && $header != *"path=inter-node;"* ]] || fail "not $header"
    done <<'END'
allreduce -T mpi_float
bcast
gather
latency
reduce -T mpi_float
END
}
