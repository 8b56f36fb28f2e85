#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# where: a row for each rank, and findings; each is shown both present and absent.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

# The value of a finding.
finding() {
    sed -n "s/^# Preflight: .*\\<$1=\\([a-z-]*\\);.*/\\1/p" "$out"
}

# found KEY VALUE: so it is, with a line that explains it or without.
found() {
    [[ $(finding "$1") == "$2" ]] || fail "expected $1=$2"
    case $2 in
    small | denied | short | too-many | far | no) expect_out "# $1=$2: " ;;
    *) refuse_out "# $1=" ;;
    esac
}

# of RANK COMMAND...: that rank alone is started by the command.
of() {
    local script=$BATS_TEST_TMPDIR/of_rank
    {
        # shellcheck disable=SC2016  # expanded by the rank
        printf '#!/bin/sh\nif [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}" = %s ]; then\n' "$1"
        printf '    exec %s "$@"\nfi\nexec "$@"\n' "${*:2}"
    } >"$script"
    chmod +x "$script"
    wrapper=("$script")
}

need_hwloc() {
    [[ $have_hwloc == yes ]] || skip "this build has no hwloc"
}

need_root() {
    [[ $(id -u) -eq 0 ]] || skip "only root can drop capabilities"
}

@test "a row for each rank, then findings" {
    launch 3 where
    expect_status 0
    expect_quiet
    grep -Eq '^# MPI Placement Test$' "$out" || fail "no title"
    grep -Eq '^# Rank  Node  Host +CPUs +Polling Core  NUMA  Socket ( GPU            )? Nearest network$' "$out" || fail "no heading"
    [[ $(column 1) == "0 1 2" && $(column 2) == "0 0 0" ]] || fail "not a row for each rank"
    [[ $(column 3) == "$(hostname) $(hostname) $(hostname)" ]] || fail "not this host"
    [[ $(grep -c '^# Preflight: shm=.*; memlock=.*; vm_read=.*; quota=.*; threads=.*; network=.*; hwloc=.*;$' "$out") -eq 1 ]] ||
        fail "no findings"
    ! grep -q ' $' "$out" || fail "blanks at the end of a line"
    launch 1 where
    expect_status 0
    found vm_read untried
}

@test "more ranks than rows: the JSON result file has them all" {
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    limit=400 launch 66 where --timeout=300 --json "$json"
    expect_status 0
    [[ $(column 1 | wc -w) -eq 64 ]] || fail "not 64 rows"
    expect_out "# Ranks not shown: 2; --json=FILE has all;"
    found threads too-many
    check <<'END'
row, = d["rows"]
assert [p["rank"] for p in row["placement"]] == list(range(66))
assert row["preflight"]["threads"]["value"] == "too-many"
assert "ranks=66;" in row["preflight"]["threads"]["why"], row["preflight"]
assert row["preflight"]["threads"]["hosts"] == [row["placement"][0]["host"]], row["preflight"]
assert row["preflight"]["shm"] == {"value": "ok", "why": None, "hosts": []} or row["preflight"]["shm"]["value"] == "small"
END
}

@test "a thread of the library that polls is counted, and needs a CPU; one that sleeps is not" {
    need_json
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    json=$BATS_TEST_TMPDIR/x.json
    # shellcheck disable=SC2016  # in the shell of the rank
    wrapper=(sh -c 'exec taskset -c "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}" "$@"' -)
    preload=(stop)
    FAULT=busy FAULT_RANK=1 launch 2 where --json "$json"
    expect_status 0
    [[ $(column 5) == "0 1" ]] || fail "not one thread of rank 1"
    found threads too-many
    expect_out "rank=1; threads=2; CPUs=1;"
    check <<'END'
assert [p["polling_threads"] for p in d["rows"][0]["placement"]] == [0, 1], d["rows"][0]["placement"]
assert [p["threads"] for p in d["rows"][0]["placement"]] == [1, 1]
END
    launch 2 where
    [[ $(column 5) == "0 0" ]] || fail "a thread that sleeps is counted"
    found threads ok
}

