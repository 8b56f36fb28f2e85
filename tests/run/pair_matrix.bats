#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# pair_matrix, hosts: times of all pairs of ranks or of hosts, and who is slow, where that is known
# beforehand: each rank takes some milliseconds to receive, and one takes more.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

# receiving US...: what each rank takes to receive a message of 24 bytes.
receiving() {
    preload=(delay)
    export FAULT=recv FAULT_RANK=-1 FAULT_BYTES=24
    ranks FAULT_US "$@"
}

# Lines after the table that are about outliers.
slow() {
    grep '^# Outliers: ' "$out"
}

# slow_are PATTERN N: all that is said of slow ones.  What is planted is far more than
# the some ms for which a rank may be pushed off its processor.
slow_are() {
    launch "$2" pair_matrix -m 24:24 -i 3 -x 0
    expect_status 0
    [[ $(slow) =~ ^$1$ ]] || fail "slow are not only: $1"
}

@test "every size: the typical pair and the outliers, after the table" {
    local n size
    for n in 3 5; do
        launch "$n" pair_matrix -m 4:16 -c -i 5 -x 1
        expect_status 0
        expect_quiet
        expect_all_pass 3
        expect_figures
        for size in 4 8 16; do
            grep -Eq "^# Pairs: size=$size; path=same-[a-z]+; pairs=$((n * (n - 1) / 2)); typical=[0-9]+\.[0-9]{2} us;$" "$out" ||
                fail "nothing usual of $size"
            grep -q "^# Outliers: size=$size; " "$out" || fail "nothing of slow ones of $size"
        done
        ! slow | grep -Ev '^# Outliers: size=[0-9]+; (none|(rank=[0-4]; host=[^ ;]+|ranks=[0-4],[0-4]; hosts=[^ ;]+); path=same-[a-z]+; [0-9]+\.[0-9]{2} times typical, (only this pair|in [1-4] of [1-4] pairs));$' ||
            fail "another form"
        ! sed '1,/^# Pairs/d' "$out" | grep -q '^[0-9]' || fail "rows behind the lines"
    done
}

@test "two ranks are no matrix" {
    launch 2 pair_matrix -m 8:8
    expect_status 77
}

@test "options: every block of every partner is right" {
    local options
    for options in "-T mpi_int,mpi_double" "--buffers=rotate:64K" --touch --start=none --start=library \
        "--order=down" "-D vect:16:4" "--columns median,max,iterations,slowest_rank" "-z50,99" -f; do
        later "${options// /_}" 3 pair_matrix -m 64:256 -c -i 10 -x 1 "$options"
    done
    all_good 'messages W22' \
        'expect_all_pass "$([[ $name == -T* ]] && echo 6 || echo 3)"' \
        '[[ $name != -T* ]] || expect_out "# Pairs: size=64; type=MPI_INT; path="' \
        '[[ $name != -T* ]] || expect_out "# Outliers: size=64; type=MPI_DOUBLE; "'
}

@test "--start=clock: iterations that began late are dropped, and their pairs are not" {
    launch 3 pair_matrix -m 8:8 -c -i 50 -x 1 --start=clock
    # With more ranks than CPUs all may be late.
    [[ $status -eq 0 || $stderr == *" E19: "* ]] || fail "neither a figure nor too late"
    expect_out "start=clock;"
    if [[ $status -eq 0 && $stderr != *" E19: "* && $stdout != *"not a positive number"* ]]; then
        expect_out "# Pairs: size=8; "
    fi
}

@test "wrong data of any one partner is seen" {
    local rank
    preload=(plant)
    impatient=yes
    for rank in 0 1 2; do
        FAULT=byte FAULT_RANK=$rank FAULT_BYTES=1000 launch 3 pair_matrix -m 1000:1000 -i 5 -x 1
        expect_status 3
    done
}

@test "a rank that takes longer is named, and nobody that waits for it" {
    receiving 40000 40000 200000 40000
    slow_are '# Outliers: size=24; rank=2; host=[^ ;]+; path=same-[a-z]+; [23]\.[0-9]+ times typical, in ([23]) of [23] pairs;' 4
}

@test "a rank is compared over paths of its own kind" {
    ranks ALIDADE_NODE_ID a a b b
    receiving 200000 200000 200000 200000
    slow_are '# Outliers: size=24; none;' 4
    expect_out "path=mixed;"
    grep -Eq '^# Pairs: size=24; path=same-[a-z]+; pairs=2; ' "$out" || fail "no pairs of a node"
    grep -Eq '^# Pairs: size=24; path=inter-node; pairs=4; ' "$out" || fail "no pairs between nodes"
}

@test "a node all of whose ranks take longer is named, once" {
    ranks ALIDADE_NODE_ID a a b b c c
    receiving 50000 50000 200000 200000 50000 50000
    # Within it the only pair is slow as well: it is not known which of the two.
    slow_are '# Outliers: size=24; host=[^ ;]+; all its ranks=2; path=inter-node; 2\.[0-9]+ times typical, in 4 of 4 pairs of its first rank;
# Outliers: size=24; ranks=2,3; hosts=[^ ;]+; path=same-[a-z]+; [34]\.[0-9]+ times typical, only this pair;' 6
}

