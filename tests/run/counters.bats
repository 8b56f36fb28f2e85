#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# -P: what is counted, over which part of a run, and where it is written. Mostly
# with a PAPI whose counts are known (tests/faults/counts.c).
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    [[ $have_papi == yes ]] || skip "this build has no PAPI"
    mkdir "$BATS_TEST_TMPDIR/here" && cd "$BATS_TEST_TMPDIR/here" || return 1
    preload=(counts)
}

# The file is what stands on stdin, to the last byte.
expect_file() {
    diff - "$1" || fail "$1 is not as expected"
}

@test "-P: the iterations of a row are counted, and no others: neither warm-up nor verification" {
    echo "what an earlier run left" >papi_output.out
    launch 2 latency -m 8:16 -i 100 -x 0 -P FAKE::SENDS
    expect_status 0
    expect_quiet
    # The first iteration is no lead-in: there is no warm-up to end with it.
    expect_file papi_output.out <<'END'
Size: 8
------------------------------------------------------
PAPI Event Name               Rank:0            Rank:1
FAKE::SENDS                      100               100
Iterations                       100               100
------------------------------------------------------
Size: 16
------------------------------------------------------
PAPI Event Name               Rank:0            Rank:1
FAKE::SENDS                      100               100
Iterations                       100               100
------------------------------------------------------
END
    launch 2 latency -m 8:8 -i 40000 -x 50 -P FAKE::SENDS:x
    expect_status 77
    expect_error E26
    # Two batches, of 32,768 samples each, and a lead-in in front of each.
    launch 2 latency -m 8:8 -i 40000 -x 50 -P FAKE::SENDS:x.out -P FAKE::RANK
    expect_status 0
    grep -qE '^FAKE::SENDS +40002 +40002$' x.out || fail "$(<x.out)"
    grep -qE '^FAKE::RANK +2 +4$' x.out || fail "$(<x.out)"
}

@test "-P EVENT:-: the counts are on standard output, instead of the table, and in no file" {
    launch 2 latency -m 8:8 -i 100 -x 0 -P FAKE::SENDS,FAKE::RANK:-
    expect_status 0
    expect_quiet
    expect_file "$out" <<'END'
Size: 8
------------------------------------------------------
PAPI Event Name               Rank:0            Rank:1
FAKE::SENDS                      100               100
FAKE::RANK                         1                 2
Iterations                       100               100
------------------------------------------------------
END
    [[ -z $(ls) ]] || fail "files are left: $(ls)"
}

@test "-P: types, and a program without sizes" {
    launch 2 latency -m 8:8 -T mpi_char,mpi_int -i 10 -x 0 -P FAKE::SENDS:./x
    expect_status 0
    [[ $(grep -c '^FAKE::SENDS  *10  *10$' x) -eq 2 ]] || fail "$(<x)"
    [[ $(grep '^Datatype' x) == $'Datatype: MPI_CHAR\nDatatype: MPI_INT' ]] || fail "$(<x)"
    launch 3 barrier -i 10 -x 0 -P FAKE::RANK:./y
    expect_status 0
    expect_file y <<'END'
------------------------------------------------------------------------
PAPI Event Name               Rank:0            Rank:1            Rank:2
FAKE::RANK                         1                 2                 3
Iterations                        10                10                10
------------------------------------------------------------------------
END
}

# suite writes no files of counters.
@test "-P in programs of each kind that measures iterations: the loop is counted once" {
    local name options
    for name in latency_mt mbw_mr iallreduce allgather_guideline put_bibw hotspot_put match_queue pair_matrix impact memory_bw; do
        rm -f x
        options=(-i 10 -x 1 -P FAKE::RANK:./x)
        # shellcheck disable=SC2206  # options, each a word
        options+=(${needs_of[$name]})
        if takes_sizes "$name"; then
            options+=(-m 64:64)
        fi
        launch "${fewest_of[$name]}" "$name" "${options[@]}"
        echo "$name"
        expect_status 0
        expect_quiet
        grep -qE "^FAKE::RANK +1$([[ ${fewest_of[$name]} -eq 1 ]] || echo ' +2')" x || fail "$(<x)"
    done
}

@test "-P and --json: sums over ranks, and of an iteration" {
    need_json
    launch 2 latency -m 8:8 -i 100 -x 0 -P FAKE::SENDS,FAKE::RANK --json x.json
    expect_status 0
    "$python3" - "$result_schema" <<'END'
import json, sys
document = json.load(open("x.json"))
row = document["rows"][0]
assert row["counters"] == {"FAKE::SENDS": {"total": 200, "per_iteration": 2},
                           "FAKE::RANK": {"total": 3, "per_iteration": 0.03}}, row
try:
    import jsonschema
except ImportError:
    sys.exit()
jsonschema.validate(document, json.load(open(sys.argv[1])))
END
}

@test "-P: what cannot be counted is named before anything is measured" {
    launch 2 latency -m 8:8 -P FAKE::SENDS,PAPI_NONE:x.out --json x.json
    expect_status 77
    expect_error E26
    expect_err "-P PAPI_NONE: Event does not exist (rank=0;)"
    expect_no_out
    # One rank that cannot is enough, and says so.
    FAULT_RANK=2 launch 3 allreduce -m 8:8 -P FAKE::RARE
    expect_status 77
    expect_error E26
    expect_err "-P FAKE::RARE: Event does not exist (rank=2;)"
    FAULT=papi launch 2 latency -m 8:8 -P FAKE::SENDS
    expect_status 77
    expect_err "-P PAPI: Component Index isn't set (rank=0;)"
    # The result file says how it ended.
    [[ $(ls) == x.json ]] || fail "files are left: $(ls)"
    grep -q '"code": 77' x.json || fail "$(cat x.json)"
}

@test "-P: a file that cannot be written is found out before; one that is not asked for is not touched" {
    launch 2 latency -m 8:8 -P FAKE::SENDS:missing/x.out
    expect_status 1
    expect_error E17
    expect_err "-P missing/x.out: No such file"
    expect_no_out
    echo kept >papi_output.out
    launch 2 latency -m 8:8 -i 10 -x 0
    [[ $(<papi_output.out) == kept ]] || fail "spoilt"
    launch 2 latency -m 8:8 -i 10 -x 0 -P FAKE::SENDS:/dev/full
    expect_status 2
    expect_error E21
    expect_sizes 8
}

@test "-P with the real PAPI: software events of the kernel" {
    preload=()
    launch 2 latency -m 8:8 -i 1000 -P perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES
    if [[ $status -eq 77 ]]; then
        expect_error E26
        skip "$(sed -n 's/^alidade: error E26: latency: //p' "$err")"
    fi
    expect_status 0
    [[ $(grep -cE '^perf::(PAGE-FAULTS|CONTEXT-SWITCHES) +[0-9]+ +[0-9]+$' papi_output.out) -eq 2 ]] ||
        fail "$(<papi_output.out)"
}
