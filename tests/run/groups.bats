#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which ranks communicate, as named by an option or found: paths between ranks, --pairs, --procs,
# --split; and bandwidths by their number.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 5 -x 1)

@test "paths between ranks: of pairs, of most ranks, and those that communicate" {
    local ids words header name mixed
    local -A header_of=()
    # The programs of ranks on the same nodes are in one job.
    while IFS='|' read -r ids words header; do
        if [[ $ids != end ]]; then
            for name in $words; do
                later "${name//:/_}" "$(wc -w <<<"$ids")" "${name//:/ }" -m 8:8 "${brief[@]}"
                header_of[${name//:/_}]="$header"
            done
            # shellcheck disable=SC2086  # names
            nodes $ids
            continue
        fi
        together
        mixed=0
        for name in "${ran[@]}"; do
            recall "$name"
            echo "$name: ${header_of[$name]}"
            expect_status 0
            expect_quiet W03
            expect_out "${header_of[$name]}"
            [[ ! $name =~ multi_lat|mbw ]] || [[ $stdout != *"path=mixed;"* ]] || mixed=$((mixed + 1))
        done
        # Once for each of those whose pairs have different paths.
        [[ $(messages "warning W03") -eq $mixed ]] || fail "W03"
        [[ $mixed -eq 0 ]] || expect_err "warning W03: mbw_mr: pairs on one node=1; pairs between nodes=1;"
    done <<'END'
a a|latency|ranks=2; nodes=1; path=same-
end
a b|latency allreduce put_latency|ranks=2; nodes=2; path=inter-node;
end
node-1 node-10|latency|ranks=2; nodes=2; path=inter-node;
end
a b b|allreduce bcast|ranks=3; nodes=2; path=mixed;
a b b|hotspot_send:--peers:2|ranks=3; nodes=2; path=inter-node;
end
a a b b|mbw_mr multi_lat|ranks=4; nodes=2; path=inter-node;
a a b b|allreduce|ranks=4; nodes=2; path=mixed;
end
a b a b|mbw_mr|ranks=4; nodes=2; path=same-
a b a b|alltoall|ranks=4; nodes=2; path=mixed;
end
a a a b|mbw_mr multi_lat get_mbw|ranks=4; nodes=2; path=mixed;
a a a b|bisection|ranks=4; nodes=2; path=mixed;
end
a b c d|allreduce mbw_mr|ranks=4; nodes=4; path=inter-node;
end
a a b c|mbw_mr:-p:1|ranks=4; nodes=3; path=same-
end
END
}

@test "-w allocate_shared on two nodes: E28 and 77" {
    nodes a b
    launch 2 put_latency -w allocate_shared -m 8:8 -i 5 -x 1
    expect_status 77
    expect_error E28
    expect_no_out
}

# Lines "PATH PROGRAM OPTION...": on four ranks, with a row that passes.
pairs_placed() {
    local path words
    local -A paths=()
    while read -r path words; do
        later "${words// /_}" 4 "$words" -c -m 64:64 "${brief[@]}"
        paths[${words// /_}]=$path
    done
    all_good 'expect_all_pass 1' \
        'expect_out "ranks=4; nodes=2; path=${paths[$name]}"' \
        '[[ $name != *3-2 && $name != *-p_1 ]] || expect_out "# [ pairs: 1 ]"'
}

# Where the path says nothing, as it lacks hwloc, it is "same-node".
@test "--pairs: partners half of all ranks apart, next to each other, or listed, from whom data arrive" {
    local name
    nodes a a b b
    for name in multi_lat mbw_mr mbibw_mr get_multi_lat get_mbw put_mbw; do
        echo "same- $name --pairs cyclic"
        echo "inter-node $name --pairs 2-0,1-3"
    done >"$BATS_TEST_TMPDIR/pairs"
    pairs_placed <"$BATS_TEST_TMPDIR/pairs"
    nodes a b b a
    pairs_placed <<'END'
inter-node mbw_mr --pairs cyclic
same- put_mbw --pairs 3-0,2-1
END
    nodes a b a b
    pairs_placed <<'END'
same- mbw_mr --pairs auto
inter-node mbw_mr --pairs cyclic
END
    # One pair of those that there could be; the other ranks rest.
    nodes a a a b
    pairs_placed <<'END'
same- mbw_mr --pairs auto -p 1
inter-node mbw_mr --pairs 3-2
same- multi_lat --pairs 1-2
END
}

@test "--pairs that cannot be: E12 on all ranks, or E43, nothing measured" {
    local words number=E12
    refused() {
        words=$1
        launch "${@:2}" -m 8:8 "${brief[@]}"
        expect_status 1
        expect_error "$number"
        expect_err "$words"
        expect_no_out
    }
    refused "--pairs names rank 4; given: 4" 4 multi_lat --pairs 0-4
    refused "--pairs must name all ranks of one-sided programs; pairs=1; given: 4" 4 get_mbw --pairs 0-3
    refused "-p and a list of --pairs exclude each other" 2 mbw_mr -p 1 --pairs 0-1
    refused "--pairs '0-1,1-2' names a rank twice" 4 mbw_mr --pairs 0-1,1-2
    refused "--pairs 'block' is not one of" 2 mbw_mr --pairs block
    number=E43
    refused "of use in: programs that measure many pairs" 2 latency --pairs cyclic
}

# S/t and S/t * factor, of the time in the same row; 4 ranks, 1,024 bytes.
@test "algbw and busbw are nccl-tests', of blocking, non-blocking and persistent collectives" {
    local csv=$BATS_TEST_TMPDIR/csv name time algbw busbw
    declare -A time_of algbw_of busbw_of
    mkdir "$csv"
    while read -r name time algbw busbw; do
        later "$name" 4 "$name" -m 1024:1024 "${brief[@]}" --columns=algbw,busbw --csv="$csv/$name.csv"
        time_of[$name]=$time algbw_of[$name]=$algbw busbw_of[$name]=$busbw
    done <<END
allreduce latency_us 1024 1536
iallgather pure_us 4096 3072
gatherv_persistent latency_us 4096 3072
reduce_scatter latency_us 1024 768
ialltoallw pure_us 4096 3072
bcast latency_us 1024 1024
END
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        tr -d '\r' <"$csv/$name.csv" | awk -F, -v time="${time_of[$name]}" -v a="${algbw_of[$name]}" -v b="${busbw_of[$name]}" '
            function near(x, y) { return (x - y) ^ 2 < (1e-6 * y) ^ 2 }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { good = near($at["algbw"], a / $at[time]) && near($at["busbw"], b / $at[time]) }
            END { exit NR != 2 || !good }' || fail "$(<"$csv/$name.csv")"
    done
    grep -q ' Alg. BW(MB/s)      Bus BW(MB/s)$' "$out"
}

@test "algbw and busbw: --help has the formula; a barrier has none" {
    direct allgather --help
    expect_out '--columns=algbw,busbw: algbw = S/t, busbw = algbw * (n-1)/n, in MB/s.'
    expect_out 'busbw is not meaningful for trees and in-network reduction.'
    direct barrier --columns=busbw
    expect_error E12
}

@test "--procs: a section for each number of ranks, verified; the others wait" {
    local csv=$BATS_TEST_TMPDIR/csv
    launch 5 allreduce -m 8:16 "${brief[@]}" -c --procs=all --csv="$csv"
    expect_status 0
    [[ $(grep -o '^# Ranks: .*' "$out" | tr -d '\n') == '# Ranks: 2.# Ranks: 4.# Ranks: 5.' ]] ||
        fail "not the sections of 2, 4 and all ranks"
    [[ $(grep -c ' Pass$' "$out") -eq 6 ]] || fail "not all rows pass"
    [[ $(cut -d, -f2,8 "$csv" | uniq | tr '\n' ' ') == 'ranks,procs 2,2 4,4 5,5 ' ]] || fail "$(<"$csv")"
    launch 3 iscatterv -m 8:8 "${brief[@]}" -c --procs=3,2
    expect_status 0
    [[ $(grep -c ' Pass$' "$out") -eq 2 ]] || fail "not all rows pass"
    launch 3 barrier "${brief[@]}" --procs=all
    [[ $(grep -c '^# Ranks: ' "$out") -eq 2 ]] || fail "not two sections"
}

@test "--procs: wrong data in any section is E14" {
    cases <<'END'
preload=(plant) | FAULT=byte FAULT_RANK=1 launch 3 allreduce -m 1000:1000 "${brief[@]}" --procs=2,3 | 3 | $ expect_error E14
| FAULT=byte FAULT_RANK=2 launch 3 allreduce -m 1000:1000 "${brief[@]}" --procs=2,3 | 3 | $ expect_error E14
END
}

@test "--procs: numbers that cannot be are one error of usage" {
    cases <<'END'
| launch 3 allreduce --procs=4 | 1 | $ expect_error E12
| launch 3 reduce --procs=2,3 -k fixed:2 | 1 | $ expect_error E12
END
}

@test "--split: groups run the operation at once, each verified, with the mean of the slowest" {
    local how
    for how in 2 2:cyclic 2:node; do
        launch 6 allgather -m 8:16 "${brief[@]}" -c --split=$how --columns=algbw
        expect_status 0
        expect_out 'Worst Group(us)'
        [[ $(grep -c ' Pass ' "$out") -eq 2 ]] || fail "not all rows pass"
        # 3 ranks in a group, not 6.
        awk '/^8 / { n++; x = 24 / $2; good = ($NF - x) ^ 2 < (0.01 + 0.01 * x) ^ 2 && $3 >= $2 }
            END { exit n != 1 || !good }' "$out" || fail "$how: the bandwidth, or the worst group"
    done
    cases <<'END'
| launch 4 iallreduce -m 8:8 "${brief[@]}" -c --split=2 | 0 | $ [[ $(grep -c ' Pass$' "$out") -eq 1 ]]
| launch 4 reduce_scatter -m 16:16 "${brief[@]}" -c --split=2 -f | 0 | $ [[ $(grep -c ' Pass$' "$out") -eq 1 ]]
END
}

@test "--split: wrong data in any group is E14" {
    preload=(plant)
    local rank
    for rank in 0 3; do
        FAULT=byte FAULT_RANK=$rank launch 4 allreduce -m 1000:1000 "${brief[@]}" --split=2:cyclic
        expect_status 3
        expect_error E14
        expect_err " rank=$rank; "
    done
}

@test "--split: the JSON file has the groups, and their mean is the value" {
    need_json
    json=$BATS_TEST_TMPDIR/json
    launch 4 bcast -m 8:8 "${brief[@]}" --split=2:cyclic --json="$json"
    expect_status 0
    check <<'END'
row = d["rows"][0]
assert d["method"]["split"] == "2:cyclic", d["method"]
assert [g["first_rank"] for g in row["groups"]] == [0, 1], row["groups"]
mean = sum(g["mean_us"] for g in row["groups"]) / 2
assert abs(mean - row["value"]) < 1e-6 * mean, (mean, row["value"])
assert row["columns"]["worst_group_us"] == max(g["mean_us"] for g in row["groups"])
assert row["ranks"] == 2, row["ranks"]
END
}

@test "--split: groups that cannot be are one error of usage" {
    refusals <<'END'
1 E12 allreduce --split=0
1 E12 bcast --split=2:left
1 E12 allreduce --split=2 --procs=2
1 E12 allreduce --dry-run --ranks=4 --split=3
1 E12 allreduce --dry-run --ranks=4 --split=4
1 E12 bcast --dry-run --ranks=4 --split=2 -k fixed:2
END
    launch 3 allreduce --split=2
    expect_status 1
    expect_error E12
}

@test "--arrival: what it does not go with, what is no arrival, and a file of other ranks" {
    refusals <<'END'
1 E12 allreduce --arrival=one:3:1ms --start=library|--arrival needs --start=clock
1 E12 barrier --arrival=one:3:1ms --protocol=omb|excludes --protocol=omb
1 E12 allreduce --arrival=late|is not one of random:TIME[:SEED], one:RANK:TIME, up:FACTORx, file:FILE
1 E12 allreduce --arrival=random:50|has no time up to 10s after random:
1 E12 allreduce --arrival=one:3|has no rank and time up to 10s after one:
1 E12 allreduce --arrival=up:0.5|has no factor up to 1000x after up:
1 E12 bcast --dry-run --ranks=4 --arrival=one:4:1ms|there is no such rank; ranks: 4
1 E12 bcast --dry-run --ranks=4 --procs=2,4 --arrival=one:2:1ms|there is no such rank; ranks: 2
1 E12 iallreduce --arrival=one:3:1ms|unknown option
1 E12 latency --arrival=one:3:1ms|unknown option
END
    impatient=yes
    echo '0 10 20' >"$BATS_TEST_TMPDIR/three"
    launch 2 barrier --arrival="file:$BATS_TEST_TMPDIR/three" "${brief[@]}"
    expect_status 1
    expect_no_out
    expect_err "--arrival=file:$BATS_TEST_TMPDIR/three: it has 3 numbers; ranks: 2"
}

# Where other work keeps a rank from its CPU at each of its moments, no iteration counts: exit code 2.
@test "--arrival: the table, the JSON file and its method have what was asked for" {
    need_json
    json=$BATS_TEST_TMPDIR/json
    printf '500\n0 # us\n' >"$BATS_TEST_TMPDIR/file"
    launch 2 bcast -m 8:8 -f -i 50 -x 2 --arrival="file:$BATS_TEST_TMPDIR/file" --json="$json"
    [[ $status -ne 2 ]] || skip "every iteration was late"
    expect_status 0
    expect_out "start=clock; " "# Arrival: file:$BATS_TEST_TMPDIR/file."
    [[ $(grep '^# Size' "$out" | tr -s ' ') == \
        '# Size Latest(us) Waited(us) Min Waited(us) Max Waited(us) Iterations Absorbed(%)' ]]
    check <<'END'
row, columns = d["rows"][0], d["rows"][0]["columns"]
assert d["method"]["arrival"].startswith("file:"), d["method"]
assert row["arrival"]["skew_us"] == 500, row["arrival"]
own, latest = row["arrival"]["own_us"], columns["latest_us"]
assert row["value"] == row["median"] == latest, row
absorbed = columns["absorbed_percent"]
# Without late ranks every iteration may have been discarded.
assert absorbed is None if own is None else abs(absorbed - (own - latest) / 5) < 0.02, columns
# The root is late, and rank 1 waits for it.
assert columns["waited_us"] > 240 and columns["waited_max_us"] > 490, columns
assert row["global"]["start_skew_us"] > 490, row["global"]
END
    launch 2 barrier -i 50 -x 2 --arrival=one:1:0us --json="$json"
    [[ $status -ne 2 ]] || skip "every iteration was late"
    expect_status 0
    grep -Eq '^ .* -$' "$out"
    check <<'END'
assert d["rows"][0]["arrival"]["skew_us"] == 0, d["rows"][0]["arrival"]
assert d["rows"][0]["columns"]["absorbed_percent"] is None, d["rows"][0]["columns"]
END
}
