#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Known defects of the OSU Micro-Benchmarks 7.4, in the order in which the
# project lists them, that these programs could have as well.  Numbers that
# are missing concern programs or buffers that do not exist here.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

# Runs that several tests look at.
setup_file() {
    launch 2 latency -m 0:16 -z1,9,25,50,75,90,99,100 \
        --columns median,ci_low,ci_high,stddev,min,max -i 20 -x 2
    keep latency
    launch 2 bw -m 8:8 -z1,50,99 -i 200 -x 2
    keep bw
    launch 3 allreduce -m 4:8 -f --columns completion -i 50 -x 2
    keep allreduce
}

# Values of the row of a size, from the second column on.
row() {
    awk -v size="$1" '$1 == size { $1 = ""; print; exit }' "$out"
}

# ordered A B C...: none is larger than the next.
ordered() {
    printf '%s\n' "$@" | sort -gc 2>/dev/null || fail "not in order: $*"
}

trace_calls() {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch "$@"
    expect_status 0
}

calls() {
    grep -Ec "^$1 " "$BATS_TEST_TMPDIR/trace.0" || true
}

@test "defect 01: not only a mean: median, interval, deviation, minimum, maximum" {
    recall latency
    local heading
    for heading in "Median(us)" "CI95 Low(us)" "CI95 High(us)" "Std Dev(%)" "Iter. Min(us)" "Iter. Max(us)"; do
        expect_out "$heading"
    done
    local values
    read -ra values <<<"$(row 8)"
    # 0: mean, 1-8: percentiles, 9: median, 13: min, 14: max
    ordered "${values[13]}" "${values[9]}" "${values[14]}"
    ordered "${values[13]}" "${values[0]}" "${values[14]}"
}

@test "defect 02: the tail of a bandwidth is its low end" {
    recall bw
    local values
    read -ra values <<<"$(row 8)"
    ordered "${values[3]}" "${values[2]}" "${values[1]}"
}

@test "defect 03: percentiles of few samples are samples, never before the first" {
    recall latency
    local values
    read -ra values <<<"$(row 8)"
    # P1 is the smallest and P100 the largest of 20, and they rise.
    [[ ${values[1]} == "${values[13]}" ]] || fail "P1 is not the minimum"
    [[ ${values[8]} == "${values[14]}" ]] || fail "P100 is not the maximum"
    # P99 of 20 samples is the 20th, not the 19th; and that is said.
    [[ ${values[7]} == "${values[8]}" ]] || fail "P99 is not the maximum"
    expect_err "W22"
    ordered "${values[@]:1:8}"
}

@test "defect 04: the slowest rank can be seen beside the mean over ranks" {
    recall allreduce
    local values
    read -ra values <<<"$(row 8)"
    # Avg, Min, Max, Iterations, Completion: the mean of each lap's slowest
    # rank is no smaller than the slowest rank's mean.
    ordered "${values[1]}" "${values[0]}" "${values[2]}" "${values[4]}"
}

@test "defect 05: ranks are started together by a barrier of our own" {
    trace_calls 3 allreduce -m 8:8 "${brief[@]}"
    [[ $(calls MPI_Barrier) -eq 0 ]] || fail "MPI_Barrier is called"
    refuse_out "start="
}

@test "defect 06: one reading of the clock for a round trip, not two" {
    trace_calls 2 latency -m 8:8 -i 50 -x 0 --clock posix
    local line
    line=$(tr '\n' ';' <"$BATS_TEST_TMPDIR/trace.0")
    [[ $line =~ (MPI_Send\ 8\ 0\;MPI_Recv\ 0\ 8\;clock_gettime\ 1\ 0\;){49} ]] ||
        fail "another number of readings"
}

@test "defect 07: messages of a window are received into memory of their own" {
    # If they shared memory, the loss of one would be hidden by the others.
    preload=(wrong)
    impatient=yes
    FAULT=stale FAULT_BYTES=1000 launch 2 bw -b single -W 4 -m 1000:1000 "${brief[@]}"
    expect_status 3
    expect_error E14
}

