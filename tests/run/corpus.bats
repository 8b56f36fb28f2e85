#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What every program prints in each way of tests/corpus: on the numbers of ranks that it takes,
# with the options that it takes, it finds its own data right.
# shellcheck disable=SC2154  # variables shared with common.bash

load common

corpus=$ALIDADE_BUILD/tests/corpus

setup() {
    [[ -e $corpus/three/done && -e $corpus/four/done && -e $corpus/strided/done && -e $corpus/windows/done ]] || fail "make corpus first"
}

# right WAY [MESSAGE...]: its tables are as planned.
right() {
    [[ $python3 != none ]] || skip "there is no python3"
    "$python3" "$ALIDADE_SOURCE/tests/corpus/tables.py" "$corpus/$1" "${@:2}"
}

@test "3 ranks, odd sizes in any order, in place, out of a pool, touched, at another root: every row passes" {
    right three W31
}

@test "4 ranks, odd sizes, all types of sums, all columns, a root that rotates, out of a pool: every row passes" {
    right four W22 W31 W36
}

@test "strides of two types: every row passes (OMB 34)" {
    right strided W31
}

@test "one-sided: windows and synchronizations: every row passes" {
    right windows W31
    # Every combination is there: six of each of the four windows, or of three without shared memory.
    local programs n expected=24
    [[ $shares_memory == yes ]] || expected=18
    read -r programs n < <(awk '{ split($1, word, "."); both[word[2] "." word[3]]; program[word[1]] }
        END { print length(program), length(both) }' "$corpus/windows/plan")
    [[ $programs -ge 14 && $n -eq $expected ]] || fail "$programs programs, $n combinations"
}

@test "headings: validation, percentiles, start of non-blocking collectives, extremes of collectives" {
    local name n rows sizes out heading
    while read -r name n rows sizes; do
        [[ $rows != - ]] || continue
        out=$corpus/four/$name.out
        stdout=$(<"$out")
        echo "$name"
        for heading in Validation "P50 Tail" "P90 Tail" "P99 Tail"; do
            expect_out "$heading"
        done
        case $name in
        i*) expect_out "Coll. Init(us)" ;;
        *)
            if [[ ${family_of[$name]} == collective || $name =~ ^(pair_matrix|hosts|(random_)?ring|exchange)$ ]]; then
                expect_out "Min Latency(us)   Max Latency(us)  Iterations"
            else
                refuse_out "Min Latency"
            fi
            ;;
        esac
    done <"$corpus/four/plan"
}

# Results of these programs, all ours, are no rows: doc/output.md names them.
@test "the table of every program ends with a row, but for those of ours that have results after it" {
    local name results=' completion ft halo impact is match_queue overlap_bw pair_bw pair_matrix staged_bw staged_latency where '
    for out in "$corpus"/{three,four,strided,windows}/*.out; do
        name=${out##*/} name=${name%%.*}
        echo "$out"
        if [[ $results == *" $name "* || $name == *_guideline ]]; then
            ! has_word "$name" OF_OMB || fail "it is a program of OMB"
        else
            ends_with_row || fail "it ends with: $(tail -n 1 "$out")"
        fi
    done
}

# A table of nine figures is not one of eight, and a row that fails not one that passes.
@test "a table that is not as planned is found" {
    local way=$BATS_TEST_TMPDIR/way change
    while IFS='|' read -r change; do
        rm -rf "$way"
        mkdir "$way"
        grep '^latency ' "$corpus/three/plan" >"$way/plan"
        cp "$corpus/three"/latency.{out,status} "$way"
        "$python3" "$ALIDADE_SOURCE/tests/corpus/tables.py" "$way"
        eval "$change"
        ! "$python3" "$ALIDADE_SOURCE/tests/corpus/tables.py" "$way" || fail "not found: $change"
    done <<'END'
sed -i 's/Pass/Fail/' way/latency.out
sed -i '$d' way/latency.out
sed -i 's/^28 /32 /' way/latency.out
sed -i -E '$s/[0-9]+\.[0-9]{2}/0.00/' way/latency.out
sed -i -E '$s/[0-9]+\.[0-9]{2}/nan/' way/latency.out
sed -i 's/ranks=2;/ranks=3;/' way/latency.out
sed -i 's/^0/3/' way/latency.status
echo '# alidade: warning W30: latency: x' >way/x.err
END
}
