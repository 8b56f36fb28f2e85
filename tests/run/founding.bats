#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs that the founding papers ask for and OMB does not have, each against
# what is known beforehand.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

# outstanding DEPTH WINDOW MOST LEAST: as many as the queue says.
outstanding() {
    preload=(queue)
    export FAULT_BYTES=24 FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 bw_queue --queue-depth "$1" -W "$2" -m 24:24 -i 5 -x 1
    expect_status 0
    expect_out "# Queue depth: $1."$'\n'
    [[ $(<"$FAULT_TRACE") == "most $3 least $4" ]] ||
        fail "depth $1, window $2: $(<"$FAULT_TRACE")"
}

@test "bw_queue: at least half the depth outstanding, and at most the depth" {
    outstanding 2 64 2 1
    outstanding 8 64 8 4
    outstanding 7 64 7 4
    outstanding 6 10 6 3
    # The whole window at once: nothing is posted behind a wait.
    outstanding 64 64 64 65536
}

@test "bw_queue: completion that takes 2 ms caps it at depth / 2 ms" {
    need_json
    preload=(queue)
    export FAULT_BYTES=24 FAULT_US=2000
    launch 2 bw_queue --queue-depth 2,4,16 -W 32 -m 24:24 -i 10 -x 1 --json "$json"
    expect_status 0
    # That it is not far below the cap follows from what is outstanding.
    check <<'END'
assert [row["queue_depth"] for row in d["rows"]] == [2, 4, 16]
for row in d["rows"]:
    assert row["over_iterations"]["min_us"] >= 0.999 * 32 * 2000 / row["queue_depth"], row
END
}

@test "bw_queue: a depth beyond the window, and one that has no half, are refused" {
    launch 2 bw_queue --queue-depth 2,100 -m 8:8 -i 5 -x 1
    expect_status 1
    expect_error E12
    expect_err "--queue-depth 100 is too large; the most is 64"
    launch 2 bw_queue --queue-depth 8,2 -m 8:8 -i 5 -x 1
    [[ $(grep -o 'Queue depth.*' "$out" | tr -dc '0-9\n' | tr '\n' ' ') == "8 2 " ]] || fail "not 8, 2"
    refusals <<'END'
1 E12 bw_queue --dry-run --queue-depth 1
1 E12 bw_queue --dry-run --queue-depth 8,x
1 E12 bw_queue --dry-run --queue-depth 8,2,8
END
    direct bw_queue --dry-run -W 12 -m 8:16
    expect_status 0
    expect_out "# rows=8;" # 2 4 8 12, two sizes
}

@test "blocks: one for each level, in the table, in CSV and in JSON" {
    need_json
    launch 4 hotspot_recv -m 8:16 -c -i 5 -x 1 --json "$json" --csv "$BATS_TEST_TMPDIR/csv"
    expect_status 0
    [[ $(grep '^# Peers' "$out") == "# Peers: 1."$'\n'"# Peers: 2."$'\n'"# Peers: 3." ]] ||
        fail "not three blocks"
    [[ $(cut -d, -f8 "$BATS_TEST_TMPDIR/csv" | tr '\n' ' ') == "peers 1 1 2 2 3 3 " ]] ||
        fail "CSV: $(<"$BATS_TEST_TMPDIR/csv")"
    check <<'END'
assert [(row["peers"], row["bytes"]) for row in d["rows"]] == [
    (others, size) for others in (1, 2, 3) for size in (8, 16)]
for row in d["rows"]:
    assert row["ranks"] == row["peers"] + 1, row["ranks"]
    columns, mean = row["columns"], row["over_ranks"]["mean_us"]
    assert abs(columns["message_us"] - mean / row["peers"]) < 1e-9 * mean
    # What all get is what each gets.
    assert abs(columns["aggregate_mb_per_s"] - row["peers"] * columns["each_mb_per_s"]) < 1e-9
    assert abs(columns["each_mb_per_s"] - row["bytes"] / mean) < 1e-9
    assert row["over_ranks"]["n"] == 1
END
    launch 4 hotspot_send --peers 3,1 -m 8:8 -c -i 5 -x 1 --order down
    expect_status 0
    [[ $(grep '^# Peers' "$out") == "# Peers: 3."$'\n'"# Peers: 1." ]] ||
        fail "not in this order"
    launch 2 hotspot_send --peers 2 -i 5 -x 1
    expect_status 1
    expect_error E12
}