@test "defect 08: receives of the next window are posted before the sender may begin it" {
    local line
    trace_calls 2 bw -W 3 -m 8:8 "${brief[@]}"
    line=$(grep -v clock_gettime "$BATS_TEST_TMPDIR/trace.1" | tr '\n' ';')
    [[ $line =~ ((MPI_Irecv\ 0\ 8\;){3}MPI_Send\ 0\ 0\;MPI_Waitall\ 0\ 0\;){20} ]] ||
        fail "bw: posted after the acknowledgement"
    trace_calls 2 mbw_mr -W 3 -m 8:8 "${brief[@]}"
    line=$(grep -v clock_gettime "$BATS_TEST_TMPDIR/trace.1" | tr '\n' ';')
    # The exchange of nothing is the start of both.
    [[ $line =~ ((MPI_Irecv\ 0\ 8\;){3}MPI_Sendrecv\ 0\ 0\;MPI_Waitall\ 0\ 0\;MPI_Send\ 0\ 0\;){20} ]] ||
        fail "mbw_mr: posted after the start"
}

@test "defect 09: messages without bytes are measured" {
    recall latency
    expect_sizes 0 1 2 4 8 16
    [[ $(row 0 | awk '{ print ($1 > 0) }') == 1 ]] || fail "no time for 0 bytes"
    launch 2 latency -m 0 "${brief[@]}"
    expect_status 0
    expect_sizes 0
}

@test "defect 10: large messages leave the counts of small ones alone, whatever the type" {
    local name counts
    # -x alone: OMB's counts.  1000 up to 8192 bytes, 100 above.
    launch 2 allreduce -f -m 8192:16384 -x 1 -T mpi_char,mpi_int,mpi_float
    expect_status 0
    counts=$(awk '/^[0-9]/ { printf "%d:%d ", $1, $5 }' "$out")
    [[ $counts == "8192:1000 16384:100 8192:1000 16384:100 8192:1000 16384:100 " ]] ||
        fail "counts: $counts"
    launch 2 latency --columns iterations -m 8192:16384 -x 1 -T mpi_char,mpi_int
    counts=$(awk '/^[0-9]/ { printf "%d:%d ", $1, $3 }' "$out")
    [[ $counts == "8192:10000 16384:1000 8192:10000 16384:1000 " ]] || fail "counts: $counts"
    launch 2 bw --columns iterations -m 8192:16384 -x 1
    [[ $(awk '/^[0-9]/ { printf "%d ", $3 }' "$out") == "100 20 " ]] || fail "counts of bw"
}

@test "defect 11: sums are of a type that MPI allows" {
    local name
    recall allreduce
    expect_out "# Datatype: MPI_FLOAT."
    for name in allreduce iallreduce reduce scan ireduce_scatter allreduce_persistent; do
        launch 2 "$name" -T mpi_char -c -m 8:8 "${brief[@]}"
        expect_status 0
        expect_out "# Datatype: MPI_SIGNED_CHAR."
        expect_out " Pass"
    done
}

@test "defect 12: the overlap is not cut at zero in JSON, and follows from its parts" {
    need_json
    local run
    for run in iallreduce "allreduce_persistent --compute"; do
        [[ $run == i* || $persistent != no* ]] || continue
        # shellcheck disable=SC2086  # words
        launch 2 $run -m 8:8 -f -t 2 "${brief[@]}" --json "$BATS_TEST_TMPDIR/x.json"
        expect_status 0
        echo "$run"
        overlap_follows_from_its_parts
    done
}

overlap_follows_from_its_parts() {
    "$python3" - "$BATS_TEST_TMPDIR/x.json" <<'END'
import json, sys

row, = json.load(open(sys.argv[1]))["rows"]
part = row["overlap"]
overall = row["value"]
expected = 100 - 100 * (overall - (part["compute_us"] - part["test_us"])) / part["pure_us"]
assert abs(part["overlap_percent"] - expected) < 1e-3 * max(1, abs(expected)), (part, expected)
shown = row["columns"]["overlap_percent"]
assert shown == max(0, part["overlap_percent"]), (shown, part)
total = part["start_us"] + part["compute_us"] + part["wait_us"]
assert abs(total - overall) < 1e-3 * overall, (total, overall)
END
}

# Two nodes with a link of 0.125 MB/s each, as the kernel states it.
@test "defect 13: a put that is faster than the links between the nodes is suspect, also with flush_local" {
    local folder=$BATS_TEST_TMPDIR/sys/class/net/eth0 sync
    mkdir -p "$folder/device"
    echo up >"$folder/operstate"
    echo 1 >"$folder/speed"
    export ALIDADE_SYSFS=$BATS_TEST_TMPDIR/sys
    # shellcheck disable=SC2016  # expanded by the rank
    wrapper=(sh -c 'ALIDADE_NODE_ID=${PMI_RANK:-$OMPI_COMM_WORLD_RANK} exec "$0" "$@"')
    for sync in flush flush_local; do
        launch 2 put_bw -s "$sync" -m 64K:64K -W 4 "${brief[@]}"
        expect_status 0
        expect_out "nodes=2; path=inter-node;"
        grep -Eq '^# suspect: size=65536; .*faster than the links between the nodes' "$out" || fail "$sync: believed"
    done
}

