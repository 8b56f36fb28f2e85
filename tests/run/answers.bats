#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Whole answers of alidade-analysis: made-up results in, documents out (answers/README.md).
# shellcheck disable=SC2154  # variables shared with common.bash

load common
load made_up

analysis() { "$ALIDADE_BUILD/c/analysis/alidade-analysis" "$@" || echo "exit code $?"; }

@test "each question has the answer that is written down" {
    [[ $have_jansson == yes ]] || skip "this build has no jansson"
    local file setup command wrong=()
    for file in "$ALIDADE_SOURCE"/tests/run/answers/*.txt; do
        { read -r setup && read -r command; } <"$file"
        mkdir "$BATS_TEST_TMPDIR/$(basename "$file")"
        cd "$BATS_TEST_TMPDIR/$(basename "$file")" || return
        eval "$setup"
        { printf '%s\n' "$setup" "$command" && eval "$command"; } >../said 2>&1
        [[ -z ${ALIDADE_RECORD:-} ]] || cp ../said "$file"
        diff "$file" ../said || wrong+=("$file")
    done
    [[ ${#wrong[@]} -eq 0 ]] || fail "other answers: ${wrong[*]}"
}
