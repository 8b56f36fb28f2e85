#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The mutants of tests/mutants: do they fit the sources, and do the tests find them?

load common

# A mutant that no longer fits would be a promise that nobody tests.
@test "every mutant fits its source once, and its tests exist" {
    "$ALIDADE_SOURCE/tests/mutants/run" --check || fail "see tests/mutants/README.md"
}

# plant LIST-LINE...: a mutant of a list of its own is refused, for that reason.
@test "a mutant that does not fit is named" {
    local folder=$BATS_TEST_TMPDIR/tests/mutants case
    mkdir -p "$folder" "$BATS_TEST_TMPDIR/c"
    cp "$ALIDADE_SOURCE/tests/mutants/run" "$folder"
    printf 'one\ntwo\ntwo\n' >"$BATS_TEST_TMPDIR/c/x.c"
    printf '@test "it works" {\n' >"$BATS_TEST_TMPDIR/tests/x.bats"
    for case in 'three|tests/x.bats|exactly once' 'two|tests/x.bats|exactly once' \
        'one|tests/y.bats|there is no test tests/y.bats' 'one|tests/x.bats it fails|no test tests/x.bats it fails' \
        'one|tests/x.bats it works|1 mutants apply'; do
        IFS='|' read -r old test expected <<<"$case"
        printf '%s\n' '== name' 'promise: p' 'file: c/x.c' "- $old" '+ new' "test: $test" 'needs: all' >"$folder/x.list"
        run "$folder/run" --check
        [[ $output == *"$expected"* ]] || fail "$case: $output"
    done
}

# Unit tests alone: what they need is built in some minutes.
@test "some mutants are found by their tests" {
    [ -n "${ALIDADE_LONG:-}" ] || skip "in the long form"
    [[ -e $ALIDADE_BUILD/tests/unit/test_stats ]] || skip "without cmocka"
    run "$ALIDADE_SOURCE/tests/mutants/run" "$ALIDADE_BUILD" sizes-k-is-1000 \
        typemap-gap-ends-early stats-rank-one-too-low iterations-stride-one-more mb-is-2-to-the-20 holm-not-sorted
    echo "$output" >&3
    [[ $status -eq 0 && $output == *" 0 survived,"* ]]
}
