#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Figures against a network whose delay and rate are known: tests/lab.  Delays are long,
# ranks that wait sleep, and the best iteration counts: so a busy machine, which takes some ms
# from ranks, does not decide.  What is true to some per cent is asked by make truth.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common
# Hosts share no memory.
unset UCX_TLS

lab=$ALIDADE_SOURCE/tests/lab/lab
limit=200

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

# Of 1514 bytes 1448 are payload; 20 Mbit/s are 2.5 MB/s, which a busy machine reaches too, in
# the best of many short iterations.  A link may have saved up a tenth of an iteration.
@test "bandwidth is the rate of the network: no more, and not much less; with a delay as well" {
    up 2 --rate 20mbit --delay 2ms
    measured 1.6 2.7 2 bw -m 64K:64K -W 4 -i 10 -x 1 --columns max
}

# What is below MPI takes the same links: delay, rate, and the address of another host.
@test "TCP without MPI between two hosts: delay and rate are those of the network" {
    up 2 --delay 20ms --rate 20mbit
    measured 20000 35000 2 tcp_latency -m 1:1 -i 10 -x 1 --columns min
    expect_out "nodes=2; path=inter-node;"
    grep -Eq 'TCP to [0-9.]+' "$out" && ! grep -q 'TCP to 127' "$out" || fail "over another address"
    measured 1.6 2.7 2 tcp_bw -m 64K:64K -W 4 -i 10 -x 1 --columns max
}

# over DEVICE: messages take that link, under both MPIs.
over() {
    export OMPI_MCA_btl_tcp_if_include=$1 UCX_NET_DEVICES=$1
}

