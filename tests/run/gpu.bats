#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# GPU buffers, by a runtime library and an MPI that need no GPU (tests/gpu).  gpu_hip.bats is
# the same file: its name says of whom the library is.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash

load common
load made_up

brief=(-i 20 -x 2)
case ${BATS_TEST_FILENAME##*/} in
gpu_hip.bats) device=rocm runtime=HIP names=hip title=ROCM other=CUDA ;;
*) device=cuda runtime=CUDA names=cuda title=CUDA other=HIP ;;
esac

need_runtime() {
    case $device in
    rocm) [[ $hip_dir != none ]] || skip "this build has no HIP" ;;
    *) [[ $have_cuda == yes ]] || skip "this build has no CUDA" ;;
    esac
}

# With the double: device memory that faults whoever touches it, and an MPI that
# takes it.
need_double() {
    need_runtime
    [[ $device == rocm || $cuda_runtime == shared ]] || skip "the CUDA runtime library is within the programs"
    # The other of a build with both sees none.
    export "DOUBLE_${other}_DEVICES=0"
    export LD_LIBRARY_PATH=$ALIDADE_BUILD/tests/gpu/double${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export DOUBLE_REPORT=$BATS_TEST_TMPDIR/report
    preload=(../gpu/wrap)
    # For scripts.
    wrap=$ALIDADE_BUILD/tests/gpu/wrap.so:$usual
}

# Is there a real GPU?  Then nothing is refused for lack of one.
need_no_gpu() {
    need_runtime
    [[ ! -e /dev/nvidiactl && ! -e /dev/kfd ]] || skip "this machine has a GPU"
}

uuid_of() {
    case $device in
    rocm) printf 'GPU-%016d' "$1" ;;
    *) printf 'GPU-%02d000000-0000-0000-0000-000000000000' "$1" ;;
    esac
}

# expect_last PATTERN: standard output ends with such a line.
expect_last() {
    # shellcheck disable=SC2053  # a pattern
    [[ $(tail -n 1 "$out") == $1 ]] || fail "the last line: $(tail -n 1 "$out")"
}

# One program of each kind whose data may be on a GPU.
moving() {
    local name
    for name in $(kinds_of_programs); do
        [[ ${family_of[$name]} =~ ^(pt2pt|one-sided|congestion|collective|neighborhood)$ &&
            ! $name =~ ^(i?barrier|barrier_persistent)$ ]] && echo "$name"
    done
    return 0
}

small() {
    takes_sizes "$1" && echo -m 64:1K
    return 0
}

ranks_of() {
    case ${rule_of[$1]} in
    two) echo 2 ;;
    three) echo 3 ;;
    *) echo 4 ;;
    esac
}

@test "-d cuda, -d rocm where there is no GPU: E05 and 77, and why" {
    need_no_gpu
    direct latency -d "$device" D D
    expect_status 77
    expect_error E05
    expect_err "latency: D D: $runtime sees no GPU: "
    [[ $device == rocm || $(ldconfig -p) == *libcuda.so.1* ]] || expect_err "CUDA sees no GPU: its driver libcuda.so.1 is not found"
    # By what was given; and what is measured is not said of a run that measures nothing.
    direct latency -d "$device"
    expect_status 77
    expect_error E05
    expect_err "latency: -d: $runtime sees no GPU: "
    expect_quiet E05
    direct iallreduce -r gpu
    expect_status 77
    expect_err "iallreduce: -r, --compute: "
    expect_err " sees no GPU: "
    impatient=yes
    launch 2 latency -d "$device" D D
    expect_status 77
    expect_error E05
    impatient=no
    # Scripts for OMB give D D to runs on hosts too.
    launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 0
    expect_quiet W05
    expect_err "no GPU is seen: D, F, M, MD, MH and HP are taken for H"
    expect_out "mem=H-H;"
}

@test "no program needs the driver's library" {
    [[ $device == cuda ]] || skip "AMD's is a part of the runtime library"
    need_runtime
    need_objdump
    "$objdump" -p "$(program latency)" >"$BATS_TEST_TMPDIR/needs"
    grep -q 'NEEDED.*libc.so' "$BATS_TEST_TMPDIR/needs" && ! grep -q 'NEEDED.*libcuda\.' "$BATS_TEST_TMPDIR/needs" ||
        fail "$(cat "$BATS_TEST_TMPDIR/needs")"
    if [[ $cuda_runtime == static ]]; then
        ! grep -q 'NEEDED.*libcudart' "$BATS_TEST_TMPDIR/needs" || fail "the runtime library is needed"
    fi
}

@test "D D: programs of each kind, every row verified, nothing but copies touches device memory, and MPI nothing beyond it" {
    need_double
    local name options where
    # It asks the double where its memory ends.
    preload=(poisoned "${preload[@]}")
    export POISONED_OUT=$BATS_TEST_TMPDIR/asked
    mkdir "$POISONED_OUT"
    # Else RMA windows are MPI's own.
    takers win-options
    for name in $(moving); do
        read -ra options <<<"${needs_of[$name]} ${takes[$name]:+-w create} $(small "$name")"
        where=
        [[ ! ${family_of[$name]} =~ ^(pt2pt|one-sided|congestion)$ ]] || where="D D"
        # shellcheck disable=SC2086  # two words
        later "$name" "$(ranks_of "$name")" "$name" "${options[@]}" --gpu-map=modulo -d "$device" -c -i 3 -x 1 $where
    done
    # The processor of completion cannot poll there.
    all_good 'messages W30 W31' 'expect_out "mem=D-D;"' 'expect_out " gpu=shared;"' 'grep -qi " pass" "$out"'
    [[ -n $(ls "$POISONED_OUT") ]] || fail "nothing was asked"
    # Beyond each buffer are 64 bytes of ours.
    DOUBLE_SHORT=65 launch 2 latency -m 64:64 --gpu-map=modulo -d "$device" -c -i 3 -x 1 D D
    [[ $status -ne 0 ]] || fail "a message beyond its buffer"
    expect_err "poisoned: rank="
    expect_err "bytes=64; first bad=63;"
}