@test "hot spots: one message to or from each other, none to those that wait" {
    preload=(trace)
    local name
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    for name in hotspot_send hotspot_recv; do
        launch 4 "$name" --peers 2 -m 24:24 -i 20 -x 5
        expect_status 0
        # 1 and 25 iterations
        case $name in
        hotspot_send)
            [[ $(grep -c '^MPI_Isend 24 0' "$FAULT_TRACE.0") -eq 52 ]]
            [[ $(grep -c '^MPI_Irecv 0 24' "$FAULT_TRACE.2") -eq 26 ]]
            ;;
        *)
            [[ $(grep -c '^MPI_Irecv 0 24' "$FAULT_TRACE.0") -eq 52 ]]
            [[ $(grep -c '^MPI_Send 24 0' "$FAULT_TRACE.2") -eq 26 ]]
            # Not before it is asked for.
            [[ $(grep -B 1 '^MPI_Send 24 0' "$FAULT_TRACE.2" | grep -c '^MPI_Recv 0 0') -eq 26 ]] || fail "sent unasked"
            ;;
        esac
        ! grep -E '^MPI_(Isend|Irecv|Send|Recv) (24 0|0 24)' "$FAULT_TRACE.3" || fail "rank 3 waits"
    done
}

@test "bilatency: a message each way in every iteration" {
    preload=(trace)
    local rank
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 bilatency -m 24:24 -i 20 -x 5 -z
    expect_status 0
    for rank in 0 1; do
        [[ $(grep -c '^MPI_Isend 24 0' "$FAULT_TRACE.$rank") -eq 26 ]]
        [[ $(grep -c '^MPI_Recv 0 24' "$FAULT_TRACE.$rank") -eq 26 ]]
    done
}

@test "host_overhead: what a send costs is the sender's, and nothing of it the receiver's" {
    need_json
    # So long that what else the machine does, some ms at a time, is little.
    preload=(delay)
    export FAULT=send FAULT_BYTES=24 FAULT_RANK=-1 FAULT_US=50000
    launch 2 host_overhead -m 24:24 -i 4 -x 1 -f --json "$json"
    expect_status 0
    check <<'END'
(row,) = d["rows"]
columns, parts = row["columns"], row["overhead"]
assert row["over_iterations"]["min_us"] >= 50000, row["over_iterations"]
assert parts["isend_us"] >= 50000 and columns["isend_us"] == parts["isend_us"], parts
assert parts["latency_us"] >= 50000 and columns["latency_us"] == parts["latency_us"], parts
# The mean of all; apart from the sums of parts by what rounding leaves.
assert abs(parts["isend_us"] + parts["send_wait_us"] - columns["send_overhead_us"]) < 0.01, (parts, columns)
assert abs(parts["irecv_us"] + parts["recv_wait_us"] - columns["recv_overhead_us"]) < 0.01, (parts, columns)
# The message has a round trip's time, in which both send.
assert parts["compute_us"] >= 30000 and columns["recv_overhead_us"] < 25000, (parts, columns)
END
}

@test "overlap_bw: what is computed, and what that leaves, of each level" {
    need_json
    # A window takes 20 ms, so that what else the machine does is little.
    preload=(delay)
    FAULT=send FAULT_BYTES=-1 FAULT_RANK=0 FAULT_US=2500 \
        launch 2 overlap_bw --compute 0,50,1000 -W 8 -i 4 -x 1 -m 1K:2K -c --json "$json"
    expect_status 0
    expect_quiet
    [[ $(grep -Ec '^[0-9].* Pass$' "$out") -eq 6 ]] || fail "not three blocks of two"
    [[ $(grep -c '^# CPU left: size=' "$out") -eq 2 ]] || fail "not a line for each size"
    check <<'END'
for row in d["rows"]:
    columns, parts, mean = row["columns"], row["overlap"], row["over_ranks"]["mean_us"]
    assert abs(columns["of_full_percent"] - 100 * parts["pure_us"] / mean) < 1e-6, row
    assert abs(columns["left_percent"] - 100 * parts["compute_us"] / mean) < 1e-6, row
    # The figures of one iteration: it is never shorter than what is computed in it.
    assert columns["compute_us"] < mean, row
by = {level: [row for row in d["rows"] if row["compute_percent"] == level] for level in (0, 50, 1000)}
assert all(len(rows) == 2 for rows in by.values())
# A computation of ten windows' time leaves a tenth of the bandwidth.
for row in by[0]:
    assert row["columns"]["left_percent"] < 10, row
for row in by[1000]:
    assert row["columns"]["left_percent"] > 60 and row["columns"]["of_full_percent"] < 30, row
END
}

