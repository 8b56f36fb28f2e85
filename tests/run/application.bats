#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Applications: is and ft verify, say where the time went, and find what an MPI
# has spoilt.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

need_fftw() {
    [[ $have_fftw == yes ]] || skip "this build has no FFTW"
}

# A run of CLASS on N ranks: verified, with one row, the calls, and the rest.
verified() {
    local n=$1 name=$2 class=$3
    shift 3
    launch "$n" "$name" --class "$class"
    echo "$name, class $class, on $n ranks"
    expect_status 0
    expect_quiet
    expect_out "# class=$class; "
    [[ $(grep -Ec '^ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +Pass$' "$out") -eq 1 ]] ||
        fail "no row that passes"
    local part
    for part in "$@" computation run; do
        [[ $(grep -Ec "^$part +([0-9]+|-) +[0-9]+\.[0-9]{6} +[0-9]+\.[0-9]{6} +[0-9]+$" "$out") -eq 1 ]] ||
            fail "no line of $part"
    done
}

# The mean times of the calls and of the rest add up to that of the run.
expect_sum() {
    awk '/^MPI_/ { sum += $3 } $1 == "computation" { sum += $3 } $1 == "run" { run = $3 }
         END { exit !(run > 0 && sum > 0.999 * run - 1e-5 && sum < 1.001 * run + 1e-5) }' "$out" ||
        fail "parts do not add up"
}

# Class W on two ranks, and in the long form on all numbers.
classes() {
    if [[ $1 -eq 2 || -n ${ALIDADE_LONG:-} ]]; then echo S W; else echo S; fi
}

@test "is: classes S and W verify on 1, 2, 3 and 4 ranks" {
    local n class
    for n in 1 2 3 4; do
        for class in $(classes "$n"); do
            verified "$n" is "$class" MPI_Allreduce MPI_Alltoall MPI_Alltoallv
            [[ $(grep -Ec '^MPI_All[a-z]+ +10 ' "$out") -eq 3 ]] || fail "not ten calls of each"
            expect_sum
        done
    done
}

@test "ft: classes S and W verify on 1, 2 and 4 ranks" {
    need_fftw
    local n class
    for n in 1 2 4; do
        for class in $(classes "$n"); do
            verified "$n" ft "$class" MPI_Alltoall MPI_Allreduce
            grep -Eq '^MPI_Alltoall +7 ' "$out" || fail "not seven transpositions"
            grep -Eq '^MPI_Allreduce +6 ' "$out" || fail "not six checksums"
            expect_sum
        done
    done
}

@test "is and ft: class A on 2 ranks" {
    [[ -n ${ALIDADE_LONG:-} ]] || skip "make check-long has it"
    verified 2 is A MPI_Alltoallv
    need_fftw
    verified 2 ft A MPI_Alltoall
}

@test "the table: identity, title, class, row, parts" {
    launch 2 is --class s
    expect_status 0
    diff <(sed -E '1d; s/[0-9]+\.[0-9]+/#/g; s/ +/ /g; s/ [01]$/ R/' "$out") - <<'END'
# NAS IS Integer Sort
# class=S; keys=65536; values=2048; iterations=10;
# Run Time(s) In MPI(s) Outside(s) Mop/s Validation
 # # # # Pass
# Part Calls Mean(s) Max(s) Slowest rank
MPI_Allreduce 10 # # R
MPI_Alltoall 10 # # R
MPI_Alltoallv 10 # # R
computation - # # R
run - # # R
END
}

@test "wrong keys: the row says Fail, in JSON too, E14 and 3" {
    preload=(plant)
    local json=$BATS_TEST_TMPDIR/x.json
    FAULT=byte FAULT_CALL=MPI_Alltoallv FAULT_BYTES=">0" launch 3 is --class S --json "$json"
    expect_status 3
    expect_error E14
    expect_err "received keys differ from sent keys"
    [[ $stdout == *" Fail"* ]] || fail "the row does not say so"
    need_json
    check <<'END'
assert d["rows"][0]["verified"] == "fail" and d["rows"][0]["columns"]["validation"] == "Fail", d["rows"]
assert d["exit"] == {"code": 3, "reason": "wrong data", "complete": False}, d["exit"]
END
}

