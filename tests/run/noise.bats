#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# noise: a row for each rank, lines of what is clear, and the cost of an allreduce.  How
# long anything takes is tested by tests/unit/test_detours and tests/truth/noise.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

@test "a row for each rank, then the allreduce" {
    launch 2 noise --budget 100ms
    expect_status 0
    grep -Eq '^# MPI System Noise$' "$out" || fail "no title"
    # The last column is there where a rank is held up regularly.
    grep -Eq '^# Rank +Node +Host +CPU +Quantum\(us\) +Lost\(%\) +Detours/s +Longest\(us\)( +Period\(ms\))?$' "$out" ||
        fail "no heading"
    [[ $(grep -cE "^[01] +0 +$(hostname) +([0-9]+|-) +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+( +[0-9.e+-]+)?$" "$out") -eq 2 ]] ||
        fail "not a row for each rank"
    grep -Eq '^# +Quantum\(us\) +Allreduce\(us\) +Together\(us\) +Cost\(%\) +Own Loss\(%\)$' "$out" || fail "no heading"
    [[ $(grep -cE '^ +([0-9.-]+ +){4}[0-9.]+$' "$out") -eq 1 ]] || fail "no row of the allreduce"
    ! grep -q ' $' "$out" || fail "blanks at the end of a line"
    launch 1 noise --budget 50ms
    expect_status 0
}

@test "JSON: what each rank lost, its longest detours by time, and the cost" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    launch 2 noise --budget 300ms --quantum 50us --json "$json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    check <<'END'
assert d["method"]["quantum_s"] == 50e-6 and d["method"]["budget_s"] == 0.3
assert d["method"]["detour"] == 1.05 and d["method"]["verified"] is True
row, = d["rows"]
assert row["verified"] == "pass" and row["bytes"] is None and row["unit"] == "us"
noise = row["noise"]
assert [r["rank"] for r in noise["ranks"]] == [0, 1]
for r in noise["ranks"]:
    assert r["host"] and r["quanta"] > 0 and 0 < r["quantum_us"] <= r["median_us"]
    assert r["total_s"] >= 0.3 or r["quanta"] >= 1.25 * 0.3 / 50e-6
    assert r["slow"] == (r["median_us"] > 1.05 * r["quantum_us"])
    assert 0 <= r["lost"] < 1 and r["detours"] <= r["quanta"]
    longest = r["longest"]
    assert len(longest) == min(32, r["detours"])
    times = [one["at_s"] for one in longest]
    assert times == sorted(times) and all(0 <= t <= r["total_s"] for t in times)
    if longest:
        assert max(one["lost_us"] for one in longest) == r["longest_us"]
    assert sum(one["lost_us"] for one in longest) <= 1e6 * r["lost"] * r["total_s"] * 1.000001
    for p in r["periods"]:
        assert p["period_us"] > 0 and p["lost"] < 1 and p["tick"] in (True, False)
cost = noise["allreduce"]
assert cost["iterations"] % 256 == 0 and cost["iterations"] == row["iterations"]
whole = cost["quantum_us"] + cost["allreduce_us"]
assert abs(cost["together_us"] - whole * (1 + cost["cost"])) < 1e-6 * cost["together_us"]
percent = max(0, 100 * cost["cost"])
assert abs(row["columns"]["cost_percent"] - percent) <= 1e-6 * percent
assert abs(row["value"] - cost["together_us"]) < 1e-6 * row["value"]
END
    [[ $(wc -l <"$BATS_TEST_TMPDIR/x.csv") -eq 2 ]] || fail "not one row"
}

@test "a planted burner: rank, host, period and share are named; nobody is without one" {
    need_json
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    preload=(burner)
    json=$BATS_TEST_TMPDIR/x.json
    # Of a rank that moves the CPU is not named.
    FAULT_PERIOD=50000 FAULT_US=2500 launch 2 noise --quantum 1ms --budget 2s --json "$json"
    expect_status 0
    [[ $(grep -c '^# Noise: ' "$out") -eq 1 ]] || fail "not one line"
    grep -Eq "^# Noise: rank=1; host=$(hostname); cpu=([0-9]+|several); period=(49|50|51)(\.[0-9]+)? ms; lost=(4\.[89]|5\.[012])[0-9]%;$" "$out" ||
        fail "not the planted noise"
    check <<'END'
quiet, burnt = d["rows"][0]["noise"]["ranks"]
period, = burnt["periods"]
assert abs(period["period_us"] / 50000 - 1) < 0.1, period
assert abs(period["lost"] / 0.05 - 1) < 0.05 and period["tick"] is False, period
assert burnt["detours"] in (39, 40, 41) and abs(burnt["longest_us"] - 2500) < 1
assert quiet["periods"] == [], quiet
END
    launch 2 noise --quantum 1ms --budget 2s
    expect_status 0
    refuse_out "# Noise: "
}

@test "more ranks than rows: those that lost less are left out, and W08 in place of lines" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    limit=200 launch 66 noise --quantum 2us --budget 1ms --json "$json"
    expect_status 0
    [[ $(grep -cE '^[0-9]+ +0 ' "$out") -eq 64 ]] || fail "not 64 rows"
    expect_out "# Ranks not shown: 2, which lost less; --json=FILE has all;"
    expect_out "# W08: more ranks than CPUs: ranks stop each other;"
    refuse_out "# Noise:"
    refuse_out "# Held up by:"
    check <<'END'
assert [r["rank"] for r in d["rows"][0]["noise"]["ranks"]] == list(range(66))
END
}

@test "a wrong sum is found, in the first batch and in a later one: E14" {
    local fault spare
    preload=(plant) impatient=yes
    for fault in byte/100 missing/100 dropped/400; do
        spare=${fault#*/}
        echo "$fault"
        FAULT=${fault%/*} FAULT_CALL=MPI_Allreduce FAULT_BYTES=8 FAULT_SPARE=$spare launch 2 noise --quantum 2us --budget 300ms
        expect_status 3
        expect_error E14
        expect_err "wrong data; operation=MPI_Allreduce; size=8; iteration="
        grep -q '^0 ' "$out" || fail "the first part is missing"
        refuse_out "Together"
    done
}

@test "quanta that are too many or too few: E12" {
    refusals <<'END'
1 E12 noise --quantum 1us --budget 10s|--budget has more than 4000000 quanta
1 E12 noise --quantum 1ms --budget 50ms|--budget has fewer than 100 quanta
1 E12 noise --quantum 0.5us
1 E43 noise -i 10
1 E12 latency --budget 10us --quantum 1|--quantum
END
}

@test "--dry-run: how long --budget makes it" {
    direct noise --dry-run --budget=2
    expect_status 0
    expect_out "noise for 2 s; then for at most 0.5 s with an allreduce;"
}
