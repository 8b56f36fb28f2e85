#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What stands on stdout beside the tables of layout.bats.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

brief=(-i 20 -x 2)

@test "wide sizes push nothing into each other; extra columns are 18 wide, at the end" {
    launch 2 latency -m 134217728:134217728 --columns median,min,max,iterations,stop -i 1 -x 0 --no-verify
    expect_out $'\n# Size       Avg Latency(us)        Median(us)     Iter. Min(us)     Iter. Max(us)        Iterations              Stop\n'
    grep -Eq '^134217728 ( *[0-9]+\.[0-9]{2}){4} {17}1 {13}count$' "$out" || fail "another row"
    [[ $(tail -n 1 "$out" | wc -c) -eq $((10 + 6 * 18 + 1)) ]] || fail "not 18 wide"
}

# Lines of the table, and as many of the profile: fields of each, on one line.
lines_of_V() {
    awk '/^[0-9]/ { n[/-/ ? "cut" : "whole"]++; if (NF != 9) bad = 1 }
         END { print n["whole"] + 0, n["cut"] + 0, bad + 0 }' "$out"
}

@test "mbw_mr -V: CSV has a row for each window; -W is refused" {
    launch 2 mbw_mr -V -R 0 -m 8:8 -i 4 -x 1 --csv "$BATS_TEST_TMPDIR/x.csv"
    [[ $(cut -d, -f4,5 "$BATS_TEST_TMPDIR/x.csv" | tr '\n' ' ') == \
        "window,bytes 1,8 2,8 4,8 8,8 16,8 32,8 64,8 128,8 " ]] || fail "not eight windows"
    launch 2 mbw_mr -V -W 32 -m 8:8
    expect_status 1
    expect_error E12
}

@test "mbw_mr -V that is left within a line: that line, and the rates" {
    preload=(plant)
    FAULT=byte FAULT_BYTES=2 launch 2 mbw_mr -V -c -m 1:2 -i 4 -x 1
    expect_status 3
    [[ $(lines_of_V) == "2 2 0" ]] || fail "$(lines_of_V)"
    [[ $(tail -n 1 "$out") == "DATA VALIDATION ERROR: mbw_mr "* ]] || fail "not the last line"
    [[ $(grep -c '^2 .*[0-9][.][0-9]*           -           -           -           -           -           -           -$' "$out") -eq 2 ]] ||
        fail "not one window"
    preload=()
    launch 2 mbw_mr -V --total 0.02 -m 1:64 -i 300
    expect_status 0
    expect_out "# Message Rate Profile"
    local whole cut bad
    read -r whole cut bad <<<"$(lines_of_V)"
    [[ $((whole + cut)) -ge 2 && $((whole % 2 + cut % 2 + bad)) -eq 0 && $cut -le 2 ]] ||
        fail "whole=$whole cut=$cut bad=$bad"
}

@test "-t that leaves no computation between two calls is said to be too large, in JSON as well" {
    local name
    for name in iallreduce "allreduce_persistent --compute" "ineighbor_allgather"; do
        later "${name%% *}" 3 "$name" -m 8:16 -t 20000 -i 2 -x 0
        later "${name%% *}.few" 3 "$name" -m 1M:1M -t 1 -i 2 -x 0
    done
    later barrier 2 ibarrier -t 20000 -i 2 -x 0
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        ends_with_row || fail "$name: $(tail -n 1 "$out")"
    done
    recall iallreduce
    for name in iallreduce allreduce_persistent ineighbor_allgather; do
        # A busy machine says more, also of the other run.
        grep -q "^# $name: .*many tests: 2 of 2 rows, at 8, 16; the computation between two calls of MPI_Test is so short.*; lower -t, " "$err" ||
            fail "$name: what is said after the table"
    done
    recall barrier
    expect_after ibarrier "*many tests: 1 of 1 rows; the computation *"
    json=$BATS_TEST_TMPDIR/json
    launch 2 iallreduce -m 8:8 -t 20000 -i 2 -x 0 --json "$json"
    check <<<'assert "many tests" in d["rows"][0]["doubtful"], d["rows"][0]["doubtful"]'
}

