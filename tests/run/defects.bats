#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Known defects of the OSU Micro-Benchmarks 7.4 that these programs could have as well, in the
# order in which the project lists them.  For others the title of a test says (OMB NUMBER).
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

# Values of the row of a size, from the second column on.
row() {
    awk -v size="$1" '$1 == size { $1 = ""; print; exit }' "$out"
}

trace_calls() {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch "$@"
    expect_status 0
}

calls() {
    grep -Ec "^P?$1 " "$BATS_TEST_TMPDIR/trace.0" || true
}

# -x alone: OMB's counts, which fall above 8192 bytes.
@test "defect 10: large messages leave the counts of small ones alone, whatever the type" {
    local words expected counts
    while IFS='|' read -r words expected; do
        # shellcheck disable=SC2086  # words
        launch 2 $words -m 8192:16384 -x 1 --columns iterations
        expect_status 0
        counts=$(awk '/^[0-9]/ { printf "%d:%d ", $1, $3 }' "$out")
        [[ $counts == "$expected " ]] || fail "counts: $counts"
    done <<'END'
allreduce -T mpi_char,mpi_int,mpi_float|8192:1000 16384:100 8192:1000 16384:100 8192:1000 16384:100
latency -T mpi_char,mpi_int|8192:10000 16384:1000 8192:10000 16384:1000
bw|8192:100 16384:20
END
}

# Two nodes with a link of 0.125 MB/s each, as the kernel states it.
@test "defect 13: a put that is faster than the links between the nodes is suspect, also with flush_local" {
    local folder=$BATS_TEST_TMPDIR/sys/class/net/eth0 sync
    mkdir -p "$folder/device" "$folder/statistics"
    echo up >"$folder/operstate"
    echo 1 >"$folder/speed"
    echo 0 >"$folder/statistics/tx_bytes"
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
    local words heading name
    declare -A headings
    while IFS='|' read -r words heading; do
        # shellcheck disable=SC2086  # words
        later "${words%% *}" 2 $words -s flush_local -m 8:8 "${brief[@]}"
        headings[${words%% *}]=$heading
    done <<'END'
put_latency|Local (us)
get_latency|Latency (us)
put_bw --target=asleep:100|Local (MB/s)  *In MPI (MB/s)  *Ratio
put_mbw|Local (MB/s)
get_bw|Bandwidth (MB/s)
get_mbw|Bandwidth (MB/s)
hotspot_put|All Local (MB/s)  *Each Local (MB/s)
END
    all_good 'grep -q "^# Size  *${headings[$name]}" "$out" || fail "another heading"'
    for name in $(programs); do
        [[ ${family_of[$name]} == one-sided && $name != ???_bibw ]] || continue
        direct "$name" --help
        [[ ${stdout//[[:space:]]/ } == *"flush_local that of local completion only"* ]] ||
            fail "$name --help does not say so"
        tr -d '\n*' <"$ALIDADE_SOURCE/mpi/one-sided/$name.c" | tr -s ' ' |
            grep -q 'flush_local means local completion only' || fail "the header of $name does not say so"
    done
}

@test "defect 15: every page of every buffer is written before it is sent" {
    # Reading a page that was never written gives it no memory.  A buffer is more
    # than all else that a rank has.
    local name n options needed column rank resident
    for name in latency bw alltoall put_latency gatherv allgatherv; do
        n=${fewest_of[$name]}
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
        # The first group has four windows under way.
        launch 5 "$name" --groups 5 -W 600 -c -m 8:8 -i 2 -x 1
        expect_status 0
        expect_out " Pass"
    done
    # Rank 0's node is the one into which all others send.
    nodes z b a
    trace_calls 3 bw_fan_in -W 4 -m 8:8 "${brief[@]}"
    [[ $(calls MPI_Irecv) -eq $((2 * 4 * 23)) ]] || fail "rank 0 receives $(calls MPI_Irecv) messages"
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

@test "defect 25: latency_mt: each thread's own time" {
    # A message takes 2 ms on its way, whatever the number of threads; a start
    # that another thread has overwritten makes it less.
    preload=(delay)
    FAULT=recv FAULT_RANK=1 FAULT_BYTES=24 FAULT_US=2000 \
        launch 2 latency_mt -t 2:2 -m 24:24 --columns min,iterations -i 20 -x 4
    expect_status 0
    [[ $(row 24 | awk '{ print ($2 >= 990 && $3 == 20) }') == 1 ]] || fail "less than it takes"
}

@test "defects 27, 28b, 47: one-sided: iterations as asked, half of turns in every column, little memory" {
    local name sync
    for name in acc_latency fop_latency; do
        for sync in pscw fence; do
            launch 2 "$name" -s "$sync" -i 1 -x 0 -z100 --columns iterations
            # Of one iteration the mean is the largest sample.
            [[ $(column 2) == "$(column 3)" ]] || fail "$name -s $sync: P100 is not the mean"
        done
    done
    launch 2 acc_latency -s lock -m 16K:16K -x 3 --columns iterations
    [[ $(column 3) == 1000 ]] || fail "not OMB's iterations"
    direct cas_latency --dry-run -T mpi_int64
    [[ $(column 2) == *B && $(column 2) != *iB ]] || fail "more than bytes"
}

@test "defect 44: sizes beyond 2 GiB are listed, and no product overflows" {
    # What -M does not allow is no row, as in the run.
    cases <<'END'
| direct latency --dry-run -m 8:32 -M 170 | 0 | $ expect_sizes 8 16 && # rows left out by --mem-limit=170: 1 && $ expect_out "# rows=2; "
| direct latency --dry-run -m 8:32 -M 100 | 2 | $ expect_error E10
| direct latency --dry-run -m 1G:8G | 0 | $ expect_sizes 1073741824 2147483648 4294967296 8589934592
END
    direct get_bw --dry-run -m 2G:4G -W 64
    expect_out "2GiB"
    expect_out "8GiB"
    direct put_bw --dry-run -m 4G:4G -W 64
    expect_out "4GiB"
    direct get_mbw --dry-run --ranks 8 -m 1G:1G -W 16777216
    expect_out "2GiB"
    direct alltoall --dry-run --ranks 100000 -m 1M:1M
    expect_status 0
    expect_out "195.3GiB" # 1 MiB from and to each of 100000
    # More than can be counted is a row too much, not a crash.
    direct alltoall --dry-run --ranks 1000000000 -m 1T:8E
    [[ $status -le 2 ]] || fail "crash"
}
