#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# alidade record: which calls of MPI an application makes, told by one whose calls are known.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

recorded=$ALIDADE_BUILD/tests/run/recorded
record=$ALIDADE_BUILD/c/profile/record.so

# run_recorded N COMMAND...: on so many ranks; the record is in $file.
run_recorded() {
    local n=$1 start
    shift
    file=$BATS_TEST_TMPDIR/record.json
    rm -f "$file"
    start_of "$n"
    run_to_files env "ALIDADE_RECORD=$file" "${start[@]}" env "LD_PRELOAD=$record" "$@"
}

# calls: a line for each entry, in the order of names: call, bytes from, ranks, ranks that made it, count, bytes.
calls() {
    "$python3" - "$file" <<'END'
import json, sys
for call in sorted(json.load(open(sys.argv[1]))["calls"], key=lambda c: (c["call"], c["from_bytes"], c["ranks"])):
    print(call["call"][4:], *(call[key] for key in ("from_bytes", "ranks", "holders", "count", "bytes")))
END
}

# described SCHEMA FILE: it has what the schema says, and nothing else.
described() {
    "$python3" -c 'import jsonschema' 2>/dev/null || return 0
    "$python3" -c 'import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' \
        "$ALIDADE_SOURCE/doc/$1.schema.json" "$2"
}

