#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Whole answers of the judge of results: made-up results in, documents out (answers/README.md).
# It needs no build where ALIDADE_JUDGE names a judge.
# shellcheck disable=SC2154  # judge is of made_up.bash

load made_up

# answers NAME...: each question of these documents has the answer that is written down.
answers() {
    command -v "${judge[0]}" >/dev/null || skip "there is no ${judge[0]:-python3}"
    command -v python3 >/dev/null || skip "there is no python3, which makes up results of hosts"
    "$BATS_TEST_DIRNAME/answers/record" --check "$@"
}

@test "each question has the answer that is written down: accept" {
    answers accept
}

@test "each question has the answer that is written down: compare" {
    answers compare
}

@test "each question has the answer that is written down: doctor" {
    answers doctor
}

@test "each question has the answer that is written down: examine" {
    answers examine
}

@test "each question has the answer that is written down: guidelines" {
    answers guidelines
}

@test "each question has the answer that is written down: repeat" {
    answers repeat
}

@test "each question has the answer that is written down: report, history" {
    answers report history
}

@test "each question has the answer that is written down: tune" {
    answers tune
}

@test "each question has the answer that is written down: help, and faults that were found" {
    answers help n
}
