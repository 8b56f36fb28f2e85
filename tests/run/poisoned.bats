#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Everything that MPI is told to read or to write is the program's: tests/faults/poisoned.c asks the
# address sanitizer.  Not among the tests of make check, where nothing is sanitized; scripts/check names it.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    nm "$(program latency)" | grep -q __asan_init || skip "no address sanitizer"
    export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
    export POISONED_OUT=$BATS_TEST_TMPDIR/asked
    mkdir "$POISONED_OUT"
    preload=(poisoned)
}

# May the program run on N ranks?  Those in groups have as many of them as ranks.
fits() {
    case ${rule_of[$1]} in
    two) [[ $2 -eq 2 ]] ;;
    even) [[ $(($2 % 2)) -eq 0 || $1 == bw_fan_* ]] ;;
    three) [[ $2 -ge 3 ]] ;;
    four) [[ $2 -ge 4 ]] ;;
    dividing) [[ $2 =~ ^[124]$ ]] ;;
    esac
}

# Each number of ranks has options of its own, so that few runs see many.
options_on() {
    local name=$1 n=$2 options=()
    read -ra options <<<"${needs_of[$name]}"
    [[ $name != bw_fan_* ]] || options=(--groups "$n")
    ! takes_iterations "$name" || options+=(-i 2 -x 0)
    ! takes_sizes "$name" || options+=(-m 64:128 -c)
    case $n in
    2) ! has_word "$name" TAKES_WINDOW || options+=(-W 70) ;;
    3)
        [[ ! -v in_place[$name] ]] || options+=(-l)
        ! takes_root "$name" || options+=(-k fixed:2)
        ;;
    4) ! takes_root "$name" || [[ $name == *_persistent ]] || options+=(-k rotate) ;;
    5) [[ ! -v derived[$name] ]] || options+=(-D vect:7:3) ;;
    7) ! has_word "$name" TAKES_BUFFERS || options+=(-b multiple -W 3) ;;
    esac
    echo "${options[*]}"
}

# Sets names, the programs of a job, whose lines are in a file.
job_of() {
    local name
    names=()
    while read -r name; do
        fits "$name" "$1" || continue
        names+=("$name")
        echo "$name $(options_on "$name" "$1")"
    done < <(programs) >"$BATS_TEST_TMPDIR/lines"
}

