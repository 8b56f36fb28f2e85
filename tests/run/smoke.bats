#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every program runs, with every option it takes, and finds its own data right.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

# Options for a run that is over soon.
brief=(-i 5 -x 1)

@test "what this build or this MPI lacks is said: PAPI, FFTW, UCX, persistent collectives, shared memory; 77" {
    local lacks number why words tested=no
    while IFS='|' read -r lacks number why words; do
        [[ $lacks == no* ]] || continue
        tested=yes
        # shellcheck disable=SC2086  # words
        launch 2 $words
        echo "$words"
        expect_status 77
        expect_error "$number"
        expect_err "$why"
        expect_no_out
        direct "${words%% *}" --help
        expect_status 0
    done <<END
$have_papi|E26|this build has no PAPI|latency -P PAPI_TOT_INS
$have_fftw|E29|this build has no FFTW|ft --class S
$have_ucx|E29|this build has no UCX|ucx_latency -i 5
$have_ucx|E29|this build has no UCX|ucx_bw -i 5
$persistent|E18||allreduce_persistent -i 5
$shares_memory|E28||memory_latency -i 5
$shares_memory|E28|-w allocate_shared needs all ranks on one node|put_latency -w allocate_shared -i 5
END
    [[ $tested == yes ]] || skip "this build lacks nothing"
}

@test "partitioned_latency: sizes of whole partitions, in every order; or E18 and 77" {
    launch 2 partitioned_latency -m 1:64 -c "${brief[@]}"
    if [[ $partitioned == no* ]]; then
        expect_status 77
        expect_error E18
        expect_no_out
        return
    fi
    expect_status 0
    expect_sizes 8 16 32 64
    expect_all_pass 4
    local order
    for order in down random random:7; do
        launch 2 partitioned_latency -q 3 --pready-order "$order" -T mpi_int -m 12:48 -c "${brief[@]}"
        expect_status 0
        expect_all_pass 3
    done
    launch 2 partitioned_latency -q 16 -m 1:8 "${brief[@]}"
    expect_status 2
    expect_error E19
}

@test "partitioned_latency: threads mark partitions ready, each once, and none but those asked for" {
    [[ $partitioned != no* ]] || skip "this MPI has no partitioned communication"
    local threads rank seen json=()
    preload=(ready)
    for threads in 1 3 8; do
        export FAULT_OUT=$BATS_TEST_TMPDIR/$threads
        json=(--json "$BATS_TEST_TMPDIR/$threads.json")
        launch 2 partitioned_latency --pready-threads "$threads" --pready-order random \
            -m 64:64 -c -i 50 -x 5 "${json[@]}"
        expect_status 0
        expect_all_pass 1
        grep -q "\"pready_threads\": $threads" "$BATS_TEST_TMPDIR/$threads.json"
        for rank in 0 1; do
            seen=$(<"$BATS_TEST_TMPDIR/$threads.$rank")
            [[ $seen =~ ^messages=([0-9]+)' '"threads=$threads-$threads again=0"$ ]] ||
                fail "rank $rank of $threads threads: $seen"
            ((BASH_REMATCH[1] >= 55)) || fail "$seen"
        done
    done
    launch 2 partitioned_latency -q 512 --sizes=512,600,1000,1K,1500,1536,2K,2560,3K,4K,32K -c -i 30 -x 3
    expect_status 0
    awk '/^[0-9]/ { n++; wrong += $1 % 512 != 0 } END { exit wrong > 0 || n < 7 }' "$out" ||
        fail "a size that 512 does not divide"
    direct partitioned_latency -D vect
    expect_status 1
    expect_error E43
    direct partitioned_latency --pready-threads 9
    expect_status 1
    expect_error E12
}

@test "what is dealt out has an element for each rank, or is left out: W31, E19" {
    launch 3 reduce_scatter_block -c -m 4:16 "${brief[@]}"
    expect_status 0
    expect_quiet W31
    expect_sizes 16
    expect_err "rows left out=2; size=4,8; a rank would have less than one element"
    launch 3 ireduce_scatter -c -m 4:8 "${brief[@]}"
    expect_status 2
    expect_error E19
    expect_err "no row is left; rows left out=2; size=4,8; a rank would have less than one element"
    expect_no_out
}

