#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every program refuses numbers of ranks that it does not take, and needs no more memory on a
# million of them.  corpus.bats looks at runs on 1 to 4 ranks.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

# May this program run on N ranks?
fits() {
    case ${rule_of[$1]}:$2 in
    any:* | dividing:[124] | two:2 | even:[24] | many:[234] | three:[34] | four:4) ;;
    *) return 1 ;;
    esac
}

# bytes_of WORDS: of "1.5MiB".
bytes_of() {
    awk -v words="$1" 'BEGIN { printf "%.0f\n", words * 1024 ^ ((index("BKMGTPE", substr(words, match(words, /[A-Z]/), 1)) - 1)) }'
}

@test "the memory plan of a million ranks: what MPI is given and what is kept, on no rank more" {
    local root other name options
    while read -r root other name options; do
        # shellcheck disable=SC2086  # words
        direct "$name" --dry-run --ranks 1000000 -m 8:8 $options
        echo "$name $options"
        expect_status 0
        # As rounded; not much less, as a request or a type of MPI has 4 bytes or 8.
        local at=2 most seen
        for most in "$root" "$other"; do
            seen=$(bytes_of "$(column $at)")
            ((seen <= most + most / 1000 && seen >= most * 4 / 5 - 1000)) || fail "$seen bytes, not about $most"
            at=$((at + 1))
        done
    done <<'END'
1000 1000 bcast
1000 1000 multi_lat
1000 1000 allreduce
8001000 1000 gather
16001000 1000 gatherv
16001000 1000 scatterv
16001000 16001000 allgatherv
32001000 32001000 alltoallv
40010000 40010000 alltoallw
24800000 24800000 reduce_scatter -T mpi_char -m 8M:8M
1000 1000 neighbor_alltoallv
1000 1000 hotspot_put -W 1000000
1000 64001000 hotspot_get -W 1000000
72001000 1000 hotspot_send
16001000 16001000 allgather_guideline
8001000 8001000 allreduce_guideline
END
}

@test "every program on a number of ranks that it does not take is refused: E02 and 77" {
    local name n file=$BATS_TEST_TMPDIR/lines
    for n in 1 2 3 4; do
        for name in $(programs); do
            # What a neighbourhood needs is known when it is made.
            fits "$name" "$n" || [[ $name == *neighbor_* && $n -gt 1 ]] ||
                echo "$name --dry-run --ranks $n ${needs_of[$name]}"
        done >"$file"
        direct suite --from="$file"
        expect_status 77
        [[ $(grep -Ec '^# suite: [a-z_]+: skipped; .*ranks' "$out") -eq $(wc -l <"$file") ]] || fail "not all of $(<"$file")"
    done
    for name in latency mbw_mr neighbor_alltoall; do
        n=3
        [[ $name != n* ]] || n=2
        launch "$n" "$name" -m 16:16
        expect_status 77
        expect_error E02
        expect_no_out
    done
}
