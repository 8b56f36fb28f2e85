#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# One program of each family aborts, has a segmentation fault, and hangs in one call of one row:
# what is printed and kept then.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash; set for one subshell

load common

# The families whose programs differ in what can be seen; others are by_rule.
# family | ranks | call | rank | bytes of its message | rows printed, and in the file, before it
# | its phase, or else in the verification of the row | program
apart() {
    cat <<'END'
collective|2|MPI_Allreduce|1|1000|2 2||allreduce --sizes=200,400,1000
groups|4|MPI_Isend|2|1000|2 2||bw_fan_in --groups=2 --sizes=200,400,1000
guidelines|3|MPI_Reduce|1|1000|2 2||allreduce_guideline --sizes=200,400,1000
halo|2|MPI_Isend|1|64|3 3||halo --grid=2 -m 8:64
hotspot|3|MPI_Isend|0|1000|2 2||hotspot_send --peers=2 --sizes=200,400,1000
impact|4|MPI_Send|2|1000|2 2||impact --victim=latency --sizes=200,400,1000
matrix|3|MPI_Send|1|1000|2 2||pair_matrix --sizes=200,400,1000
nas|2|MPI_Alltoall|1|4|0 0|first iteration|is --class=S
neighbors|3|MPI_Neighbor_alltoall|1|1000|2 2||neighbor_alltoall --sizes=200,400,1000
noise|2|PMPI_Gather|1|>200|0 0|placement|noise --budget=50ms
overlap|2|MPI_Iallreduce|1|1000|2 2||iallreduce --sizes=200,400,1000
partitions|2|MPI_Psend_init|1|1000|2 2||partitioned_latency -q 1 --sizes=200,400,1000
patterns|3|MPI_Sendrecv|1|1000|2 2||ring --sizes=200,400,1000
processes|2|MPI_Send|1|1000|2 2||latency_mp --sizes=200,400,1000
queues|2|MPI_Send|0|1000|2 2||match_queue --posted=3 --sizes=200,400,1000
rma|2|MPI_Put|0|1000|2 2||put_latency --sizes=200,400,1000
schedule|3|MPI_Sendrecv|1|1000|2 2||random_ring --sizes=200,400,1000
side_by_side|2|MPI_Put|0|1000|2 2||completion --sizes=200,400,1000
staging|2|MPI_Send|1|1000|2 2||staged_latency -d cuda D D --sizes=200,400,1000
startup|2|MPI_Finalize|1|0|0 1|MPI_Finalize; results are complete|hello
stripes|4|MPI_Isend|0|800|1 1||stripe_bw --sizes=400,800
threads|2|MPI_Send|1|1000|2 2||latency_mt -t 1 --sizes=200,400,1000
transport|2|send|1|1000|2 2||tcp_latency --sizes=200,400,1000
where|2|PMPI_Gather|1|>200|0 0|placement|where
END
}

