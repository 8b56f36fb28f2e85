#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs that measure below MPI: no MPI call between two readings of the clock,
# data verified, one node where memory is shared, and an end where a rank dies;
# and the table of layers.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 5 -x 1)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

# Those that this build can run.
below() {
    local name
    for name in $(programs); do
        [[ ${family_of[$name]} != baseline ]] || echo "$name"
    done
}

@test "from 1 B to 4 MiB, verified, with windows of 1, 64 and 1001" {
    local name window
    for name in $(below); do
        later "$name" 2 "$name" -c "${brief[@]}"
        [[ $name == *_bw ]] || continue
        for window in 1 1001; do
            later "$name.$window" 2 "$name" -W "$window" -b multiple -m 1:4K:64 -c -i 2 -x 0
        done
    done
    all_good expect_figures 'expect_all_pass "$(if [[ $name == *.* ]]; then echo 3; else echo 23; fi)"'
}

@test "the table: a title of our own, over what, no type" {
    launch 2 tcp_latency -m 8:8 "${brief[@]}"
    expect_status 0
    diff <(sed -E '1d; s/[0-9]+\.[0-9]+$/#/; s/ +/ /g' "$out") - <<'END'

# Baseline TCP Latency Test
# Over: TCP to 127.0.0.1.
# Size Avg Latency(us)
8 #
END
    launch 2 memory_bw -m 8:8 "${brief[@]}"
    expect_out "# Baseline Shared Memory Bandwidth Test"$'\n'"# Over: shared memory."$'\n'
}

@test "JSON says over what" {
    need_json
    launch 2 memory_latency -m 8:8 "${brief[@]}" --json "$json"
    expect_status 0
    check <<'END'
assert d["method"]["over"] == "shared memory", d["method"]
END
}

@test "no MPI call in an iteration" {
    local name rank
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    for name in $(below); do
        launch 2 "$name" -m 24:24 -i 40 -x 5 --clock posix
        echo "$name"
        expect_status 0
        for rank in 0 1; do
            # Readings of the clock that no call of MPI parts.
            grep -Eq '^clock_gettime 4[0-9] 0$' "$FAULT_TRACE.$rank" ||
                fail "rank $rank: $(head -n 60 "$FAULT_TRACE.$rank")"
        done
    done
}

# wrong FAULT RANK NTH PROGRAM ARGUMENT...: exit 3, one E14, no row.
wrong() {
    preload=(below)
    impatient=yes
    export FAULT=$1 FAULT_RANK=$2 FAULT_NTH=$3 FAULT_BYTES=1000
    launch 2 "$4" -m 1000:1000 "${@:5}" "${brief[@]}"
    echo "$4: $FAULT on rank $FAULT_RANK, number $FAULT_NTH"
    expect_wrong "$4" 1000 MPI_CHAR "rank="
}

@test "shared memory: a copy that is wrong, and one that is not made, are found" {
    wrong copy 1 1 memory_latency
    expect_err "rank=1; block=0; byte=500;"
    wrong copy 0 1 memory_latency
    expect_err "rank=0; block=0; byte=500;"
    wrong stale 1 1 memory_latency
    expect_err "rank=1; block=0; byte=0;"
    wrong copy 1 4 memory_bw -W 4
    expect_err "rank=1; block=3; byte=500;"
    wrong stale 1 2 memory_bw -W 4 -b multiple
    expect_err "rank=1; block=1; byte=0;"
}

@test "TCP, UCX: one bit that differs is found" {
    wrong recv 1 1 tcp_latency
    expect_err "rank=1; block=0; "
    wrong recv 0 1 tcp_latency
    expect_err "rank=0; block=0; "
    wrong recv 1 1 tcp_bw -W 4
    [[ $have_ucx == yes ]] || skip "this build has no UCX"
    wrong send 0 1 ucx_latency
    expect_err "rank=1; block=0; byte=999;"
    wrong send 1 1 ucx_latency
    expect_err "rank=0; block=0; byte=999;"
    wrong send 0 4 ucx_bw -W 4
    expect_err "rank=1; block=3; byte=999;"
}

