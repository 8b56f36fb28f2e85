#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Scripts around the programs: run-suite, many in one go; bind-rail, a device for
# each rank; place and slurm, ranks where they are meant to be.
# shellcheck disable=SC2016,SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash, and of subshells

load common

brief=(-i 5 -x 1)

setup() {
    results=$BATS_TEST_TMPDIR/results
}

# suite ARGUMENT...
suite() {
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/run-suite" --build "$ALIDADE_BUILD" "$@"
}

@test "run-suite --list: every program once, with what it is for; names and families choose" {
    cases <<'END'
| suite --list | 0 | One-way latency between two ranks (half the round-trip time). && $ [[ $(awk '{ print $1 }' "$out" | sort) == "$(find "$ALIDADE_BUILD"/mpi/*/ -maxdepth 1 -type f -perm -u+x -printf '%f\n' | sort)" ]]
| suite --list startup latency | 0 | $ [[ $(awk '{ print $1 "/" $2 }' "$out" | xargs) == "comm_create/startup hello/startup init/startup where/startup latency/pt2pt" ]]
| suite --list hello all | 0 | $ [[ $(wc -l <"$out") -eq $(find "$ALIDADE_BUILD"/mpi/*/ -maxdepth 1 -type f -perm -u+x | wc -l) ]]
mkdir -p b/mpi/pt2pt; ln -s "$(program latency)" b/mpi/pt2pt; ln -s latency b/mpi/pt2pt/osu_latency | run_to_files "$ALIDADE_SOURCE/scripts/run-suite" --build b --list | 0 | $ [[ $stdout == latency\ * ]] && $ [[ $(wc -l <"$out") -eq 1 ]]
| suite --list nothing | 1 | 'nothing' is neither a program nor a family
END
}

@test "run-suite: a table and a document of each, what cannot run is skipped, warnings are at the end; --print" {
    suite --results "$results" --print latency bw -- -m 8:8
    expect_status 0
    [[ $stdout == "latency-1: "*"$mpirun "*" $(program latency) -m 8:8"$'\n'"bw-1: "*"$mpirun "*" $(program bw) -m 8:8" && ! -e $results ]] || fail "another plan"
    suite --results "$results" latency comm_create bcast bw_fan_in -- -m 8:8 -i 5 -x 1 -z99
    expect_status 0
    expect_out "[  1/4] latency                          ok "
    expect_out "2 ran, 2 skipped, 0 failed; results in $results"
    expect_out "skipped: comm_create: does not take -m"
    expect_out "skipped: bw_fan_in: "
    grep -q '^8 ' "$results/latency-1.txt"
    grep -q '"benchmark": "bcast"' "$results/bcast-1.json"
    # A busy machine is warned of, too (W40).
    cmp "$results/summary.txt" <(tail -n "$(wc -l <"$results/summary.txt")" "$out")
    [[ $(grep -v '^Other processes ' "$out" | tail -n 2) == "warning W22: bcast: percentile=99; needs samples=100; there are=5; the slowest is printed"$'\n'"warning W22: latency: "* ]] ||
        fail "they are not at the end"
    # Of programs that do not run again, too.
    suite --results "$results" latency comm_create bcast bw_fan_in -- -m 8:8 -i 5 -x 1 -z99
    expect_status 0
    expect_out "0 ran, 2 had run before, 2 skipped, 0 failed"
    [[ $(grep -c '^warning W22: ' "$out") -eq 2 ]] || fail "those of earlier runs are not"
}

@test "run-suite --one-job: one start of MPI but for what needs its own; what has run does not run again" {
    local start
    start_of 2
    printf '#!/bin/sh\necho start >>%s\nexec %s "$@"\n' "$BATS_TEST_TMPDIR/starts" "${start[*]:0:${#start[@]}-2}" >"$BATS_TEST_TMPDIR/launcher"
    chmod +x "$BATS_TEST_TMPDIR/launcher"
    suite --one-job --launcher "$BATS_TEST_TMPDIR/launcher -n {n}" --results "$results" latency bcast bw_fan_in latency_mp -- -m 8:8 -i 5 -x 1
    expect_status 0
    expect_out "[  1/4] latency                          ok "
    expect_out "[  3/4] bw_fan_in                        skipped"
    expect_out "[  4/4] latency_mp                       ok "
    expect_out "3 ran, 1 skipped, 0 failed; results in $results"
    [[ -s $results/latency-1.json && -s $results/bcast-1.json && -s $results/latency_mp-1.json ]] || fail "no documents"
    grep -q '^# OSU MPI Latency Test' "$results/suite-1.txt" || fail "no table"
    suite --one-job --launcher "$BATS_TEST_TMPDIR/launcher -n {n}" --results "$results" latency bcast bw_fan_in latency_mp -- -m 8:8 -i 5 -x 1
    expect_out "0 ran, 3 had run before, 1 skipped, 0 failed; results in $results"
    [[ $(wc -l <"$BATS_TEST_TMPDIR/starts") -eq 3 ]] || fail "not one start for all, and one for what cannot be among them"
}

@test "run-suite --one-job: a job that ends early keeps what has run, and goes on" {
    need_json
    local words=(allreduce latency bcast -- -m 256:256 -i 5 -x 1) preload=(stop) start
    start_of '{n}'
    suite --one-job --results "$results" --launcher "${start[*]} env FAULT=error FAULT_CALL=MPI_Send FAULT_RANK=0 FAULT_BYTES=256" "${words[@]}"
    expect_status 1
    expect_out "1 ran, 0 skipped, 1 failed; results in $results"
    expect_out "FAILED: suite: exit "
    [[ $(cd "$results" && echo *.json) == allreduce-1.json ]] || fail "$(ls "$results")"
    # So does one that is interrupted.
    interrupt "[[ -s $results.4/allreduce.json ]]" "$ALIDADE_SOURCE/scripts/run-suite" --build "$ALIDADE_BUILD" --one-job --results "$results.4" \
        --launcher "${start[*]} env FAULT=hang FAULT_CALL=MPI_Send FAULT_RANK=0 FAULT_BYTES=256" "${words[@]}"
    [[ -s $results.4/allreduce-1.json && -s $results.4/allreduce-1.txt ]] || fail "$(ls "$results.4")"
}

@test "run-suite: one job ends with the exit code of separate ones" {
    local code said ranks words each n=0
    while IFS='|' read -r code said ranks words; do
        for each in "" --one-job; do
            echo "$each $words"
            # shellcheck disable=SC2086  # words
            suite $each --ranks "$ranks" --results "$results.$((n++))" $words -i 5 -x 1
            expect_status "$code"
            expect_out "$said; results in"
            # A run that failed counts, too.
            [[ $stdout != *"in "?" of 0 run"* ]] || fail "more runs than there are"
        done
    done <<'END'
0|1 ran, 1 skipped, 0 failed|2|hello comm_create -- -m 8:8
77|0 ran, 2 skipped, 0 failed|2|latency bcast -- -W 4
77|0 ran, 2 skipped, 0 failed|1|latency bw -- -m 8:8
1|0 ran, 0 skipped, 1 failed|2|latency -- --expect=path=inter-node
END
}

@test "run-suite: what fails is named with the reason, the others run, exit 1" {
    # A launcher frames its paragraphs, and breaks their lines.
    printf '#!/bin/sh\nprintf "%%s\\n" -------- "Not enough slots for" "this run. Use fewer." "" "  PATH" -------- >&2\nexit 1\n' >"$BATS_TEST_TMPDIR/frames"
    chmod +x "$BATS_TEST_TMPDIR/frames"
    cases <<'END'
| suite --results r --launcher "false {n}" hello | 1 | FAILED: hello: exit 1: it exited with code 1 and printed nothing; see r/hello-1.err
| suite --results r --launcher "$BATS_TEST_TMPDIR/frames {n}" hello | 1 | $ expect_out "FAILED: hello: exit 1: Not enough slots for this run; see "
END
}

@test "run-suite: where all is left out nothing was measured: 77, and why" {
    cases <<'END'
| suite --results r comm_create bw_fan_in -- -m 8:8 "${brief[@]}" | 77 | 0 ran, 2 skipped, 0 failed && = run-suite: nothing was measured: all programs were skipped
END
}

@test "bind-rail: each local rank gets its device, and around again; else one sentence" {
    rail() { run_to_files "$ALIDADE_SOURCE/scripts/bind-rail" --rails "$@"; }
    local start lo='~ ^UCX_NET_DEVICES=lo$ && ~ ^OMPI_MCA_btl_tcp_if_include=lo$ && ~ ^FI_TCP_IFACE=lo$'
    # The last is under the launcher of this build, with a real program.
    start_of 2
    cases <<END
| OMPI_COMM_WORLD_LOCAL_RANK=0 rail lo,lo env | 0 | $lo
| OMPI_COMM_WORLD_LOCAL_RANK=1 rail lo,lo env | 0 | $lo
| OMPI_COMM_WORLD_LOCAL_RANK=2 rail lo,lo env | 0 | $lo
| MPI_LOCALRANKID=3 rail lo,none env | 1 | = bind-rail: this node has no device 'none' (local rank 3)
unset OMPI_COMM_WORLD_LOCAL_RANK SLURM_LOCALID | rail lo true | 1 | the launcher does not say
| run_to_files "\${start[@]}" "\$ALIDADE_SOURCE/scripts/bind-rail" --rails lo "\$(program latency)" -m 8:8 "\${brief[@]}" | 0 | $ expect_sizes 8
END
}

# --- place, slurm -----------------------------------------------------------------------

place() { run_to_files "$ALIDADE_SOURCE/scripts/place" "$@"; }

# prints WORD...: that is all of stdout.
prints() { [[ $stdout == "$*" ]] || fail "not printed: $*"; }

@test "place: the command of each launcher, word for word" {
    local file words root=
    [[ $(id -u) -ne 0 ]] || root=' --allow-run-as-root'
    file=$(program latency)
    # Of a build, its own.
    cases <<END
| place one-node --print --launcher srun $file -m 8:8 | 0 | $ prints 'srun -N 1 -n 2 --ntasks-per-node=2 --cpu-bind=cores $file -m 8:8'
| place two-nodes --print --launcher srun --hosts a,b,c $file | 0 | $ prints 'srun -N 2 -n 2 --ntasks-per-node=1 --cpu-bind=cores --nodelist a\\,b $file'
| place two-nodes --print --launcher openmpi --hosts a,b,c --container "apptainer exec x.sif" latency | 0 | $ prints 'mpirun -n 2 --map-by ppr:1:node --bind-to core --host a:1\\,b:1$root apptainer exec x.sif latency'
| place 3-nodes --per-node 4 --print --launcher mpich --hosts a,b,c latency | 0 | $ prints 'mpiexec -n 12 -ppn 4 -bind-to core -hosts a\\,b\\,c latency'
| place 2-nodes --per-node 4 --print --launcher flux --hosts a,b latency | 0 | $ prints 'flux run -N 2 -n 8 -o cpu-affinity=per-task --requires=hosts:a\\,b latency'
| place 2-nodes --per-node 4 --print --launcher jsrun latency | 0 | $ prints 'jsrun --nrs 2 --rs_per_host 1 --tasks_per_rs 4 --cpu_per_rs ALL_CPUS --launch_distribution packed --bind packed:1 latency'
| place one-node --print --launcher srun --options "--mpi=pmix -l" $file -m 8:8 | 0 | $ prints 'srun -N 1 -n 2 --ntasks-per-node=2 --cpu-bind=cores --mpi=pmix -l $file -m 8:8'
| place one-node --print $file | 0 | $ [[ \$stdout == "\$mpirun "*" $file" ]]
| place | 1 | ~ ^Usage: scripts/place one-node\|two-nodes\|N-nodes 
END
    for words in "nowhere x" "0-nodes x" "two-nodes $file" "one-node" "one-node --launcher pbs x" "one-node --per-node no x" "one-node --hosts"; do
        # shellcheck disable=SC2086  # words
        place $words
        echo "$words"
        expect_status 1
        [[ $(wc -l <"$err") -eq 1 && $stderr == "place: "* ]] || fail "no sentence"
    done
}

@test "place: a host that nobody knows is refused where the launcher would wait for ever" {
    command -v getent >/dev/null || skip "there is no getent"
    limit=20
    place two-nodes --launcher mpich --hosts localhost,no-such-host.invalid "$(program latency)"
    expect_status 1
    expect_no_out
    [[ $stderr == "place: unknown host 'no-such-host.invalid'" ]] || fail "no sentence"
}

@test "place: ranks that are elsewhere end it with 2; a program's own failure is passed on" {
    local file start
    file=$(program latency)
    # Two nodes that are one: nothing starts two ranks there but a launcher that is told so.
    mkdir "$BATS_TEST_TMPDIR/bin"
    start_of 2
    printf '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do case $1 in -N | -n) shift 2 ;; *) shift ;; esac; done\nexec %s "$@"\n' "${start[*]}" \
        >"$BATS_TEST_TMPDIR/bin/srun"
    chmod +x "$BATS_TEST_TMPDIR/bin/srun"
    export PATH=$BATS_TEST_TMPDIR/bin:$PATH
    cases <<'END'
| place two-nodes --launcher srun "$file" -m 8:8 "${brief[@]}" | 2 | place: asked for nodes=2, but the ranks were on nodes=1
| place one-node --launcher srun "$file" -m 8:8 "${brief[@]}" | 0 | $ expect_sizes 8
| place one-node --launcher srun "$file" --no-such-option | 1 | E12
END
}

slurm() { PATH=$BATS_TEST_TMPDIR/bin:$PATH run_to_files "$ALIDADE_SOURCE/scripts/slurm" "$@"; }

@test "slurm: pairs on one node and two, many pairs and collectives by ranks per node; --each-node" {
    local words sentence short=(--programs latency --many multi_lat --collectives bcast) text=$BATS_TEST_TMPDIR
    mkdir "$text/bin"
    printf '#!/bin/sh\nexit 1\n' >"$text/bin/srun"
    printf '#!/bin/sh\nprintf "%%s\\n" n1 n2\n' >"$text/bin/scontrol"
    chmod +x "$text/bin"/*
    export SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 SLURM_CPUS_ON_NODE=2 SLURM_JOB_NODELIST='n[1-2]'
    slurm --print --runs 1 "${short[@]}" --ranks-per-node 1,2 --launcher "srun --mpi=pmix" "$ALIDADE_BUILD" -- -m 8:8
    expect_status 0
    sed -i "s,$ALIDADE_BUILD/mpi/[a-z0-9]*/,," "$out"
    diff - "$out" <<'END' || fail "another plan"
one-node/latency-1: srun -N 1 -n 2 --ntasks-per-node=2 --cpu-bind=cores --mpi=pmix latency -m 8:8
two-nodes/latency-1: srun -N 2 -n 2 --ntasks-per-node=1 --cpu-bind=cores --mpi=pmix latency -m 8:8
two-nodes-1/multi_lat-1: srun -N 2 -n 2 --ntasks-per-node=1 --cpu-bind=cores --mpi=pmix multi_lat -m 8:8
all-nodes-1/bcast-1: srun -N 2 -n 2 --ntasks-per-node=1 --cpu-bind=cores --mpi=pmix bcast -m 8:8
two-nodes-2/multi_lat-1: srun -N 2 -n 4 --ntasks-per-node=2 --cpu-bind=cores --mpi=pmix multi_lat -m 8:8
all-nodes-2/bcast-1: srun -N 2 -n 4 --ntasks-per-node=2 --cpu-bind=cores --mpi=pmix bcast -m 8:8
END
    # Eight runs, which compare needs for as many classes as there are.
    slurm --print --each-node --programs latency "$ALIDADE_BUILD"
    [[ $(wc -l <"$out") -eq 16 && $stdout == "node-n1/latency-1: srun -N 1 -n 2 --ntasks-per-node=2 --cpu-bind=cores --nodelist n1 $(program latency)"$'\n'"node-n2/latency-1: "*" --nodelist n2 "* ]] ||
        fail "another plan"
    cd "$text"
    while IFS='|' read -r words sentence; do
        # shellcheck disable=SC2086  # words
        slurm ${words//@@/$ALIDADE_BUILD}
        expect_status 1
        expect_no_out
        [[ $stderr == "slurm: ${sentence//@@/$ALIDADE_BUILD}"* && ! -e other ]] || fail "$words: not $sentence"
    done <<'END'
--programs nothing @@ other|'nothing' is not a program of @@; scripts/run-suite --list names them
--each-node --many mbw_mr @@ other|--each-node measures the pairs of --programs alone: leave out --many
--runs 0 @@ other|--runs '0' is not a number of runs from 1 to 999999999
|a build is needed: sbatch --nodes=N scripts/slurm BUILD [RESULTS]
/nowhere other|there are no programs in '/nowhere/mpi'; scripts/quickstart builds them
@@ other -- --csv=x.csv|leave out --csv, since each run would overwrite its file; 
END
    # Outside a job.
    unset SLURM_JOB_ID
    slurm "$ALIDADE_BUILD" other
    expect_status 77
    expect_no_out
    [[ $stderr == "slurm: not within a Slurm job: sbatch --nodes=N scripts/slurm BUILD" && ! -e other ]] || fail "no sentence"
}