# by_rule FAMILY: the first of its programs, in the call that sends.
by_rule() {
    local file name call
    for file in $(cd "$ALIDADE_SOURCE" && grep -l "^#include \"$1/" mpi/*/*.c); do
        name=$(basename "$file" .c)
        call=$(nm -u "$(program "$name").o" | grep -oE -m 1 'MPI_(Send|Isend|Sendrecv|Put|I?[aA]ll[a-z]+)$')
        echo "$1|${fewest_of[$name]}|$call|0|1000|2 2||$name ${needs_of[$name]} --sizes=200,400,1000"
        return
    done
}

table() {
    local folder family
    apart
    for folder in "$ALIDADE_SOURCE"/c/family/*/; do
        family=$(basename "$folder")
        apart | grep -q "^$family|" || by_rule "$family"
    done
}

# What this build or this MPI lacks is tested apart: smoke.bats.
can_run() {
    [[ $1 != partitions || $partitioned != no* ]] && [[ $1 != staging || ($have_cuda == yes && $cuda_runtime == shared) ]]
}

# hit KIND: the program of a family, in the variables of a line of the table.
hit() {
    local kind=$1 name=${words%% *} at json=() fixed=(-i 5 -x 1)
    echo "--- $family: $words: $kind in $call on rank $rank"
    at="host=[^;]*; phase=verification; size=[0-9]+; iterations=[0-9]+; "
    if [[ -n $phase ]]; then
        at="host=[^;]*; phase=$phase; .*" fixed=()
    fi
    json=(--json "$BATS_TEST_TMPDIR/x.json")
    export FAULT=crash FAULT_CALL=$call FAULT_RANK=$rank FAULT_BYTES=$bytes FAULT_SIGNAL
    if [[ $kind == hang ]]; then
        FAULT=hang
        fixed+=(--timeout=2s)
    else
        FAULT_SIGNAL=$(kill -l "$kind")
    fi
    # shellcheck disable=SC2086  # words
    launch "$n" $words "${fixed[@]}" "${json[@]}"
    if [[ $kind == hang ]]; then
        [[ $flavour == openmpi && $call == MPI_Finalize && $status =~ ^(137|139)$ ]] || expect_given_up
        at="E15: $name: no progress for 2 s; rank=$rank; $at"
    elif [[ $family == staging ]]; then
        expect_given_up
        at="E04: $name: crash \(SIG$kind\) on a buffer of a GPU; mem=D-D; rank=$rank; $at"
    else
        exit_code_lost || [[ $status -gt 2 ]] || fail "the signal has not ended it"
        at="E38: $name: crash \(SIG$kind\); rank=$rank; $at"
    fi
    if [[ $call == *MPI_* ]]; then
        at+="(sent=[0-9]+; received=[0-9]+; )?call=${call#P}; "
    fi
    grep -Eq "^alidade: error $at.*stack=" "$err" || fail "not so: $at"
    [[ $(grep -c '^[0-9]' "$out") -eq ${rows% *} ]] || fail "not ${rows% *} rows"
    # In MPI_Finalize the file of rank 0 is complete, and it may be killed without a signal that it
    # could see, or be done: by MPICH's launcher, and by that of Open MPI 5 on a busy machine.
    if [[ $call == MPI_Finalize && $kind != hang ]]; then
        expect_kept '[02]' "${rows#* }"
    else
        expect_kept 2 "${rows#* }"
    fi
}

# Most of the time is the launcher's, who waits: several at once.
@test "SIGABRT, SIGSEGV and a hang in one row, in each family: the message has the place, and what was there is kept" {
    local family n call rank bytes rows phase words running=0
    while IFS='|' read -r family n call rank bytes rows phase words <&5; do
        can_run "$family" || continue
        # No list of commands: failures within it would not end it.
        (
            BATS_TEST_TMPDIR+=/$family
            mkdir "$BATS_TEST_TMPDIR"
            preload=(stop)
            if [[ $family == staging ]]; then
                preload+=(../gpu/wrap)
                export DOUBLE_DEVICES=2 DOUBLE_REPORT=$BATS_TEST_TMPDIR/report
                export LD_LIBRARY_PATH=$ALIDADE_BUILD/tests/gpu/double${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
            fi
            for kind in ABRT SEGV hang; do
                hit "$kind"
            done
            : >"$BATS_TEST_TMPDIR/ended"
        ) >"$BATS_TEST_TMPDIR/log.$family" 2>&1 &
        running=$((running + 1))
        [[ $running -lt 4 ]] || wait -n || true
    done 5< <(table)
    wait
    while IFS='|' read -r family _; do
        ! can_run "$family" || [[ -e $BATS_TEST_TMPDIR/$family/ended ]] || fail "$(cat "$BATS_TEST_TMPDIR/log.$family")"
    done < <(table)
}

@test "every family of c/family has a line in the table" {
    local name
    table >"$BATS_TEST_TMPDIR/table"
    for name in "$ALIDADE_SOURCE"/c/family/*/; do
        name=$(basename "$name")
        grep -q "^$name|" "$BATS_TEST_TMPDIR/table" || fail "$name has none"
    done
}
