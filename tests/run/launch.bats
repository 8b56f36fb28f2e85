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
    [[ $mpich_5 == no ]] || skip "MPICH 5 itself ends ranks of another launcher"
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
    [[ $mpich_5 == no ]] || skip "MPICH 5 itself ends ranks of another launcher"
    launcher=$(other_launcher) || skip "no other MPI is installed"
    cases <<'END'
| run_to_files "$launcher" -n 1 "$(program latency)" -m 8:8 | 77 | $ expect_error E02
| run_to_files "$launcher" -n 1 "$(program hello)" | 0 | This is a test with 1 processes
END
}

@test "each MPI is known by what it says of itself, and in a build for another by its usual launcher" {
    local name command text is_intel
    preload=(says)
    while IFS='|' read -r name command text; do
        FAULT_TEXT=$text direct hello
        echo "$name"
        expect_out "mpi=$name;"
        # Intel MPI and MPICH run programs that were built for the other.
        is_intel=no
        [[ $name != IntelMPI-* ]] || is_intel=yes
        [[ $is_intel != "$intel" ]] || command=$mpirun
        FAULT_TEXT=$text direct latency -m 8:8
        expect_error E02
        expect_err "For example: $command -n 2 "
    done <<'END'
IntelMPI-2021.18.1|mpirun|Intel(R) MPI Library 2021.18.1 for Linux* OS
MPICH-4.3.2|mpiexec|MPICH Version:      4.3.2
MPICH-8.1.29|mpiexec|MPI VERSION    : CRAY MPICH version 8.1.29 (ANL base 3.4a2)
MVAPICH2-2.3.7|mpiexec|MVAPICH2 Version      :   2.3.7
MVAPICH-3.0|mpiexec|MVAPICH Version      :   3.0
MPI-7.1|mpiexec|another MPI 7.1
END
}

# PMI_SIZE is Hydra's, OMPI_COMM_WORLD_SIZE Open MPI's: a launcher sets its own.
@test "variables of another launcher, left from an outer job, are no promise" {
    local -x OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 PMI_SIZE=4 PMI_RANK=3
    launch 1 hello
    expect_status 0
    expect_quiet
    expect_out "This is a test with 1 processes"
}

@test "Flux, jsrun and PALS: E01 where the tasks are not one job" {
    # PALS does not tell the number; rank 1 knows that there are two, and no other rank complains.
    cases <<'END'
| FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 direct hello | 2 | $ expect_error E01 && the launcher started 2 processes, but MPI sees 1 (FLUX_JOB_SIZE=2;)
| JSM_NAMESPACE_SIZE=4 JSM_NAMESPACE_RANK=0 direct hello | 2 | the launcher started 4 processes, but MPI sees 1 (JSM_NAMESPACE_SIZE=4;)
| PALS_RANKID=1 direct hello | 2 | $ expect_error E01 && the launcher started at least 2 processes, but MPI sees 1 (PALS_RANKID=1;)
| PALS_RANKID=2 direct hello | 2 | $ [[ $(messages error) -eq 0 ]]
END
}

# srun --mpi=none: every task is a job of its own, and rank 0 says so.
@test "tasks of a Slurm step that are not one job: E01" {
    cases <<'END'
| SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 direct latency -m 8:8 | 2 | $ expect_no_out && $ [[ $(messages error) -eq 1 ]]
| SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 direct latency -m 8:8 | 2 | $ expect_no_out && $ [[ $(messages error) -eq 0 ]]
END
}

@test "--expect: a job that is not what was meant ends on all ranks, and measures nothing" {
    # On one node no device is looked for.
    cases <<'END'
| launch 2 latency -m 8:8 "${brief[@]}" --expect ranks=2 --expect nodes=1 --expect mem=H-H --expect gpu=none | 0 | $ expect_sizes 8
| launch 3 allreduce -m 8:8 "${brief[@]}" --expect ranks=3 --expect path=inter-node --expect start=clock | 2 | $ expect_error E35 && allreduce: expected path=inter-node; found path= && expected start=clock; found start=dissemination; && ! # Size
| launch 2 latency -m 8:8 "${brief[@]}" --expect device=mlx5 | 2 | $ expect_error E35 && expected device=mlx5; found device=none;
| launch 2 init --expect init=session | 2 | $ expect_error E35
| direct latency --expect paths=inter-node | 1 | $ expect_error E12 && is no key of the header line; keys are ranks, nodes, path, mem, bound, start, protocol, mpi, init, gpu and device
| direct latency --expect path | 1 | is not KEY=VALUE
END
}

@test "--pairs, W03 and W07 are in the JSON result file" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    nodes a a a b
    launch 4 mbw_mr -m 8:8 "${brief[@]}" --json "$json"
    expect_status 0
    check <<'END'
e, m = d["environment"], d["method"]
assert tuple(e["pair_paths"].values()) == (1, 1), e
assert (m["pairs"], m["pairing"]) == (2, "auto"), m
END
    launch 4 mbw_mr -m 8:8 "${brief[@]}" --pairs 0-3 --json "$json"
    expect_status 0
    check <<'END'