@test "defect 13: flush_local is said to be local completion only" {
    local name
    launch 2 put_latency -s flush_local -m 8:8 "${brief[@]}"
    expect_out "# Synchronization: MPI_Win_flush_local"
    grep -q '^# Size  *Local (us)' "$out" || fail "headed as a latency"
    launch 2 get_latency -s flush_local -m 8:8 "${brief[@]}"
    grep -q '^# Size  *Latency (us)' "$out" || fail "not headed as a latency"
    for name in put_bw put_mbw; do
        launch 2 "$name" -s flush_local -m 8:8 "${brief[@]}"
        grep -q '^# Size  *Local (MB/s)' "$out" || fail "$name is headed as a bandwidth"
        launch 2 "${name/put/get}" -s flush_local -m 8:8 "${brief[@]}"
        grep -q '^# Size  *Bandwidth (MB/s)' "$out" || fail "${name/put/get} is not headed as a bandwidth"
    done
    launch 2 put_bw -s flush_local -m 8:8 "${brief[@]}" --target=asleep:100
    grep -q '^# Size  *Local (MB/s)  *In MPI (MB/s)  *Ratio' "$out" || fail "headed as a bandwidth"
    launch 2 hotspot_put -s flush_local -m 8:8 "${brief[@]}"
    grep -q '^# Size  *All Local (MB/s)  *Each Local (MB/s)' "$out" || fail "headed as a bandwidth"
    for name in $(programs); do
        [[ $(family "$name") == one-sided && $name != ???_bibw ]] || continue
        direct "$name" --help
        [[ ${stdout//[[:space:]]/ } == *"flush_local that of local completion only"* ]] ||
            fail "$name --help does not say so"
        tr -d '\n*' <"$ALIDADE_SOURCE/mpi/one-sided/$name.c" | tr -s ' ' |
            grep -q 'flush_local means local completion only' || fail "the header of $name does not say so"
    done
}

@test "defect 14: the table says what was measured, and where" {
    recall latency
    [[ $(head -n 1 "$out") =~ ranks=2\;\ nodes=1\;\ path=[a-z-]+\;\ mem=H-H\;\ bound=[a-z]+\;\ mpi=(OpenMPI|MPICH)-[0-9.]+\;$ ]] ||
        fail "identity line"
}

@test "defect 15: every page of every buffer is written before it is sent" {
    # Reading a page that was never written gives it no memory.  A buffer is more
    # than all else that a rank has.
    local name n options needed column rank resident
    for name in latency bw alltoall allreduce put_latency $(programs | grep gatherv); do
        n=$(fewest "$name")
        options=(-m 64M:64M --no-verify)
        [[ $name != bw ]] || options+=(-W 1)
        direct "$name" --dry-run --ranks "$n" "${options[@]}"
        read -ra needed <<<"$(row 67108864)"
        trace_calls "$n" "$name" "${options[@]}" -i 1 -x 0
        for column in 0 1; do
            rank=$((column * (n - 1)))
            resident=$(<"$BATS_TEST_TMPDIR/trace.$rank.resident")
            [[ $resident -ge $(numfmt --from=auto "${needed[column]%B}") ]] ||
                fail "$name, rank $rank: ${needed[column]} and only $resident bytes resident"
        done
    done
}

@test "defect 16: an operation without elements is not timed; as many as ranks are verified" {
    launch 3 reduce_scatter_block -c -m 1:16 -T mpi_char "${brief[@]}"
    expect_status 0
    expect_sizes 4 8 16
    [[ $(grep -c ' Pass$' "$out") -eq 3 ]] || fail "not all pass"
    expect_err "W24"
    preload=(spoil)
    impatient=yes
    # One element for each rank.
    FAULT=flip FAULT_RANK=2 FAULT_BYTES=4 launch 3 reduce_scatter_block -m 12:12 "${brief[@]}"
    expect_status 3
    expect_err "rank=2;"
}

@test "defect 17: mbw_mr: the slowest pair can be seen beside the mean" {
    launch 4 mbw_mr -m 8:8 --columns completion "${brief[@]}"
    expect_status 0
    local values
    read -ra values <<<"$(row 8)"
    ordered "${values[2]}" "${values[0]}"
}

@test "defect 18: init: minimum, mean and maximum are in order" {
    launch 3 init
    expect_status 0
    local numbers
    read -ra numbers <<<"$(tail -n 1 "$out" | tr -c '0-9\n' ' ')"
    [[ ${numbers[0]} -eq 3 ]] || fail "not 3 ranks"
    ordered "${numbers[1]}" "${numbers[3]}" "${numbers[2]}"
    [[ ${numbers[2]} -gt 0 ]] || fail "MPI_Init took no time"
}

@test "defect 20: -c measures the same laps in the same way" {
    local with without
    trace_calls 2 latency -m 8:8 "${brief[@]}"
    without=$(grep -v clock "$BATS_TEST_TMPDIR/trace.0")
    trace_calls 2 latency -m 8:8 -c "${brief[@]}"
    with=$(grep -v clock "$BATS_TEST_TMPDIR/trace.0")
    [[ $with == "$without" ]] || fail "-c makes other calls"
}

@test "defect 21: fan-in and fan-out say that they are bandwidths" {
    local name
    for name in bw_fan_in bw_fan_out; do
        launch 2 "$name" --groups 2 -z50 -m 8:8 "${brief[@]}"
        expect_status 0
        expect_out "# OSU MPI Bandwidth Test v7.4"
        expect_out "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s)"
        refuse_out "Lat"
    done
}

# nodes ID...: rank r is on the node of the r-th ID.
nodes() {
    # shellcheck disable=SC2016  # expanded by the wrapper
    wrapper=(env "NODES=$*" bash -c 'ids=($NODES)
        export ALIDADE_NODE_ID=${ids[${PMI_RANK:-$OMPI_COMM_WORLD_RANK}]}; exec "$@"' -)
}

@test "defect 22: nodes are found wherever their ranks are, and requests have room" {
    local name
    for name in bw_fan_in bw_fan_out; do
        # Neither in blocks nor in the order of their names.
        nodes z b b z
        launch 4 "$name" -W 4 -c -b multiple -m 8:16 "${brief[@]}"
        echo "$name"
        expect_status 0
        expect_out "nodes=2; path=inter-node;"
        [[ $(grep -c ' Pass$' "$out") -eq 2 ]] || fail "not all pass"
        nodes c c a b
        launch 4 "$name" -m 8:8 "${brief[@]}"
        expect_status 77
        expect_error E02
        expect_err "ranks=4; nodes=3;"
        wrapper=()
        launch 3 "$name" --groups 3 -W 600 -c -m 8:8 -i 2 -x 1
        expect_status 0
        expect_out " Pass"
    done
    # Rank 0's node is the one into which all others send.
    nodes z b a
    trace_calls 3 bw_fan_in -W 4 -m 8:8 "${brief[@]}"
    [[ $(calls MPI_Irecv) -eq $((2 * 4 * 23)) ]] || fail "rank 0 receives $(calls MPI_Irecv) messages"
}

@test "defect 23: odd numbers of ranks do not hang; -p is obeyed" {
    local name
    for name in mbw_mr multi_lat; do
        impatient=yes
        launch 3 "$name" -m 8:8 "${brief[@]}"
        expect_status 77
        expect_error E02
        impatient=no
    done
    launch 3 mbw_mr -p 1 -m 8:8 "${brief[@]}"
    [[ $status -eq 0 || $status -eq 77 ]] || fail "neither works nor says why"
    launch 4 mbw_mr -p 1 -m 8:8 "${brief[@]}"
    expect_status 0
    expect_out "pairs: 1 "
    launch 1 multi_lat -m 8:8 "${brief[@]}"
    expect_status 77
}

@test "defect 24: communicators are made once, and freed" {
    local rows made=()
    for rows in 8:8 8:64; do
        trace_calls 4 mbw_mr -m "$rows" "${brief[@]}"
        made+=("$(($(calls MPI_Comm_dup) + $(calls 'MPI_Comm_split(_type)?')))")
        [[ $(calls MPI_Comm_free) -eq ${made[-1]} ]] || fail "not all are freed"
    done
    [[ ${made[0]} -eq ${made[1]} ]] || fail "some for each row"
}

@test "defect 24: each message of a window is compared, with one buffer and with many" {
    local name kind
    export FAULT_NTH
    for name in bw bibw mbw_mr mbibw_mr; do
        for kind in single multiple; do
            for FAULT_NTH in 1 3; do
                caught flip 1 2 "$name" -W 4 -b "$kind"
            done
        done
    done
}

@test "defect 28: multi_lat -z has values under its titles" {
    launch 2 multi_lat -m 8:8 -z "${brief[@]}"
    expect_status 0
    [[ $(row 8 | wc -w) -eq 4 ]] || fail "not four figures"
}

# A sample may not be the sum of what the ranks do in turns, nor may warm-up or
# memory depend on the largest message of other programs.
@test "defects 27, 28b, 47: one-sided: laps as asked, half of turns in every column, little memory" {
    local name sync
    for name in acc_latency fop_latency; do
        for sync in pscw fence; do
            launch 2 "$name" -s "$sync" -i 1 -x 0 -z100 --columns iterations
            # Of one lap the mean is the largest sample.
            [[ $(column 2) == "$(column 3)" ]] || fail "$name -s $sync: P100 is not the mean"
        done
    done
    launch 2 acc_latency -s lock -m 16K:16K -x 3 --columns iterations
    [[ $(column 3) == 1000 ]] || fail "not OMB's laps"
    direct cas_latency --dry-run -T mpi_int64
    [[ $(column 2) == *B && $(column 2) != *iB ]] || fail "more than bytes"
}

@test "defect 32: fop -c -s flush: what is checked is not still being changed" {
    launch 2 fop_latency -c -s flush -T all -i 2000 -x 0
    expect_status 0
    [[ $(grep -c ' passed$' "$out") -eq 5 ]] || fail "a false failure"
}

@test "defect 29: bibw -c: both ranks are checked, and leave together" {
    local rank
    preload=(wrong)
    impatient=yes
    for rank in 0 1; do
        FAULT=flip FAULT_RANK=$rank FAULT_BYTES=1000 \
            launch 2 bibw -c -W 4 -m 1000:4000 -i 5 -x 1
        expect_status 3
        expect_error E14
        expect_err "rank=$rank;"
        expect_sizes 1000
        expect_out " Fail"
    done
}

@test "defect 25: latency_mt: each thread's own time, one heading, a clean end" {
    # A message takes 2 ms on its way, whatever the number of threads; a start
    # that another thread has overwritten makes it less.
    preload=(delay)
    FAULT=recv FAULT_RANK=1 FAULT_BYTES=24 FAULT_US=2000 \
        launch 2 latency_mt -t 2:2 -m 24:24 --columns min,iterations -i 20 -x 4
    expect_status 0
    expect_out "# Number of Sender threads: 2 "$'\n'"# Number of Receiver threads: 2"$'\n\n'"# OSU MPI Multi-threaded Latency Test v7.4"
    [[ $(grep -c '^# Size' "$out") -eq 1 ]] || fail "not one heading"
    [[ $(row 24 | awk '{ print ($2 >= 990 && $3 == 20) }') == 1 ]] || fail "less than it takes"
    preload=()
    launch 2 latency_mt -t 3:2 -c -T mpi_char,mpi_int -m 4:8 "${brief[@]}"
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 4 ]] || fail "not all pass"
}

@test "defect 26: latency_mp forks as many as it says, on both sides" {
    launch 2 latency_mp -t 4 -m 8:8 "${brief[@]}"
    expect_status 0
    # That they are there is tested where all programs run.
    expect_out "sender: 4"
    expect_out "receiver: 4"
    [[ $(grep '^8 ' "$out") =~ ^8\ {9}[\ 0-9.]{18}$ ]] || fail "not 18 wide"
}

@test "defect 30: persistent -c looks at what the request received; -l is obeyed" {
    local name
    launch 2 allreduce_persistent -c -m 4:16 "${brief[@]}"
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 3 ]] || fail "not all pass"
    for name in allreduce reduce gather gatherv reduce_scatter; do
        # There is no send buffer that could have been used instead.
        launch 2 "${name}_persistent" -c -l -m 8:16 "${brief[@]}"
        expect_status 0
        [[ $(grep -c ' Pass$' "$out") -eq 2 ]] || fail "not all pass"
    done
}