@test "what needs two or three samples is - of fewer, and null in JSON" {
    local n columns=stddev,tau,n_eff,outliers,ci_low,drift
    json=$BATS_TEST_TMPDIR/json
    for n in 1 2 3; do
        local expected=$n files=()
        [[ $python3 == none ]] || files=(--json "$json")
        launch 2 latency -m 8:8 -i "$n" -x 0 --columns=$columns "${files[@]}"
        expect_status 0
        case $n in
        1) expected='8 N - - - - - -' ;;
        2) expected='8 N N N N - - -' ;;
        3) expected='8 N N N N N - -' ;;
        esac
        [[ $(tail -n 1 "$out" | sed -E 's/[0-9]+\.[0-9]+/N/g; s/ +/ /g') == "$expected" ]] || fail "of $n samples"
        [[ ${#files[@]} -eq 0 ]] || check "$columns" <<'END'
row, = d["rows"]
words = dict(zip(sys.argv[2].split(","), [row["columns"][name] for name in sys.argv[2].split(",")]))
times, n = row["over_iterations"], row["iterations"]
assert [name for name in words if words[name] is None] == {1: list(words), 2: ["outliers", "ci_low", "drift"], 3: ["ci_low", "drift"]}[n], words
assert ([times[name] is None for name in ("stddev_us", "tau", "n_effective")] == 3 * [n < 2]), times
assert (row["shape"]["outliers"]["share"] is None) == (n < 3), row["shape"]
END
    done
}

# A reader of one of them expects nothing else there.
@test "--json=- and --csv=- write to standard output, instead of the table" {
    launch 2 latency -m 8:16 "${brief[@]}" --csv=-
    expect_status 0
    [[ $stdout == benchmark,ranks,*$'\n'latency,2,1,1,8,*$'\n'latency,2,1,1,16,* && $(wc -l <"$out") -eq 3 ]] || fail "not the CSV alone"
    [[ ! -e - ]] || fail "a file is called -"
    refusals <<'END'
1 E12 latency --csv=- -G tty|-G tty needs standard output, which --json=- and --csv=- take
END
    launch 2 suite latency bw --csv=-
    expect_status 1
    expect_no_out
    expect_err "take standard output, where each program has its table: name a folder, as in --json=results/"
    need_json
    refusals <<'END'
1 E12 latency --json=- --csv=-|--json=- and --csv=- exclude each other: standard output has room for one
END
    local program
    for program in "2 latency -m 8:8 --verify=2" "2 init" "3 pair_matrix -m 8:8 -i 5 -x 1"; do
        # shellcheck disable=SC2086  # words
        set -- $program --json=-
        launch "$@"
        expect_status 0
        json=$out
        check "$2" <<<'assert d["benchmark"] == sys.argv[2] and d["exit"]["code"] == 0 and d["rows"], d'
    done
    direct latency --json=- -Q
    expect_no_out
    [[ ! -e - ]] || fail "a file is called -"
}

# How often a heading is in the table, its key in CSV, which is there in any case, ranks and words.
@test "a column that can say nothing in any row is not in the table" {
    local shown heading n words csv=$BATS_TEST_TMPDIR/csv key name
    local -A expected=()
    mkdir "$csv"
    while IFS='|' read -r shown heading key n words; do
        name=row${#expected[@]}
        expected[$name]="$shown|$heading|$key"
        later "$name" "$n" "$words" -x 0 --csv "$csv/$name"
    done <<'END'
0|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5
0|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5 --compute=0
1|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5 --compute=50
0|P99|impact_p99_low|4|impact -m 8:8 --victim=latency -i 8:99:20
1|P99|impact_p99_low|4|impact -m 8:8 --victim=latency -i 8:20:100
0|CI95|ratio_high|2|bcast_guideline -m 8:8 -i 5
1|CI95|ratio_high|2|bcast_guideline -m 8:8 -i 20
END
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        IFS='|' read -r shown heading key <<<"${expected[$name]}"
        [[ $(grep -c "^# Size .* $heading" "$out") -eq $shown ]] || fail "$heading: not $shown times"
        head -n 1 "$csv/$name" | grep -q "$key" || fail "$key is not in CSV"
    done
}

@test "stdout and stderr in one file: the table is still found" {
    launch 4 allreduce -m 8:32 -z99 -i 5 -x 1
    expect_status 0
    cat "$err" "$out" >"$BATS_TEST_TMPDIR/both"
    [[ $(sed '1,/^# Size/d' "$BATS_TEST_TMPDIR/both" | wc -l) -eq 3 ]]
    [[ $(grep -c '^#' "$err") -ge 2 ]] || fail "no warning is here to be looked at"
    # No line beside the table begins like a row, or holds what could be one: a size and a value.  A warning has no
    # number between blanks.
    if grep -E '^ *[0-9]' "$err" || grep -E '^#( alidade:|   )' "$err" | grep -E '[ (][0-9.]+ ' || grep '^#' "$err" | grep -E '[0-9.]+ +[0-9.]+( |$)'; then
        fail "a warning could be read as a result"
    fi
}

# at_terminal COMMAND...: run it where a terminal of 80 columns shows what it prints, in the file seen; without colors
# unless no_color is empty.
no_color=1
at_terminal() {
    script --version >/dev/null 2>&1 || skip "there is no script, which makes a terminal"
    NO_COLOR=$no_color TERM=xterm script -qec "stty cols 80; $*" /dev/null </dev/null | tr -d '\r' >"$BATS_TEST_TMPDIR/seen"
    seen=$BATS_TEST_TMPDIR/seen
}

# too_wide: lines of seen above 80 columns, without OMB's tables that cannot fit.
too_wide() {
    awk '/^#.*  / { wide = length > 80 } length > 80 && !wide' "$seen"
}

@test "at a terminal all lines of all programs fit 80 columns, but for OMB's widest tables" {
    local start
    start_of 2
    at_terminal "${start[*]} ${file_of[suite]} all -- -m 8:16 -i 2 -x 0"
    [[ $(grep -c '^# Alidade ' "$seen") -gt 90 ]] || fail "too few programs"
    ! awk 'length > 80' "$seen" | grep . || fail "wide lines"
    # A table that is squeezed has all its words, and those of a row are below them.
    at_terminal "${start[*]} ${file_of[allreduce]} -m 8:8 -i 2 -x 0 -f -c"
    grep -Eq '^# Size +Avg Latency\(us\) Min Latency\(us\) Max Latency\(us\) Iterations Validation$' "$seen" || fail "no heading"
    grep -Eq '^8 ( +[0-9]+[.][0-9]{2}){3} +2 +Pass$' "$seen" || fail "no row"
    ! awk 'length > 80' "$seen" | grep . || fail "wide lines"
    at_terminal "${start[*]} ${file_of[iallreduce]} -m 8:8 -i 2 -x 0 -f -c"
    ! too_wide | grep . || fail "wide lines"
    [[ $(awk 'length > 80' "$seen" | wc -l) -eq 2 ]] || fail "not only the table"
}

@test "a terminal is where the launcher writes: a file, a pipe and another terminal's width get what is theirs" {
    local start run
    start_of 2
    run="${start[*]} ${file_of[latency]} -m 8:8 -i 2 -x 0"
    at_terminal "$run"
    [[ $(sed -n '/^# Alidade/{n;p}' "$seen") == "#   "* ]] || fail "not folded"
    at_terminal "$run >file"
    grep -q '^# Alidade .*; mpi=.*;$' file || fail "a file is not as it was"
    at_terminal "$run | cat"
    grep -q '^# Alidade .*; mpi=.*;$' "$seen" || fail "a pipe is not as it was"
    at_terminal "stty cols 200; $run"
    grep -q '^# Alidade .*; mpi=.*;$' "$seen" || fail "folded without need"
    at_terminal "stty cols 0; $run"
    grep -q '^# Alidade .*; mpi=.*;$' "$seen" || fail "a terminal without a width"
}

@test "errors have a color at a terminal, unless NO_COLOR is set or it is dumb" {
    local start run red=$'\e[1;31malidade: error E12\e[0m: latency: '
    start_of 1
    run="${start[*]} ${file_of[latency]} --nonsense || true"
    at_terminal "$run"
    grep -q '^alidade: error E12: latency: ' "$seen" || fail "a color"
    no_color=''
    at_terminal "$run"
    grep -qF "$red" "$seen" || fail "no color"
    at_terminal "TERM=dumb; export TERM; $run"
    grep -q '^alidade: error E12: latency: ' "$seen" || fail "a color of a dumb terminal"
    # Another rank learns of the terminal from rank 0.
    preload=(stop) impatient=no
    export FAULT=crash FAULT_CALL=MPI_Send FAULT_RANK=1 FAULT_BYTES=8 FAULT_SIGNAL=11
    start_of 2
    at_terminal "${start[*]} ${file_of[latency]} -m 8:8 -i 2 -x 0 || true"
    grep -qF $'\e[1;31malidade: error E38\e[0m: latency: ' "$seen" || fail "no color of rank 1"
    unset FAULT
    at_terminal "$ALIDADE_SOURCE/scripts/repeat --nonsense || true"
    grep -qF $'\e[1;31mrepeat:\e[0m unknown option' "$seen" || fail "no color of a script"
}