@test "wrong blocks of the grid: E14 and 3, on every number of ranks" {
    need_fftw
    local n fault
    preload=(plant) impatient=yes
    for n in 2 4; do
        for fault in swapped dropped byte; do
            [[ $n -eq 2 || $fault == swapped ]] || continue
            # A block: 64 x 64/n x 64/n complex numbers.
            # The first and the last byte of a number.
            FAULT=$fault FAULT_NTH=1 FAULT_AT=-1 FAULT_BYTES=$((64 * 64 * 64 * 16 / n / n)) launch "$n" ft --class S
            echo "$fault on $n ranks"
            expect_status 3
            expect_error E14
            expect_err "iteration=1; checksum="
            [[ $stdout == *" Fail"* ]] || fail "the row does not say so"
        done
    done
}

@test "JSON: the parts, in seconds, are those of the table" {
    need_json
    launch 2 is --class W --json "$BATS_TEST_TMPDIR/x.json" --csv "$BATS_TEST_TMPDIR/x.csv"
    expect_status 0
    "$python3" - "$BATS_TEST_TMPDIR/x.json" "$BATS_TEST_TMPDIR/x.csv" "$out" <<'END'
import csv, json, sys
d = json.load(open(sys.argv[1]))
row = d["rows"][0]
a = row["application"]
assert d["method"]["class"] == a["class"] == "W" and d["method"]["verified"]
assert a["iterations"] == 10 and a["operations"] == 10 * 2 ** 20
assert row["value"] == a["run"]["max_s"] and row["unit"] == "s", row
rate = 1e-6 * a["operations"] / a["run"]["max_s"]
assert abs(row["columns"]["mop_per_s"] - rate) < 1e-6 * rate
lines = {line.split()[0]: line.split() for line in open(sys.argv[3]) if line[0] in "MPIcr"}
for name, part in [*a["calls"].items(), ("run", a["run"]), ("computation", a["computation"])]:
    _, calls, mean, most, slowest = lines[name]
    assert calls == str(part.get("calls", "-")), (name, calls)
    assert abs(float(mean) - part["mean_s"]) < 1e-6 and abs(float(most) - part["max_s"]) < 1e-6
    assert int(slowest) == part["slowest"] and part["mean_s"] <= part["max_s"] * (1 + 1e-9)
with open(sys.argv[2], newline="") as file:
    record, = csv.DictReader(file)
assert abs(float(record["run_s"]) - row["value"]) < 1e-6 * row["value"] + 1e-9, record
assert record["validation"] == "Pass"
END
}

@test "numbers of ranks that do not divide the grid: E02, the reason, and 77" {
    need_fftw
    launch 3 ft --class S
    expect_status 77
    expect_error E02
    expect_err "class S needs a number of ranks that divides 64 and 64; given: 3. For example: "
    [[ $stderr == *"For example: $mpirun"*" -n 2 "*" $(program ft)"* ]] || fail "no example"
    expect_no_out
    refusals <<'END'
77 E02 ft --class W --dry-run --ranks 64|divides 128 and 32
77 E02 is --dry-run --ranks 1025|needs 1 to 1024 ranks; given: 1025.
END
}

@test "memory is looked at beforehand: E10 names the class" {
    launch 2 is --class C -M 100M
    expect_status 2
    expect_error E10
    expect_err "class=C; needs="
    expect_err "mem-limit per rank=104857600;"
    expect_no_out
}

@test "--dry-run: what the class needs" {
    direct is --dry-run --ranks 2
    expect_status 0
    expect_out "# class=B; keys=33554432; values=2097152; iterations=10;"
    expect_out "memory of each rank=2"
    need_fftw
    direct ft --dry-run --ranks 2
    expect_status 0
    expect_out "# class=A; grid=256x256x128; iterations=6;"
    expect_out "memory of each rank=192MiB"
}

@test "--class: S, W, A, B or C, in either case; elsewhere refused" {
    refusals <<'END'
1 E12 is --class D
1 E12 is --class=
1 E12 is --class SS
1 E43 is -i 5
1 E12 latency --class S|unknown option
END
}