# caught KIND RANK N PROGRAM ARGUMENT...
caught() {
    preload=(wrong)
    impatient=yes
    export FAULT=$1 FAULT_RANK=$2 FAULT_BYTES=1000
    shift 2
    launch "$1" "$2" -m 1000:1000 "${@:3}" -i 5 -x 1
    echo "$FAULT on rank $FAULT_RANK: $*"
    expect_status 3
    expect_error E14
    expect_err "rank=$FAULT_RANK;"
}

@test "defect 31: every byte, of every block, on every rank is compared, before the timed laps" {
    # Beyond the first quarter of int data; less than 1.0 in a float; the last
    # block; a rank that is not 0; a call that does nothing in the end.
    caught last 1 2 latency -T mpi_int
    caught last 2 3 allreduce -T mpi_int
    caught half 2 3 allreduce
    caught flip 2 3 allgather -T mpi_float
    caught stale 2 3 allgather
    caught stale 1 3 bcast
    caught stale 1 2 allreduce_persistent
    caught stale 1 2 latency_persistent
    caught flip 1 2 latency_mt -t 2:2
    caught stale 1 2 bw_persistent -W 3
    caught flip 0 2 bibw_persistent -W 3
    caught stale 0 3 bw_fan_in --groups 3 -W 3
    caught flip 2 3 bw_fan_out --groups 3 -W 3
    caught stale 1 3 neighbor_alltoall
    preload=(spoil)
    export FAULT=flip FAULT_RANK=2 FAULT_BYTES=400
    launch 3 reduce_scatter -m 1200:1200 "${brief[@]}"
    expect_status 3
    expect_err "rank=2; block=0; element=99;"
}

