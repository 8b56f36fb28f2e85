#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What was asked for is measured, or a message says why not.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

brief=(-i 2 -x 0)

# Lines "RANKS|SIZES|PROGRAM OPTION...|WORDS": these sizes have rows, in any section, and the others are named.
left_out() {
    cat <<END
2|100|allreduce --sizes=6,100,91322|rows left out=2; size=6,91322; their sizes are not whole
2|8 280 924|allreduce -m 8:10K:3.3|rows left out=4; size=26,85,3049,10061; their
3|4 8|reduce -m 1:8|rows left out=2; size=1,2; their sizes
2|8|latency -T mpi_double -m 1:8|rows left out=3; size=1,2,4; their sizes
2|1 2 4|latency -T mpi_char,mpi_double -m 4|rows left out=3; datatype=MPI_DOUBLE; size=1,2,4; their
2|3 8|latency -T mpi_char,mpi_double --sizes=3,8|rows left out=1; datatype=MPI_DOUBLE; size=3; their
2|8|acc_latency --sizes=6,8|rows left out=1; size=6; their
2|8|allreduce_guideline --sizes=6,8|rows left out=1; size=6; their
1|4 8|reduce_local --sizes=4,6,8|rows left out=1; size=6; their
4|8|impact --victim=latency --sizes=6,8,10|rows left out=2; operation=latency; size=6,10; their
2|32 128|halo --exchange=packed --sizes=32,33,128|rows left out=1; operation=packed; size=33; no block of whole cells
2|8|staged_latency -m 8:8|rows left out=1; operation=pipelined; size=8; only a message longer than --chunk
4|8|mbw_mr_mt -t 1,4 -m 8:8|rows left out=1; operation=processes; threads=4; size=8; each of these processes needs two
3|16|reduce_scatter -m 8:16|rows left out=1; size=8; a rank would have less than one element
2|8 16|latency -D vect:8:4 -m 4:16|rows left out=1; size=4; no stride or block of -D
2|8|completion --sizes=8|
END
    [[ $partitioned == no* ]] ||
        echo '2|16|partitioned_latency -q 8 --sizes=4,16|rows left out=1; size=4; a partition (-q) would end within an element'
}

# expect_recorded I SIZES WHY: file I has these sizes in its rows, and what WHY counts in left_out.
expect_recorded() {
    "$python3" - "$BATS_FILE_TMPDIR/$1.json" "$2" "$3" <<'END'
import json, re, sys

d = json.load(open(sys.argv[1]))
why = sys.argv[3]
count = int(re.match(r"rows left out=(\d+)", why).group(1)) if why else 0
assert sorted({row["bytes"] for row in d["rows"]}) == sorted(map(int, sys.argv[2].split())), d["rows"]
assert len(d["left_out"]) == count, d["left_out"]
for row in d["left_out"]:
    assert re.search(r"[=,]%d[,;]" % row["bytes"], why), row
    assert row["because"].startswith(why.rpartition("; ")[2]), row
END
}

@test "rows that do not fit in memory are in left_out, too" {
    need_json
    launch 2 latency --sizes=8,16,1T,2T "${brief[@]}" --json "$BATS_FILE_TMPDIR/large.json"
    expect_status 0
    expect_quiet W11
    expect_recorded large "8 16" "rows left out=2; size=1099511627776,2199023255552; their buffers do not fit in memory"
    # --dry-run marks them, and no other.
    direct latency --sizes=8,16,1T,2T --dry-run
    [[ $(sed -n 's/^\([0-9]*\) .* no rank fits here$/\1/p' "$out" | xargs) == "1099511627776 2199023255552" ]] || fail "$stdout"
}

@test "each row that was asked for is measured or named, with its reason; --dry-run says the same" {
    local n sizes words why i=0 json=()
    while IFS='|' read -r n sizes words why; do
        json=(--json "$BATS_FILE_TMPDIR/$((i + 1)).json")
        # shellcheck disable=SC2086  # words
        later "$((i += 1))" "$n" $words "${brief[@]}" "${json[@]}"
    done < <(left_out)
    together
    i=0
    while IFS='|' read -r n sizes words why; do
        recall "$((i += 1))"
        echo "$words"
        expect_status 0
        [[ $(awk '/^[0-9]/ { print $1 }' "$out" | sort -nu | xargs) == "$sizes" ]] || fail "other sizes"
        cp "$err" "$BATS_TEST_TMPDIR/run"
        expect_recorded "$i" "$sizes" "$why"
        # shellcheck disable=SC2086  # words
        direct $words --dry-run --ranks="$n"
        expect_status 0
        # shellcheck disable=SC2086  # words
        expect_sizes $sizes
        if [[ -n $why ]]; then
            [[ $(<"$err") == "# alidade: warning W31: ${words%% *}: $why"* ]] || fail "not said: $why"
            head -n 1 "$err" | grep -qxFf - "$BATS_TEST_TMPDIR/run" || fail "the run says something else"
        else
            [[ ! -s $err ]] || fail "nothing is left out"
        fi
    done < <(left_out)
}

