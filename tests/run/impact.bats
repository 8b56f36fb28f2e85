#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# impact: victims alone and under load.  Exact values on known networks: simgrid.bats.
# Who congests, and the judgement: test_impact.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 4 -x 1)

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

@test "4 to 6 ranks: every victim next to every congestor passes, and all end" {
    local n kind
    later none 4 impact -m 8:64:8 --congestor=none -c "${brief[@]}"
    for kind in incast outcast alltoall put; do
        later "$kind" 4 impact -m 8:64:8 "--congestor=$kind" --congestor-size=4K -c "${brief[@]}"
    done
    for n in 5 6; do
        later "incast.$n" "$n" impact -m 8:8 --congestor=incast --congestor-size=4K -c "${brief[@]}"
    done
    # Messages beyond the eager limit, and a window of one.
    for kind in incast outcast alltoall put; do
        later "$kind.large" 5 impact -m 8:8 --victim=latency,ring "--congestor=$kind" \
            --congestor-size=1M --congestor-window=1 --congestors=60% -c "${brief[@]}"
    done
    all_good 'expect_all_pass "$(case $name in *.large) echo 2 ;; *.?) echo 4 ;; *) echo 8 ;; esac)"'
}

@test "options that make no sense are E12 or E02, and name what does" {
    refusals <<'END'
1 E12 impact --victim=bcast
1 E12 impact --congestor=storm|incast, outcast, alltoall, put, none
1 E12 impact --congestor-size=6
1 E12 impact --congestor-size=0
1 E12 impact --congestor-window=0
1 E12 impact --congestors=0%
1 E12 impact --congestors=100%
1 E12 impact --seed=0
1 E12 impact --groups=1
1 E43 impact -T mpi_float
END
    cases <<'END'
| launch 3 impact | 77 | $ expect_error E02 && $ expect_no_out
| launch 4 impact --groups=3 -m 8:8 | 77 | $ expect_error E02 && groups must be of equal size; ranks=4; groups=3;
| ALIDADE_NODE_ID='' launch 5 impact --groups=5 --congestors=99% "${brief[@]}" --victim=ring | 0 |
END
}

# wrong KIND RANK BYTES ARGUMENT...: E14 names that rank.
wrong() {
    local kind=$1 rank=$2 bytes=$3
    shift 3
    FAULT=$kind FAULT_RANK=$rank FAULT_BYTES=$bytes \
        launch 4 impact -m 1000:1000 --seed=1 "${brief[@]}" "$@"
    echo "$kind on rank $rank: $*"
    expect_wrong impact 1000 MPI_INT "rank=$rank; block="
}

# Seed 1: ranks 2 and 3 are victims.
@test "wrong data of victims and of congestors are found" {
    preload=(plant)
    impatient=yes
    wrong byte 3 1000 --victim=latency
    wrong byte 3 1000 --victim=bw
    wrong byte 2 1000 --victim=allreduce
    wrong dropped 3 1000 --victim=ring
    wrong byte 0 4096 --victim=latency --congestor-size=4K
    wrong byte 1 4096 --victim=latency --congestor-size=4K --congestor=outcast
    wrong byte 1 4096 --victim=latency --congestor-size=4K --congestor=alltoall
    FAULT_RANK=1 wrong_put
}

# A put that goes wrong is found where it arrives.
wrong_put() {
    FAULT=displaced FAULT_RANK=1 FAULT_BYTES=4096 \
        launch 4 impact -m 1000:1000 --victim=latency --congestor=put --congestor-size=4K "${brief[@]}"
    expect_wrong impact 1000 MPI_INT "rank=0; block="
}

@test "an MPI error in a victim ends all ranks, while congestors run" {
    preload=(stop)
    FAULT=error FAULT_CALL=MPI_Send FAULT_RANK=2 FAULT_BYTES=24 FAULT_NTH=40 \
        launch 4 impact -m 24:24 --victim=latency -i 50 -x 1
    [[ $status -ne 0 && $status -ne 124 && $status -ne 137 ]] || fail "status $status"
    expect_error E16
}

@test "a victim that hangs is E15, and its congestors end" {
    preload=(stop)
    FAULT=hang FAULT_CALL=MPI_Send FAULT_RANK=2 FAULT_BYTES=24 FAULT_NTH=40 \
        launch 4 impact -m 24:24 --victim=latency -i 50 -x 1 --timeout 2
    [[ $status -ne 0 && $status -ne 124 && $status -ne 137 ]] || fail "status $status"
    expect_err "error E15: impact: no progress for 2 s; rank=2; "
}

@test "JSON: sides, seed, impact of a delay that is there only under load" {
    need_json
    preload=(loaded)
    FAULT_BYTES=8 FAULT_US=60000 \
        launch 4 impact -m 8:8 --victim=latency --seed=3 -i 4 -x 0 --json "$json"
    expect_status 0
    expect_out "# Slower: victim=latency; size=8; "
    check <<'END'
row, = d["rows"]
sides, method, impact = d["sides"], d["method"], row["impact"]
assert sorted(sides["victims"] + sides["congestors"]) == [0, 1, 2, 3], sides
assert sides["dealt_by"] == "rank" and method["pattern_seed"] == 3, sides
assert method["congestor"] == "incast" and method["congestors_percent"] == 80, method
assert impact["p99"] is None and impact["pairs_of_blocks"] == 8, impact
m = impact["median"]
assert m["loaded_us"] >= 30000 and m["low"] <= m["times"] <= m["high"], impact
assert m["low"] > 1, impact
assert impact["congestors_bytes"] > 0 and impact["congestors_mb_per_s"] > 0, impact
END
}

@test "the same seed gives the same victims, another one others; groups and nodes stay whole" {
    need_json
    local words
    for words in 1 1.again 2 3 "4 --groups=3"; do
        later "${words%% *}" 6 impact "--seed=${words/.again/}" -m 8:8 --victim=ring --congestor=none \
            -i 2 -x 0 --json "$json.${words%% *}"
    done
    all_good
    "$python3" - "$json" <<'END'
import json, sys
def sides(name):
    return json.load(open(sys.argv[1] + "." + name))["sides"]
assert len(sides("1")["victims"]) == 2
assert sides("1") == sides("1.again")
assert any(sides("1")["victims"] != sides(seed)["victims"] for seed in ("2", "3"))
groups = sides("4")
assert groups["dealt_by"] == "group", groups
assert sorted(r // 2 for r in groups["victims"]) in ([0, 0], [1, 1], [2, 2]), groups
END
}