@test "defect 33: -clog where nothing can be written: E17 before measuring" {
    local folder=$BATS_TEST_TMPDIR/log
    impatient=yes
    : >"$folder"
    for folder in "$folder" "$folder/below" "$BATS_TEST_TMPDIR"; do
        launch 2 latency "-clog:$folder" -m 8:8 "${brief[@]}"
        echo "$folder"
        expect_status 1
        expect_error E17
        expect_err "$folder"
        expect_no_out
    done
}

@test "defect 35: with -I nothing of the world model is used" {
    [[ $sessions == yes ]] || skip "this MPI has no sessions"
    preload=(noworld)
    launch 3 allreduce -I -c -f -z -m 4:64 "${brief[@]}"
    expect_status 0
    [[ $(grep -c ' Pass ' "$out") -eq 5 ]] || fail "not all pass"
    impatient=yes
    launch 3 allreduce -m 4:64 "${brief[@]}"
    expect_err "the world model is used"
}

@test "defect 36: D D without a GPU is said to be host memory" {
    [[ $have_cuda == no || ! -e /dev/nvidiactl ]] || skip "this machine has a GPU"
    launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 0
    expect_quiet W05
    expect_err "host memory is measured"
    expect_out "mem=H-H;"
    launch 2 latency -m 8:8 "${brief[@]}" d d
    expect_err "host memory is measured"
}

