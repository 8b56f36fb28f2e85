#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# halo: every cell of every halo is right, in every way, on grids of every shape; and
# a wrong one is found, also in a corner.
# shellcheck disable=SC2030,SC2031,SC2154  # variables shared with common.bash

load common

brief=(-i 2 -x 0)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
    ways=5 left_out=()
    # Open MPI 5 has partitioned communication, but none that always completes.
    [[ $("$mpirun" --version) != *"(Open MPI) 5."* ]] || partitioned=no
    if [[ $partitioned == no* ]]; then
        ways=4 left_out=(W31)
    fi
}

# halo RANKS SIZES OPTION...: these sizes in each section, and all rows pass.
halo() {
    local n=$1 all=() i
    for ((i = 0; i < ways; i++)); do
        # shellcheck disable=SC2206  # words
        all+=($2)
    done
    shift 2
    launch "$n" halo -c "${brief[@]}" "$@"
    echo "halo on $n ranks: $*"
    expect_status 0
    expect_quiet "${left_out[@]}" W31
    expect_figures
    expect_sizes "${all[@]}"
    expect_all_pass ${#all[@]}
}

@test "two dimensions: extents of 1, 2, 3 and 5; wide halos, odd blocks; periodic and bounded" {
    halo 2 "8 16 32" --grid=2 -m 8:32
    expect_out "# Grid: 2x1 ranks, periodic; halo: full box, width 1, messages to 8 sides"$'\n'
    expect_out "# Block: L^2 doubles; Size: bytes of one layer of a face, 8 L"$'\n'
    halo 3 "16 32" --grid=3x1 -m 8:32 --faces --width=2
    expect_out "# Grid: 3x1 ranks, periodic; halo: faces, width 2, messages to 4 sides"$'\n'
    halo 5 "24 40 48 56" --grid=1x5 --sizes=24,40,48,56 --bounded --width=3
    expect_out "# Grid: 1x5 ranks, bounded;"
}

@test "three dimensions: extents of 1 and 2; sizes that have no block are left out" {
    halo 4 "32 128" -m 8:128 --width=2
    expect_out "# Grid: 2x2x1 ranks, periodic; halo: full box, width 2, messages to 26 sides"$'\n'
    expect_out "# Block: L^3 doubles; Size: bytes of one layer of a face, 8 L^2"$'\n'
    halo 4 72 --grid=1x4x1 -m 72:72 --faces --bounded
}

# wrong FAULT NTH BYTES SIZE: in that message, or 0: in all, of so many bytes; lines "WAY|WORDS".
wrong() {
    local way seen
    # shellcheck disable=SC2034  # read by launch
    preload=(plant)
    export FAULT=$1 FAULT_NTH=$2 FAULT_BYTES=$3
    while IFS='|' read -r way seen; do
        [[ $way != partitioned || $partitioned != no* ]] || continue
        echo "halo --grid=2x1 --width=5 -m $4:$4 ${brief[*]} --exchange=$way|size=$4; |type=MPI_DOUBLE; |rank=|$seen"
    done >"$BATS_TEST_TMPDIR/ways"
    echo "$1 in $3 bytes"
    wrong_data 2 <"$BATS_TEST_TMPDIR/ways"
}

# Corners have 200 bytes, and so have the faces of a block of 5 x 5 cells.  Entry 12 of
# its array is in the corner on side 2.  The last message is that of side 0.  Six sides are
# those of the other rank, with 1600 bytes in all in a block of 10 x 10 cells.
@test "one wrong cell in a corner, or in a face, is found in every way" {
    wrong byte 8 200 40 <<'END'
subarray|1; block=2; cell=12; expected=3;|wrong on this rank=1; ranks wrong=1 of 2;
persistent|1; block=2; cell=12; expected=3;|wrong on this rank=1; ranks wrong=1 of 2;
packed|1; block=0; cell=32; expected=13;|wrong on this rank=1; ranks wrong=1 of 2;
partitioned|1; block=0; cell=32; expected=13;|wrong on this rank=1; ranks wrong=1 of 2;
END
    wrong byte 4 400 80 <<<'packed|1; block=1; cell=50;'
    # What is no halo has changed.
    FAULT_AT=2400 wrong byte 1 1600 80 <<<'neighbor|1; block=6; cell=300;'
}

@test "what does not go together is refused, with the reason" {
    refusals <<'END'
1 E12 halo --dry-run --ranks 4 --grid=4|is none of 2, 3, PxQ and PxQxR (example: 4x2)
1 E12 halo --dry-run --ranks 4 --exchange=packed,sent|is not one of
1 E12 halo --dry-run --ranks 4 --exchange=fence|is not one of
1 E12 halo --dry-run --ranks 4 -m 1000:1000|-m: no size is 8 L^2 bytes, the layer of a face
1 E12 halo --dry-run --ranks 4 -m 8:32 --width=3|with L >= --width; for example 8, 32, 128, 512
1 E12 halo --dry-run --ranks 4 --grid=2 -m 8:16 --width=3|-m: no size is 8 L bytes
77 E02 halo --dry-run --ranks 4 --grid=3x2|--grid needs 6 ranks; given: 4
77 E02 halo --dry-run --ranks 1
END
    direct halo --dry-run --ranks 1000000
    expect_status 0
}

@test "without partitioned communication: W31 if there are others, E18 and 77 alone" {
    [[ $partitioned == no* ]] || skip "this MPI has it"
    launch 2 halo --grid=2 -m 8:8 "${brief[@]}" --exchange=packed,partitioned
    expect_status 0
    expect_quiet W31
    expect_err "section=partitioned; this MPI library has no partitioned communication"
    expect_sizes 8
    launch 2 halo --grid=2 -m 8:8 "${brief[@]}" --exchange=partitioned
    expect_status 77
    expect_error E18
}

@test "--compute: sections, the share of the full rate, and the comparison of each" {
    need_json
    launch 2 halo --grid=2x1 -m 64:128 -i 20 -x 2 -f --compute=0,400 --exchange=subarray,packed \
        --exchange=neighbor --bounded --json "$json" --csv "$BATS_TEST_TMPDIR/csv"
    expect_status 0
    [[ $(cut -d, -f5,8,9 "$BATS_TEST_TMPDIR/csv" | sed -n '1p;4,5p' | tr '\n' ' ') == \
        "bytes,operation,compute_percent 64,subarray,400 128,subarray,400 " ]] ||
        fail "CSV: $(<"$BATS_TEST_TMPDIR/csv")"
    [[ $(grep -c '^# Computation in percent of the exchange: 0\.$' "$out") -eq 4 ]] || fail "headings"
    [[ $(grep -c '^# Side by side' "$out") -eq 2 ]] || fail "comparisons"
    check <<'END'
assert d["method"]["grid"] == [2, 1] and d["method"]["bounded"] and not d["method"]["faces"]
assert d["method"]["width"] == 1
assert [(row["operation"], row["compute_percent"], row["bytes"]) for row in d["rows"]] == [
    (way, share, size) for way in ("subarray", "packed", "neighbor") for share in (0, 400)
    for size in (64, 128)]
for row in d["rows"]:
    columns, mean = row["columns"], row["over_ranks"]["mean_us"]
    # Of two ranks next to each other in a bounded grid each has one face to send.
    assert row["halo"] == {"edge": row["bytes"] // 8, "messages": 8, "payload_bytes": row["bytes"]}
    assert abs(columns["rank_mb_per_s"] - row["bytes"] / mean) <= 1e-6 * row["bytes"] / mean
    assert columns["latency_us"] == mean
    if row["compute_percent"] == 0:
        assert columns["of_full_percent"] == 100 and "overlap" not in row
    else:
        assert abs(columns["of_full_percent"] - 100 * row["overlap"]["pure_us"] / mean) < 1e-6 * 100
        assert row["overlap"]["compute_us"] > 0
END
}
