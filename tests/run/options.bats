#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Options that choose sizes and their order, memory, clock and start: they do
# what they say on every program that takes them, and data stay right.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

# --- Which sizes, in what order ----------------------------------------------

@test "--order=random: every size once, the same from one seed, another from another; up and down" {
    local first
    later up 2 latency -m 1:64 --order=up "${brief[@]}"
    later down 2 latency -m 1:64 --order=down "${brief[@]}"
    later other 2 latency -m 1:4K --order=random:6 "${brief[@]}"
    later same 2 bw -m 1:4K --order=random:5 "${brief[@]}"
    later first 2 latency -m 1:4K -c --order=random:5 "${brief[@]}"
    all_good
    expect_all_pass 13
    first=$(sizes)
    [[ $(tr ' ' '\n' <<<"$first" | sort -n | xargs) == "1 2 4 8 16 32 64 128 256 512 1024 2048 4096" ]] ||
        fail "not every size once"
    recall same
    expect_sizes "$first"
    recall other
    [[ $(sizes) != "$first" ]] || fail "the same order from another seed"
    recall up
    expect_sizes 1 2 4 8 16 32 64
    recall down
    expect_sizes 64 32 16 8 4 2 1
}

@test "--order=random: the seed is in the JSON and leads to the same order" {
    need_json
    local first seed
    launch 2 latency -m 1:4K --order=random "${brief[@]}" --json "$json"
    expect_status 0
    first=$(sizes)
    seed=$("$python3" -c 'import json, sys; print(json.load(open(sys.argv[1]))["method"]["seed"])' "$json")
    launch 2 latency -m 1:4K --order="random:$seed" "${brief[@]}" --json "$json"
    expect_status 0
    [[ $(sizes) == "$first" ]] || fail "seed $seed leads to another order"
    check "$seed" <<'END'
assert d["method"]["order"] == "random" and d["method"]["seed"] == int(sys.argv[2]), d["method"]
END
}

@test "--order with several types: one heading for each, its sizes together" {
    local order
    for order in down random:7; do
        later "$order" 2 latency -m 8:64 -T all -c --order="$order" "${brief[@]}"
    done
    all_good 'expect_all_pass 20' '[[ $(grep -c "^# Datatype: " "$out") -eq 5 ]]' together_by_type
}

together_by_type() {
    awk '/^# Datatype/ { if (n && n != 4) bad = 1; n = 0; split("", seen) }
        /^[0-9]/ { n++; if (seen[$1]++) bad = 1 }
        END { exit bad || n != 4 }' "$out"
}

@test "--dry-run names pools among the memory" {
    direct latency --dry-run -m 8:8 --buffers=rotate:1M
    [[ $(column 2) == 2MiB ]] || fail "not two pools"
}

@test "--dry-run: rows, free memory; ranks it cannot run on" {
    local name large ranks
    direct latency --dry-run -m 4:16 -T all
    # 4 8 16 of a byte, an int, a float; 8 16 of the two of eight bytes
    expect_out "# rows=13; memory free here="
    direct latency --dry-run --ranks 3
    expect_status 77
    expect_error E02
    for name in $(programs); do
        [[ ${rule_of[$name]} != two && ${family_of[$name]} != application ]] || continue
        large=() # enough for an element on every rank
        ! deals_out "$name" || large=(-m 8M:8M)
        # Of all pairs a matrix is kept.
        ranks=1000000
        [[ $name != pair_* ]] || ranks=4096
        echo "$name --dry-run --ranks $ranks ${large[*]}"
    done >"$BATS_TEST_TMPDIR/lines"
    direct suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    expect_out "skipped=0; failed=0; "
    [[ $(grep -c '^# [a-z_]* on 1000000 ranks' "$out") -gt 60 ]] || fail "not of all"
    refuse_out " -"
    refuse_out "nan"
}

@test "pools count in the memory plan" {
    impatient=yes
    cases <<'END'
| launch 2 latency -m 8:8 --buffers=rotate:1T "${brief[@]}" | 2 | $ expect_error E10 && $ expect_no_out
| launch 2 latency -m 8:8 --buffers=rotate:1M -M 1M "${brief[@]}" | 2 | $ expect_error E10
END
}