@test "defect 41: -W 3000 is a window like any other" {
    launch 2 bw -W 3000 -c -m 8:8 -i 2 -x 0
    expect_status 0
    expect_out " Pass"
    launch 2 get_bw -W 3000 -c -m 8:8 -i 2 -x 0
    expect_status 0
    expect_out " passed"
}

@test "defect 42: eight percentiles, five types" {
    recall latency
    expect_status 0
    [[ $(grep -o 'Tail Lat' "$out" | wc -l) -eq 8 ]] || fail "not eight"
    launch 2 latency -m 8:8 -T mpi_char,mpi_int -T mpi_float -T mpi_double -T mpi_int64 "${brief[@]}"
    expect_status 0
    [[ $(grep -c '^# Datatype' "$out") -eq 5 ]] || fail "not five"
}

@test "defect 43: help of every program is whole" {
    local name
    for name in $(programs); do
        direct "$name" --help
        expect_status 0
        refuse_out "(null)"
        expect_out "Sample"
        expect_out "--version"
    done
}

@test "defect 44: sizes beyond 2 GiB are listed, and no product overflows" {
    # What -M does not allow is no row, as in the run.
    direct latency --dry-run -m 8:32 -M 170
    expect_status 0
    expect_sizes 8 16
    expect_out "# rows left out by --mem-limit=170: 1"
    expect_out "# rows=2; "
    direct latency --dry-run -m 8:32 -M 100
    expect_status 2
    expect_error E10
    direct latency --dry-run -m 1G:8G
    expect_status 0
    expect_sizes 1073741824 2147483648 4294967296 8589934592
    direct get_bw --dry-run -m 32M:64M -W 64
    expect_out "2GiB"
    expect_out "4GiB"
    direct put_bw --dry-run -m 64M:64M -W 64
    expect_out "4GiB"
    direct get_mbw --dry-run --ranks 8 -m 1G:1G -W 16777216
    expect_out "16PiB"
    direct alltoall --dry-run --ranks 100000 -m 1M:1M
    expect_status 0
    expect_out "195.3GiB" # 1 MiB from and to each of 100000
    # More than can be counted is a row too much, not a crash.
    direct alltoall --dry-run --ranks 1000000000 -m 1T:8E
    [[ $status -le 2 ]] || fail "crash"
}

