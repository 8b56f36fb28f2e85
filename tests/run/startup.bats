#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# How MPI is started: the world model, and sessions (-I).
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 5 -x 1)

need_sessions() {
    [[ $sessions == yes ]] || skip "this MPI has no sessions"
}

@test "-I where MPI has no sessions: E18 and 77" {
    [[ $sessions != yes ]] || skip "this MPI has sessions"
    launch 2 latency -I -m 8:8 "${brief[@]}"
    expect_status 77
    expect_error E18
    expect_err "sessions"
    expect_no_out
}

@test "-I: programs run in the sessions model, and find their data right" {
    need_sessions
    local name n options left_out limit=180
    preload=(noworld)
    for name in latency_mp mbw_mr_mt iallreduce neighbor_alltoall put_latency comm_create init halo; do
        case ${rule_of[$name]} in
        two) n=2 ;;
        three) n=3 ;;
        *) n=4 ;;
        esac
        left_out=()
        [[ $flavour != openmpi || $name != halo ]] || left_out=(W31)
        # shellcheck disable=SC2206  # options, each a word
        options=(${needs_of[$name]})
        ! takes_sizes "$name" || options+=(-m 16:16 -c)
        ! takes_iterations "$name" || options+=("${brief[@]}")
        launch "$n" "$name" -I "${options[@]}"
        echo "$name on $n ranks"
        expect_status 0
        # Open MPI 5 lacks a section of halo.
        expect_quiet "${left_out[@]}" W31
        [[ $(head -n 1 "$out") == *"; init=session;" || $name == *neighbor* ]] ||
            fail "the first line does not say so"
        # One row, or one of each block.
        ! takes_sizes "$name" ||
            [[ $(awk '/^[0-9]/ { print $1, $NF }' "$out" | sort -u) =~ ^16\ (Pass|passed)$ ]] ||
            fail "no row that passes"
    done
}

@test "-I: every kind of window" {
    need_sessions
    local kind
    preload=(noworld)
    for kind in create allocate dynamic; do
        launch 2 put_latency -I -w "$kind" -s fence -c -m 16:16 "${brief[@]}"
        echo "$kind"
        expect_status 0
        expect_out " passed"
    done
}

@test "-I: the model is in the JSON, and only then in the first line" {
    need_sessions
    need_json
    local option model
    for option in -I -f; do
        launch 2 latency "$option" -m 8:8 "${brief[@]}" --json "$BATS_TEST_TMPDIR/x.json"
        expect_status 0
        model=$("$python3" -c 'import json, sys
e = json.load(open(sys.argv[1]))["environment"]
assert e["mpi_init_s"] > 0
print(e["model"])' "$BATS_TEST_TMPDIR/x.json")
        case $option in
        -I) [[ $model == sessions ]] || fail "$model" ;;
        *)
            [[ $model == world ]] || fail "$model"
            refuse_out "init="
            ;;
        esac
    done
}

@test "-I: a wrong call still ends the job with E16" {
    need_sessions
    impatient=yes
    preload=(stop)
    FAULT=error FAULT_CALL=MPI_Send launch 2 latency -I -m 1000:1000 "${brief[@]}"
    expect_given_up
    expect_err "E16: latency: rank=1;"
}

@test "the library that guards sessions sees the world model" {
    need_sessions
    preload=(noworld)
    impatient=yes
    launch 2 latency -m 8:8 "${brief[@]}"
    [[ $status -ne 0 ]] || fail "not seen"
    expect_err "the world model is used: MPI_Init"
}

@test "comm_create: a block for each operation, rows of 2, 4, ... and all ranks" {
    launch 5 comm_create -i 3 -x 1 -f
    expect_status 0
    expect_quiet
    expect_figures
    expect_sizes 2 4 5 2 4 5 2 4 5 2 4 5
    [[ $(grep -c '^# Ranks      Avg Latency(us) ' "$out") -eq 4 ]] || fail "not four headings"
    [[ $(sed -n 's/^# Operation: MPI_\(.*\)\./\1/p' "$out" | tr '\n' ' ') == \
    "Comm_dup Comm_split Comm_create_group Win_allocate " ]] || fail "operations"
    # On a busy machine every iteration may be late.
    launch 3 comm_create -i 9 -x 0 --start clock
    [[ $status -eq 0 || $stderr == *E19* ]] || fail "--start clock"
    [[ $(grep -Ec '^(# suspect: ranks=)?[23][ ;]' "$out") -eq 8 ]] || fail "not eight rows"
}

