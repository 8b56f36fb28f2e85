#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Other processors under qemu: tests/foreign/run.

setup() {
    : "${ALIDADE_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
    [[ -n ${ALIDADE_LONG:-} ]] || skip "it takes minutes: make check-long"
    [[ -n ${ALIDADE_FOREIGN:-} ]] || skip "ALIDADE_FOREIGN names no folder: see tests/foreign/run --help"
}

# passes PROCESSOR
passes() {
    local code=0
    "$ALIDADE_SOURCE/tests/foreign/run" "$ALIDADE_FOREIGN" "$1" "$BATS_TEST_TMPDIR/work" >"$BATS_TEST_TMPDIR/out" || code=$?
    [[ $code -ne 77 ]] || skip "$(<"$BATS_TEST_TMPDIR/out")"
    cat "$BATS_TEST_TMPDIR/out"
    [[ $code -eq 0 ]]
}

@test "arm64: the unit tests and twenty programs pass" { passes arm64; }

@test "s390x, whose numbers begin with the highest byte: the same" { passes s390x; }
