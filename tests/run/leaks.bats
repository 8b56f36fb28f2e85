#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What a program takes it gives back: the leak check of the address sanitizer,
# which takes longer than the runs themselves.  Not among the tests of make
# check, where nothing is sanitized; scripts/check names it.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

setup() {
    nm "$(program latency)" | grep -q __asan_init || skip "no address sanitizer"
    # The unwinder that finds its way through libraries without frame pointers,
    # so that their own leaks are told from ours.
    export ASAN_OPTIONS=fast_unwind_on_malloc=0:verify_asan_link_order=0
    export LSAN_OPTIONS=suppressions=$ALIDADE_SOURCE/tests/run/leaks.supp:print_suppressions=0
}

@test "no program leaks: verified, of two types, with all columns" {
    local name options
    for name in $(programs); do
        read -ra options <<<"${needs_of[$name]}"
        ! takes_iterations "$name" || options+=(-i 5 -x 1 -f)
        ! takes_sizes "$name" || options+=(-m 16:32 -c -z)
        ! takes_types "$name" || options+=(-T mpi_int,mpi_float)
        later "$name" "${fewest_of[$name]}" "$name" "${options[@]}"
    done
    all_good 'messages W22 W31 W36'
}

@test "a program that says what is wrong leaks nothing either" {
    launch 2 latency -m 4:2
    expect_status 1
    expect_error E12
    launch 2 latency -T mpi_none
    expect_status 1
    expect_error E12
}