@test "CPUs, core and NUMA node are those of each rank; networks as far as hwloc says" {
    need_hwloc
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    unset HWLOC_COMPONENTS
    # Sockets of CPUs 0 and 1, and 2 and 3; three networks are in the first.
    export HWLOC_XMLFILE=$ALIDADE_SOURCE/tests/unit/gpu_node.xml
    of 1 taskset -c 1
    launch 2 where
    expect_status 0
    grep -Eq '^0 +0 +[^ ]+ +0-[0-9]+ +[0-9]+ +- +0 +0 +(- +)?mlx5_0,eth0,mlx5_1 \(NUMA node\)$' "$out" || fail "rank 0"
    grep -Eq '^1 +0 +[^ ]+ +1 +[0-9]+ +1 +0 +0 +(- +)?mlx5_0,eth0,mlx5_1 \(NUMA node\)$' "$out" || fail "rank 1"
    found network near
    # CPU 0 and CPU 1 in NUMA nodes of their own; the only network is near the first.
    node() {
        cat <<END
    <object type="Package" os_index="$1" cpuset="$2" complete_cpuset="$2" nodeset="$2" complete_nodeset="$2" gp_index="${1}2">
      <object type="NUMANode" os_index="$1" cpuset="$2" complete_cpuset="$2" nodeset="$2" complete_nodeset="$2" gp_index="${1}3" local_memory="1073741824"/>
      <object type="Core" os_index="$1" cpuset="$2" complete_cpuset="$2" nodeset="$2" complete_nodeset="$2" gp_index="${1}4">
        <object type="PU" os_index="$1" cpuset="$2" complete_cpuset="$2" nodeset="$2" complete_nodeset="$2" gp_index="${1}5"/>
      </object>
$3
    </object>
END
    }
    export HWLOC_XMLFILE=$BATS_TEST_TMPDIR/far.xml
    {
        sed -n 1,3p "$ALIDADE_SOURCE/tests/unit/gpu_node.xml"
        echo '  <object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x3" complete_nodeset="0x3" allowed_nodeset="0x3" gp_index="1">'
        node 1 0x1 "$(sed -n '/gp_index="30"/,/^      <\/object>/p' "$ALIDADE_SOURCE/tests/unit/gpu_node.xml")" | sed 's/os_index="1"/os_index="0"/'
        node 2 0x2 "" | sed 's/os_index="2"/os_index="1"/'
        printf '  </object>\n</topology>\n'
    } >"$HWLOC_XMLFILE"
    cat >"$BATS_TEST_TMPDIR/apart" <<'END'
#!/bin/sh
exec taskset -c "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}" "$@"
END
    chmod +x "$BATS_TEST_TMPDIR/apart"
    wrapper=("$BATS_TEST_TMPDIR/apart")
    launch 2 where
    expect_status 0
    grep -Eq '^0 +0 +[^ ]+ +0 +[0-9]+ +0 +0 +0 +(- +)?mlx5_1 \(NUMA node\)$' "$out" || fail "rank 0"
    grep -Eq '^1 +0 +[^ ]+ +1 +[0-9]+ +1 +1 +1 +(- +)?mlx5_1 \(machine\)$' "$out" || fail "rank 1"
    found network far
    expect_out "a rank is far from every network device, or may be; rank=1; devices=mlx5_1; host="
    launch 1 where
    found network near
}

@test "shared memory: small, and enough" {
    in_namespace 'mount -t tmpfs -o size=64m tmpfs /dev/shm'
    cases <<'END'
| launch 2 where | 0 | $ found shm small && # /dev/shm: size=64MiB; free= && # shm=small: /dev/shm has little room; free= && ranks=2; advised=134 MB; host=
| launch 1 where | 0 | $ found shm ok
END
}

@test "locked memory: a limit of 64 KB, and none" {
    need_root
    # Root may lock what it likes, whatever the limit.
    of 1 prlimit --memlock=65536:65536 setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock
    launch 2 where
    expect_status 0
    found memlock small
    expect_out "a rank cannot lock memory; rank=1; limit=66 KB; tried=67109 KB; host="
    of 1 prlimit --memlock=65536:65536
    launch 2 where
    expect_status 0
    found memlock ok
}

@test "reading another rank's memory: denied, and allowed" {
    need_root
    launch 2 where
    expect_status 0
    found vm_read ok
    # Rank 1 lacks a capability that rank 0 has.  MPI itself must not need it.
    export UCX_TLS=tcp,self UCX_NET_DEVICES=lo OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo
    of 1 setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace
    launch 2 where
    expect_status 0
    found vm_read denied
    expect_out "a rank cannot read the memory of another; rank=1; error=Operation not permitted; host="
}

@test "the CPU quota of the control group: short, enough, and none" {
    [[ $(cut -d : -f 1 /proc/self/cgroup | grep -c '^0$') -eq 1 ]] || skip "no control groups of version 2"
    mkdir "$BATS_TEST_TMPDIR/group"
    in_namespace "mount --bind $BATS_TEST_TMPDIR/group /sys/fs/cgroup"
    launch 2 where
    expect_status 0
    found quota none
    echo "50000 100000" >"$BATS_TEST_TMPDIR/group/cpu.max"
    launch 2 where
    expect_status 0
    found quota short
    expect_out "the control group grants too little time; CPUs=0.5; ranks=2; threads of each=1; host="
    echo "800000 100000" >"$BATS_TEST_TMPDIR/group/cpu.max"
    launch 2 where
    expect_status 0
    found quota ok
}

