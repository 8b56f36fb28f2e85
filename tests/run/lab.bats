#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Figures against a network whose delay and rate are known: tests/lab.  Delays are long,
# ranks that wait sleep, and the best lap counts: so a busy machine, which takes some ms
# from ranks, does not decide.  What is true to some per cent is asked by make truth.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

lab=$ALIDADE_SOURCE/tests/lab/lab
limit=30

setup_file() {
    # Short: sockets are made below it.
    ALIDADE_LAB=$(mktemp -d)/lab
    export ALIDADE_LAB
    "$lab" check 2 --delay 1ms 3>&- >"$BATS_FILE_TMPDIR/why" 2>&1 || true
}

teardown_file() {
    rmdir "$(dirname "$ALIDADE_LAB")"
}

setup() {
    [[ ! -s $BATS_FILE_TMPDIR/why ]] || skip "$(<"$BATS_FILE_TMPDIR/why")"
}

teardown() {
    [[ ! -d $ALIDADE_LAB ]] || "$lab" down
}

up() {
    # bats would wait for who holds its descriptor 3.
    "$lab" up "$@" 3>&-
}

# measured LOW HIGH N PROGRAM [ARGUMENT...]: run it; the figure lies in between.
measured() {
    run_to_files "$lab" run --nap "${@:3}"
    expect_status 0
    expect_quiet
    within "$1" "$2" || fail "not from $1 to $2"
}

# within LOW HIGH: is the last figure of the one row in between?
within() {
    awk -v low="$1" -v high="$2" '
        /^ *[0-9]/ { rows++; good += low <= $NF && $NF <= high }
        END { exit !(rows == 1 && good == 1) }' "$out"
}

@test "two hosts are two nodes, and messages pass between them on the network" {
    up 2
    run_to_files "$lab" run 2 latency -m 64K:64K -i 100 -x 0
    expect_status 0
    expect_quiet
    expect_out "ranks=2; nodes=2; path=inter-node;"
    # 100 messages each way and one to verify.
    "$lab" stat | awk -v least=$((101 * 65536)) '
        /^h[01]: sent/ { good += $3 >= least && $8 >= least }
        END { exit good != 2 }' || fail "$("$lab" stat)"
    run_to_files "$lab" run 4 allreduce -m 8:8 -i 10 -x 1
    expect_status 0
    expect_out "ranks=4; nodes=2; path=mixed;"
}

@test "latency is the delay of the network, and not much more; a put takes it twice" {
    up 2 --delay 20ms
    measured 20000 35000 2 latency -m 1:1 -i 10 -x 1 --columns min
    expect_out "nodes=2; path=inter-node;"
    measured 40000 60000 2 put_latency -m 8:8 -i 10 -x 1 --columns min
}

# Of 1514 bytes 1448 are payload; 100 Mbit/s are 12.5 MB/s.
@test "bandwidth is the rate of the network: no more, and not much less; with a delay as well" {
    up 2 --rate 100mbit --delay 2ms
    measured 8 12.6 2 bw -m 1M:1M -W 4 -i 5 -x 1 --columns max
}

# What is below MPI takes the same links: delay, rate, and the address of another host.
@test "TCP without MPI between two hosts: delay and rate are those of the network" {
    up 2 --delay 20ms --rate 100mbit
    measured 20000 35000 2 tcp_latency -m 1:1 -i 10 -x 1 --columns min
    expect_out "nodes=2; path=inter-node;"
    grep -Eq 'TCP to [0-9.]+' "$out" && ! grep -q 'TCP to 127' "$out" || fail "over another address"
    measured 8 12.6 2 tcp_bw -m 1M:1M -W 4 -i 5 -x 1 --columns max
}

# Each host has a link of its own: two pairs of ranks on four hosts have two.
@test "striping over two links is twice the rate of one; whole messages have one" {
    up 4 --rate 100mbit
    local options=(-W 4 -i 5 -x 1 --columns max)
    measured 16 25.2 4 stripe_bw -m 1M:1M "${options[@]}"
    expect_out "nodes=4; path=inter-node;"
    measured 8 12.6 4 stripe_bw -m 1M:1M --stripe-threshold 1M "${options[@]}"
    # The links carry both ways at once, but neither MPI makes use of that in all laps.
    measured 26 50.5 4 stripe_bibw -m 16K:16K -W 256 -i 20 -x 1 --columns max
}

# What the last of four ranks says must get to all others, which takes two
# messages one after the other.  The slowest rank of a lap, whose time this is,
# also waits for others that start later: about one more.
@test "a barrier of four hosts takes two delays or more, not many" {
    up 4 --delay 20ms
    measured 40000 130000 4 barrier -i 8 -x 1 --columns min
    expect_out "nodes=4; path=inter-node;"
}

# namespaces: of all processes that can be seen.
namespaces() {
    readlink /proc/[0-9]*/ns/* 2>/dev/null | sort -u
}

@test "lab down leaves nothing behind" {
    local made=() host kind number
    up 2 --delay 1ms
    for host in h0 h1; do
        for kind in net uts ipc mnt pid; do
            made+=("$("$lab" exec "$host" readlink "/proc/self/ns/$kind")")
        done
        # A process that nobody waits for.
        "$lab" exec "$host" setsid sleep 1000 3>&- >"$BATS_TEST_TMPDIR/log" 2>&1 &
    done
    namespaces >"$BATS_TEST_TMPDIR/during"
    "$lab" down
    namespaces >"$BATS_TEST_TMPDIR/after"
    [[ ${#made[@]} -eq 10 ]] || fail "namespaces: ${made[*]}"
    for number in "${made[@]}"; do
        grep -qF "$number" "$BATS_TEST_TMPDIR/during" || fail "$number unseen"
        ! grep -qF "$number" "$BATS_TEST_TMPDIR/after" || fail "$number is left"
    done
    # A bind mount would hold a namespace as well.
    ! grep -F "$ALIDADE_LAB" /proc/self/mountinfo || fail "a mount is left"
    [[ ! -e $ALIDADE_LAB ]] || fail "$ALIDADE_LAB is left"
    ! "$lab" exec h0 true || fail "there is a lab still"
}

@test "a lab that cannot be made leaves nothing behind, and says why" {
    mkdir -p "$BATS_TEST_TMPDIR/tests/lab"
    printf '#!/bin/sh\necho "no switch today" >&2\nexit 1\n' \
        >"$BATS_TEST_TMPDIR/tests/lab/tapswitch"
    chmod +x "$BATS_TEST_TMPDIR/tests/lab/tapswitch"
    ALIDADE_BUILD=$BATS_TEST_TMPDIR run_to_files "$lab" up 2 --delay 1ms \
        --rate 1gbit
    expect_status 1
    expect_err "lab: cannot be made here: no switch today"
    [[ ! -e $ALIDADE_LAB ]] || fail "$ALIDADE_LAB is left"
}

@test "two labs at once do not meet" {
    up 2
    mkdir "$BATS_TEST_TMPDIR/other"
    ALIDADE_LAB=$BATS_TEST_TMPDIR/other/lab up 2
    run_to_files "$lab" run 2 latency -m 8:8 -i 10 -x 1
    expect_status 0
    ALIDADE_LAB=$BATS_TEST_TMPDIR/other/lab "$lab" stat
    ALIDADE_LAB=$BATS_TEST_TMPDIR/other/lab "$lab" down
    "$lab" stat
    ! up 2 || fail "a second lab in the folder of the first"
}