@test "where no size is left, the reason is that of the largest" {
    direct reduce_scatter --ranks=8 -m :16 --dry-run
    expect_status 2
    expect_error E19
    expect_err "no row is left; rows left out=3; size=4,8,16; a rank would have less than one element"
}

@test "sizes that nobody named are no news: smaller than an element, within a chunk, without a block" {
    local words
    while read -r words; do
        # shellcheck disable=SC2086  # words
        direct $words --dry-run
        echo "$words"
        expect_status 0
        [[ ! -s $err ]] || fail "stderr is not empty"
    done <<END
allreduce
allreduce -m 1K
allreduce -m :1K
latency -T mpi_double
latency -T all -m 64
staged_latency
halo
mbw_mr_mt
match_queue --posted=1
impact --victim=bw --ranks=4
reduce_scatter --ranks=8
ireduce_scatter_block --ranks=8 -m :1K
END
}

@test "where all sizes are smaller than the element of reductions, OMB's type is measured" {
    launch 2 reduce -m 2 "${brief[@]}"
    expect_status 0
    expect_quiet
    expect_sizes 1 2
    expect_out "# Datatype: MPI_SIGNED_CHAR."
    direct allreduce --sizes=3 --dry-run
    expect_sizes 3
    direct allreduce -m 0:0 --dry-run
    expect_sizes 0
    direct reduce -m 2 -T mpi_float --dry-run
    expect_status 2
    expect_error E19
    expect_err "no row is left; rows left out=2; size=1,2; their sizes"
}

@test "an option that another leaves without effect is named: W36, in the run and in JSON" {
    local words option why
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    while IFS='|' read -r words option why; do
        # shellcheck disable=SC2086  # words
        launch 2 $words --json "$json"
        echo "$words"
        expect_status 0
        expect_quiet W36
        [[ $(messages "warning W36") -eq 1 ]] || fail "W36 not once"
        expect_err "W36: ${words%% *}: $option has no effect: $why"
        check "$option" <<'END'
assert d["method"]["ignored"] == [sys.argv[2]], d["method"]
END
    done <<END
latency -i 5 -x 2 --disturbed=leave-out -m 8:8|--disturbed|-i, -x or
latency --protocol=omb --budget=1s -m 8:8|--budget|-i, -x or
latency --sizes=8,16 -m 4:8 -i 5|--sizes|-m follows it
latency -m 4:8 --sizes=8,16 -i 5|-m|--sizes lists the sizes
latency -c -u 3 -m 8:8 -i 5|-u|verification needs no warm-up
bw -f -m 8:8 -i 5|-f|this program has no more columns
bisection --seed=4 -m 8:8 -i 5|--seed|without --pattern=random:R
END
    launch 2 latency -i 5 --disturbed=keep -m 8:8
    expect_quiet
    launch 2 mbw_mr -V -m 8:8 -i 5 --columns=median
    expect_err "W36: mbw_mr: --columns has no effect: the table of -V has other columns"
    direct latency --dry-run --json "$json" -m 8:8
    expect_err "W36: latency: --json has no effect: --dry-run measures nothing"
    direct pair_bw --seed=4 --dry-run --ranks=4 -m 8:8
    expect_err "W36: pair_bw: --seed has no effect: without --rounds"
    direct impact --congestor=none --congestor-size=8 --dry-run --ranks=4 -m 8:8
    expect_err "W36: impact: --congestor-size has no effect: --congestor=none sends nothing"
}

@test "sections of several types say their type" {
    local words
    while read -r words; do
        # shellcheck disable=SC2086  # words
        launch 2 $words -T mpi_char,mpi_int -m 8:8 "${brief[@]}"
        echo "$words"
        expect_status 0
        expect_out "# Operation: "
        [[ $(grep '^# ' "$out" | grep -c 'Datatype: MPI_CHAR\|Datatype: MPI_INT') -eq $(grep -c '^8 ' "$out") ]] || fail "a section without its type"
        [[ -n $(tail -n 1 "$out") ]] || fail "ends with an empty line"
    done <<END
match_queue --posted=1
mbw_mr_mt -t 1
END
}

@test "no number of a user wraps: -N, -D, lists and files" {
    local file=$BATS_TEST_TMPDIR/graph grid
    echo 4294967297,0 >"$file"
    launch 3 neighbor_alltoall -N "graph:$file" -m 8:8
    expect_status 1
    expect_err "line 1 is not SRC,DST with ranks from 0 to 2: '4294967297,0'"
    for grid in 4294967297:1 1:4294967297 1:18446744073709551617; do
        launch 3 neighbor_alltoall -N "cart:$grid" -m 8:8
        expect_status 1
        expect_err "-N 'cart:$grid' is neither cart:DIMENSIONS:RADIUS"
    done
    refusals <<END
1 E12 latency -D vect:4294967298:4294967297|stride above
1 E12 latency -D vect:8:18446744073709551617|
1 E43 allreduce --counts=zero:0x10|
1 E12 bisection --pattern=random:4294967297|
1 E12 put_latency --target=asleep:18446744073709551617|
END
}