@test "threads against CPUs: of a rank, and of a node" {
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    wrapper=(taskset -c 0)
    launch 1 where --threads 2
    expect_status 0
    found threads too-many
    expect_out "a rank may use fewer CPUs than it has threads; rank=0; threads=2; CPUs=1; host="
    launch 1 where --threads 1
    found threads ok
    wrapper=()
    OMP_NUM_THREADS=$(nproc) launch 2 where
    found threads too-many
    expect_out "the ranks of a node may use fewer CPUs than they have threads; ranks=2; threads of each=$(nproc); CPUs=$(nproc); host="
    OMP_NUM_THREADS=1,4 launch 2 where
    found threads ok
    OMP_NUM_THREADS=$(nproc) launch 1 where
    found threads ok
}

@test "--expect: findings and the header line, after the rows; exit 2" {
    launch 2 where --expect vm_read=ok --expect quota=none --expect ranks=2
    expect_status 0
    launch 2 where --expect vm_read=denied --expect nodes=7 --expect shm=ok
    expect_status 2
    expect_error E35
    expect_err "where: expected vm_read=denied; found vm_read=ok; expected nodes=7; found nodes=1;"
    [[ $(column 1) == "0 1" ]] || fail "no rows"
    cases <<'END'
| direct where --expect shms=ok | 1 | is no key of the header line or of the line of findings
| direct hello --expect shm=ok | 1 | $ expect_err "is no key of the header line; keys are "
END
}

@test "the GPU that each rank would use, by the mock CUDA runtime; none without" {
    [[ $have_cuda == yes && $cuda_runtime == shared ]] || skip "this build cannot use the mock CUDA runtime"
    need_json
    json=$BATS_TEST_TMPDIR/x.json
    export LD_LIBRARY_PATH=$ALIDADE_BUILD/tests/gpu/double${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    DOUBLE_DEVICES=2 launch 2 where --json "$json"
    expect_status 0
    check <<'END'
gpus = [p["gpu"] for p in d["rows"][0]["placement"]]
assert [g["device"] for g in gpus] == [0, 1], gpus
assert gpus[0]["pci"] != gpus[1]["pci"] and gpus[0]["uuid"] != gpus[1]["uuid"], gpus
END
    grep -Eq '^1 .* 1@[0-9a-f:.]+ +[^ ]' "$out" || fail "no GPU in the row of rank 1"
    DOUBLE_DEVICES=1 launch 2 where --gpu-map=modulo
    [[ $(grep -c ' 0@' "$out") -eq 2 ]] || fail "not the same GPU"
    DOUBLE_DEVICES=0 launch 2 where --json "$json"
    expect_status 0
    check <<'END'
assert [p["gpu"] for p in d["rows"][0]["placement"]] == [None, None]
END
}

# MPICH 4.0 crashes at 64 (doc/known-issues.md).
@test "long names of hosts are whole, and columns stay in line" {
    local length=64 json=$BATS_TEST_TMPDIR/where.json script=$BATS_TEST_TMPDIR/renamed name
    [[ $flavour == openmpi ]] || length=63
    unshare --uts true 2>/dev/null || skip "no host can be renamed"
    name=$(printf "%0$((length - 1))d" 0)
    # shellcheck disable=SC2016  # expanded by the rank
    printf '#!/bin/sh\nhostname "%s${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}"\nexec "$@"\n' "$name" >"$script"
    chmod +x "$script"
    wrapper=(unshare --uts "$script")
    launch 3 where --json "$json"
    expect_status 0
    [[ $(column 3) == "${name}0 ${name}1 ${name}2" ]] || fail "a name was cut"
    awk '/^# Rank/ { at = index($0, "Polling") }
        /^[0-9]/ && substr($0, at - 1, 2) !~ /^ [0-9]/ { exit 1 }' "$out" || fail "columns are not in line"
    for name in "${name}0" "${name}1" "${name}2"; do
        grep -q "\"host\": \"$name\"" "$json" || fail "$name is not in the JSON result file"
    done
    # And those that a user gives to nodes.
    # shellcheck disable=SC2016  # expanded by the rank
    wrapper=(sh -c 'ALIDADE_NODE_ID=$(printf %0300d "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}") exec "$0" "$@"')
    launch 3 where
    expect_status 0
    [[ $(column 2) == "0 1 2" ]] || fail "nodes with long names are one"
}