@test "memory needs one node: E28 and 77; TCP does not" {
    local name
    nodes a b
    for name in memory_latency memory_bw; do
        launch 2 "$name" -m 8:8 "${brief[@]}"
        echo "$name"
        expect_status 77
        expect_error E28
        expect_err "shared memory needs all ranks on one node; nodes by their kernel=2;"
        expect_no_out
    done
    launch 2 tcp_latency -m 8:64 -c "${brief[@]}"
    expect_status 0
    expect_out "nodes=2; path=inter-node;"
    expect_out "# Over: TCP to "
    [[ $(grep -c ' Pass$' "$out") -eq 4 ]] || fail "not all pass"
}

@test "TCP: the address that ALIDADE_TCP_ADDRESS names; E30 and 77 where it leads nowhere" {
    export ALIDADE_TCP_ADDRESS=127.0.0.2
    launch 2 tcp_latency -m 8:8 "${brief[@]}"
    expect_status 0
    expect_out "# Over: TCP to 127.0.0.2."
    # An address that rank 1 does not have.
    ALIDADE_TCP_ADDRESS=192.0.2.1
    launch 2 tcp_latency -m 8:8 "${brief[@]}"
    expect_status 77
    expect_error E30
    expect_err "rank 1 cannot listen on 192.0.2.1 ("
    expect_no_out
    # A group's address, to which nobody can connect: rank 1 waits in vain.
    limit=30
    ALIDADE_TCP_ADDRESS=224.0.0.1
    launch 2 tcp_bw -m 8:8 "${brief[@]}"
    expect_status 77
    expect_error E30
    expect_err "no TCP connection to 224.0.0.1; "
}

@test "a connection that is closed: E31, where, and 2" {
    preload=(below)
    export FAULT=close FAULT_RANK=0 FAULT_NTH=10 FAULT_BYTES=1000
    launch 2 tcp_latency -m 1000:1000 -i 100 -x 1
    expect_status 2
    [[ $(messages "error E31:") -ge 1 ]] || fail "no E31"
    expect_err "closed by the other rank; phase=measuring; size=1000;"
}

