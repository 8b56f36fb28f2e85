#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# --counts: blocks of different lengths in v- and w-collectives, verified in every form;
# wrong files and options, by which all ranks leave.
# shellcheck disable=SC2154  # variables shared with common.bash

load common

brief=(-i 2 -x 1)

# A matrix in bytes whose mean is 25: all that rank 0 sends to others is 95, and nobody
# receives more.
setup() {
    matrix=$BATS_TEST_TMPDIR/moe.csv
    printf '# to 0, 1, 2\n0,90,5\n30,60,0\n\n10,0,30\n' >"$matrix"
    # The last rank receives most.
    rising=$BATS_TEST_TMPDIR/rising
    printf '1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n' >"$rising"
}

@test "every v- and w-collective moves blocks of different lengths, and empty ones" {
    local name n=3 kinds=(random:5 zero:40 one random:8) i=0
    for name in $(most_programs | grep -E '(gather|scatter|alltoall)[vw](_persistent)?$') \
        ialltoallv igatherv ineighbor_alltoallw; do
        # Another kind each time, on 3, 4 and 5 ranks in turn, with an odd type.
        later "$name" "$n" "$name" -c -m 8:2056:16 -T mpi_double --counts="${kinds[i % 4]}" "${brief[@]}"
        i=$((i + 1)) n=$((n == 5 ? 3 : n + 1))
    done
    [[ $i -ge 11 ]]
    if [[ $persistent == yes ]]; then
        later alltoallv_persistent 3 alltoallv_persistent -c -m 8:2056:16 --counts=random:5 "${brief[@]}"
    fi
    # With a root that rotates, and in place where MPI allows it.
    later gatherv.l 3 gatherv -c -l -k rotate -m 1:64:8 --counts=random:3 "${brief[@]}"
    later scatterv.l 3 scatterv -c -l -k rotate -m 1:64:8 --counts=zero:50 "${brief[@]}"
    all_good 'expect_all_pass 3'
}

@test "Max Bytes and Imbalance are those of the busiest rank, in the table and in JSON" {
    launch 4 alltoallv -m 1000:1000 --counts="file:$rising" "${brief[@]}"
    # 1600 from each of three others; the mean of ranks is 3000.
    [[ $(column 3) == 4800 && $(column 4) == 1.60 ]] || fail "not 4800 and 1.60"
    launch 3 alltoallv -m 25:25 --counts="file:$matrix" "${brief[@]}"
    # 90, 5, 30, 10 move, by three ranks.
    [[ $(column 3) == 95 && $(column 4) == 2.11 ]] || fail "not 95 and 2.11"
    echo 1 2 4 8 >"$rising"
    launch 4 gatherv -m 1000:1000 --counts="file:$rising" "${brief[@]}"
    [[ $(column 3) == 2134 && $(column 4) == 2.13 ]] || fail "not 2134 and 2.13"
    need_json
    json=$BATS_TEST_TMPDIR/j
    launch 3 alltoallv -m 25:25 --counts="file:$matrix" "${brief[@]}" --json "$json"
    check "$matrix" <<'END'
assert d["method"]["counts"] == "file:" + sys.argv[2], d["method"]
columns = d["rows"][0]["columns"]
assert columns["max_bytes"] == 95, columns
assert abs(columns["imbalance"] - 95 / 45) < 1e-6, columns
END
    launch 3 alltoallv -m 25:25 "${brief[@]}" --json "$json"
    refuse_out "Max Bytes"
    check <<'END'
assert d["method"]["counts"] == "equal", d["method"]
END
}

@test "a file with another shape, a negative number or none at all: E12, and all leave" {
    printf '1,2\n3,4\n' >"$BATS_TEST_TMPDIR/short"
    printf '1,2,3\n4,-5,6\n7,8,9\n' >"$BATS_TEST_TMPDIR/negative"
    mkfifo "$BATS_TEST_TMPDIR/pipe"
    printf '1,2,3\n4,5,6\n7,8,9\n' >"$BATS_TEST_TMPDIR/pipe" 3>&- &
    local file why
    impatient=yes
    while IFS='|' read -r file why; do
        launch 3 alltoallv -m 8:8 --counts="file:$BATS_TEST_TMPDIR/$file" "${brief[@]}"
        echo "$file"
        expect_status 1
        expect_error E12
        expect_no_out
        expect_err "$file: $why"
    done <<'END'
short|line 1 has 2 numbers; ranks: 3
negative|line 2 has a negative number: -5
nowhere|it cannot be read
pipe|it is read twice, which a pipe cannot be
END
    launch 3 scatterv -m 8:8 --counts="file:$BATS_TEST_TMPDIR/short" "${brief[@]}"
    expect_status 1
    expect_err "short: it has 4 numbers; ranks: 3"
}

@test "what --counts excludes is said before MPI starts" {
    refusals <<'END'
1 E12 alltoallv -l --counts=one|--counts and -
1 E12 neighbor_alltoallw -D cont --counts=one|--counts and -
1 E12 alltoallv_persistent -D vect --counts=one|--counts and -
1 E43 allreduce --counts=one
END
    direct alltoallv --dry-run --ranks 4 -m 8:8 --counts=one
    expect_out "is that of --counts=equal"
}