# The counters of two links, which the kernel keeps, next to rates in Mbit/s that are
# not true: those of eth0 and eth1.
plant_rates() {
    local i folder
    export ALIDADE_SYSFS=$BATS_TEST_TMPDIR/sys
    for ((i = 0; i < $#; i++)); do
        folder=$ALIDADE_SYSFS/class/net/eth$i
        mkdir -p "$folder/device" "$folder/statistics"
        echo up >"$folder/operstate"
        echo "${@:i+1:1}" >"$folder/speed"
        ln -s "/sys/class/net/eth$i/statistics/tx_bytes" "$folder/statistics"
    done
}

# plant_port: an InfiniBand port that is up and sends nothing.
plant_port() {
    local port=$ALIDADE_SYSFS/class/infiniband/mlx5_0/ports/1
    mkdir -p "$port/counters"
    echo "4: ACTIVE" >"$port/state"
    echo "200 Gb/sec (4X HDR)" >"$port/rate"
    echo 123456789 >"$port/counters/port_xmit_data"
}

# The kernel counts what TCP leaves to the device to cut, up to 64 KiB, with one header:
# of the headers of all packets on a real network (some 4% at 1500 bytes) it sees few.
@test "of two links the one that carried the bytes is named, and its bytes are those sent" {
    need_json
    up 2 --links 2
    local link
    json=$BATS_TEST_TMPDIR/x.json
    for link in eth1 eth0; do
        over "$link"
        run_to_files "$lab" run --nap 2 bw -m 64K:1M -W 8 -i 20 -x 2 --json "$json"
        expect_status 0
        expect_quiet
        # The links are alike: nothing is probed.
        refuse_out "device="
        check "$link" <<'END'
for row in d["rows"]:
    # TCP on a busy machine sends a few bytes twice.
    payload = row["bytes"] * row["window"] * (row["iterations"] + row["warmup_iterations"])
    first = row["devices"][0]
    assert first["name"] == sys.argv[2], row
    assert first["share"] > 0.95, row
    assert payload < first["bytes"] < 1.1 * payload, (payload, row)
    assert abs(sum(device["share"] for device in row["devices"]) - 1) < 1e-6, row
    assert row["share_of_limit"] is None, row
assert len(d["rows"]) == 5 and d["environment"]["device"] is None
END
    done
    # Little is worth no names; a row of latencies has no limit.
    run_to_files "$lab" run --nap 2 latency -m 8:8 -i 10 -x 2 --json "$json"
    expect_status 0
    check <<'END'
assert d["rows"][0]["devices"] is None and d["rows"][0]["share_of_limit"] is None, d["rows"]
END
}

@test "a job that falls back to a slow link is told so, and refused where it must not" {
    up 2 --links 2
    plant_rates 1000 100000
    over eth0
    run_to_files "$lab" run --nap 2 bw -m 1M:1M -W 4 -i 5 -x 1
    expect_status 0
    expect_quiet W09
    expect_out "device=eth0;"
    expect_err "went over eth0 (share=1.00; MB/s=125;), and a faster device is up: eth1 (share=0.00; MB/s=12500;)"
    expect_figures
    run_to_files "$lab" run --nap 2 bw -m 1M:1M -W 4 -i 5 -x 1 --expect device=eth1
    expect_status 2
    expect_error E35
    expect_err "expected device=eth1; found device=eth0;"
    expect_no_out
    # Over the fast one nothing is amiss.
    over eth1
    run_to_files "$lab" run --nap 2 bw -m 1M:1M -W 4 -i 5 -x 1 --expect device=eth1
    expect_status 0
    expect_quiet
    expect_out "device=eth1;"
    # Of several ranks on each host two send; rows without a link's rate have no limit.
    run_to_files "$lab" run --nap 4 allreduce -m 64K:64K -i 5 -x 1 --expect device=eth
    expect_status 0
    expect_quiet
    expect_out "path=mixed;"
    expect_out "device=eth1;"
}

@test "doctor, on four hosts: the slow link that carried the bytes is named, and the fast one is well" {
    need_json
    up 4 --links 2
    plant_rates 10 200
    local link
    json=$BATS_TEST_TMPDIR/d.json
    # All hosts have the same CPUs, so that ranks of two share one.  Settings reach the other hosts, too.
    export LD_PRELOAD=$faults/crowded.so:$faults/yield.so HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$ALIDADE_SOURCE/tests/lab/rsh
    export OMPI_MCA_plm_rsh_agent=$HYDRA_LAUNCHER_EXEC OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_mca_base_env_list="ALIDADE_SYSFS;LD_PRELOAD"
    for link in eth0 eth1; do
        over "$link"
        run_to_files "$lab" exec h0 "$ALIDADE_SOURCE/scripts/doctor" -q --hosts h0,h1 --json "$json" "$ALIDADE_BUILD"
        expect_status "$([[ $link == eth1 ]] && echo 0 || echo 2)"
        check "$link" <<'END'
assert d["launchers"][0]["result"] == "works" and d["hosts"] == ["h0", "h1"], d
assert d["carried"]["by"] == [sys.argv[2]], d["carried"]
assert d["ok"] == (sys.argv[2] == "eth1") and ("W09" in str(d["advice"])) != d["ok"], d
END
    done
    expect_out "the fast network carried the bytes"
}

@test "an InfiniBand port that is up and idle, while TCP carries the bytes" {
    need_json
    up 2
    plant_rates 10000
    plant_port
    json=$BATS_TEST_TMPDIR/x.json
    run_to_files "$lab" run --nap 2 bw -m 1M:1M -W 4 -i 5 -x 1 --json "$json"
    expect_status 0
    expect_quiet W09
    expect_err "a faster device is up: mlx5_0 (share=0.00; MB/s=25000;)"
    check <<'END'
row, = d["rows"]
limit = d["environment"]["limits"]["link_mb_per_s"]
# Two hosts, each with an interface of 1250 MB/s and a port; one of them sends.
assert d["environment"]["device"] == "eth0" and limit == 52500, d["environment"]
assert d["environment"]["links"] == [{"name": "mlx5_0", "mb_per_s": 25000}, {"name": "eth0", "mb_per_s": 1250}], d["environment"]
assert abs(row["share_of_limit"] - row["value"] / (limit / 2)) < 1e-9, row
assert [device["name"] for device in row["devices"]] == ["eth0"], row
END
    run_to_files "$lab" run --nap 2 bw -m 1M:1M -W 4 -i 5 -x 1 --expect device=mlx5
    expect_status 2
    expect_error E35
    expect_no_out
}

# Each host has a link of its own: two pairs of ranks on four hosts have two.
@test "striping over two links is twice the rate of one; whole messages have one" {
    up 4 --rate 20mbit
    local options=(-W 8 -i 10 -x 1 --columns max)
    measured 3.2 5.4 4 stripe_bw -m 64K:64K "${options[@]}"
    expect_out "nodes=4; path=inter-node;"
    measured 1.6 2.7 4 stripe_bw -m 64K:64K --stripe-threshold 64K "${options[@]}"
    # The links carry both ways at once, but neither MPI makes use of that in all iterations.
    measured 5.2 10.8 4 stripe_bibw -m 16K:16K -W 32 -i 10 -x 1 --columns max
}

# What the last of four ranks says must get to all others, which takes two
# messages one after the other.  The slowest rank of an iteration, whose time this is,
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