@test "comm_create: what is made is freed, and only by the ranks of the row" {
    local made rank
    preload=(trace)
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    launch 3 comm_create -i 4 -x 2
    expect_status 0
    count() { grep -Ec "^P?$1 " "$BATS_TEST_TMPDIR/trace.$rank" || true; }
    for rank in 0 2; do
        made=$(($(count MPI_Comm_dup) + $(count 'MPI_Comm_split(_type)?') + $(count MPI_Comm_create_group)))
        # Four rows, in which rank 2 waits and has no communicator; nor has it one of
        # those who lead nodes.
        [[ $(count MPI_Comm_free) -eq $((made - (rank == 2 ? 5 : 0))) ]] || fail "rank $rank: not all are freed"
        # One iteration in the rehearsal, six in each row.
        [[ $(count MPI_Win_allocate) -eq $((rank == 2 ? 7 : 14)) ]] || fail "rank $rank: windows"
        [[ $(count MPI_Win_free) -eq $(count MPI_Win_allocate) ]] || fail "rank $rank: windows are left"
        [[ $(count MPI_Comm_create_group) -eq $(count MPI_Win_allocate) ]] || fail "rank $rank: groups"
    done
}

@test "comm_create: rows say operation and number of ranks in JSON and CSV" {
    need_json
    launch 3 comm_create -i 3 -x 1 --json "$BATS_TEST_TMPDIR/x.json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    "$python3" - "$BATS_TEST_TMPDIR/x.json" "$BATS_TEST_TMPDIR/x.csv" <<'END'
import csv, json, sys

document = json.load(open(sys.argv[1]))
rows = [(r["operation"], r["ranks"], r["over_ranks"]["n"], r["nodes"]) for r in document["rows"]]
expected = [("MPI_" + name, n, n, 1) for name in
            ("Comm_dup", "Comm_split", "Comm_create_group", "Win_allocate") for n in (2, 3)]
assert rows == expected, rows
assert document["environment"]["ranks"] == 3
table = list(csv.DictReader(open(sys.argv[2], newline="")))
assert [(r["operation"], int(r["ranks"])) for r in table] == [r[:2] for r in rows], table
END
}

@test "init -f: OMB's line, and behind it the steps in us, which add up" {
    local options=() first
    for first in world sessions; do
        if [[ $first == sessions ]]; then
            [[ $sessions == yes ]] || continue
            options=(-I)
        fi
        launch 3 init -f "${options[@]}"
        echo "$first"
        expect_status 0
        expect_quiet
        grep -Eqx 'nprocs: 3, min: [0-9]+ ms, max: [0-9]+ ms, avg: [0-9]+ ms' "$out" || fail "OMB's line"
        expect_out $'\n# before_init: in steps of 10ms;\n# Step                    Mean(us)           Min(us)           Max(us)\n'
        awk -v model="$first" '
            /^[a-z_]+ +[0-9]+\.[0-9][0-9] +[0-9]+\.[0-9][0-9] +[0-9]+\.[0-9][0-9]$/ {
                mean[$1] = $2
                names = names " " $1
                if (length($0) != 70 || $3 > $2 + 0.01 || $2 > $4 + 0.01)
                    bad = 1
            }
            END {
                sum = mean["session_init"] + mean["group"] + mean["communicator"]
                if (model == "sessions" && (sum < mean["init"] - 0.05 || sum > mean["init"] + 0.05))
                    bad = 1
                wanted = model == "world" ? "" : " session_init group communicator"
                exit bad || names != " before_init init" wanted " first_barrier second_barrier" ||
                    mean["init"] <= 0 || mean["first_barrier"] <= 0
            }' "$out" || fail "the steps"
    done
    launch 2 init
    [[ $(tail -n 1 "$out") == nprocs:* ]] || fail "more than OMB's line"
    launch 1 hello -f
    expect_status 0
    refuse_out "# Step"
}

@test "init: the JSON has the steps, and the figure below a millisecond, as the CSV has" {
    need_json
    launch 2 init --json "$BATS_TEST_TMPDIR/x.json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    "$python3" - "$BATS_TEST_TMPDIR/x.json" "$(grep ^nprocs "$out")" "$BATS_TEST_TMPDIR/x.csv" <<'END'
import csv, json, re, sys

row, = json.load(open(sys.argv[1]))["rows"]
least, most, mean = (1000 * int(n) for n in re.findall(r"(\d+) ms", sys.argv[2]))
init = row["steps"]["init"]
for key, shown in ("min_us", least), ("max_us", most), ("mean_us", mean):
    assert init[key] == row["over_ranks"][key] and abs(init[key] - shown) <= 500, (init, shown)
assert row["value"] == init["mean_us"] and row["unit"] == "us"
assert row["steps"]["tick_us"] == 10000
line, = csv.DictReader(open(sys.argv[3]))
assert abs(float(line["latency_us"]) / row["value"] - 1) < 1e-6, line
END
}

@test "defect 18, 50: init -h measures nothing, as any other program's" {
    preload=(noinit)
    direct init -h
    expect_status 0
    refuse_out "nprocs"
    expect_out "MPI_Init"
}