e, m = d["environment"], d["method"]
assert tuple(e["pair_paths"].values()) == (0, 1), e
assert (m["pairs"], m["pairing"]) == (1, "0-3"), m
assert e["sharing_cores"] is None and e["excess_threads"] is None, e
END
}

# on CPUS...: rank r may use the r-th list of CPUs.
on() {
    local script=$BATS_TEST_TMPDIR/on_cpus
    cat >"$script" <<'END'
#!/bin/sh
# The first argument lists CPUs, a word for each rank.
cpus=$1
shift
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}
exec taskset -c "$(echo "$cpus" | cut -d ' ' -f $((rank + 1)))" "$@"
END
    chmod +x "$script"
    wrapper=("$script" "$*")
}

# on_nodes CPUS...: the same, and each rank is on a node of its own.
on_nodes() {
    local bound
    on "$@"
    bound=("${wrapper[@]}")
    nodes a b c d
    wrapper=("${bound[@]}" "${wrapper[@]}")
}

# warned N: so often.
warned() { [[ $(messages warning) -eq $1 ]] || fail "not $1 warnings"; }

# Two CPUs that these tests may use.
need_two_cpus() {
    [[ $(nproc) -ge 2 && $(nproc) -eq $(nproc --all) ]] || skip "two CPUs are needed, and all"
}

@test "ranks bound to one core: W07 in place of W08, and who they are" {
    need_two_cpus
    # Every node is looked at by itself.
    cases <<'END'
on 1 1 | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 1 && warning W07: latency: ranks share cores (ranks=0,1; CPUs=1; host= && $ refuse_out W07 && $ expect_out "bound=shared;"
on 0 1 | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 0
on 0-1 0 | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 0
on_nodes 0 0 | launch 2 allreduce -m 8:8 "${brief[@]}" | 0 | $ warned 0
END
}

@test "ranks bound to one core: in the JSON result file" {
    need_two_cpus
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    on 0 0
    launch 2 latency -m 8:8 "${brief[@]}" --json "$json"
    expect_status 0
    check <<'END'
shared = d["environment"]["sharing_cores"]
assert shared["ranks"] == "0,1" and shared["cpus"] == "0", shared
assert shared["host"] == d["environment"]["rank"][0]["host"], shared
END
}

@test "ranks that may move among NUMA nodes: W07; within one they may" {
    need_two_cpus
    [[ $have_hwloc == yes ]] || skip "this build has no hwloc"
    unset HWLOC_COMPONENTS
    # Memory of another kind beside the same CPUs is no place to move to.
    cases <<'END'
export HWLOC_SYNTHETIC="numa:2 core:1 pu:1" | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 1 && warning W07: latency: ranks are not bound, and may move among the NUMA nodes of their node (ranks=2 of 2;)
on 0 1 | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 0 && path=same-
wrapper=() HWLOC_SYNTHETIC="numa:1 core:2 pu:1" | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 0
HWLOC_SYNTHETIC="pack:1 [numa] [numa] core:2 pu:1" | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ warned 0
END
}

@test "more threads than CPUs: W37, of a rank, or of all ranks of a node" {
    need_two_cpus
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    on 0 1
    launch 2 latency_mt -t 1:4 -m 8:8 "${brief[@]}" --json "$json"
    expect_status 0
    [[ $(messages warning) -eq 1 ]] || fail "not one warning"
    expect_err "warning W37: latency_mt: more threads than CPUs (rank=1; threads=4; CPUs=1; host="
    check <<'END'
excess = d["environment"]["excess_threads"]
assert (excess["rank"], excess["threads"], excess["cpus"]) == (1, 4, 1), excess
END
    # Threads that begin to take turns make an iteration a thousand times as long.  The rows
    # below took 10 to 40 s each when the time was looked at after twice the samples only.
    cases <<'END'
SECONDS=0 | launch 2 latency_mt -t 1:2 -m 8:64 | 0 | $ [[ $SECONDS -lt 15 ]]
| launch 2 latency_mt -t 1:1 -m 8:8 "${brief[@]}" | 0 | $ [[ $(messages warning) -eq 0 ]]
END
    wrapper=()
    launch 2 latency_mt -t "$(nproc):1" -m 8:8 "${brief[@]}"
    expect_err "warning W37: latency_mt: more threads than CPUs (threads of all ranks=$(($(nproc) + 1)); usable CPUs=$(nproc); host="
}

@test "more ranks than CPUs: W08 once, and never in the table" {
    # A shell that is bound makes it W07.
    [[ $(nproc) -lt 4 && $(nproc) -eq $(nproc --all) ]] || skip "4 or more CPUs"
    cases <<'END'
| launch 4 allreduce -m 8:8 "${brief[@]}" | 0 | $ [[ $(messages "warning W08") -eq 1 ]] && $ refuse_out W08
| launch 1 hello | 0 | $ warned 0
END
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
    cases <<'END'
launcher=(--bind-to core) | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ expect_out "bound=core;"
launcher=() | launch 2 latency -m 8:8 "${brief[@]}" | 0 | $ expect_out "bound=none;"
END
}

@test "a kernel of more than 1024 CPUs is asked in its own size" {
    local usual
    launch 2 latency -m 8:8 -i 5 -x 1
    usual=$(grep -o 'path=.*mpi=' "$out")
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