# Those of the other programs are in doc/options.md.
@test "default sizes of OMB's programs: 1 B to 4 MiB for pairs and windows, to 1 MiB for collectives" {
    local name first last
    mkdir "$BATS_TEST_TMPDIR/plan"
    direct suite all -- --dry-run
    awk -v to="$BATS_TEST_TMPDIR/plan/" '/^# [a-z_0-9]+ on [0-9]+ ranks?/ { close(to name); name = $2 } { print >(to name) }' "$out"
    for name in $(programs); do
        takes_sizes "$name" && has_word "$name" OF_OMB || continue
        # Sums are of floats, and dealt out on two ranks.
        first="1 2 4 "
        ! takes_sums "$name" || first="4 8 "
        ! deals_out "$name" || first="8 16 "
        last=4194304
        [[ ${family_of[$name]} != collective ]] || last=1048576
        out=$BATS_TEST_TMPDIR/plan/$name
        echo "$name"
        [[ $(sizes) == "$first"*" $last" ]] || fail "not from $first to $last"
    done
}

# --- Memory ------------------------------------------------------------------

@test "pools smaller than a message, few pages, and one as large as the caches ask for" {
    local name
    for name in latency bw mbw_mr allreduce alltoall iallreduce; do
        later "$name" 2 "$name" -m 28:1024:6 --buffers=rotate:10 -c -i 7 -x 3
    done
    later large 2 latency -m 8:64K:8192 --buffers=rotate -c -i 5 -x 1
    all_good 'expect_all_pass "$(grep -c "^[0-9]" "$out")"'
    expect_all_pass 2
}

@test "--buffers=rotate, until precise: all ranks end" {
    local name
    for name in latency bw mbw_mr allreduce iallreduce alltoallv; do
        later "$name" 2 "$name" -m 64K:64K --buffers=rotate:1M --timeout 20 --budget 5ms
    done
    all_good expect_figures
}

@test "--buffers=rotate: more memory than the last cache holds" {
    need_json
    [[ $have_hwloc == yes ]] || skip "this build has no hwloc"
    local caches
    unset HWLOC_COMPONENTS
    for caches in "l3:1(size=5000000) l2:1(size=1000000)" "l2:1(size=3000000)"; do
        HWLOC_THISSYSTEM=1 HWLOC_SYNTHETIC="pack:1 $caches core:2 pu:1" \
            launch 2 latency -m 64K:64K --buffers=rotate "${brief[@]}" --json "$json"
        expect_status 0
        check <<'END'
cache = d["environment"]["hardware"].get("l3_bytes") or 3000000
# Twice as much, shared by two ranks.
assert d["method"]["pool_bytes"] == cache, (d["method"], d["environment"]["hardware"])
END
    done
}

@test "the JSON says which memory was used" {
    need_json
    launch 2 latency -m 8:8 --buffers=rotate:1M --touch "${brief[@]}" --json "$json"
    expect_status 0
    check <<'END'
method = d["method"]
assert (method["buffers"], method["touch"], method["pool_bytes"]) == ("rotate", True, 1 << 20), method
END
    launch 2 latency -m 8:8 "${brief[@]}" --json "$json"
    check <<'END'
method = d["method"]
assert (method["buffers"], method["touch"]) == ("reuse", False), method
assert "pool_bytes" not in method, method
END
}

@test "D D, H H and lower case after the options: measured on the host, W05 once" {
    [[ $have_cuda == no || ! -e /dev/nvidiactl ]] || skip "this machine has a GPU"
    cases <<'END'
| launch 2 latency -m 8:8 "${brief[@]}" D D | 0 | $ expect_quiet W05 && $ [[ $(messages "warning W05") -eq 1 ]] && mem=H-H;
| launch 2 put_latency -m 8:8 "${brief[@]}" h h | 0 | $ expect_quiet
| launch 2 latency -m 8:8 "${brief[@]}" H HH | 0 |
END
}

# Four equal columns would be taken for a comparison of memories.
@test "H D, D H, MD D: two memories are not measured as one; E05 and 77" {
    [[ $have_cuda == no || ! -e /dev/nvidiactl ]] || skip "this machine has a GPU"
    local words
    for words in "H D" "d h" "MD D" "HH D"; do
        # shellcheck disable=SC2086  # two words
        launch 2 latency -m 8:8 "${brief[@]}" $words
        echo "$words"
        expect_status 77
        expect_error E05
        expect_no_out
    done
}