@test "iallreduce -t 5: MPI_Test calls during the computation" {
    launch 2 iallreduce -t 5 -f -c -m 8:16 "${brief[@]}"
    expect_status 0
    expect_all_pass 2
    # Overall, Compute, Init, Test, ...
    [[ $(awk '/^8 / { print ($5 > 0) }' "$out") == 1 ]] ||
        fail "no time in MPI_Test"
}

@test "bandwidth: windows of 1, 1001 and 3000 messages or operations, both -b kinds" {
    local name window options
    for name in bw bibw mbw_mr mbibw_mr bw_persistent bibw_persistent \
        bw_fan_in bw_fan_out get_bw put_bw put_bibw get_bibw get_mbw put_mbw; do
        read -ra options <<<"${needs_of[$name]}"
        [[ ${family_of[$name]} == one-sided ]] || options+=(-b multiple)
        for window in 1 1001 3000; do
            # Three programs stand for all.
            [[ $window -ne 3000 || $name == *w_mr || $name == put_bw ]] || continue
            later "$name.$window" 2 "$name" "${options[@]}" -W "$window" -m 8:16 -c -i 2 -x 0
        done
    done
    for name in bw mbw_mr; do
        later "$name" 2 "$name" -b single -c -m 8:16 "${brief[@]}"
    done
    all_good 'expect_all_pass 2'
}

