#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Broken launches are refused; where the ranks are is said.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 5 -x 1)

# A launcher of the other MPI, if there is one.
other_launcher() {
    local name names=(mpirun.openmpi)
    if [[ $flavour == openmpi ]]; then
        names=(mpiexec.hydra mpiexec.mpich)
    fi
    for name in "${names[@]}"; do
        if command -v "$name"; then
            return
        fi
    done
    return 1
}

@test "under the other MPI's launcher: one E01, exit 2, nothing measured" {
    local launcher name
    launcher=$(other_launcher) || skip "no other MPI is installed"
    for name in latency allreduce init; do
        # Open MPI 5 may lose what a rank says before it ends at once.  Ranks that are
        # jobs of their own race for the session folder of Open MPI 4.
        # shellcheck disable=SC2016  # expanded by the rank
        run_to_files env "SAID=$BATS_TEST_TMPDIR/$name" "$launcher" -n 2 \
            sh -c 'TMPDIR=$(mktemp -d) exec "$1" 2>>"$SAID"' sh "$(program "$name")"
        echo "$name under $launcher"
        err=$BATS_TEST_TMPDIR/$name stderr=$(<"$BATS_TEST_TMPDIR/$name")
        expect_status 2
        expect_error E01
        expect_err "the launcher started 2 processes, but MPI sees 1"
        expect_err "whose launcher is $mpirun. Nothing was measured"
        refuse_out "# OSU"
        refuse_out "ranks="
    done
}

@test "one process under the other MPI's launcher is one job: E02, not E01" {
    local launcher
    launcher=$(other_launcher) || skip "no other MPI is installed"
    run_to_files "$launcher" -n 1 "$(program latency)" -m 8:8
    expect_status 77
    expect_error E02
    run_to_files "$launcher" -n 1 "$(program hello)"
    expect_status 0
    expect_out "This is a test with 1 processes"
}

@test "Flux, jsrun and PALS: E01 where the tasks are not one job" {
    FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 direct hello
    expect_status 2
    expect_error E01
    expect_err "the launcher started 2 processes, but MPI sees 1 (FLUX_JOB_SIZE=2;)"
    JSM_NAMESPACE_SIZE=4 JSM_NAMESPACE_RANK=0 direct hello
    expect_status 2
    expect_err "the launcher started 4 processes, but MPI sees 1 (JSM_NAMESPACE_SIZE=4;)"
    # PALS does not tell the number; rank 1 knows that there are two.
    PALS_RANKID=1 direct hello
    expect_status 2
    expect_error E01
    expect_err "the launcher started at least 2 processes, but MPI sees 1 (PALS_RANKID=1;)"
    PALS_RANKID=2 direct hello
    expect_status 2
    [[ $(messages error) -eq 0 ]] || fail "every rank complains"
}

# srun --mpi=none: every task is a job of its own.
@test "tasks of a Slurm step that are not one job: E01" {
    local rank
    for rank in 0 1; do
        SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=$rank direct latency -m 8:8
        expect_status 2
        expect_no_out
        [[ $(messages error) -eq $((rank == 0)) ]] || fail "rank $rank"
    done
}

# nodes ID...: rank r is on the node of the r-th name.
nodes() {
    local script=$BATS_TEST_TMPDIR/on_node
    cat >"$script" <<'END'
#!/bin/sh
# The first argument lists the nodes, one for each rank.
names=$1
shift
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}
ALIDADE_NODE_ID=$(echo "$names" | cut -d ' ' -f $((rank + 1)))
export ALIDADE_NODE_ID
exec "$@"
END
    chmod +x "$script"
    wrapper=("$script" "$*")
}

@test "--expect: a job that is not what was meant ends on all ranks, and measures nothing" {
    launch 2 latency -m 8:8 "${brief[@]}" --expect ranks=2 --expect nodes=1 --expect mem=H-H --expect gpu=none
    expect_status 0
    expect_sizes 8
    launch 3 allreduce -m 8:8 "${brief[@]}" --expect ranks=3 --expect path=inter-node --expect start=clock
    expect_status 2
    expect_error E35
    expect_err "allreduce: expected path=inter-node; found path="
    expect_err "expected start=clock; found start=dissemination;"
    ! grep -q '^# Size' "$out" || fail "a table was begun"
    # On one node no device is looked for.
    launch 2 latency -m 8:8 "${brief[@]}" --expect device=mlx5
    expect_status 2
    expect_error E35
    expect_err "expected device=mlx5; found device=none;"
    launch 2 init --expect init=session
    expect_status 2
    expect_error E35
    direct latency --expect paths=inter-node
    expect_status 1
    expect_error E12
    expect_err "has no key of the header line: ranks, nodes, path, mem, bound, start, mpi, init, gpu or device"
    direct latency --expect path
    expect_status 1
    expect_err "is not KEY=VALUE"
}