@test "defect 45: a million laps need no stack" {
    # Two ranks that wait for each other need minutes for that on a busy machine.
    launch 1 reduce_local -m 8:8 -i 1000000 -x 0 --columns iterations
    expect_status 0
    [[ $(row 8 | awk '{ print $NF }') -eq 1000000 ]] || fail "not a million"
}

@test "defect 46: an empty table is never a success; what -M leaves out is said" {
    impatient=yes
    launch 2 allreduce -m 1M:1M -M 1K "${brief[@]}"
    expect_status 2
    expect_error E10
    expect_no_out
    impatient=no
    # Send and receive buffer, with the bytes behind each that are checked.
    launch 2 allreduce -m 1K:64K -M 8400 "${brief[@]}"
    expect_status 0
    expect_sizes 1024 2048 4096
    expect_err "last=4096; next=8192;"
}

@test "defect 50: errors are sentences, without source lines or (null)" {
    local arguments
    for arguments in "-m abc" "-i 0" "-Q" "-W 5"; do
        # shellcheck disable=SC2086  # an option and its value
        direct latency $arguments
        expect_status 1
        expect_error E12
        refuse_err "(null)"
        refuse_err ".c:"
        expect_no_out
    done
    direct init --help
    expect_status 0
    refuse_out "nprocs"
    # A root that does not exist: once, by all ranks, before the title.
    launch 3 ibcast -k fixed:3 -m 8:8 "${brief[@]}"
    expect_status 1
    expect_error E12
    expect_err "-k fixed:3 needs at least 4 ranks; started: 3"
    expect_no_out
    direct gather --dry-run --ranks 3 -k fixed:3
    expect_status 1
}

@test "defect 51: nothing is accepted and ignored" {
    local arguments
    for arguments in "-m abc" "-T double" "-t 5" "-p 1" "word" "-k fixed:7" "-i 5 -" "-cfoo" "-clog:" "-clogs" "-a 8" "-r cpu"; do
        # shellcheck disable=SC2086  # an option and its value
        direct latency $arguments
        expect_status 1
        expect_error E12
    done
    # The command line is left as it was given.
    need_json
    launch 2 latency -m 8:8 -T mpi_char,mpi_int "${brief[@]}" --json "$BATS_TEST_TMPDIR/x.json"
    grep -q '"mpi_char,mpi_int"' "$BATS_TEST_TMPDIR/x.json" || fail "arguments were eaten"
}

@test "defect 52: help names the defaults that hold" {
    direct bw --help
    expect_out "50,90,99"
    expect_out "64"
    expect_out "until precise"
    expect_out "1:4M"
    direct latency --man
    expect_out "50,90,99"
}

@test "defect 53: JSON and CSV beside the table" {
    need_json
    launch 2 latency -m 8:16 "${brief[@]}" --json "$BATS_TEST_TMPDIR/x.json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    [[ $(wc -l <"$BATS_TEST_TMPDIR/x.csv") -eq 3 ]] || fail "not a heading and two rows"
    "$python3" -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["rows"]) == 2' \
        "$BATS_TEST_TMPDIR/x.json"
}

@test "defect 54: every program knows its name" {
    local name
    for name in $(programs); do
        direct "$name" --version
        [[ $stdout == "$name "* ]] || fail "$name calls itself something else"
        direct "$name" --no-such-option
        expect_err "E12: $name: "
    done
}

@test "defect 55: help says whose time is printed" {
    direct allreduce --help
    expect_out "every rank"
    expect_out "mean over iterations, then over ranks"
    direct latency --help
    expect_out "half of it"
}
