#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The parts of the judge of results (scripts/judge): its statistics against counts of all cases and
# against SciPy, each on 500 random inputs; its text, files and options.  It needs no build.

# holds FILE CLASS...: these tests of tests/unit pass.
holds() {
    python=${python:-${PYTHON:-python3}}
    command -v "$python" >/dev/null || skip "there is no $python"
    run "$python" "$BATS_TEST_DIRNAME/../unit/$1" "${@:2}"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "shifts: p, shift, interval and superiority are those of all choices and all pairs" {
    holds test_judge.py ShiftTest
}

@test "outliers: the limit is that of the median and the median distance" {
    holds test_judge.py MedianTest
}

@test "many questions: Holm's correction is the closed test of all subsets" {
    holds test_judge.py HolmTest
}

@test "verdicts: margin, levels, runs that are needed; what is exchanged has the opposite verdict" {
    holds test_judge.py VerdictTest
}

@test "groups: two groups are where the largest of all gaps says so, and seldom by chance" {
    holds test_judge.py GroupsTest
}

@test "next run: its interval holds it as often as it says" {
    holds test_judge.py NextRunTest
}

@test "statistics are those of SciPy" {
    for python in "${PYTHON:-python3}" python3 /usr/bin/python3; do
        ! "$python" -c 'import scipy.stats' 2>/dev/null || break
        python=
    done
    [ -n "$python" ] || skip "SciPy is missing, with which statistics are compared: ${PYTHON:-python3} -m pip install scipy"
    holds test_judge.py ScipyTest
}

@test "text, files and options: what is cut, repaired, written, refused" {
    holds test_judge_text.py
}

@test "tune: what is faster is chosen and confirmed, what harms a size is not" {
    holds test_judge_tune.py
}

@test "examine: a host is named by five runs, and by three quarters of all; of equal hosts none is" {
    holds test_judge_examine.py
}

@test "examine of 1024 hosts that are made up, in the long form 4096: who has a fault is named, in few starts; of equal hosts none is" {
    holds test_judge_hosts.py
}

@test "comparison: figures, classes and limits of runs that are made up are those that were planted" {
    holds test_judge_comparison.py
}

@test "price: calls of a rank, times the time of one; equal variants cost the same" {
    holds test_judge_price.py
}

@test "rates: verdicts, intervals and groups are right as often as they say" {
    holds test_judge_rates.py
}

@test "any file: every verb answers or refuses it with a sentence" {
    holds test_judge_fuzz.py
}