@test "halo: blocks in GPU memory, in every way that does not pack on the CPU" {
    need_double
    launch 4 halo --grid=2x2 -m 64:128 --gpu-map=modulo -d "$device" -c -i 3 -x 1
    expect_status 0
    expect_quiet W31
    expect_err "section=packed; the program packs on the CPU"
    expect_err "section=partitioned; the program packs on the CPU"
    expect_out "mem=D-D;"
    expect_all_pass $((2 * 3))
}

@test "H D, D H, HP D, MD MH, M H: pt2pt, both directions, one-sided" {
    need_double
    local name where
    for where in "H D" "D H" "HP D" "D HP" "MD MH" "MH MD" "M H" "HH D"; do
        for name in latency bw bibw "put_latency -w create"; do
            # shellcheck disable=SC2086  # words
            later "${name%% *}.${where/ /-}" 2 $name -m 64:1K -d "$device" --gpu-map=modulo -c -i 3 -x 1 $where
        done
    done
    all_good 'expect_all_pass 5' 'where=${name#*.}' 'expect_out "mem=${where/M-/MH-};"'
}

@test "F: fine-grained memory, which CUDA has not" {
    need_double
    launch 2 latency -m 64:1K -d "$device" --gpu-map=modulo -c -i 3 -x 1 F D
    if [[ $device == cuda ]]; then
        expect_status 77
        expect_error E32
        expect_err "F is memory of AMD GPUs only; use D"
        return
    fi
    expect_status 0
    expect_out "mem=F-D;"
    expect_all_pass 5
    launch 2 allreduce -m 64:1K --gpu-map=modulo -c -i 3 -x 1 F F
    expect_status 0
    expect_out "mem=F-F;"
    launch 2 put_latency -m 64:64 -d rocm --gpu-map=modulo -c -i 3 -x 1 F F
    expect_status 0
    expect_out "# Rank 0 Memory on DEVICE (D) and Rank 1 Memory on DEVICE (D)"
    expect_out "# Window creation: MPI_Win_create"
}

@test "words where all ranks do the same: -d decides, else the words; without messages there is no GPU memory; W36 says so" {
    need_double
    local devices words name mem warning
    while IFS='|' read -r devices words mem warning; do
        name=${words%% *}
        echo "$devices GPUs: $words"
        read -ra words <<<"${words#* }"
        ! takes_sizes "$name" || words+=(-m 8:8 "${brief[@]}")
        DOUBLE_DEVICES=$devices launch 3 "$name" --gpu-map=modulo "${words[@]}" --expect="mem=$mem"
        expect_status 0
        expect_out " mem=$mem;"
        if [[ -n $warning ]]; then expect_quiet "$warning"; else expect_quiet; fi
        [[ $warning != W36 ]] || expect_err "has no effect: the buffers are of type ${mem#*-}"
    done <<END
1|allreduce MD MD|MD-MD|
1|allreduce HP HP|HP-HP|
1|pair_bw MD MD|MD-MD|
1|allreduce D D|D-D|
1|allreduce -d $device D D|D-D|
1|allreduce -d managed MD MD|MD-MD|
1|allreduce -d $device MD MD|D-D|W36
1|allreduce -d $device H H|D-D|W36
1|allreduce -d managed D D|MD-MD|W36
1|where -d $device|H-H|
1|where D D|H-H|W36
0|where D D|H-H|W36
0|hello D D|H-H|W36
1|barrier -i 5 -x 1 D D|H-H|W36
0|ibarrier -i 5 -x 1 D D|H-H|W36
0|allreduce MD MD|H-H|W05
END
    DOUBLE_DEVICES=0 direct allreduce -d "$device" H H
    expect_status 77
    expect_err "allreduce: -d: $runtime sees no GPU: "
}

@test "a build with CUDA and HIP: -d says which, else that which sees a GPU; a build without refuses it" {
    need_double
    if [[ $have_cuda == no || $hip_dir == none ]]; then
        direct latency -d "$([[ $device == cuda ]] && echo rocm || echo cuda)" D D
        expect_status 77
        expect_error E05
        expect_err "-d: this build is with $runtime only; for both configure --with-cuda --with-hip"
        return
    fi
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    local words
    for words in "-d $device D D" "D D" "-d managed MD MD"; do
        # shellcheck disable=SC2086  # words
        launch 2 latency -m 8:8 --gpu-map=modulo "${brief[@]}" --json "$json" $words
        expect_status 0
        expect_out "# OSU MPI-$title Latency Test v7.4"
        check "$runtime" <<'END'
assert d["environment"]["gpu"]["runtime"] == sys.argv[2], d["environment"]["gpu"]
END
    done
    # Not that which is asked for.
    launch 2 latency -m 8:8 "${brief[@]}" -d "$([[ $device == cuda ]] && echo rocm || echo cuda)" D D
    expect_status 77
    expect_err "$other sees no GPU: no $other-capable device is detected"
}