# In OMB the target checks while the origin goes on, and finds other data than it expects (OMB 32).
@test "fop_latency, cas_latency: one row of one element for each type; what -w and -s say is used" {
    local name words said sizes
    local -A says=()
    while IFS='|' read -r name words said; do
        [[ $words != *allocate_shared* || $shares_memory == yes ]] || continue
        later "$name" 2 "$words" -c
        says[$name]=$said
    done <<'END'
1_4_4_8_8|fop_latency -T all -i 5 -x 1 -z50|# Datatype: MPI_SIGNED_CHAR.
1_4_8|cas_latency -T all -w create -i 5 -x 1|# Window creation: MPI_Win_create
4|cas_latency -i 5 -x 1|# Datatype: MPI_INT.
8_16.1|put_bw -w create -s lock -m 8:16 -i 5 -x 1|# Window creation: MPI_Win_create
8_16.2|put_bw -w allocate -s flush_local -m 8:16 -i 5 -x 1|# Window creation: MPI_Win_allocate
8_16.3|put_bw -w dynamic -s lock_all -m 8:16 -i 5 -x 1|# Window creation: MPI_Win_create_dynamic
8_16.4|put_bw -w allocate_shared -s fence -m 8:16 -i 5 -x 1|# Window creation: MPI_Win_allocate_shared
4.1|fop_latency -s flush_local -i 5 -x 1|# Synchronization: MPI_Win_flush_local
4.2|fop_latency -s lock -i 5 -x 1|# Synchronization: MPI_Win_lock/unlock
4.3|fop_latency -s flush -i 2000 -x 1|# Synchronization: MPI_Win_flush
4.4|fop_latency -s lock_all -i 5 -x 1|# Synchronization: MPI_Win_lock_all/unlock_all
4.5|fop_latency -s pscw -i 5 -x 1|# Synchronization: MPI_Win_post/start/complete/wait
4.6|fop_latency -s fence -i 5 -x 1|# Synchronization: MPI_Win_fence
END
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        expect_quiet
        read -ra sizes <<<"${name//[_.]/ }"
        [[ $name != *.* ]] || unset "sizes[-1]"
        expect_sizes "${sizes[@]}"
        expect_all_pass ${#sizes[@]}
        expect_out "${says[$name]}"$'\n'
    done
    # They need no more memory than that.
    direct fop_latency --dry-run
    expect_sizes 4
    refuse_out "KiB "
}

@test "neighbourhoods: cart:1:1, cart:2:1 on 9 ranks, refused on 4" {
    local name
    launch 4 neighbor_alltoall -N cart:1:1 -c -m 8:16 "${brief[@]}"
    expect_status 0
    expect_all_pass 2
    expect_out "Dimensions size = 4 "$'\n'
    for name in $(neighbours | grep -v -e ^i -e _persistent); do
        later "$name" 9 "$name" -N cart:2:1 -c -m 8:8 -i 1 -x 0
    done
    all_good 'expect_all_pass 1' 'expect_out "Dimensions size = 3 3 "'
    launch 4 neighbor_alltoall -N cart:2:1 -m 8:8 "${brief[@]}"
    expect_status 77
    expect_error E02
    expect_no_out
}

@test "neighbourhoods: 26 neighbours, cart:3:1 on 27 ranks" {
    launch 27 neighbor_alltoallw -N cart:3:1 -c -m 8:8 -i 1 -x 0
    expect_status 0
    expect_all_pass 1
    expect_out "Dimensions size = 3 3 3 "$'\n'
}

@test "neighbourhoods: a graph from a file with comments and blank lines" {
    local file=$BATS_TEST_TMPDIR/graph name
    # Rank 3 has no neighbour; rank 0 sends to two, to one of them five times, and hears
    # from one; rank 2 has itself as a neighbour, twice.
    printf '# edges\n0,1\n\n0,2   # a comment\r\n1 , 0\n2,2\n2,2\n0,1\n0,1\n0,1\n0,1' >"$file"
    for name in $(unequal_neighbours); do
        later "$name" 4 "$name" -N "graph:$file" -c -m 8:16 "${brief[@]}"
    done
    all_good 'expect_all_pass 2' 'refuse_out "Dimensions"' 'expect_out "Time took to create topology graph:"'
}

@test "mbibw_mr -p 1 on 4 ranks: one pair, twice the messages, and all ranks end" {
    launch 4 mbibw_mr -p 1 -c -W 4 -m 4K:8K "${brief[@]}"
    expect_status 0
    expect_all_pass 2
    expect_out "# [ pairs: 1 ] [ window size: 4 ]"
    # As many messages as bytes, by 4096: large enough for the decimals of any MB/s.
    awk '/^4096 / { by = $2 * 1e6 / $3; exit !(by > 4050 && by < 4140) }' "$out" ||
        fail "rate and bandwidth do not agree"
}

# Processes of this test's job.
forked() {
    local file comm
    for file in /proc/[0-9]*; do
        { read -r comm <"$file/comm"; } 2>/dev/null || continue
        [[ $comm != latency_mp ]] ||
            ! grep -qsa "$BATS_TEST_TMPDIR" "$file/cmdline" || echo "${file#/proc/}"
    done
}

@test "latency_mp: children are there while it measures, and none is left" {
    local seen=0 i
    launch 2 latency_mp -t 2:3 -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "# Number of forked processes in sender: 2"$'\n'"# Number of forked processes in receiver: 3"$'\n\n'"# OSU MPI Multi-process Latency Test"
    launch 2 latency_mp -t 2:3 -m 8:8 --budget 50s --precision 0.000001% \
        --csv "$BATS_TEST_TMPDIR/x" &
    for ((i = 0; i < 100 && seen < 7; i++)); do
        sleep 0.1
        seen=$(forked | wc -l)
    done
    [[ $seen -eq 7 ]] || fail "2 ranks, 2 and 3 children; saw $seen"
    # They end with their parents, whatever ends those; the launcher may be faster with the second.
    forked | sort -n | head -n 2 | xargs kill -KILL || true
    wait
    [[ -z $(forked) ]] || fail "left: $(forked)"
    launch 2 latency_mp -t 3 -c -m 8:8 -i 5 -x 1 --csv "$BATS_TEST_TMPDIR/x"
    expect_status 0
    expect_out "receiver: 3"
    expect_out " Pass"
    [[ -z $(forked) ]] || fail "left: $(forked)"
}
