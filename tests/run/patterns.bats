#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# ring, exchange, random_ring, bisection: all ranks communicate at the same time.
# Exact values on known networks: simgrid.bats.  Who sends to whom: test_schedule.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 4 -x 1)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

@test "2 to 5 ranks: every row passes, also with more patterns than are kept apart" {
    local line words
    while read -r line; do
        read -ra words <<<"$line"
        launch "${words[@]}" -m 8:32 -c "${brief[@]}"
        echo "$line"
        expect_status 0
        expect_quiet
        expect_all_pass 3
        expect_figures
    done <<END
2 exchange
5 ring
5 exchange
2 random_ring --rings=40
5 random_ring --rings=3 --seed=9
2 bisection --pattern=shift
3 bisection --pattern=random:40
4 bisection --pattern=SHIFT
5 bisection --pattern=random:3 --seed=4
END
}

@test "one rank is too few; options that make no sense are E12, and name what does" {
    refusals <<'END'
77 E02 ring -m 8:8
77 E02 exchange -m 8:8
77 E02 random_ring -m 8:8
77 E02 bisection -m 8:8
1 E12 bisection --pattern=thirds|halves, shift, random:R
1 E12 bisection --pattern=halves:2
1 E12 bisection --pattern=random
1 E12 bisection --pattern=random:0
1 E12 bisection --pattern=random:1025
1 E12 bisection --pattern=random:3x
1 E12 bisection --rings=3
1 E12 bisection --seed=0
1 E12 bisection --pattern=shift --dry-run --ranks 2000|at most 1024 are possible; use --pattern=random:R
1 E12 random_ring --rings=0
1 E12 random_ring --rings=1025
1 E12 random_ring --seed=x
1 E12 random_ring --pattern=shift
1 E12 ring --seed=3
1 E12 exchange --rings=2
1 E43 ring -W 4
END
    direct bisection --pattern=shift --dry-run --ranks 1024
    expect_status 0
}

# wrong KIND RANK NTH BLOCK N PROGRAM ARGUMENT...: E14 names that block.
wrong() {
    local kind=$1 rank=$2 nth=$3 block=$4 n=$5 name=$6
    shift 6
    FAULT=$kind FAULT_RANK=$rank FAULT_BYTES=1000 FAULT_NTH=$nth \
        launch "$n" "$name" -m 1000:1000 "${brief[@]}" "$@"
    echo "$name: $kind on rank $rank"
    expect_wrong "$name" 1000 MPI_CHAR "rank=$rank; block=$block; "
}

@test "wrong data in any pattern, from any neighbor, are found" {
    preload=(plant)
    impatient=yes
    wrong byte 2 1 0 3 ring
    wrong byte 0 1 0 2 exchange
    wrong behind 1 2 1 3 exchange
    wrong byte 1 1 0 3 random_ring --rings=4
    wrong dropped 2 4 3 3 random_ring --rings=4
    wrong byte 1 1 0 2 bisection
    wrong byte 0 3 2 5 bisection --pattern=random:3
}

# A message takes 300 ms to be received in the third of three patterns, on rank 1.
@test "JSON: a slow ring or matching is found, with its slowest rank" {
    need_json
    local line words
    preload=(delay)
    export FAULT=recv FAULT_RANK=1 FAULT_BYTES=24 FAULT_US=300000 FAULT_PERIOD=3
    for line in "4 random_ring --rings=3" "4 bisection --pattern=shift"; do
        read -ra words <<<"$line"
        launch "${words[@]}" -m 24:24 -i 2 -x 0 --json "$json"
        echo "$line"
        expect_status 0
        check <<'END'
row, = d["rows"]
patterns = row["patterns"]
assert len(patterns) == 3, patterns
for number, pattern in enumerate(patterns):
    assert 0 <= pattern["slowest_rank"] < 4 and 0 <= pattern["sends_to"] < 4, pattern
    assert pattern["slowest_rank"] != pattern["sends_to"], pattern
    assert (pattern["slowest_us"] >= 299000) == (number == 2), patterns
assert patterns[2]["slowest_rank"] == 1, patterns
columns = row["columns"]
if d["benchmark"] == "random_ring":
    assert columns["worst_ring_us"] == patterns[2]["value"] >= 74000, row
    assert columns["median_ring_us"] == max(p["value"] for p in patterns[:2]), row
else:
    # 24 bytes each way.
    assert 0 < columns["slowest_pair_mb_per_s"] <= 48 / 299000, row
    assert columns["matching_25_mb_per_s"] == patterns[2]["value"], row
END
    done
}

@test "JSON: values and columns follow from the times, and method has the pattern" {
    need_json
    local line words
    for line in "3 ring" "3 exchange" "3 random_ring --rings=5 --seed=3" \
        "5 bisection --pattern=random:5 --seed=6"; do
        read -ra words <<<"$line"
        launch "${words[@]}" -m 4K:4K -f --json "$json" "${brief[@]}"
        echo "$line"
        expect_status 0
        expect_quiet W36 # bisection has no more columns
        check "$result_schema" <<'END'
try:
    import jsonschema
    schema = json.load(open(sys.argv[2]))
    jsonschema.validators.validator_for(schema)(schema).validate(d)
except ImportError:
    pass


def close(a, b):
    assert abs(a - b) <= 1e-8 * max(abs(a), abs(b)), (a, b)


name, method = d["benchmark"], d["method"]
row, = d["rows"]
columns, ranks = row["columns"], row["over_ranks"]
messages = {"ring": 2, "exchange": 4, "random_ring": 10}
if name in messages:
    close(columns["bandwidth_mb_per_s"], messages[name] * 4096 / ranks["max_us"])
    close(columns["latency_us"], ranks["mean_us"] / (5 if name == "random_ring" else 1))
    assert ranks["n"] == 3 and row["unit"] == "us", row
if name in ("ring", "exchange"):
    assert "patterns" not in row and "pattern_seed" not in method, d
    sys.exit()
values = sorted(pattern["value"] for pattern in row["patterns"])
assert len(values) == 5 and method["pattern_seed"] == {"random_ring": 3, "bisection": 6}[name]
if name == "random_ring":
    assert method["rings"] == 5, method
    assert columns["median_ring_us"] == values[2] and columns["worst_ring_us"] == values[4], row
else:
    assert method["pattern"] == "random:5" and method["pairs"] == 2, method
    # The last of five ranks has no partner.
    assert ranks["n"] == 4, ranks
    assert all(p["slowest_rank"] < 4 and p["sends_to"] < 4 for p in row["patterns"]), row
    close(row["value"], 5 * 2 * 2 * 4096 / ranks["mean_us"])
    # Nearest rank: the second, third and fourth of five.
    close(columns["matching_25_mb_per_s"], values[1])
    close(columns["matching_50_mb_per_s"], values[2])
    close(columns["matching_75_mb_per_s"], values[3])
    close(columns["slowest_pair_mb_per_s"],
          2 * 4096 / max(p["slowest_us"] for p in row["patterns"]))
END
    done
}

@test "--start=clock: a round is late if one of its patterns is, and the rest is measured" {
    launch 3 random_ring --rings=3 -m 8:8 -c --start=clock -i 30 -x 1
    # With more ranks than CPUs all may be late.
    [[ $status -eq 0 || $stderr == *" E19: "* ]] || fail "neither a figure nor too late"
    expect_out "start=clock;"
}