# --- Clock and start ---------------------------------------------------------

@test "--clock: each one measures, and is named in the JSON" {
    need_json
    local kind
    for kind in auto posix mpi tsc; do
        impatient=yes
        launch 2 latency -m 8:8 --budget 5ms --clock="$kind" --json "$json"
        if [[ $kind == tsc && $status -eq 77 ]]; then
            expect_error E23
            continue
        fi
        echo "--clock=$kind"
        expect_status 0
        expect_figures
        check "$kind" <<'END'
names = {"auto": ("TSC", "CLOCK_MONOTONIC"), "tsc": ("TSC",),
         "posix": ("CLOCK_MONOTONIC",), "mpi": ("MPI_Wtime",)}
kind = sys.argv[2]
clock = d["environment"]["clock"]
assert d["method"]["clock"] == kind, d["method"]
assert clock["name"] in names[kind], clock
assert 0 < clock["tick_ns"] <= clock["resolution_ns"] < 1e6 and 0 < clock["cost_ns"] < 1e5, clock
END
    done
}

@test "--start=clock: no iteration is lost sight of, of collectives of each kind and of latency" {
    need_json
    local name n options
    json=$BATS_TEST_TMPDIR/latency.2.json
    for name in latency.2 allreduce.2 allreduce.3 allreduce.4 iallreduce.3 allreduce_persistent.3 barrier.3 ibarrier.3 \
        bcast.3 gather.3 neighbor_alltoall.3; do
        n=${name#*.} options=(-i 20 -x 2)
        [[ $name != allreduce_persistent.3 || $persistent != no* ]] || continue
        takes_sizes "${name%.*}" && options+=(-m 16:16 -c)
        later "$name" "$n" "${name%.*}" --start=clock "${options[@]}" --json "$BATS_TEST_TMPDIR/$name.json"
    done
    together
    for name in "${ran[@]}"; do
        recall "$name"
        # Nothing is printed where every iteration was late.
        if [[ $status -ne 2 ]]; then
            expect_status 0
            expect_quiet
        fi
        expect_out "start=clock;"
    done
    check "$BATS_TEST_TMPDIR"/*.[234].json <<'END'
assert len(sys.argv) > 10
for path in sys.argv[2:]:
    d = json.load(open(path))
    assert d["method"]["start"] == "clock", d["method"]
    assert d["environment"]["synchronization"]["method"] == "shared", d["environment"]
    for row in d["rows"]:
        # An overlapped operation is measured twice; late iterations are those of both.
        dropped = 20 - row["iterations"]
        assert dropped == row["late_iterations"] or "overlap" in row and (
            dropped <= row["late_iterations"] <= dropped + 20), (path, row)
        assert row["iterations"] == row["over_iterations"]["n"] * row["stride"], (path, row)
        assert row["iterations"] > 0 or row["suspect"], (path, row)
END
}

# --- How long ----------------------------------------------------------------

# expect_row N WORD...: from column N on the only row has these words.
expect_row() {
    local i=$1 word
    shift
    for word; do
        [[ $(column "$i") == "$word" ]] || fail "column $i is $(column "$i"), not $word"
        i=$((i + 1))
    done
}

@test "-i is exact, however many; -x alone gives OMB's iterations" {
    # Of one rank, as two that wait for each other need minutes on a busy machine.
    cases <<'END'
| launch 1 reduce_local -m 8:8 -i 200000 -x 10 --columns iterations,samples,stop | 0 | $ expect_row 4 200000 200000 count
| launch 2 allreduce -m 8:8 -x 10 --columns iterations,stop | 0 | $ expect_row 3 1000 count
END
}

# Of one rank a sample is several iterations, however busy the machine is.
@test "without -i and -x there is no limit of samples; with -z each is an iteration" {
    cases <<'END'
| launch 1 reduce_local -m 8:8 -z99 --budget 1s --precision 0.0001% --columns iterations,samples,stop | 0 | $ [[ $(column 7) == budget ]] && $ [[ $(column 5) -gt 20000 ]] && $ [[ $(column 5) -eq $(column 6) ]]
END
}

@test "without -i and -x: rows are measured until precise or out of budget" {
    # A busy machine may leave too little of three budgets for 20.  All iterations together
    # have not taken longer than the run.
    within() { awk -v s="$1" '/^8 / { exit !($4 > $5 && 1e-6 * $2 * $4 <= s) }' "$out" || fail "longer than $1 s"; }
    cases <<'END'
| launch 2 latency -m 8:8 --budget 100ms --columns iterations,samples,stop | 0 | $ expect_quiet && $ [[ $(column 3) -ge 3 ]] && $ [[ $(column 5) =~ ^(precision|budget|enough)$ ]]
| launch 2 allreduce -m 8:8 --budget 100ms --columns iterations,stop | 0 | $ [[ $(column 3) -ge 3 ]]
SECONDS=0 | launch 1 reduce_local -m 8:8 --budget 1s --precision 0.0001% --columns iterations,samples | 0 | $ within $((SECONDS + 1))
END
}

@test "--start library, --total, --precision work" {
    # In no time at all the first row is the only one that may begin.
    cases <<'END'
| launch 2 bcast --start library -c -m 8:64 "${brief[@]}" | 0 | $ expect_out "start=library;"
| launch 2 latency --precision 50% --total 10s -m 8:8 | 0 | $ expect_sizes 8
| launch 2 latency --total 1ms -m 8:64 -i 2000 -x 2000 | 0 | $ [[ $(sizes) == 8* ]] && $ [[ $(sizes) != *64 ]]
END
}

# expect_left_out PATTERN: of the words after the table, which name the rows that are not in it.
expect_left_out() {
    local said
    said=$(sed -n 's/^# [a-z_]*: left out: \([0-9]* of [0-9]* rows\); --total was over;/\1/p' "$err")
    # shellcheck disable=SC2053  # a pattern
    [[ $said == $1 ]] || fail "left out: '$said', not '$1'"
}

@test "rows that --total leaves out are named after the table" {
    # For the first row there is always time.
    cases <<'END'
| launch 2 latency --total 100s -m 8:64 -i 2 -x 0 | 0 | $ expect_left_out ''
| launch 2 latency --total 1us -m 8:64 -i 2 -x 0 | 0 | $ expect_sizes 8 && $ ends_with_row && $ expect_left_out '3 of 4 rows size=16,32,64;*'
| launch 2 latency --total 1ms -m 8:64 -T mpi_char,mpi_int --budget 50ms --order=down | 0 | $ [[ $(sizes) == 64 ]] && $ expect_left_out '7 of 8 rows datatype=MPI_CHAR; size=32,16,8; datatype=MPI_INT; size=64,32,16,8;*'
| launch 3 comm_create --total 1ms --budget 50ms | 0 | $ expect_left_out '*; ranks=3; operation=*; ranks=2,3;*'
END
}

@test "rows that --total leaves out are in JSON" {
    local json=$BATS_TEST_TMPDIR/x.json
    need_json
    launch 2 bw_queue --queue-depth=4,8 --total 1ms -m 8:16 --budget 50ms --json "$json"
    check <<'END'
assert not d["exit"]["complete"] and len(d["rows"]) == 1, d["exit"]
assert d["left_out"] == [
    {"because": "--total was over", "row": "%d MPI_CHAR window=64 queue_depth=%d ranks=2" % (bytes, depth), "unit": "MB/s",
     "ranks": 2, "window": 64, "bytes": bytes, "datatype": "MPI_CHAR", "queue_depth": depth}
    for depth, bytes in ((4, 16), (8, 8), (8, 16))], d["left_out"]
END
}

# --- Refusals ----------------------------------------------------------------

@test "-a and -r cpu are taken where -t is; -r gpu and both cannot run here" {
    cases <<'END'
| launch 2 iallreduce -a 64 -r cpu -c -m 8:8 "${brief[@]}" | 0 | $ expect_quiet W36 && W36: iallreduce: no effect here: -a && $ expect_out " Pass"
preload=(noinit) | direct iallreduce -r gpu | 77 | $ expect_error E05 && -r, --compute: 
preload=(noinit) | direct iallreduce -r both | 77 | $ expect_error E05 && -r, --compute: 
END
}
