#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# pair_bw: bandwidths of all pairs of ranks.  A rank takes some milliseconds to send a
# message, and more to a partner that is known beforehand.  Exact values on known networks:
# simgrid.bats.  How ranks are judged: test_stragglers, pair_matrix.bats.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 4 -x 1)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

outliers() {
    grep '^# Outliers: ' "$out"
}

@test "all ways to meet: every row passes, and names typical pairs and outliers" {
    local line words form
    form='none|(rank=[0-4]; host=[^ ;]+|ranks=[0-4],[0-4]; hosts=[^ ;]+); path=same-[a-z]+; 0\.[0-9]{2} times typical, (only this pair|in [1-4] of [1-4] pairs)'
    while read -r line; do
        read -ra words <<<"$line"
        later "${line// /_}" "${words[0]}" pair_bw -m 8:32 -c "${brief[@]}" "${words[@]:1}"
    done <<'END'
3
4 --ways=both -W 2
5 --alone
5 --alone --ways=BOTH -b multiple
4 -W 1 --rounds=2
5 -W 1
5 --rounds=3 --seed=7 -W 3
3 --protocol omb
3 --buffers=rotate:64K --touch
3 -D vect:4:2
END
    together
    for line in "${ran[@]}"; do
        recall "$line"
        expect_status 0
        expect_quiet
        expect_all_pass 3
        expect_figures
        [[ $(grep -Ec '^# Pairs: size=(8|16|32); path=same-[a-z]+; pairs=[0-9]+; typical=[0-9]+\.[0-9]{2} MB/s;$' "$out") -eq 3 ]] ||
            fail "nothing typical of some size"
        ! outliers | grep -Ev "^# Outliers: size=[0-9]+; ($form);$" || fail "another form"
    done
}

@test "wrong data from any partner, in any message, are found" {
    local line words
    preload=(plant)
    impatient=yes
    # Fault, rank, message of its first meeting, ranks, the first wrong block.
    while read -r line; do
        read -ra words <<<"$line"
        FAULT=${words[0]} FAULT_RANK=${words[1]} FAULT_BYTES=1000 FAULT_NTH=${words[2]} \
            launch "${words[3]}" pair_bw -m 1000:1000 -W 4 "${brief[@]}" "${words[@]:5}"
        echo "$line"
        expect_wrong pair_bw 1000 MPI_CHAR "rank=${words[1]}; block=${words[4]}; "
    done <<'END'
byte 0 1 4 0
byte 1 2 4 1
dropped 3 3 4 2
byte 2 1 5 0 --alone
byte 4 2 5 1 --ways=both
byte 1 4 5 3
byte 1 3 4 2 --rounds=2
END
}

# Every message takes 40 ms to be sent; from rank 1 to rank 3 it takes 400 ms.
pair_is_slow() {
    preload=(delay)
    export FAULT=send FAULT_RANK=-1 FAULT_BYTES=24 FAULT_US=600000 FAULT_BASE_US=60000
    ranks FAULT_PEER 99 3 99 99
    launch 4 pair_bw -m 24:24 -W 1 -i 3 -x 0 "$@"
    expect_status 0
}

@test "a pair that takes longer is named, and nobody else" {
    local how
    for how in --ways=one --alone; do
        wrapper=()
        pair_is_slow "$how"
        # A busy machine can make a rank slower by some percent.
        [[ $(outliers | grep -v '; 0\.[5-9][0-9] times typical') =~ ^'# Outliers: size=24; ranks=1,3; hosts='[^\ ]+'; path='same-[a-z]+'; 0.'[12][0-9]' times typical, only this pair;'$ ]] ||
            fail "not only that pair"
    done
}