# sent BYTES RANK: messages of so many bytes that the rank sent.
sent() {
    grep -c "^MPI_Isend $1 0" "$FAULT_TRACE.$2" || true
}

@test "stripe_bw, stripe_bibw: above the threshold a stripe for each pair, below it one whole" {
    local name back rank
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    for name in stripe_bw stripe_bibw; do
        back=0
        [[ $name != stripe_bibw ]] || back=1
        # Nine iterations of three: one in the rehearsal, the warm-up, seven.
        preload=(trace)
        launch 6 "$name" -W 3 -m 3000:12000 --stripe-threshold 3000 -c --verify=1 -i 7 -x 1
        expect_status 0
        expect_quiet
        [[ $(grep -Ec '^[0-9].* Pass$' "$out") -eq 3 ]]
        [[ $(sent 3000 0) -eq 27 && $(sent 3000 1) -eq 0 && $(sent 3000 2) -eq 0 ]] || fail "whole"
        [[ $(sent 3000 3) -eq $((27 * back)) && $(sent 3000 4) -eq 0 ]] || fail "back, whole"
        for rank in 0 1 2; do
            [[ $(sent 2000 "$rank") -eq 27 && $(sent 4000 "$rank") -eq 27 ]] || fail "stripes of rank $rank"
            [[ $(sent 2000 $((3 + rank))) -eq $((27 * back)) ]] || fail "stripes back"
        done
        # What cannot be divided: the first stripes have a byte more.
        launch 4 "$name" -W 2 -m 10001:10001 -c --verify=1 -i 7 -x 1
        expect_status 0
        [[ $(sent 5001 0) -eq 18 && $(sent 5000 1) -eq 18 ]] || fail "uneven"
    done
    # OMB's iterations are those of the message: of stripes ranks would differ.
    preload=()
    launch 4 stripe_bw -m 16385:16385 -i 5 -W 3
    expect_status 0
    launch 4 stripe_bw --stripe-threshold 64K -m 16K:16K -x 2 -W 3 --buffers=rotate
    expect_status 0
    preload=(plant)
    export FAULT=byte FAULT_RANK=3 FAULT_BYTES=5000
    launch 4 stripe_bw -W 2 -m 10000:10000 -i 7 -x 1
    expect_status 3
    expect_error E14
}

@test "overlap_bw: no iteration has a start of its own, and so none is late" {
    launch 2 overlap_bw -m 1K:1K --compute 0,50 --start=clock -i 50 -x 2 --json "$BATS_TEST_TMPDIR/json"
    expect_status 0
    [[ $(grep -cE '"late_iterations": ?0' "$BATS_TEST_TMPDIR/json") -eq 2 ]] || fail "late"
    # No computation is that of one step, not of those it was calibrated with.
    sed -n 's/.*"compute_alone_us": *\([0-9.e-]*\).*/\1/p' "$BATS_TEST_TMPDIR/json" |
        awk 'NR == 1 { exit !($1 < 10) }' || fail "of no computation"
}