# placed N PROGRAM NODES PATH: the identity line says so.
placed() {
    launch "$1" "$2" -m 8:8 -i 5 -x 1
    echo "$2 on $1 ranks: ${wrapper[*]}"
    expect_status 0
    expect_quiet
    expect_out "ranks=$1; nodes=$3; path=$4;"
}

@test "one node: not inter-node" {
    nodes a a
    launch 2 latency -m 8:8 -i 5 -x 1
    expect_out "nodes=1; path=same-"
}

@test "two nodes, one rank each: inter-node" {
    nodes a b
    placed 2 latency 2 inter-node
    placed 2 allreduce 2 inter-node
    placed 2 put_latency 2 inter-node
}

@test "-w allocate_shared on two nodes: E28 and 77" {
    nodes a b
    launch 2 put_latency -w allocate_shared -m 8:8 -i 5 -x 1
    expect_status 77
    expect_error E28
    expect_no_out
}

@test "two nodes, block placement: pairs across, collectives mixed" {
    nodes a a b b
    placed 4 mbw_mr 2 inter-node
    placed 4 multi_lat 2 inter-node
    placed 4 allreduce 2 mixed
}

@test "two nodes, cyclic placement: pairs inside, collectives mixed" {
    nodes a b a b
    launch 4 mbw_mr -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "nodes=2; path=same-"
    placed 4 alltoall 2 mixed
}

@test "uneven nodes: 3 and 1, and four of one each" {
    nodes a a a b
    placed 4 mbw_mr 2 mixed
    nodes a b c d
    placed 4 allreduce 4 inter-node
    placed 4 mbw_mr 4 inter-node
    # Only the pair that communicates counts: ranks 0 and 1.
    nodes a a b c
    launch 4 mbw_mr -p 1 -m 8:8 -i 5 -x 1
    expect_out "nodes=3; path=same-"
}

@test "collectives: most ranks on another node than rank 0; a hot spot: all of them" {
    nodes a b b
    placed 3 allreduce 2 mixed
    placed 3 bcast 2 mixed
    launch 3 hotspot_send --peers 2 -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "nodes=2; path=inter-node;"
}

@test "names of nodes that differ a little are different nodes" {
    nodes "node-1" "node-10"
    placed 2 latency 2 inter-node
}

@test "more ranks than CPUs: W08 once, and never in the table" {
    [[ $(nproc) -lt 4 ]] || skip "4 or more CPUs"
    launch 4 allreduce -m 8:8 -i 5 -x 1
    expect_status 0
    [[ $(messages "warning W08") -eq 1 ]] || fail "W08 not once"
    refuse_out "W08"
    launch 1 hello
    [[ $(messages "warning") -eq 0 ]] || fail "a warning on one rank"
}

@test "nodes with few ranks each are not oversubscribed" {
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    nodes a b c d
    launch 4 allreduce -m 8:8 -i 5 -x 1
    expect_status 0
    [[ $(messages "warning W08") -eq 0 ]] || fail "W08"
}

@test "bound ranks are seen as such" {
    [[ $flavour == openmpi ]] || skip "binding is tried with Open MPI only"
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    launcher=(--bind-to core)
    launch 2 latency -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "bound=core;"
    launcher=()
    launch 2 latency -m 8:8 -i 5 -x 1
    expect_out "bound=none;"
}

@test "a kernel of more than 1024 CPUs is asked in its own size" {
    local usual
    launch 2 latency -m 8:8 -i 5 -x 1
    usual=$(grep -o 'path=.*start' "$out")
    preload=(manycpus)
    FAULT_BYTES=256 launch 2 latency -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "$usual"
}

@test "where the kernel says no CPUs, nothing is claimed of binding and path" {
    preload=(manycpus)
    FAULT_BYTES=4096 launch 2 latency -m 8:8 -i 5 -x 1
    expect_status 0
    expect_quiet
    expect_out "path=same-node;"
    expect_out "bound=none;"
}
