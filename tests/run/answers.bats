#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Whole answers of the judge of results: made-up results in, documents out (answers/README.md).
# It needs no build where ALIDADE_JUDGE names a judge.
# shellcheck disable=SC2154  # judge is of made_up.bash

load made_up

@test "each question has the answer that is written down" {
    command -v "${judge[0]}" >/dev/null || skip "there is no ${judge[0]}: this build has no jansson"
    command -v python3 >/dev/null || skip "there is no python3, which makes up results of hosts"
    "$BATS_TEST_DIRNAME/answers/record" --check
}

# scripts/judge is to take the place of the C program.
# python_answers NAME...: it gives these answers.
python_answers() {
    command -v python3 >/dev/null || skip "there is no python3"
    ALIDADE_JUDGE="python3 $BATS_TEST_DIRNAME/../../scripts/judge" "$BATS_TEST_DIRNAME/answers/record" --check "$@"
}

@test "the judge in Python gives the same answers: accept" {
    python_answers accept
}

@test "the judge in Python gives the same answers: compare" {
    python_answers compare
}

@test "the judge in Python gives the same answers: examine" {
    python_answers examine
}

@test "the judge in Python gives the same answers: repeat" {
    python_answers repeat
}

@test "the judge in Python gives the same answers: report" {
    python_answers report
}

@test "the judge in Python gives the same answers: tune" {
    python_answers tune
}

@test "the judge in Python gives the same answers: help, and what is wrong today" {
    python_answers help n
}