# Sets regions, how many all processes asked for; each of N ranks asked for some.
count_asked() {
    local files=("$POISONED_OUT"/*)
    [[ ${#files[@]} -ge $1 ]] || fail "of $1 ranks ${#files[@]} asked"
    regions=$(cat "${files[@]}" | awk '{ n += $1 } END { print n + 0 }')
    rm "${files[@]}"
}

@test "all programs on 2, 3, 4, 5 and 7 ranks: MPI is given no memory that is not theirs" {
    local n name names table='' alone regions ran skipped
    local -A in_place=() derived=() seen=()
    takers in-place
    for name in "${!takes[@]}"; do in_place[$name]=yes; done
    takers ddt
    for name in "${!takes[@]}"; do derived[$name]=yes; done
    for n in 2 3 4 5 7; do
        job_of "$n"
        launch "$n" suite --from="$BATS_TEST_TMPDIR/lines"
        [[ $stderr != *poisoned:* ]] || fail "MPI is given memory that is not the program's"
        expect_status 0
        mapfile -t skipped < <(sed -n 's/^# suite: \([a-z_0-9]*\): skipped; .*/\1/p' "$out")
        ran=$(grep -c '^# suite: [a-z_0-9]*: run; ' "$out")
        alone=${#skipped[@]}
        [[ $((ran + alone)) -eq ${#names[@]} ]] || fail "of ${#names[@]} programs $ran were run, and $alone skipped"
        # What needs another start of MPI.
        for name in "${skipped[@]}"; do
            # shellcheck disable=SC2046  # words
            launch "$n" "$name" $(options_on "$name" "$n")
            echo "$name"
            expect_status 0
            [[ $stderr != *poisoned:* ]] || fail "$name"
        done
        count_asked "$n"
        for name in "${names[@]}"; do seen[$name]=yes; done
        table+=$(printf '# %5d %9d %8d %12d %9d' "$n" "${#names[@]}" "$alone" "$regions" 0)$'\n'
    done
    # None is left out.
    for name in $(programs); do
        [[ -v seen[$name] ]] || fail "$name ran on no number of ranks"
    done
    printf '# ranks  programs    alone      regions  poisoned\n%s# programs=%d\n' "$table" "${#seen[@]}" >&3
}

@test "what the programs call is asked, or takes no memory" {
    local calls=$ALIDADE_BUILD/tests/faults/poisoned_calls.h unknown
    nm -u "$ALIDADE_BUILD"/mpi/*/* 2>/dev/null | sed -n 's/^ *U \(MPIX\{0,1\}_[A-Z][a-z_]*\)$/\1/p' | sort -u >"$BATS_TEST_TMPDIR/used"
    [[ $(wc -l <"$BATS_TEST_TMPDIR/used") -gt 100 ]] || fail "programs call hardly anything"
    sed -n 's/^\(asked\|none\) \(MPI[A-Za-z_]*\)$/\2/p' "$calls" | sort -u >"$BATS_TEST_TMPDIR/known"
    # Those that take functions, and those whose memory is MPI's.
    unknown=$(comm -23 "$BATS_TEST_TMPDIR/used" "$BATS_TEST_TMPDIR/known" |
        grep -vxE 'MPI_Wtime|MPI_Op_create|MPI_(Comm|Win)_create_errhandler|MPI_Win_get_attr' || true)
    [[ -z $unknown ]] || fail "not asked: $unknown"
}

# Each reads or writes beyond memory in a way of its own.
@test "a read or a write beyond memory is found: messages, types, collectives, windows, requests, statuses, counts, texts" {
    local what call argument
    cat >"$BATS_TEST_TMPDIR/beyond.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];
    int *four = calloc(4, sizeof *four), *other = calloc(5, sizeof *other), *one = calloc(1, sizeof *one), zero[2] = { 0 };
    MPI_Request *request = malloc(2 * sizeof *request);
    MPI_Status *status = malloc(2 * sizeof *status);
    MPI_Datatype *type = malloc(sizeof *type);
    char *half = malloc(2), *name = malloc(8);
    MPI_Win win;

#define IS(word) (strcmp(what, #word) == 0)
    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 4, MPI_INT, type); /* 5 ints from first to last */
    MPI_Type_commit(type);
    MPI_Irecv(other, 5, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Isend(four, 1, IS(type) ? *type : MPI_INT, 0, 0, MPI_COMM_SELF, &request[1]);
    MPI_Waitall(2, request, IS(statuses) ? status + 1 : status);
    if (IS(send))
        MPI_Send(four, 5, MPI_INT, 0, 0, MPI_COMM_SELF);
    if (IS(recv))
        MPI_Recv(four + 1, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (IS(requests))
        MPI_Isend(one, 1, MPI_INT, 0, 0, MPI_COMM_SELF, request + 2);
    if (IS(wait))
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(four, 4, MPI_INT, 0, 0, other, 4, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Gather(four, 4, MPI_INT, other, 4, MPI_INT, 0, MPI_COMM_SELF);
    if (IS(gather))
        MPI_Gather(other, 5, MPI_INT, four, 5, MPI_INT, 0, MPI_COMM_SELF);
    if (IS(inplace))
        MPI_Allreduce(MPI_IN_PLACE, four, 5, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    if (IS(counts))
        MPI_Alltoallv(four, (int *)half, zero, MPI_INT, other, zero, zero, MPI_INT, MPI_COMM_SELF);
    *one = 4;
    if (IS(part)) {
        zero[1] = 1;
        MPI_Alltoallv(four, one, zero + 1, MPI_INT, other, one, zero, MPI_INT, MPI_COMM_SELF);
    }
    MPI_Win_create(other, 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(four, IS(put) ? 5 : 4, MPI_INT, 0, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    if (IS(window))
        MPI_Win_create(four, 17, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (IS(text))
        MPI_Get_processor_name(name, zero);
    if (IS(freed)) {
        free(four);
        MPI_Bcast(four, 4, MPI_INT, 0, MPI_COMM_SELF);
    }
    MPI_Type_free(type);
    free(one), free(other), free(request), free(status), free(type), free(half), free(name);
    return MPI_Finalize();
}
END
    "$mpicc" -g -w -fsanitize=address -o "$BATS_TEST_TMPDIR/beyond" "$BATS_TEST_TMPDIR/beyond.c" || fail "it does not compile"
    file_of[beyond]=$BATS_TEST_TMPDIR/beyond
    while IFS='|' read -r what call argument; do
        echo "$what"
        launch 2 beyond "$what"
        [[ $call != - ]] || {
            expect_status 0
            [[ $stderr != *poisoned:* ]] || fail "what is right is not found wrong"
            continue
        }
        exit_code_lost || expect_status 86
        # MPICH's launcher may lose what ranks said that ended at once.
        [[ -n $stderr ]] || launch 2 beyond "$what"
        expect_err "; call=MPI_$call; argument=$argument; "
    done <<'END'
nothing|-|
send|Send|buf
recv|Recv|buf
type|Isend|buf
requests|Isend|request
wait|Waitall|array_of_requests
statuses|Waitall|array_of_statuses
gather|Gather|recvbuf
inplace|Allreduce|recvbuf
counts|Alltoallv|sendcounts
part|Alltoallv|sendbuf
put|Put|origin_addr
window|Win_create|base
text|Get_processor_name|name
freed|Bcast|buffer
END
}