@test "completion: five ways to notice, verified, and side by side" {
    local size
    launch 2 completion -m 1:8K -c -i 20 -x 5
    expect_status 0
    expect_quiet
    [[ $(grep '^# Operation' "$out") == "# Operation: memory.
# Operation: flush.
# Operation: test.
# Operation: wait.
# Operation: yield." ]]
    [[ $(grep -Ec '^[0-9].* Pass$' "$out") -eq 70 ]] || fail "not five blocks of fourteen"
    for size in 1 64 8192; do
        # As in the blocks, and what that is more than the first.
        awk -v size="$size" '
            $1 == size { figure[++n] = $2 }
            $1 == "#" && $2 == size && !sides {
                sides = 1
                for (i = 1; i <= 5; i++)
                    wrong += $(2 + i) != figure[i]
                next
            }
            $1 == "#" && $2 == size {
                for (i = 2; i <= 5; i++) {
                    more = figure[i] - figure[1] - $(1 + i)
                    wrong += more > 0.011 || more < -0.011
                }
            }
            END { exit wrong > 0 || n != 5 || sides != 1 }' "$out" || fail "size $size"
    done
}

@test "completion: where a put is not in the processor's memory, that way is left out" {
    preload=(separate)
    launch 2 completion -m 8:8 -i 20 -x 5
    expect_status 0
    expect_err "warning W30"
    [[ $(grep -c '^# Operation' "$out") -eq 4 ]]
    expect_out "# Difference from flush:"
}

@test "completion: a put that arrives while nobody calls MPI is noticed in memory" {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 2 completion -m 24:24 -i 20 -x 5
    expect_status 0
    # 26 iterations by memory and by flush, with no message in the first.
    [[ $(grep -c '^MPI_Put 24 0' "$FAULT_TRACE.0") -eq 52 ]]
    [[ $(grep -c '^MPI_Put 24 0' "$FAULT_TRACE.1") -eq 52 ]]
}

# places CALL RANK: where the messages of 24 bytes of a rank lay, in turn.
places() {
    sed -n "s/^$1 24 at //p" "$FAULT_TRACE.$2"
}

@test "--buffers: ranks that move nothing neither hold the others back nor hang them" {
    preload=(places)
    export FAULT_BYTES=24 FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    # Nobody but ranks 0 and 1 has a partner.
    launch 4 mbw_mr -p 1 -m 24:24 -W 2 --buffers=rotate:64K -i 30 -x 3
    expect_status 0
    (($(places MPI_Isend 0 | sort -u | wc -l) > 25)) || fail "of rank 0"
    # In the first row of a level, too.
    launch 3 hotspot_send --peers 1,2 -m 24:24 --buffers=rotate:64K -i 30 -x 3
    expect_status 0
    (($(places MPI_Isend 0 | tail -n 40 | sort -u | wc -l) > 25)) || fail "of level 2"
    preload=()
    launch 4 mbw_mr -p 1 -m 4K:4K -W 4 --buffers=rotate -i 10 -x 5
    expect_status 0
    launch 2 latency -m 0:0 --buffers=rotate -i 50 -x 2
    expect_status 0
}

@test "buffer_reuse: as many buffers as named, in turn" {
    local buffers call
    preload=(places)
    export FAULT_BYTES=24 FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    for buffers in 1 3 16; do
        launch 2 buffer_reuse_latency --reuse "$buffers" -m 24:24 -i 60 -x 5
        expect_status 0
        expect_out "# Buffers: $buffers."$'\n'
        for call in MPI_Send MPI_Recv; do
            [[ $(places "$call" 0 | sort -u | wc -l) -eq $buffers ]] || fail "$call: not $buffers"
            # Each comes again when all others have been used; the verified iterations and
            # the measured ones begin with the first.
            places "$call" 0 | awk -v n="$buffers" '
                { at[NR] = $1 }
                NR > n && at[NR] != at[NR - n] { wrong++ }
                END { exit wrong > n || NR < 60 }' || fail "$call: not in turn"
        done
    done
    # Receives under way have memory of their own; the sender's need not.
    launch 2 buffer_reuse_bw --reuse 4 -W 16 -m 24:24 -i 60 -x 5
    expect_status 0
    [[ $(places MPI_Isend 0 | sort -u | wc -l) -eq 4 ]] || fail "sender"
    [[ $(places MPI_Irecv 1 | sort -u | wc -l) -eq 16 ]] || fail "receiver"
}

@test "buffer_reuse: the named share of messages uses one and the same buffer" {
    local percent
    preload=(places)
    export FAULT_BYTES=24 FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    for percent in 0 25 90 100; do
        launch 2 buffer_reuse_latency --scheme percent --reuse "$percent" -m 24:24 -i 1000 -x 1
        expect_status 0
        expect_out "# Reuse in percent: $percent."$'\n'
        # Of those that are used in turn none comes twice within 512.
        places MPI_Send 1 | awk -v percent="$percent" '
            { at[NR] = $1; if (++times[$1] > most) { most = times[$1]; place = $1 } }
            END {
                if (percent == 0)
                    exit most > NR / 512 + 2
                share = 100 * most / NR
                exit share < percent - 1 || share > percent + 1
            }' || fail "$percent percent"
    done
}

@test "buffer_reuse: every buffer is verified, the last one too" {
    preload=(places)
    export FAULT_BYTES=24 FAULT_SPOIL=40
    launch 2 buffer_reuse_latency --reuse 64 -m 24:24 -i 5 -x 1
    expect_status 3
    expect_error E14
    expect_err "block=40"
    launch 2 buffer_reuse_latency --reuse 32 -m 24:24 -i 5 -x 1
    expect_status 0
    # More buffers than a batch has iterations, and many iterations until all are used.
    preload=()
    launch 2 buffer_reuse_latency --reuse 40000 -m 8:8 -i 5 -x 1 -c
    expect_status 0
    launch 2 buffer_reuse_latency --scheme percent --reuse 99 -m 8:8 -i 5 -x 1 -c
    expect_status 0
}

@test "buffer_reuse: a planted cost stands in the blocks that it is planted in" {
    preload=(places)
    # A receive into the 17th place and those after it takes 1 ms longer: nine of ten places.
    # A busy machine interrupts a few iterations, never four fifths of them.
    export FAULT_BYTES=24 FAULT_US=1000 FAULT_PLACES=16
    launch 2 buffer_reuse_latency --reuse 16,160 -m 24:24 -i 640 -x 1 -z20
    expect_status 0
    awk '/^24 / { us[++n] = $3 } END { exit n != 2 || us[2] < us[1] + 500 }' "$out" ||
        fail "16 and 160 buffers are alike"
    unset FAULT_US FAULT_PLACES
    launch 2 buffer_reuse_bw --reuse 0
    expect_status 1
    expect_error E12
    refusals <<'END'
1 E12 buffer_reuse_bw --reuse max
1 E12 buffer_reuse_bw --reuse 3,max
1 E12 buffer_reuse_bw --reuse 3,,4
END
}

@test "wrong data in a level that is not the first ends the run with 3" {
    preload=(plant)
    export FAULT=byte FAULT_RANK=2 FAULT_BYTES=24
    launch 3 hotspot_send -m 24:24 -i 5 -x 1
    expect_status 3
    expect_error E14
}

@test "hotspot_get, hotspot_put: all at one block, whatever the window and the synchronisation" {
    need_json
    local name kind sync
    for name in hotspot_get hotspot_put; do
        while read -r kind sync; do
            json=$BATS_TEST_TMPDIR/$name.$kind.json
            later "$name.$kind" 4 "$name" -w "$kind" -s "$sync" -W 3 -c -m 4:64 -i 5 -x 1 --json "$json"
        done <<'END'
create lock
allocate flush
dynamic lock_all
allocate_shared flush_local
END
        direct "$name" -s fence -i 5 -x 1
        expect_status 1
        expect_error E12
    done
    all_good '[[ $(grep -Ec "^[0-9].* passed$" "$out") -eq 15 ]]'
    check "$BATS_TEST_TMPDIR"/*.json <<'END'
for path in sys.argv[2:]:
    for row in json.load(open(path))["rows"]:
        others, mean = row["peers"], row["over_ranks"]["mean_us"]
        # The aggregate is conserved: what all have is the sum of what each has.
        assert abs(row["columns"]["aggregate_mb_per_s"] - others * row["columns"]["each_mb_per_s"]) < 1e-6
        assert abs(row["columns"]["each_mb_per_s"] - 3 * row["bytes"] / mean) < 1e-6 * 3 * row["bytes"] / mean
        assert row["over_ranks"]["n"] == others
END
}

@test "hotspot_put: every operation names the same place" {
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 3 hotspot_put -W 4 -m 24:24 -i 20 -x 5
    expect_status 0
    # 25 iterations of four and a verified put, of rank 1 in both blocks, of rank 2 in the second.
    [[ $(grep -c '^MPI_Put 24 0' "$FAULT_TRACE.1") -eq 202 ]]
    [[ $(grep -c '^MPI_Put 24 0' "$FAULT_TRACE.2") -eq 101 ]]
    ! grep '^MPI_Put' "$FAULT_TRACE.0" || fail "the hot spot puts"
    # A window of the hot spot is one block: the largest by default.
    direct hotspot_put --dry-run --ranks 3 -W 64 -m 1M:1M
    [[ $(awk '/^1048576/ { print $2, $3 }' "$out") == "1MiB 2MiB" ]] || fail "another plan"
}