@test "JSON: every pair seen by both, and waiting for others is in no time" {
    need_json
    receiving 40000 40000 200000
    launch 3 pair_matrix -m 24:24 -i 3 -x 0 --json "$json"
    expect_status 0
    "$python3" - "$json" <<'END' || fail "not who is slow, or by how much: $(cat "$json")"
import json, sys

document = json.load(open(sys.argv[1]))
row, = document["rows"]
pairs, n = row["pairs"], row["ranks"]
matrix = pairs["matrix_us"]
assert n == 3 and len(matrix) == n and all(len(line) == n for line in matrix), matrix
for i in range(n):
    for j in range(n):
        assert (matrix[i][j] is None) == (i == j), matrix
        # A message takes 40 ms to be received, or 200.
        assert i == j or matrix[i][j] >= 40000 + 80000 * (i == 2 or j == 2) - 100, matrix
path, = pairs["paths"]
assert path["pairs"] == 3 and path["slow_from_us"] >= 1.0999 * path["typical_us"], path
assert document["environment"]["path"] == path["path"]
assert pairs["left_out"] == 0
for found in pairs["slow"]:
    assert found["path"] == path["path"] and found["ratio"] > 1, found
values = [time for line in matrix for time in line if time is not None]
good = (matrix[0][1] < 80000 and matrix[1][0] < 80000 and
        abs(matrix[0][2] / matrix[2][0] - 1) < 0.2 and
        abs(row["value"] / (sum(values) / len(values)) - 1) < 0.2 and
        [(found["rank"], found["partner"], found["whole_node"], found["above"],
          found["of_pairs"]) for found in pairs["slow"]] == [(2, None, False, 2, 2)])
sys.exit(not good)
END
}

# met WHAT: that is true of the rows in JSON; each host has the lower median of its partners.
met() {
    check <<END
within = [row for row in d["rows"] if row["rounds"] == 0]
between = [row for row in d["rows"] if row["rounds"]]
for row in between:
    for i, host in enumerate(row["hosts"]):
        us = sorted(host["partner_us"])
        assert abs(host["us"] - us[(len(us) - 1) // 2]) < 1e-6, host
        assert len(set(host["partners"])) == len(us) and i not in host["partners"], host
        assert all(i in row["hosts"][k]["partners"] for k in host["partners"]), row
    assert abs(row["columns"]["slowest_host_us"] - max(host["us"] for host in row["hosts"])) < 0.01, row
assert not any(host["partners"] or host["partner_us"] for row in within for host in row["hosts"]), within
$1
END
}

@test "hosts: within each and between all of them, at the same time, and the slow one" {
    need_json
    ranks ALIDADE_NODE_ID a a b b c c
    receiving 50000 50000 200000 50000 50000 50000
    launch 6 hosts -m 24:24 -i 3 -x 0 --json "$json"
    expect_status 0
    [[ $(grep -c '^# Rounds: \(0\|16\)\.$' "$out") -eq 2 ]] || fail "not two sections"
    met 'a, b, c = [host["us"] for host in within[0]["hosts"]]
assert min(a, c) > 25e3 and b > 1.8 * max(a, c), (a, b, c)
a, b, c = [host["us"] for host in between[0]["hosts"]]
assert min(a, c) > 25e3 and b > 1.8 * max(a, c), (a, b, c)
assert [sorted(host["partners"]) for host in between[0]["hosts"]] == [[1, 2], [0, 2], [0, 1]]
one, = d["hosts"]
assert len(one["hosts"]) == 3 and one["environment"]["kernel"] == d["environment"]["kernel"], one
assert one["environment"]["hardware"] == d["environment"]["hardware"], one'
}

@test "hosts: fewer rounds than there are, an odd number of hosts, and hosts of one rank" {
    need_json
    ranks ALIDADE_NODE_ID a b c d e
    launch 5 hosts -m 8:8 -i 5 -x 1 -c --rounds 2,9 --seed 3 --json "$json"
    expect_status 0
    expect_all_pass 2
    met 'assert not within and len(between) == 2, d["rows"]
assert [row["rounds"] for row in between] == [2, 9]
assert sorted(len(host["partners"]) for host in between[0]["hosts"]) == [1, 1, 2, 2, 2], between[0]
assert all(len(host["partners"]) == 4 for host in between[1]["hosts"]), between[1]'
    launch 5 hosts -m 8:8 --rounds 0
    expect_status 2
    expect_err "they are within hosts, and each has one rank"
}

@test "hosts: wrong data of any one partner is seen" {
    local rank
    ranks ALIDADE_NODE_ID a a b b c
    preload=(plant)
    impatient=yes
    for rank in 0 1 2 3 4; do
        FAULT=byte FAULT_RANK=$rank FAULT_BYTES=1000 launch 5 hosts -m 1000:1000 -i 5 -x 1
        expect_status 3
    done
}