@test "JSON: each pair in its direction, the slowest one, and what was asked for" {
    need_json
    pair_is_slow --json "$json"
    check <<'END'
row, = d["rows"]
pairs = row["pairs"]
matrix = pairs["matrix_mb_per_s"]
assert pairs["ranks"] == [0, 1, 2, 3] and len(pairs["hosts"]) == 4, pairs
# A link of 24 bytes in 40 ms, or in 400.
for i, line in enumerate(matrix):
    for j, value in enumerate(line):
        assert (value is None) == (i == j), matrix
        if i != j:
            assert (value <= 24 / 399000) == ((i, j) == (1, 3)) and value <= 24 / 39000, matrix
path, = pairs["paths"]
assert path["pairs"] == 6 and path["slow_below_mb_per_s"] < path["typical_mb_per_s"] <= 24 / 39000
assert pairs["slowest_pair"] == {"mb_per_s": matrix[1][3], "rank": 1, "partner": 3}, pairs
# Of three iterations each is a part of the row.
tenth = pairs["slowest_tenth"]
assert (tenth["rank"], tenth["partner"]) == (1, 3) and tenth["mb_per_s"] <= matrix[1][3], pairs
columns = row["columns"]
assert columns["slowest_pair_mb_per_s"] == matrix[1][3], columns
assert columns["slowest_tenth_mb_per_s"] == tenth["mb_per_s"], columns
assert row["value"] == columns["bandwidth_mb_per_s"], columns
assert abs(row["value"] / (3 * 24 / row["over_ranks"]["mean_us"]) - 1) < 1e-8, row
method = d["method"]
assert method["ways"] == "one" and method["alone"] is False and method["rounds"] is None, method
assert method["every"] == "rank" and method["pattern_seed"] == 1 and method["pairs"] == 2, method
assert [(s["rank"], s["partner"]) for s in pairs["slow"]] == [(1, 3)], pairs
END
}

@test "--rounds: the pairs of the seed, and none twice" {
    need_json
    local run met=()
    for run in 1 1.again 2 3; do
        later "$run" 5 pair_bw -m 8:8 "${brief[@]}" --rounds=2 --seed="${run%.*}" --json "$BATS_TEST_TMPDIR/$run.json"
    done
    together
    for run in 1 1.again 2 3; do
        recall "$run"
        expect_status 0
        json=$BATS_TEST_TMPDIR/$run.json
        check <<'END'
pairs = d["rows"][0]["pairs"]
matrix = pairs["matrix_mb_per_s"]
met = [(i, j) for i in range(5) for j in range(5) if matrix[i][j] is not None]
assert len(met) == 2 * 2 * 2 and all((j, i) in met for i, j in met), matrix
assert pairs["paths"][0]["pairs"] == 4 and d["method"]["rounds"] == 2, d
END
        met+=("$("$python3" -c 'import json, sys
print([[x is None for x in line] for line in json.load(open(sys.argv[1]))["rows"][0]["pairs"]["matrix_mb_per_s"]])' "$json")")
    done
    printf '%s\n' "${met[@]}"
    [[ ${met[0]} == "${met[1]}" && $(printf '%s\n' "${met[@]}" | sort -u | wc -l) -eq 3 ]] ||
        fail "not the pairs of the seed"
}

@test "--every=node: the first rank of each node, over the paths between them" {
    need_json
    ranks ALIDADE_NODE_ID a a b c c
    launch 5 pair_bw -m 8:8 -c "${brief[@]}" --every=node --json "$json"
    expect_status 0
    expect_all_pass 1
    expect_out "path=inter-node;"
    expect_out "# Pairs: size=8; path=inter-node; pairs=3; "
    check <<'END'
pairs = d["rows"][0]["pairs"]
assert pairs["ranks"] == [0, 2, 3] and len(pairs["matrix_mb_per_s"]) == 3, pairs
assert d["rows"][0]["over_ranks"]["n"] == 3, d
assert pairs["slowest_pair"]["rank"] in (0, 2, 3), pairs
END
    launch 3 pair_bw -m 8:8 --every=node
    expect_status 77
    expect_error E02
    expect_err "--every=node needs at least 3 nodes; found: 2"
}

@test "two ranks are no matrix; options that make no sense are E12" {
    launch 2 pair_bw -m 8:8
    expect_status 77
    refusals <<'END'
1 E12 pair_bw --ways=none
1 E12 pair_bw --rounds=0
1 E12 pair_bw --seed=0
1 E12 pair_bw --every=core
1 E12 pair_bw --every=gpu
1 E12 pair_bw -W 0
1 E43 pair_bw -V
1 E12 pair_matrix --alone
END
}