@test "an MPI that is not GPU-aware: E04 names the rank, the size and the kinds" {
    need_double
    preload=()
    launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" D H
    expect_given_up
    grep -Eq '^alidade: error E04: latency: crash \(SIG(SEGV|BUS)\) on a buffer of a GPU; mem=D-H; rank=0; .*size=64; ' "$err" ||
        fail "no E04"
    launch 4 alltoall -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}"
    expect_given_up
    grep -Eq '^alidade: error E04: alltoall: crash .* on a buffer of a GPU; mem=D-D; rank=[0-3]; ' "$err" ||
        fail "no E04"
    [[ -z $(sizes) ]] || fail "a row"
    # The same on host memory works.
    launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" H H
    expect_status 0
    # A library that finds out by itself, and gives up.
    preload=(../gpu/wrap)
    DOUBLE_ABORT=1 launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" D D
    expect_given_up
    expect_err "crash (SIGABRT) on a buffer of a GPU; mem=D-D; rank="
}

@test "every thread that gives MPI a GPU's memory has taken the GPU of its rank" {
    need_double
    local words report
    for words in latency_mt "latency_mt -t 2:3" "partitioned_latency -q 4 --pready-threads 3"; do
        [[ $words != partitioned* || $flavour != openmpi ]] || continue # it has no MPI-4
        rm -f "$DOUBLE_REPORT".*
        # shellcheck disable=SC2086  # words
        DOUBLE_DEVICES=2 launch 2 $words -m 64:64 -i 20 -x 1 -c D D
        expect_status 0
        expect_all_pass 1
        for report in "$DOUBLE_REPORT".*; do
            grep -q ' strange=0 translated=[1-9]' "$report" || fail "$words: $(cat "$report")"
        done
    done
}

@test "ranks that share a GPU and no memory are recognised as well" {
    need_double
    [[ $flavour == mpich ]] || skip "needs an MPI that can be told to take ranks of a node for those of several"
    export MPIR_CVAR_NOLOCAL=1
    DOUBLE_DEVICES=1 launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 77
    expect_error E06
    DOUBLE_DEVICES=1 launch 2 latency -m 8:8 "${brief[@]}" --gpu-map=modulo D D
    expect_status 0
    expect_out " gpu=shared;"
}

@test "a baseline measures host memory only, and says so" {
    for program in memory_latency tcp_bw; do
        direct "$program" -d "$device" D D --dry-run
        expect_status 1
        expect_err "only host memory is possible: this program measures no GPU"
    done
}

@test "titles say CUDA or ROCM where a buffer is a GPU's, as OMB's do" {
    need_double
    launch 2 latency -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}" D H
    expect_out "# OSU MPI-$title Latency Test v7.4"
    launch 2 allreduce -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}"
    expect_out "# OSU MPI-$title Allreduce Latency Test v7.4"
    launch 2 put_latency -w create -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}" D D
    expect_out "# OSU MPI_Put-$title Latency Test v7.4"
    expect_out "# Rank 0 Memory on DEVICE (D) and Rank 1 Memory on DEVICE (D)"
    launch 2 allreduce -m 8:8 -d managed --gpu-map=modulo "${brief[@]}"
    expect_out "# OSU MPI Allreduce Latency Test v7.4"
    expect_out "mem=MD-MD;"
    launch 2 iallreduce -m 8:8 -d managed --gpu-map=modulo "${brief[@]}"
    expect_out "# OSU MPI-MANAGED Non-blocking Allreduce Latency Test v7.4"
    # Host memory is not called a GPU's, and is said to be measured.
    launch 2 latency -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}"
    expect_out "# OSU MPI Latency Test v7.4"
    expect_quiet W05
    expect_err "both buffers are in host memory; for device memory add D D"
}

@test "each rank its GPU: by local rank, a list, shared by modulo; refused otherwise" {
    need_double
    json=$BATS_TEST_TMPDIR/r.json
    DOUBLE_DEVICES=2 launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 0
    expect_out " gpu=own;"
    DOUBLE_DEVICES=1 launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 77
    expect_error E06
    expect_err "ranks 0 and 1 have the same GPU, $(uuid_of 0)"
    DOUBLE_DEVICES=2 launch 4 allreduce -d "$device" -m 8:8 "${brief[@]}"
    expect_status 77
    expect_error E06
    expect_err "local rank 2, but 2 visible GPUs: start fewer ranks per node, or let them share with --gpu-map=modulo (rank=2;)"
    DOUBLE_DEVICES=2 launch 4 allreduce -d "$device" --gpu-map=modulo -m 8:8 "${brief[@]}"
    expect_status 0
    expect_out " gpu=shared;"
    DOUBLE_DEVICES=4 launch 2 latency --gpu-map=3,1 -m 8:8 "${brief[@]}" --json "$json" D D
    expect_status 0
    expect_out " gpu=own;"
    need_json
    check "$runtime" "$(uuid_of 3)" <<'END'
gpu = d["environment"]["gpu"]
assert gpu["runtime"] == sys.argv[2] and not gpu["shared"] and gpu["unseen_by_ranks"] == 0, gpu
assert [one["device"] for one in gpu["ranks"]] == [3, 1], gpu
first = gpu["ranks"][0]
assert first["rank"] == 0 and first["name"] == "Double" and not first["mig"], first
assert first["compute_mode"] == "default" and first["ranks_on_it"] == 1 and first["visible"] == 4, first
assert first["uuid"] == sys.argv[3], first
assert first["pci"] == "0000:04:00.0" and first["bytes"] == 1 << 30, first
END
    DOUBLE_MODE=3 DOUBLE_NAME="NVIDIA H100 MIG 1g.10gb" launch 2 latency --gpu-map=modulo -m 8:8 "${brief[@]}" --json "$json" D D
    expect_status 0
    check <<'END'
assert all(one["mig"] and one["compute_mode"] == "exclusive process" for one in d["environment"]["gpu"]["ranks"])
END
    DOUBLE_DEVICES=0 launch 2 latency -m 8:8 "${brief[@]}" -d "$device" D D
    expect_status 77
    expect_error E05
    expect_err "$runtime sees no GPU: no $runtime-capable device is detected"
    direct latency --gpu-map=most
    expect_status 1
    expect_error E12
}

