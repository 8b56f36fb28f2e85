#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A real Slurm of one node, started for this file: srun, sbatch scripts/slurm, and the
# scripts with srun as their launcher.
# shellcheck disable=SC2034,SC2153,SC2154  # status, out, ...: set by common.bash

load common

setup_file() {
    have_slurm || return 0
    local folder=$BATS_FILE_TMPDIR/slurm port=$((20000 + $$ % 10000)) host
    host=$(hostname -s)
    mkdir -p "$folder"/{state,spool}
    # One node with a slot for each rank of the tests, however many CPUs there are.  sbatch -W looks after 2 s, 8 s
    # and then every 32 s whether the job has ended, unless jobs are forgotten early: then every 2 s.
    cat >"$folder/slurm.conf" <<END
ClusterName=alidade
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=4
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
END
    export SLURM_CONF=$folder/slurm.conf
    slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 3>&- &
    echo $! >"$folder/pids"
    slurmd -D -f "$SLURM_CONF" >/dev/null 2>&1 3>&- &
    echo $! >>"$folder/pids"
    local i
    for ((i = 0; i < 150; i++)); do
        [[ $(sinfo -h -o %t 2>/dev/null) != idle ]] || return 0
        sleep 0.2
    done
}

teardown_file() {
    [[ -f $BATS_FILE_TMPDIR/slurm/pids ]] || return 0
    local pid i
    while read -r pid; do
        kill "$pid" || true
        # It writes its state before it ends.
        for ((i = 0; i < 50; i++)); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
    done <"$BATS_FILE_TMPDIR/slurm/pids"
}

have_slurm() {
    [[ $(id -u) -eq 0 ]] && command -v slurmctld slurmd srun sbatch >/dev/null && [[ $(nproc) -ge 2 ]]
}

setup() {
    have_slurm || skip "no Slurm is installed, or this is not root on two CPUs"
    [[ $(sinfo -h -o %t 2>/dev/null) == idle ]] || fail "Slurm did not start: $(tail -n 5 "$BATS_FILE_TMPDIR"/slurm/*.log)"
    export SLURM_CONF=$BATS_FILE_TMPDIR/slurm/slurm.conf
    right=--mpi=pmix wrong=--mpi=pmi2
    if [[ $flavour == mpich ]]; then
        right=--mpi=pmi2 wrong=--mpi=pmix
    fi
    # Intel MPI takes either.
    [[ $intel == no ]] || wrong=--mpi=none
    export LD_PRELOAD=$usual
}

@test "srun with the MPI's own plugin: two ranks, one job" {
    run_to_files srun "$right" -n 2 "$(program latency)" -m 8:16 -i 100 -x 10
    expect_status 0
    expect_sizes 8 16
    expect_out "ranks=2; nodes=1;"
}

@test "srun with another plugin: no table, and not exit code 0" {
    run_to_files srun "$wrong" -n 2 "$(program latency)" -m 8:16 -i 100 -x 10
    [[ $status -ne 0 ]] || fail "exit code 0"
    [[ -z $(sizes) ]] || fail "a table was printed"
    # Open MPI and MPICH 5 end inside MPI_Init, before a program of ours can speak.
    [[ $flavour != mpich || $mpich_5 == yes ]] || expect_err "E01"
}