@test "TCP between nodes, on a host whose own name nobody knows: an interface's address" {
    unshare -u true 2>/dev/null || skip "no host name of its own is permitted here"
    local name
    nodes one two
    # shellcheck disable=SC2016  # expanded by the wrapper
    wrapper+=(unshare -u sh -c 'hostname nowhere.invalid; exec "$0" "$@"')
    for name in tcp_latency tcp_bw; do
        launch 2 "$name" -m 8:8 "${brief[@]}"
        expect_status 0
        expect_out "nodes=2; path=inter-node;"
        expect_out "# Over: TCP to "
        ! grep -qx up /sys/class/net/*/operstate || [[ $stdout != *"TCP to 127."* ]] || fail "the loopback, though there is an interface"
    done
}

# meets SIGNAL PROGRAM ARGUMENT...: rank 1 gets it when the table has begun.
meets() {
    # shellcheck disable=SC2016  # expanded by the wrapper
    wrapper=(env "MEETS=$1" "TABLE=$BATS_TEST_TMPDIR/out" bash -c '[[ ${PMI_RANK:-$OMPI_COMM_WORLD_RANK} -eq 1 ]] || exec "$@"
        "$@" & rank=$!; until grep -q "^# Size" "$TABLE"; do sleep 0.2; done; kill -"$MEETS" "$rank"; wait "$rank"' -)
    shift
    launch 2 "$@"
}

@test "a rank that dies does not leave the other waiting" {
    local name began
    limit=30
    for name in memory_latency tcp_bw ucx_latency; do
        [[ $name != ucx_* || $have_ucx == yes ]] || continue
        began=$SECONDS
        meets KILL "$name" -m 8:8 -i 1000000000 -x 1 # a median may be known to the tick
        echo "$name"
        exit_code_lost || [[ $status -ne 0 ]] || fail "no error"
        [[ $((SECONDS - began)) -lt $limit ]] || fail "it went on"
        [[ -z $(sizes) ]] || fail "there is a row"
    done
}

@test "a rank that does nothing more ends the job: E15" {
    local name
    limit=40
    for name in memory_bw tcp_latency ucx_bw; do
        [[ $name != ucx_* || $have_ucx == yes ]] || continue
        meets STOP "$name" -m 8:8 -i 1000000000 -x 1 --timeout 2
        echo "$name"
        exit_code_lost || [[ $status -ne 0 && $status -ne 124 ]] || fail "it went on"
        expect_err "E15: $name: no progress for 2 s; rank=0;"
    done
}

# --- scripts/layers ---------------------------------------------------------------

# layers LAUNCHER OPTION...: of this build.
layers() {
    local command=$1
    shift
    run_to_files "$ALIDADE_SOURCE/scripts/layers" --launcher "$command" \
        "$ALIDADE_BUILD" -- "$@"
}

# A launcher of two ranks.
launcher_file() {
    local start file=$BATS_TEST_TMPDIR/launcher
    start_of 2
    {
        printf '#!/bin/bash\nexec'
        printf ' %q' "${start[@]}"
        printf ' "$@"\n'
    } >"$file"
    chmod +x "$file"
    echo "$file"
}

@test "layers: every size of every layer, and the arithmetic" {
    layers "$(launcher_file)" -m 1K:2K -i 10 -x 1
    expect_status 0
    expect_out "# Latency (us)"
    expect_out "# Bandwidth (MB/s)"
    # Size, MPI, and of each layer the figure, the difference of times, and the ratio.
    local layers=3
    [[ $have_ucx == yes ]] || layers=2
    awk -v layers=$layers '
        function off(a, b) { return a > b ? a - b : b - a }
        /^# Bandwidth/ { bandwidth = 1 }
        /^[0-9]/ {
            rows++
            each = bandwidth ? 2 : 3
            for (i = 3; i < NF; i += each) {
                ratio = bandwidth ? $i / $2 : $2 / $i
                if (off($(i + each - 1), ratio) > 0.01 || !bandwidth && off($(i + 1), $2 - $i) > 0.011)
                    bad = 1
            }
            if (NF != 2 + each * layers)
                bad = 1
        }
        END { exit rows != 4 || bad }' "$out" || fail "not as expected"
}

@test "layers: one sentence where a layer cannot be had" {
    nodes a b
    layers "$(launcher_file)" -m 8:8 "${brief[@]}"
    expect_status 0
    [[ $(grep -c '^# no memory: shared memory needs all ranks on one node; .*E28' "$out") -eq 2 ]] ||
        fail "not one sentence in either table"
    [[ $(awk '/^# Size/ { print $4 }' "$out" | sort -u) == TCP ]] || fail "a column of memory"
}

@test "layers: figures that fill their columns stay apart" {
    printf '#!/bin/sh\nprintf "# Alidade 0.1: ranks=2;\\n\\n# Size\\n8 1 123456789012345.00\\n"\n' >"$BATS_TEST_TMPDIR/large"
    chmod +x "$BATS_TEST_TMPDIR/large"
    layers "$BATS_TEST_TMPDIR/large"
    expect_status 0
    [[ $(grep -c '^8 ' "$out") -eq 2 && $(awk '/^8 / { n += NF } END { print n }' "$out") -eq 19 ]] || fail "run together"
}

@test "layers: what makes no sense is refused" {
    local arguments
    for arguments in --nonsense "$BATS_TEST_TMPDIR/nowhere" --launcher; do
        run_to_files "$ALIDADE_SOURCE/scripts/layers" "$arguments"
        echo "$arguments"
        [[ $status -ne 0 ]] || fail "accepted"
        [[ $(grep -c . "$err") -ge 1 ]] || fail "without a word"
    done
}

@test "UCX is loaded by the programs that use it, and by no others of the suite" {
    [[ $have_ucx == yes ]] || skip "this build has no UCX"
    local program
    for program in suite baseline/ucx_latency; do
        readelf -d "$ALIDADE_BUILD/mpi/$program" >"$BATS_TEST_TMPDIR/needed"
        ! grep -E 'NEEDED.*libuc[pst]\.' "$BATS_TEST_TMPDIR/needed" || fail "$program needs it"
    done
    launch 2 ucx_latency -m 8:8 -i 10 -x 1
    expect_status 0
    expect_sizes 8
}