@test "a mask that shows each rank its own GPU: W34, and each has its own" {
    need_double
    DOUBLE_MASK=1 launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 0
    expect_quiet W34
    expect_err "ranks that do not see all GPUs of their node=2 of 2;"
    expect_out " gpu=own;"
    DOUBLE_DEVICES=2 launch 2 latency -m 8:8 "${brief[@]}" D D
    expect_status 0
    expect_quiet
}

@test "--verify=N in a GPU's memory: how many iterations are wrong, and where the first is" {
    need_double
    launch 2 latency -m 1000:1000 -d "$device" --gpu-map=modulo --verify=50 -i 1 -x 0 D D
    expect_status 0
    expect_after latency "*verified: checked=50; wrong=0;*"
    # Each rank receives one message in an iteration.
    DOUBLE_SPOIL=20 launch 2 latency -m 1000:1000 -d "$device" --gpu-map=modulo --verify=50 -i 1 -x 0 D D
    expect_status 3
    expect_err "latency: wrong data; size=1000; wrong=2 of 50; first: iteration=20; type=MPI_CHAR; rank=0; block=0; byte=999; from rank=1; "
    launch 2 suite latency allreduce --verify=soak:4s -- -m 1000:1000 -i 1 -x 0 -d "$device" --gpu-map=modulo
    expect_status 0
    expect_out "# suite: programs=2; run=2; skipped=0; failed=0;"
    expect_out "; wrong=0;"
}

@test "ranks that take turns on a GPU, without MPS: W39 and JSON say so; each with its own: nothing" {
    need_double
    need_json
    [[ $device == cuda ]] || skip "processes do not take turns on a GPU of AMD's"
    json=$BATS_TEST_TMPDIR/r.json
    local mps
    for mps in 0 1; do
        DOUBLE_MPS=$mps launch 2 latency -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}" --json "$json" D D
        expect_status 0
        expect_out " gpu=shared;"
        if [[ $mps == 0 ]]; then expect_quiet W39; else expect_quiet; fi
        [[ $mps == 1 ]] || expect_err "ranks take turns on a GPU that they share;"
        check <<<"assert d['environment']['gpu']['shared'] and d['environment']['gpu']['takes_turns'] == ($mps == 0)"
        rm "$json"
    done
    DOUBLE_MPS=0 DOUBLE_DEVICES=2 launch 2 latency -m 8:8 -d "$device" "${brief[@]}" D D
    expect_status 0
    expect_quiet
}

@test "ranks that share a GPU share its memory: W11 by what is free, E10 where nothing fits" {
    need_double
    # 90 % of it for two ranks: each has two buffers of a size and their guards.
    DOUBLE_FREE=600000 launch 2 latency -m 32K:512K -d "$device" --gpu-map=modulo "${brief[@]}" D H
    expect_status 0
    expect_sizes 32768 65536 131072
    expect_quiet W11
    expect_err "last=131072; next=262144;"
    expect_err "per rank, on its GPU, available="
    DOUBLE_FREE=600000 launch 2 latency -m 32K:512K -d "$device" --gpu-map=modulo "${brief[@]}" H H
    expect_sizes 32768 65536 131072 262144 524288
    DOUBLE_FREE=600 launch 2 allreduce -m 32K:512K -d "$device" --gpu-map=modulo "${brief[@]}"
    expect_status 2
    expect_error E10
    expect_err "no size fits a GPU: size=32768;"
}

@test "device memory that is not given, and a copy that fails: one sentence, no hang" {
    need_double
    DOUBLE_BYTES=100000 launch 2 latency -m 1M:1M -d "$device" --gpu-map=modulo "${brief[@]}" H D
    expect_status 77
    expect_error E32
    expect_err "D: the GPU's runtime library gave no memory of this kind"
    DOUBLE_FAIL=${names}Memcpy launch 2 latency -m 8:8 -d "$device" --gpu-map=modulo "${brief[@]}" H D
    expect_given_up
    expect_err "E33"
    expect_err "an illegal memory access was encountered"
}

