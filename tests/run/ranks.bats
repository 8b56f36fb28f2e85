#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every program runs on the numbers of ranks that it takes, and refuses others.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

# Options for a run that is over soon.
brief=(-i 5 -x 1)

small() {
    if takes_sizes "$1"; then
        echo -m 16:16 -c "${brief[@]}"
    elif takes_laps "$1"; then
        echo "${brief[@]}"
    fi
}

# May this program run on N ranks?
fits() {
    case $(rank_rule "$1"):$2 in
    any:* | dividing:[124] | two:2 | even:[24] | many:[234] | three:[34] | four:4) ;;
    *) return 1 ;;
    esac
}

# on_ranks N NAME...
on_ranks() {
    local name options n=$1
    shift
    for name in "$@"; do
        read -ra options <<<"$(small "$name") $(required "$name")"
        launch "$n" "$name" "${options[@]}"
        echo "$name on $n ranks"
        if fits "$name" "$n"; then
            expect_status 0
            expect_quiet W31
            expect_out "ranks=$n;"
        else
            expect_status 77
            expect_error E02
            expect_no_out
        fi
    done
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

@test "every program on a number of ranks that it does not take: E02 and 77" {
    local name n
    for name in $(most_programs); do
        for n in 1 2 3 4; do
            ! fits "$name" "$n" || continue
            # What a neighbourhood needs is known when it is made.
            [[ $name != *neighbor_* || $n -eq 1 ]] || continue
            # shellcheck disable=SC2046  # options, each a word
            direct "$name" --dry-run --ranks "$n" $(required "$name")
            echo "$name on $n ranks"
            expect_status 77
            expect_error E02
            expect_no_out
        done
    done
    on_ranks 2 neighbor_alltoall latency
    on_ranks 3 latency mbw_mr
}

# Those with sizes: the last test, and smoke.bats.
@test "every distinct program without sizes runs on 2, 3 and 4 ranks that it takes" {
    local name n
    for name in $(distinct_programs); do
        for n in 2 3 4; do
            ! takes_sizes "$name" && fits "$name" "$n" || continue
            on_ranks "$n" "$name"
        done
    done
}

@test "collectives and neighbourhoods of default type on 2 and 3 ranks: every row passes" {
    local name n
    for name in $(most_programs); do
        [[ $(rank_rule "$name") =~ ^(many|three)$ ]] && takes_sizes "$name" || continue
        for n in 2 3; do
            fits "$name" "$n" && ! library_fails "$name" "$n" || continue
            # shellcheck disable=SC2046  # options, each a word
            launch "$n" "$name" -m 3:50 -c "${brief[@]}" $(required "$name")
            echo "$name on $n ranks"
            expect_status 0
            expect_quiet
            expect_figures
            expect_out "ranks=$n;"
            # Sums are of floats.
            if takes_sums "$name"; then
                expect_sizes 12 24 48
            else
                expect_sizes_of "$name" 3 6 12 24 48
            fi
            expect_all_pass "$(grep -c '^[0-9]' "$out")"
        done
    done
}