@test "sbatch scripts/slurm, then report, accept and compare of what it left" {
    need_json
    local limit=300 results=$BATS_TEST_TMPDIR/results
    local job=(sbatch -W -N 1 -n 2 -o job.out "$ALIDADE_SOURCE/scripts/slurm" --runs 5 --programs latency --collectives barrier --ranks-per-node 2 --launcher "srun $right")
    run_to_files "${job[@]}" "$ALIDADE_BUILD" "$results" -- -i 100 -x 10 -z99.9
    [[ $status -eq 0 ]] || fail "$(cat job.out)"
    # Each warning once, of all runs.
    [[ $(grep -c '^warning W22: latency: percentile=99.9; needs samples=1000; there are=100; ' job.out) -eq 1 ]] || fail "$(cat job.out)"
    [[ $(cd "$results" && echo */*.json) == "$(echo all-nodes-2/barrier-{1..5}.json one-node/latency-{1..5}.json)" ]] ||
        fail "not five runs of both: $(cat job.out)"
    # Another job does not mix its runs with these.
    run_to_files "${job[@]}" "$ALIDADE_BUILD" "$results" -- -m 8:32
    expect_status 1
    grep -q "^slurm: $results has results of another command: " job.out || fail "$(cat job.out)"
    run_to_files "$ALIDADE_SOURCE/scripts/report" --output page.html "$results"
    expect_status 0
    grep -q latency page.html || fail "latency is not on the page"
    run_to_files "$ALIDADE_SOURCE/scripts/accept" --allow-wide --learn limits.json "$results"
    [[ -s limits.json ]] || fail "no limits: $stderr"
    run_to_files "$ALIDADE_SOURCE/scripts/accept" --allow-wide limits.json "$results"/*
    expect_status 0
    run_to_files "$ALIDADE_SOURCE/scripts/compare" old="$results" new="$results"
    expect_status 0
}

@test "sbatch scripts/slurm: where srun fails its reason is named" {
    run_to_files sbatch -W -N 1 -n 2 -o job.out "$ALIDADE_SOURCE/scripts/slurm" --runs 4 --programs latency --collectives "" --launcher "srun --mpi=nothing" "$ALIDADE_BUILD" results
    expect_status 1
    grep -q "^slurm: one-node, latency: exit 1: srun: .*[^ ]; see results/one-node/latency-1.err$" job.out || fail "$(cat job.out)"
    # There is nothing to go on with.
    ! grep '^next: ' job.out || fail "of no run"
}

@test "run-suite: srun as its launcher" {
    run_to_files "$ALIDADE_SOURCE/scripts/run-suite" --build "$ALIDADE_BUILD" --results suite \
        --launcher "srun $right" latency allreduce -- -m 8:16 -i 100 -x 10
    expect_status 0
    expect_out "2 ran"
}

@test "place within a job takes srun" {
    run_to_files sbatch -W -N 1 -n 2 -o job.out --wrap \
        "SLURM_MPI_TYPE=${right#--mpi=} $ALIDADE_SOURCE/scripts/place one-node $(program latency) -m 8:8 -i 100 -x 10"
    [[ $status -eq 0 ]] || fail "$(cat job.out)"
    grep -q "ranks=2; nodes=1;" job.out || fail "$(cat job.out)"
}

@test "examine within a job takes the hosts of the job, and srun" {
    need_json
    local limit=400 time
    # A busy machine may measure nothing within the first time.
    for time in 10 200; do
        rm -rf runs
        run_to_files sbatch -W -N 1 -n 2 -o job.out --wrap \
            "$ALIDADE_SOURCE/scripts/examine --build $ALIDADE_BUILD --time $time --ranks-per-node 2 --results runs -- $right"
        [[ $status -eq 1 ]] || break
    done
    [[ $status -eq 3 || $status -eq 2 ]] || fail "$(cat job.out)"
    grep -q "<h1>Examination of $(hostname -s)</h1>" runs/examine.html || fail "another title"
    [[ -s runs/runs/where-1.json ]] || fail "no placement: $(cat job.out)"
}

@test "doctor finds the plugin that fits, and says what the others do" {
    need_json
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/doctor" -q --json d.json "$ALIDADE_BUILD"
    expect_status 0
    json=d.json check "$right" "$wrong" "$flavour" <<'END'
result = {each["name"]: each["result"] for each in d["launchers"]}
assert result["srun " + sys.argv[2]] == "works", result
assert result["srun " + sys.argv[3]] in ("singletons", "fails"), result
assert result["srun --mpi=none"] in ("singletons", "fails"), result
assert d["ok"] and d["line"] and d["carried"]["by"] == ["shared memory"], d
END
}
