#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The short form of all tests that depend on the MPI, within a minute: ten programs of each folder on
# 2 and 4 ranks.  scripts/check --short runs it with MPIs of Python's package index.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

# on N: those of ALIDADE_SHORT (tests/Makefile.inc) that take so many ranks, in one job.
on() {
    local name options
    for name in $(programs); do
        [[ " ${ALIDADE_SHORT:-$name} " == *" $name "* ]] || continue
        case ${rule_of[$name]}:$1 in
        two:4 | three:2 | four:2) continue ;;
        esac
        # shellcheck disable=SC2206  # options, each a word
        options=(${needs_of[$name]})
        ! takes_sizes "$name" || options+=(-m 64:64 -c)
        ! takes_iterations "$name" || options+=(-i 5 -x 1)
        later "$name" "$1" "$name" "${options[@]}"
    done
    # What a library lacks, or what does not fit its ranks, is said (W31).
    all_good 'messages W31' passes
    echo "${#ran[@]} programs"
    [[ ${#ran[@]} -ge 20 ]] || fail "too few"
}

# Its figures are there, and its rows, where it verifies any, pass.
passes() {
    [[ $stdout != *Fail* ]] && { ! takes_sizes "$name" || expect_figures; }
}

@test "ten programs of each folder on 2 ranks: their data are right" {
    on 2
}

@test "ten programs of each folder on 4 ranks: their data are right" {
    on 4
}

@test "too few ranks are refused, and the launcher passes on the code" {
    launch 1 latency -m 8:8
    expect_status 77
    expect_error E02
}