@test "all GPU memory is given back; none is copied or waited for while a batch is timed" {
    need_double
    local iterations report
    for iterations in 10 1000; do
        rm -f "$DOUBLE_REPORT".*
        launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo -i "$iterations" -x 1 D D
        expect_status 0
        for report in "$DOUBLE_REPORT".*; do
            sed 's/translated=.*//' "$report"
        done | sort >"$BATS_TEST_TMPDIR/counts.$iterations"
        awk '{ split($1, a, "="); split($2, b, "="); bad += a[2] != b[2] || a[2] == 0; n++ }
            END { exit n != 2 || bad }' "$BATS_TEST_TMPDIR/counts.$iterations" ||
            fail "$(cat "$BATS_TEST_TMPDIR/counts.$iterations")"
    done
    cmp "$BATS_TEST_TMPDIR/counts.10" "$BATS_TEST_TMPDIR/counts.1000" || fail "iterations copy or wait"
}

@test "managed memory is where it was asked to be before every iteration, and that is not timed" {
    need_double
    launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo -i 100 -x 0 -c MD MH
    expect_status 0
    expect_all_pass 1
    # One kernel for each of two buffers and each iteration, on the rank of MD alone.
    local report launches=()
    for report in "$DOUBLE_REPORT".*; do
        launches+=("$(sed 's/.*launches=\([0-9]*\).*/\1/' "$report")")
    done
    [[ ${#launches[@]} -eq 2 ]] && [[ $((launches[0] < launches[1] ? launches[0] : launches[1])) -eq 0 ]] &&
        [[ $((launches[0] + launches[1])) -ge 200 ]] || fail "kernels: ${launches[*]}"
    # Of threads once a batch: they have no time apart from each other.
    launch 2 latency_mt -m 64:64 -d "$device" --gpu-map=modulo -i 100 -x 0 -c MD MH
    expect_status 0
    expect_all_pass 1
    awk '/^64 / { exit !($2 > 0.05) }' "$out" || fail "samples are no times"
    # Every iteration is counted where the target of a put makes none.
    launch 2 put_latency -w create --start=clock -m 64:64 -d "$device" --gpu-map=modulo -i 100 -x 0 MH MH
    expect_status 0
    expect_sizes 64
}

@test "--buffers=rotate, --touch and types on a GPU" {
    need_double
    launch 2 latency -m 1K:4K --buffers=rotate:64K --touch -d "$device" --gpu-map=modulo -c -i 5 -x 1 D D
    expect_status 0
    expect_all_pass 3
    launch 4 allreduce -T all -m 64:128 -d "$device" --gpu-map=modulo -c -i 5 -x 1
    expect_status 0
    expect_all_pass 10
}

@test "windows in GPU memory are created, not allocated, as in OMB" {
    need_double
    json=$BATS_TEST_TMPDIR/r.json
    launch 2 put_latency -d "$device" --gpu-map=modulo -c -m 64:64 -i 5 -x 1 --json "$json" D D
    expect_status 0
    expect_out "# Window creation: MPI_Win_create"
    check "$json" <<'END'
assert d["method"]["window_kind"] == "create", d["method"]
END
    launch 2 put_latency -d "$device" --gpu-map=modulo -m 64:64 -i 5 -x 1 D H
    expect_out "# Rank 0 Memory on DEVICE (D) and Rank 1 Memory on HOST (H)"
    expect_out "# Window creation: MPI_Win_allocate"
    launch 2 put_latency -d "$device" --gpu-map=modulo -m 64:64 -w allocate -i 5 -x 1 H D
    expect_out "# Window creation: MPI_Win_create"
    direct put_latency -d "$device" -w allocate_shared H D
    expect_status 1
    expect_err "use -w create or -w dynamic"
}

@test "staged: the benchmark copies, once for each message and side on a GPU; data is right" {
    need_double
    local name where report copies
    for name in staged_latency staged_bw; do
        for where in "D D" "H D" "D H" "H H" "MD D" "HP D"; do
            echo "$name $where"
            # shellcheck disable=SC2086  # two words
            launch 2 "$name" -m 64:1K -d "$device" --gpu-map=modulo -c -i 3 -x 1 $where
            expect_status 0
            if [[ $where == "H H" ]]; then
                expect_out "# host memory was measured, no GPU; "
            else
                expect_quiet W31
                refuse_out "host memory was measured"
            fi
            expect_all_pass 10
            expect_out "# Side by side, in "
            expect_out "# crossover: "
        done
        launch 2 "$name" -m 64:1K -i 3 -x 1
        expect_status 0
        expect_out "# host memory was measured, no GPU; for transfers between GPUs add D D"
    done
    # In chunks, the last of them smaller.
    for name in staged_latency staged_bw; do
        for where in "D D" "H D" "D H" "H H" "MD D"; do
            echo "$name $where, pipelined"
            # shellcheck disable=SC2086  # two words
            launch 2 "$name" -m 3001:6002 --chunk 1K -d "$device" --gpu-map=modulo -c -i 3 -x 1 $where
            expect_status 0
            expect_all_pass 6
            expect_out "# Operation: pipelined."
        done
    done
    direct staged_bw --chunk 100
    expect_status 1
    expect_error E12
    # By itself, without any MPI that knows of GPUs, where the other side is the host.
    rm -f "$DOUBLE_REPORT".*
    launch 2 staged_latency -m 64:64 -d "$device" --gpu-map=modulo -i 100 -x 0 D D
    expect_status 0
    for report in "$DOUBLE_REPORT".*; do
        awk '{ split($1, a, "="); split($2, b, "="); exit a[2] != b[2] || a[2] == 0 }' "$report" ||
            fail "not all is given back: $(cat "$report")"
        copies=$(sed 's/.* in=\([0-9]*\) .*/\1/' "$report")
        [[ $copies -ge 100 && $copies -lt 200 ]] || fail "copies into the GPU's memory: $copies"
    done
}

@test "the crossover is where copies begin to take longer than MPI, both planted" {
    need_double
    # One way: two copies of 4 us a byte, against 40 ms in MPI, or twice that where
    # the receiver's wait does not pass next to the sender's: far more than a busy
    # machine adds.  Sizes near there need not decide.
    export DOUBLE_KIB_US=4000 DOUBLE_MPI_US=40000
    launch 2 staged_latency -m 1K:16K -d "$device" --gpu-map=modulo -i 12 -x 0 D D
    expect_status 0
    grep -Eq '^# crossover: size=(8192|16384); direct transfers are faster from here on, staged copies up to size=[0-9]+;$' "$out" ||
        fail "another crossover"
}

@test "the crossover in JSON is that of the last line" {
    need_double
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    DOUBLE_KIB_US=10 launch 2 staged_latency -m 64:4K -d "$device" --gpu-map=modulo -i 10 -x 1 --json "$json" D D
    expect_status 0
    check "$out" <<'END'
line = [l for l in open(sys.argv[2]) if l.startswith("# crossover: ")][0]
c = d["crossover"]
assert ("size=%d;" % c["bytes"] if c["changes"] else "none;") in line, (c, line)
words = {"direct": "direct transfers are faster", "staged": "staged copies are faster",
         None: "at no size"}[c["better_from_there"]]
assert words in line, (c, line)
assert d["method"]["chunk_bytes"] == 256 << 10, d["method"]
END
}

@test "pipelined: the copy of a chunk goes beside those of the other side" {
    need_double
    # 100 ms for all of a message on each side; in chunks little more than one of them, if the receiver fetches a chunk while
    # the sender copies the next, as UCX does by CMA.
    unset UCX_TLS
    export DOUBLE_KIB_US=200
    launch 2 staged_latency -m 512K:512K --chunk 32K -d "$device" --gpu-map=modulo -i 3 -x 0 --columns min D D
    expect_status 0
    awk '/^[0-9]/ { best[++n] = $3 } END { exit !(n == 3 && best[2] > 200000 && best[3] < 0.85 * best[2]) }' "$out" ||
        fail "no quicker than one after the other"
}

@test "gpu-matrix: every pair, and what cannot be had by its reason" {
    need_double
    run_to_files env LD_PRELOAD="$wrap" "$ALIDADE_SOURCE/scripts/gpu-matrix" --gpus="$device" "$ALIDADE_BUILD" -- -m 64:128 "${brief[@]}" --gpu-map=modulo
    expect_status 0
    expect_out "# Latency (us)"
    expect_out "# Bandwidth (MB/s)"
    [[ $(grep -c '^# crossover: ' "$out") -eq 2 && $(grep -c '^64 ' "$out") -eq 2 ]] || fail "not all tables"
    grep -Eq '^# Size +H-H +best +H-D +best +D-H +best +D-D +best +MD-MD +best$' "$out" || fail "no heading"
    DOUBLE_DEVICES=0 run_to_files "$ALIDADE_SOURCE/scripts/gpu-matrix" --gpus="$device" "$ALIDADE_BUILD" -- -m 64:64 "${brief[@]}"
    # H-H needs none.
    expect_status 0
    [[ $(grep -c '^# Size  *H-H  *best$' "$out") -eq 2 && $(grep -c '^64 ' "$out") -eq 2 ]] || fail "no H-H"
    expect_out "# no D-D: D D: $runtime sees no GPU"
    DOUBLE_DEVICES=0 run_to_files "$ALIDADE_SOURCE/scripts/gpu-matrix" --gpus="$device" --pairs H-D,D-D "$ALIDADE_BUILD" -- -m 64:64 "${brief[@]}"
    expect_status 77
    [[ $stderr == "gpu-matrix: nothing could be measured" ]] || fail "no sentence"
    # Kept, each run beside those of before; a page has the pairs side by side.
    local kept=$BATS_TEST_TMPDIR/kept i
    for i in 1 2; do
        run_to_files env LD_PRELOAD="$wrap" "$ALIDADE_SOURCE/scripts/gpu-matrix" --gpus="$device" --pairs H-H,D-D --results "$kept" \
            "$ALIDADE_BUILD" -- -m 64:128 "${brief[@]}" --gpu-map=modulo
        expect_status 0
    done
    [[ $(cd "$kept" && echo *.json) == "bw-D-D-1.json bw-D-D-2.json bw-H-H-1.json bw-H-H-2.json latency-D-D-1.json latency-D-D-2.json latency-H-H-1.json latency-H-H-2.json staged_bw-1.json staged_bw-2.json staged_latency-1.json staged_latency-2.json" ]] ||
        fail "other documents: $(ls "$kept")"
    "${judge[@]}" report -o "$BATS_TEST_TMPDIR/page.html" matrix="$kept" || fail "no page"
    grep -Eq '>matrix, us</th>.*>D-D</th>.*>H-H</th>' "$BATS_TEST_TMPDIR/page.html" || fail "no matrix"
}

@test "gpu-probe: operation by placement; a crash costs one cell, and is named below" {
    need_double
    limit=300
    run_to_files env LD_PRELOAD="$wrap" "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs "latency put_latency allreduce" "$ALIDADE_BUILD" -- --gpu-map=modulo
    expect_status 0
    grep -Eq '^latency( +ok){5}$' "$out" && grep -Eq '^put_latency( +ok){5}$' "$out" &&
        grep -Eq '^allreduce +ok +- +- +ok +ok$' "$out" || fail "not all is ok"
    expect_last "# GPU-direct: cannot tell (both ranks use one GPU, so that a message is a copy within it)"
    run_to_files "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency,allreduce "$ALIDADE_BUILD" -- --gpu-map=modulo
    expect_status 1
    grep -Eq '^latency +ok +crash +crash +crash +ok$' "$out" &&
        grep -Eq '^allreduce +ok +- +- +crash +ok$' "$out" || fail "another matrix"
    expect_out "# latency D-D: crash: crash (SIGSEGV) on a buffer of a GPU; mem=D-D; rank=0;"
    expect_out "# latency D-H: crash: crash (SIGSEGV) on a buffer of a GPU; mem=D-H; rank=0;"
    expect_out "# latency H-D: crash: crash (SIGSEGV) on a buffer of a GPU; mem=H-D; rank=1;"
    expect_last "# GPU-direct: no (latency D-D: crash)"
    # Without a GPU one job tells so; the others are of host memory.
    printf '#!/bin/sh\necho x >>"%s"\nexec %s -n 2 "$@"\n' "$BATS_TEST_TMPDIR/jobs" "$mpirun" >"$BATS_TEST_TMPDIR/count"
    chmod +x "$BATS_TEST_TMPDIR/count"
    DOUBLE_DEVICES=0 run_to_files "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency,allreduce --launcher "$BATS_TEST_TMPDIR/count" "$ALIDADE_BUILD"
    expect_status 77
    grep -Eq '^latency +ok +no +no +no +no$' "$out" && grep -Eq '^allreduce +ok +- +- +no +no$' "$out" || fail "another matrix"
    [[ $(grep -c "$runtime sees no GPU" "$out") -eq 2 ]] || fail "not one reason, and one answer"
    expect_out "# all columns but H-H: no: D D: $runtime sees no GPU: no $runtime-capable device is detected"
    expect_last "# GPU-direct: cannot tell (D D: $runtime sees no GPU: no $runtime-capable device is detected"*
    [[ $(wc -l <"$BATS_TEST_TMPDIR/jobs") -eq 2 ]] || fail "jobs: $(wc -l <"$BATS_TEST_TMPDIR/jobs")"
    # One GPU for two ranks: nothing was tried either, and the remedy is that of the program.
    DOUBLE_DEVICES=1 run_to_files env LD_PRELOAD="$wrap" "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency "$ALIDADE_BUILD"
    expect_status 77
    expect_out "# all columns but H-H: no: ranks 0 and 1 have the same GPU, "
    expect_out "# What to do: Start one rank for each GPU, or let ranks share GPUs with --gpu-map=modulo. Options of programs follow --."
    expect_last "# GPU-direct: cannot tell (ranks 0 and 1 have the same GPU, "*
    # Where nothing works the GPU is not to blame.
    run_to_files "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency --launcher false "$ALIDADE_BUILD"
    expect_status 2
    expect_out "# Not even host memory works (H-H), so this says nothing about GPU memory."
    expect_last "# GPU-direct: cannot tell (H-H does not work)"
}

# Whether the copies of the program or MPI take longer is planted, by far more than a busy machine adds.
@test "gpu-probe: the MPI is probably GPU-direct if it is faster than copies through the host" {
    need_double
    limit=300
    local planted answer
    while IFS='|' read -r planted answer; do
        # shellcheck disable=SC2086  # words
        run_to_files env DOUBLE_DEVICES=2 LD_PRELOAD="$wrap" $planted "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency \
            --pairs H-H,D-D "$ALIDADE_BUILD" -- -m 64K:128K -i 12 -x 0
        expect_status 0
        expect_last "# GPU-direct: $answer"
    done <<'END'
DOUBLE_KIB_US=500|probably (MPI is faster than copies through host memory)
DOUBLE_MPI_US=40000|no (MPI is slower than copies through host memory)
END
}

@test "gpu-probe, gpu-matrix: words that cannot be are refused by name; 77 where nothing could be tried" {
    need_double
    local words rest
    while IFS='|' read -r words rest; do
        echo "$words"
        # shellcheck disable=SC2086  # words
        DOUBLE_DEVICES=0 run_to_files "$ALIDADE_SOURCE"/scripts/${words//BUILD/"$ALIDADE_BUILD"}
        expect_status 1
        [[ $(<"$err") == "${words%% *}: $rest" ]] || fail "another sentence: $(<"$err")"
    done <<END
gpu-probe --gpus $device --programs latency,barrier BUILD|'barrier' cannot be probed: it has no data to verify (-c)
gpu-probe --gpus $device --programs where BUILD|'where' cannot be probed: it has no data to verify (-c)
gpu-probe --gpus $device --programs latency,nosuch BUILD|'nosuch' is not a program of $ALIDADE_BUILD; scripts/run-suite --list names them
gpu-probe --gpus $device --programs latency --pairs D-Q BUILD|--pairs 'D-Q' is not SRC-DST, each H, HH, HP, D, F, M, MD or MH
gpu-matrix --gpus $device --pairs D BUILD|--pairs 'D' is not SRC-DST, each H, HH, HP, D, F, M, MD or MH
gpu-matrix --gpus $device --pairs= BUILD|--pairs names no pair; an example is H-H,D-D
gpu-probe --gpus $device --programs latency BUILD -- --dry-run|leave out --dry-run, with which nothing is measured
gpu-matrix --gpus $device BUILD -- --dry-run|leave out --dry-run, with which nothing is measured
gpu-probe --gpus $device BUILD other|name one build, and not $ALIDADE_BUILD other
gpu-probe --gpus $device --programs latency BUILD -- --gpu-map=bad|no program can run with these options: --gpu-map 'bad' is not one of auto, strict, modulo, none, 0,1,..
END
    if [[ $have_cuda == no || $hip_dir == none ]]; then
        for words in gpu-probe gpu-matrix; do
            run_to_files "$ALIDADE_SOURCE/scripts/$words" --gpus="$([[ $have_cuda == no ]] && echo cuda || echo rocm)" "$ALIDADE_BUILD"
            expect_status 1
            expect_err "$words: $ALIDADE_BUILD is a build without support for "
        done
    fi
    # Nobody who has neither is told to want an AMD GPU.
    mkdir neither
    ln -s "$ALIDADE_BUILD/mpi" neither/mpi
    sed "s/^have_cuda=.*/have_cuda='no'/; s/^hip_dir=.*/hip_dir='none'/" "$ALIDADE_BUILD/environment.sh" >neither/environment.sh
    run_to_files "$ALIDADE_SOURCE/scripts/gpu-matrix" neither
    [[ $status -eq 1 && $stderr == "gpu-matrix: neither is a build without support for cuda: configure with --with-cuda" ]] || fail "another sentence: $stderr"
    DOUBLE_DEVICES=0 run_to_files "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency,neighbor_alltoall_persistent --pairs D-D "$ALIDADE_BUILD"
    expect_status 77
    expect_out "# no: D D: $runtime sees no GPU"
    refuse_out "H-H"
    # Long names keep their columns.
    [[ $(awk '!/^# ?[GnW]/ { print length }' "$out" | sort -u | wc -l) -eq 1 ]] || fail "columns are shifted"
}

@test "gpu-probe interrupted: what is known is printed once, and nothing else" {
    need_runtime
    local pid i
    # shellcheck disable=SC2016  # of the launcher
    printf '#!/bin/sh\ntrap "kill -SEGV $$" TERM\ntouch ready\nsleep 60 & wait\n' >dies
    chmod +x dies
    "$ALIDADE_SOURCE/scripts/gpu-probe" --gpus="$device" --programs latency --launcher "$PWD/dies" "$ALIDADE_BUILD" >o 2>e 3>&- &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        [[ ! -e ready ]] || break
        sleep 0.1
    done
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    expect_status 143
    [[ $(<e) == $'\ngpu-probe: interrupted' ]] || fail "more is said: $(<e)"
    [[ $(tail -n +3 o) =~ ^latency(\ +\?){5}$ ]] || fail "another matrix: $(<o)"
}

@test "an MPI that returns before the GPU is done is found out, and no other" {
    need_double
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    local name where args
    # One iteration after the other, a window, iterations with a start of their own, and one-sided.
    for args in "latency D D" "bw -W 4 H D" "allreduce" "put_latency -w create D D"; do
        read -r name where <<<"$args"
        echo "$args"
        # shellcheck disable=SC2086  # words
        DOUBLE_LEFT_US=300000 launch 2 "$name" -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" --json "$json" $where
        expect_status 0
        expect_out "# suspect: size=64; value="
        expect_out "; finished before the GPU was done;"
        check <<'END'
row, = d["rows"]
assert row["suspect"] == ["finished before the GPU was done"], row["suspect"]
assert 1000 < row["gpu"]["left_us"] < 3000000, row["gpu"]
END
        # shellcheck disable=SC2086  # words
        launch 2 "$name" -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" --json "$json" $where
        expect_status 0
        ! grep -q '^# suspect: ' "$out" || fail "suspected: $name"
        check <<'END'
row, = d["rows"]
assert row["suspect"] == [] and row["gpu"]["left_us"] >= 0, row
END
    done
    # Nothing is waited for where no buffer is a GPU's.
    launch 2 latency -m 64:64 -d "$device" --gpu-map=modulo "${brief[@]}" --json "$json" H H
    expect_status 0
    check <<'END'
row, = d["rows"]
assert row["gpu"] is None, row["gpu"]
END
}

@test "-r gpu, both: the GPU computes beside the operation, as long as it takes; -t calls are spread" {
    need_double
    need_json
    json=$BATS_TEST_TMPDIR/r.json
    local what
    for what in gpu both; do
        # The operation lasts 2 ms, so that the computation is neither the launch nor noise.
        preload=(../gpu/wrap delay)
        export FAULT=call FAULT_US=2000 FAULT_BYTES=1024 FAULT_RANK=1
        launch 2 iallreduce -m 1K:1K -d "$device" --gpu-map=modulo -r "$what" -t 4 -i 30 -x 5 --json "$json"
        expect_status 0
        check "$what" <<'END'
row, = d["rows"]
o = row["overlap"]
assert o["compute_us"] > 0 and o["pure_us"] > 0, o
END
        # Host memory, and a GPU that computes.
        launch 2 iallreduce -m 1K:1K --gpu-map=modulo -r "$what" -i 30 -x 5
        expect_status 0
        expect_out "mem=H-H;"
        expect_out " gpu=shared;"
    done
}