# value KEY: of the record.
value() { "$python3" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$file" "$1"; }

@test "each call is written down: in place, derived types, 16 GiB, nonblocking, one-sided, ranks of a communicator" {
    run_recorded 3 "$recorded"
    expect_status 0
    [[ $(value complete) == True && $(value ranks) == 3 && $(value recorded_ranks) == 3 && $(value lost_calls) == 0 ]]
    diff - <(calls) <<'END'
Allgather 16 3 3 3 48
Allreduce 16 3 3 3 72
Alltoallv 4 3 3 3 15
Barrier 0 1 1 1 0
Barrier 0 2 2 2 0
Comm_free 0 0 3 3 0
Comm_split 0 3 3 3 0
Gather 4 3 3 3 12
Iallreduce 4 3 3 3 12
Isend 4 0 3 3 12
Put 8 3 3 3 24
Reduce_scatter 16 3 3 3 48
Reduce_scatter_block 8 3 3 3 36
Send 0 0 3 3 0
Send 32 0 3 3 144
Send 8589934592 0 3 3 51539607528
Sendrecv 2 3 3 3 9
Wait 0 0 3 3 0
Win_create 0 3 3 3 0
Win_fence 0 3 3 6 0
Win_free 0 0 3 3 0
END
    described record "$file"
    # The times of an entry: the shortest call, the rank that spent least, that which spent most, and all of them.
    "$python3" - "$file" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
for call in record["calls"]:
    per_rank = call["count"] / call["holders"]
    assert 0 <= call["shortest"] * per_rank <= call["least"] * 1.001 + 1e-8, call
    assert call["least"] <= call["seconds"] / call["holders"] + 1e-8 <= call["most"] + 2e-8, call
assert 0 < record["mpi_seconds"] <= record["seconds"], record
END
}

@test "is and ft count their own calls, and so do their records" {
    run_recorded 2 "$ALIDADE_BUILD/mpi/application/is" --class S
    expect_status 0
    # It runs once untimed: eleven rankings.
    [[ $(calls | awk '{ print $1, $5 }') == $'Allreduce 22\nAlltoall 22\nAlltoallv 22' ]] || fail "$(calls)"
    [[ $have_fftw == yes ]] || skip "this build has no FFTW"
    run_recorded 2 "$ALIDADE_BUILD/mpi/application/ft" --class S
    expect_status 0
    # What it prints is what it timed: seven and six, after an iteration untimed.
    [[ $(calls | awk '{ print $1, $5 }') == $'Allreduce 14\nAlltoall 18' ]] || fail "$(calls)"
}

@test "four threads at once, and communicators whose handles come back with other ranks" {
    run_recorded 2 "$recorded" threads
    expect_status 0
    [[ $(calls) == 'Send 1 0 2 160000 160000' || -z $(calls) ]] || fail "$(calls)"
    run_recorded 2 "$recorded" communicators
    expect_status 0
    [[ $(calls | grep Barrier) == $'Barrier 0 1 2 100 0\nBarrier 0 2 2 100 0' ]] || fail "$(calls)"
}

@test "the record is of all ranks of one job: not of what that spawns, and none where a rank is missing" {
    local start
    start_of 2
    "${start[@]}" "$recorded" spawn 2>/dev/null || skip "this MPI cannot start processes"
    run_recorded 2 "$recorded" spawn
    expect_status 0
    [[ $(calls) == $'Barrier 0 1 2 2 0\nComm_disconnect 0 0 2 2 0' && $(value ranks) == 2 ]] || fail "$(calls)"
}

@test "a rank that alidade record has not started is not waited for without end" {
    local start
    # The clock of rank 0 runs a hundred times as fast, so that its minute is soon over.
    start_of 1
    run_to_files "${start[@]}" env "ALIDADE_RECORD=$BATS_TEST_TMPDIR/record.json" LD_PRELOAD="$faults/drift.so:$record" \
        FAULT_RANK=0 FAULT_DRIFT_PPM=100000000 "$recorded" : -n 1 "$recorded"
    [[ $status -ne 0 && $stderr == *'# record: 60 s passed, and some ranks have not begun: start all of the job with alidade record'* ]]
}

@test "Fortran: the modules mpi and mpi_f08, MPI_IN_PLACE too" {
    local compiler=${mpicc/mpicc/mpif90}
    command -v gfortran "$compiler" >/dev/null || skip "no Fortran compiler of this MPI"
    "$compiler" -o fortran "$ALIDADE_SOURCE/tests/run/recorded.f90" || skip "its modules are not those of this compiler"
    run_recorded 2 "$PWD/fortran"
    expect_status 0
    diff - <(calls) <<'END'
Allreduce 16 2 2 2 32
Barrier 0 2 2 2 0
Bcast 8 2 2 2 16
Reduce 8 2 2 2 24
END
}

@test "a job that fails leaves a file that says why, and nothing else" {
    local word why
    while read -r word why; do
        run_recorded 2 "$recorded" "$word"
        [[ $word == leave || $status -ne 0 ]]
        [[ $(value complete) == False && $(value why) =~ ^($why)$ ]] || fail "$word: $(value why)"
        [[ $(ls "$BATS_TEST_TMPDIR"/record*) == "$file" ]]
        described record "$file"
    done <<'END'
abort rank 1 called MPI_Abort with code 5
kill the program has not reached MPI_Finalize|signal 15 ended rank 0
fault signal 6 ended rank 1|the program has not reached MPI_Finalize|signal 15 ended rank 0
leave the program ended without MPI_Finalize
END
}

@test "alidade record starts the application; what cannot be is refused before it runs" {
    local start
    start_of 2
    run_to_files "${start[@]}" "$ALIDADE_SOURCE/scripts/alidade" record --build "$ALIDADE_BUILD" \
        --output "$BATS_TEST_TMPDIR/record.json" "$recorded"
    expect_status 0
    file=$BATS_TEST_TMPDIR/record.json
    [[ $(calls | grep -c .) -gt 15 ]]
    grep -Eq "^# record: $file: 2 ranks, on average [0-9.e-]+ s of [0-9.e-]+ s in MPI$" "$err"
    # What is no regular file stays what it is.
    mkfifo pipe
    cat pipe >read &
    run_to_files "${start[@]}" env "LD_PRELOAD=$record" "ALIDADE_RECORD=$PWD/pipe" "$recorded" abort
    wait
    [[ -p pipe ]] && grep -q '"complete": false' read
    # Another MPI is refused.
    local other
    for other in libmpi.so.99 libmpich.so.99; do
        cc -shared -o "$other" -Wl,-soname,"$other" -x c - <<<'int f(void) { return 0; }'
        cc -o "uses-$other" -x c - -L. -l:"$other" -Wl,-rpath,"$PWD" -Wl,--no-as-needed <<<'int f(void); int main(void) { return f(); }'
        run_to_files "$ALIDADE_SOURCE/scripts/alidade" record --build "$ALIDADE_BUILD" "./uses-$other"
        [[ $status -eq 1 && $stderr == *"uses $other, and the build in "*" another MPI"* ]] || fail "$stderr"
    done
    # Rank 0 finds out whether it can write.
    run_to_files "${start[@]}" env "LD_PRELOAD=$record" ALIDADE_RECORD=/proc/no/record.json "$recorded"
    [[ $status -ne 0 && $stderr == *"# record: cannot write /proc/no/record.json: "* ]]
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" record
    [[ $status -eq 1 && $stderr == *'record needs the application that it starts'* ]]
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" record ./no-such-program
    [[ $status -eq 1 && $stderr == *"'./no-such-program' is no program"* ]]
}

@test "price: the programs of a record's calls run with its sizes and ranks, and their times are multiplied" {
    local name
    run_recorded 2 "$ALIDADE_BUILD/mpi/application/is" --class S
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" price --runs 5 --json price.json \
        "$file" "here=$ALIDADE_BUILD" "again=$ALIDADE_BUILD"
    expect_status 0
    [[ $stdout =~ '# is on 2 ranks: '[0-9.e-]+' s in MPI, of which calls that have a benchmark took '[0-9.e-]+' s (100%).' ]]
    "$python3" - price-*-* price.json <<'END'
import glob, json, statistics, sys
price = json.load(open(sys.argv[2]))
sizes = {call["benchmark"]: call["size"] for call in price["calls"]}
assert set(sizes) == {"allreduce", "alltoall", "alltoallv"}, sizes
for variant in price["variants"]:
    sums = []
    for number in range(1, 6):
        total = 0
        for program, size in sizes.items():
            run = json.load(open("%s/%s/%s-on-2-%d.json" % (sys.argv[1], variant["name"], program, number)))
            row, = run["rows"]
            assert row["bytes"] == size and row["ranks"] == 2, row
            total += 11 * row["value"] * 1e-6
        sums.append(total)
    assert all(abs(a / b - 1) < 1e-9 for a, b in zip(sorted(sums), sorted(variant["runs"]))), (sums, variant)
END
    described price price.json
    # Nothing is measured of what cannot be priced.
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" price price.json
    [[ $status -eq 1 && $stderr == *'is no record; alidade record makes one'* ]]
    run_recorded 2 "$recorded" leave
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" price "$file"
    [[ $status -eq 1 && $stderr == *'is not complete: the program ended without MPI_Finalize'* ]]
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" price
    [[ $status -eq 1 && $stderr == *'price needs a record'* ]]
}
