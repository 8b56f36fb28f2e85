#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Each script that runs programs, where it is hard: with the oldest bash, where fewer cores are
# told or there, without room, in a folder that nobody can write to, and interrupted.  What it
# starts are a launcher and programs that only pretend.  And where launchers lie, programs die,
# or others use the same folder.
# shellcheck disable=SC2016,SC2034,SC2154  # variables shared with common.bash

load common
load made_up

setup() {
    need_build
    # Seconds for examine, which uses all of them if nothing fails.
    patience=10
    # The launchers are told by the scripts, not by these tests.
    unset OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy OMPI_MCA_hwloc_base_binding_policy \
        PRTE_MCA_hwloc_default_binding_policy OMPI_MCA_mpi_yield_when_idle
    unset OMP_NUM_THREADS OMP_THREAD_LIMIT SLURM_JOB_ID SLURM_JOB_NODELIST PBS_NODEFILE
}

# script | its words in the folder; r is the folder for results | its exit code if all is well
table() {
    cat <<END
repeat|--build build --runs 2 --time 0 --results r latency|0
compare|--runs 1 --results r one=build two=build -- latency|0
run-suite|--build build --results r latency bw|0
examine|--build build --time $patience --ranks-per-node 2 --results r|3
tune|--build build --runs 1 --algorithms recursive_doubling --results r allreduce|0
bisect|--runs 5 source r1 r2 -- latency|2
layers|build|0
gpu-matrix|--pairs H-H --results r build|0
gpu-probe|--programs latency build|0
slurm|--runs 2 --programs latency --collectives allreduce build r|0
place|one-node --launcher $flavour build/mpi/pt2pt/latency|0
quickstart||0
END
}

# pretend FOLDER: what looks like a build, with a launcher that notes how it was called.  From
# the call on whose number is in the file hang it starts two ranks that do not end, and notes
# them in the file ranks.  With the file lies it starts nothing, and is content; with the file
# dies it ends as after a crash when the program has ended well; with the file hides it is
# content with an error of the program.
pretend() {
    local here=$1 name
    mkdir -p "$here"/bin "$here"/build/mpi/{pt2pt,collective,baseline,system}
    printf '#!/bin/sh\nhere=%s\n' "$here" >"$here/bin/mpirun"
    cat >>"$here/bin/mpirun" <<'END'
[ "$*" != --version ] || exec echo "no MPI"
echo "yield=${OMPI_MCA_mpi_yield_when_idle-} $*" >>"$here/launches"
while [ "${1#-}" != "$1" ]; do
    case $1 in
    -n | -N | -ppn | --map-by | --bind-to | -bind-to) shift ;;
    esac
    shift
done
if [ -e "$here/hang" ] && [ "$(wc -l <"$here/launches")" -ge "$(cat "$here/hang")" ]; then
    # As of launchers that leave their ranks to another process.
    (sleep 600 & echo $! >>"$here/ranks")
    (sleep 600 & echo $! >>"$here/ranks")
    exec sleep 600
fi
[ ! -e "$here/lies" ] || exit 0
"$@" || exit
[ ! -e "$here/dies" ] || exit 139
[ ! -e "$here/hides" ] || echo "alidade: error E14: latency: wrong data" >&2
END
    cat >"$here/program" <<END
#!/usr/bin/env bash
flavour=$flavour
$(like_mpich)
END
    cat >>"$here/program" <<'END'
set -e
name=${0##*/} file='' lines='' folder=''
[[ $* != *--version* ]] || exec echo "$name, built for $flavour;"
[[ $* != *--help* ]] || exec printf 'Usage: %s\n  -c, --validation\n' "$name"
for word in "$@"; do
    case $word in
    --from=*) lines=${word#--from=} ;;
    --json=*/) folder=${word#--json=} ;;
    esac
done
# measure NAME FILE: the output of a program, and its document.
measure() {
    local name=$1 file=$2 rows='' bytes
    echo "# Alidade 0.1: ranks=2; nodes=1; path=same-numa; mem=H-H; bound=core; mpi=Some-1;"
    for bytes in 8 16; do
        echo "$bytes 1.00 1.00"
        rows+="${rows:+,}{\"benchmark\":\"$name\",\"ranks\":2,\"bytes\":$bytes,\"datatype\":\"MPI_CHAR\",\"window\":1,\"value\":1.0,\"unit\":\"us\",\"verified\":\"pass\",\"over_ranks\":{\"mean_us\":1},\"over_iterations\":{\"median_us\":1}}"
    done
    [ -z "$file" ] || printf '{"suite":"Alidade","schema":2,"benchmark":"%s","method":{"start":"dissemination","verified":true},"environment":{"mpi":"Some-1","path":"same-numa","ranks":2,"bound":"core"},"rows":[%s],"exit":{\n  "code": 0}}\n' \
        "$name" "$rows" >"$file"
}
if [[ -n $folder ]]; then
    while read -r name _; do measure "$name" "$folder/$name.json"; done <"$lines"
    exit
elif [[ -n $lines ]]; then
    exec sed 's/ .*//; s/.*/# suite: &: run; seconds=0.01;/' "$lines"
fi
while [ $# -gt 0 ]; do
    [ "$1" != --json ] || file=$2
    shift
done
measure "$name" "$file"
END
    chmod +x "$here/program" "$here/bin/mpirun"
    ln -s mpirun "$here/bin/srun"
    for name in pt2pt/{latency,bw,staged_latency,staged_bw} collective/{allreduce,alltoall,barrier} \
        baseline/{memory,tcp,ucx}_{latency,bw} system/{where,noise}; do
        ln "$here/program" "$here/build/mpi/$name"
    done
    ln "$here/program" "$here/build/mpi/suite"
    sed "s|^mpirun=.*|mpirun='$here/bin/mpirun'|; s|^have_cuda=.*|have_cuda='yes'|" "$ALIDADE_BUILD/environment.sh" >"$here/build/environment.sh"
}

# pretend_builds FOLDER: where the script makes builds itself, they are there.
pretend_builds() {
    local name commit
    mkdir "$1/builds"
    for name in openmpi mpich; do
        cp -r "$1/build" "$1/builds/$name"
        sed -i "s/^flavour=.*/flavour='$name'/" "$1/builds/$name/environment.sh"
        printf 'all:\n' >"$1/builds/$name/Makefile"
        echo '--with-cuda-runtime=shared' >"$1/builds/$name/configured"
        printf '#!/bin/sh\n' >"$1/builds/$name/config.status"
        chmod +x "$1/builds/$name/config.status"
    done
    git -C "$1" init -q source
    for name in r1 r2; do
        git -C "$1/source" -c user.name=n -c user.email=e commit -q --allow-empty -m "$name"
        git -C "$1/source" tag "$name"
        commit=$(git -C "$1/source" rev-parse HEAD)
        mkdir -p "$1/builds/mpi-${commit:0:12}/bin"
        echo "$commit " >"$1/builds/mpi-${commit:0:12}/.revision"
        ln -s "$1/bin/mpirun" "$1/builds/mpi-${commit:0:12}/bin/mpirun"
        touch "$1/builds/mpi-${commit:0:12}/bin/mpicc"
        chmod +x "$1/builds/mpi-${commit:0:12}/bin/mpicc"
        cp -r "$1/build" "$1/builds/compare-${commit:0:12}"
        sed -i "s|^mpirun=.*|mpirun='$1/builds/mpi-${commit:0:12}/bin/mpirun'|" "$1/builds/compare-${commit:0:12}/environment.sh"
    done
    # Nothing is installed.
    for name in apt-get dnf sudo; do
        ln -s /bin/false "$1/bin/$name"
    done
}

# all NAMES COMMAND...: each script with those words (all: every one) at the same time, each in
# a folder of its name, by COMMAND.  Its exit code, output and messages are the files status,
# out and err there.
all() {
    local names=$1 script words good
    shift
    while IFS='|' read -r script words good; do
        [[ $names == all || " $names " == *" $script "* ]] || continue
        if [[ ! -d $script ]]; then
            pretend "$PWD/$script"
            [[ $script != @(bisect|quickstart) ]] || pretend_builds "$PWD/$script"
        fi
        echo "$good" >"$script/good"
        (
            cd "$script" || exit
            status=0
            [[ $script != slurm ]] || export SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_CPUS_ON_NODE=2
            # shellcheck disable=SC2086  # words
            ALIDADE_BUILDS=$PWD/builds PATH=$PWD/bin:$PATH \
                timeout -k 5 "$limit" "$@" "$ALIDADE_SOURCE/scripts/$script" $words >out 2>err </dev/null || status=$?
            echo "$status" >status
        ) 3>&- &
    done < <(table)
    wait
}

# expect SCRIPT CONDITION: it is true in the folder of the script.
expect() {
    (cd "$1" && eval "$2") || {
        stdout=$(<"$1/out") stderr=$(<"$1/err") status=$(<"$1/status")
        fail "$1: not so: $2: $(cat "$1/launches" 2>/dev/null)"
    }
}

# Those that were run by all.
ran() { printf '%s\n' */status | sed 's,/status,,'; }

# All went well.
expect_good() {
    local script
    for script in $(ran); do
        # A busy machine has no time for it.
        [[ $script != examine || -e examine/launches ]] || continue
        expect "$script" '[ "$(<status)" -eq "$(<good)" ]'
        expect "$script" '[ -s launches ] && ! grep -q "unbound variable" err'
    done
}

@test "bash 4.4: no script needs what later ones have; what OpenMP is told says nothing of cores; older ones are refused in a sentence" {
    # What came later is taken away, as far as this bash permits.
    cat >older <<'END'
BASH_COMPAT=4.4
unset EPOCHREALTIME EPOCHSECONDS SRANDOM BASH_ARGV0
wait() {
    [[ $* != -p* && " $*" != *" -p "* ]] || exit 99
    builtin wait "$@"
}
END
    all all env BASH_ENV="$PWD/older" OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1
    expect_good
    local script
    for script in $(ran); do expect "$script" '! grep "command not found" err'; done
    if [[ $(nproc) -ge 2 && $(lscpu -p=core,socket | grep -v '^#' | sort -u | wc -l) -ge 2 ]]; then
        for script in $(ran); do
            expect "$script" '[ "$(grep -c -e "^yield= .*-bind-to core " -e "^yield= .*--cpu-bind=cores " launches)" -eq "$(wc -l <launches)" ]'
        done
    fi
    echo 'BASH_VERSION="4.3.48(1)-release"' >oldest
    all all env BASH_ENV="$PWD/oldest"
    for script in $(ran); do
        expect "$script" '[ "$(<status)" -eq 1 ] && [ "$(<err)" = "'"$script"': bash 4.4 or later is needed; this is bash 4.3.48(1)-release" ]'
    done
}

@test "where one core has two hardware threads two ranks have one each" {
    command -v hwloc-calc >/dev/null || skip "there is no hwloc-calc"
    [[ $(nproc) -ge 2 ]] || skip "one CPU"
    local one=(env -u HWLOC_COMPONENTS HWLOC_SYNTHETIC="pack:1 core:1 pu:2" HWLOC_THISSYSTEM=1) script words='--use-hwthread-cpus --bind-to hwthread'
    all "repeat compare run-suite tune bisect layers gpu-matrix gpu-probe quickstart" "${one[@]}"
    expect_good
    for script in $(ran); do
        expect "$script" "! grep -v -e '^yield= -n 2 --use-hwthread-cpus --bind-to hwthread ' -e '^yield= -n 2 -bind-to hwthread ' launches"
    done
    # The launchers agree.
    local limit=100
    run_to_files "${one[@]}" "$ALIDADE_SOURCE/scripts/repeat" --build "$ALIDADE_BUILD" --runs 1 --time 0 --results real latency -m 8:8 -i 10 -x 0
    expect_status 0
}

need_mount() { unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "nothing can be mounted"; }

@test "a full disk, and a folder that is read-only: a sentence and another exit code, and no waiting" {
    need_mount
    local script how
    patience=100
    cat >on_mount <<'END'
#!/bin/sh
# HOW COMMAND...: in a folder of 64 KB, of which nothing is left, or that is read-only.
how=$1
shift
mkdir -p small
mount -t tmpfs -o size=64k none small || exit 99
cd small || exit
ln -s ../build ../source ../builds .
if [ "$how" = full ]; then
    dd if=/dev/zero of=fill bs=1k 2>/dev/null
else
    mount -o remount,ro none . || exit 99
fi
export TMPDIR=$PWD
exec "$@"
END
    chmod +x on_mount
    for how in full read-only; do
        rm -f -- */launches
        all "repeat compare run-suite examine tune layers gpu-matrix gpu-probe slurm place" unshare -m "$PWD/on_mount" "$how"
        for script in $(ran); do
            expect "$script" '[ "$(<status)" -ge 1 ] && [ "$(<status)" -lt 99 ] && [ "$(cat out err | wc -l)" -ge 1 ]'
            [[ $how == full ]] || expect "$script" '[ "$(grep -ci read-only err)" -eq 1 ] && ! [ -e launches ]'
        done
    done
}

@test "SIGTERM, SIGINT of the group, Ctrl-C: all ends at once, no rank stays, runs are kept" {
    [[ $python3 != none ]] || skip "there is no python3"
    cat >signalled <<'END'
# HOW COMMAND...: started, and signalled when its ranks are there.  Exits with its exit code.
import os, pty, signal, sys, time
how, command = sys.argv[1], sys.argv[2:]
if how == "terminal":
    pid, terminal = pty.fork()
else:
    pid = os.fork()
    if pid == 0:
        os.setsid()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(command[0], command)
while not os.path.exists("ranks") or len(open("ranks").read().split()) < 2:
    time.sleep(0.05)
    if os.waitpid(pid, os.WNOHANG)[0]:
        sys.exit("it ended by itself")
if how == "alone":
    os.kill(pid, signal.SIGTERM)
elif how == "group":
    os.killpg(pid, signal.SIGINT)
else:
    os.write(terminal, b"\x03")
    try:
        while os.read(terminal, 1000):
            pass
    except OSError:
        pass
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 200 + os.WTERMSIG(status))
END
    local script how limit=100
    patience=100
    for how in alone group terminal; do
        rm -rf -- */
        # The second launch, where there is one, is that which does not end.
        while IFS='|' read -r script _; do
            pretend "$PWD/$script"
            [[ $script != @(bisect|quickstart) ]] || pretend_builds "$PWD/$script"
            echo 2 >"$script/hang"
            [[ $script != place ]] || echo 1 >"$script/hang"
        done < <(table)
        all all "$python3" "$PWD/signalled" "$how"
        for script in $(ran); do
            expect "$script" "[ \"\$(<status)\" -eq $([[ $how == alone ]] && echo 143 || echo 130) ]"
            # A launcher may end before the last of its ranks has.
            expect "$script" 'for i in {1..50}; do
                for pid in $(<ranks); do ! grep -qs "^State:[[:space:]]*[^Z]" "/proc/$pid/status" || { sleep 0.1; continue 2; }; done
                exit 0
            done; exit 1'
            expect "$script" '[ "$(wc -l <launches)" -le 2 ]'
            [[ $how == terminal ]] || expect "$script" "grep -q '^$script: interrupted' err"
            [[ $script != @(repeat|compare|run-suite|gpu-matrix|slurm) ]] ||
                expect "$script" '[ "$(find r -name "*.json" -size +0 | wc -l)" -eq 1 ]'
            [[ $script != @(repeat|compare|run-suite) || $how == terminal ]] ||
                expect "$script" 'grep -q "finished runs are kept; to continue, repeat the command with --results r$" err'
        done
    done
}

@test "a run without results, or with an error or a crash after it had written them, has failed, and leaves none" {
    local script how code keeping="repeat compare run-suite examine tune slurm gpu-matrix"
    patience=100
    for how in lies dies hides; do
        rm -rf -- */
        for script in $keeping; do
            pretend "$PWD/$script"
            touch "$script/$how"
        done
        all "$keeping" env
        for script in $keeping; do
            # Wrong data has a code of its own; tune drops an algorithm that fails, and goes on.
            code='[12]'
            [[ $how != hides || $script == examine ]] || code=3
            [[ $script == tune ]] || expect "$script" "[[ \$(<status) == $code ]]"
            expect "$script" '[ -z "$(find r -name "*-[0-9]*.json" -o -name "latency.json")" ]'
            if [[ $how == lies ]]; then
                expect "$script" 'grep -rq "it wrote no results" out err r'
            else
                expect "$script" '[ -n "$(find r -name "*.json.failed")" ]'
            fi
            [[ $how != hides ]] || expect "$script" 'grep -rq "wrong data (E14)" out err r'
        done
    done
    # Each run of a job is tried.
    expect slurm '[ "$(find r/one-node -name "*.json.failed" | wc -l)" -eq 2 ]'
}

@test "layers: a transport that dies has its rows, and - for the others, with the reason; exit 1" {
    pretend "$PWD/layers"
    rm layers/build/mpi/baseline/tcp_latency
    cat >layers/build/mpi/baseline/tcp_latency <<'END'
#!/bin/sh
echo "8 0.50 0.25"
echo "alidade: error E31: tcp_latency: the connection was lost" >&2
exit 2
END
    chmod +x layers/build/mpi/baseline/tcp_latency
    all layers env
    expect layers '[ "$(<status)" -eq 1 ]'
    expect layers 'grep -q "^# no more tcp: the connection was lost (E31)$" out'
    expect layers 'grep -Eq "^8 +1.00 +1.00 +0.00 +1.00 +0.25 +0.75 +4.00 +1.00 " out'
    expect layers 'grep -Eq "^16 +1.00 +1.00 +0.00 +1.00 +- +- +- +1.00 " out'
}

@test "what cannot be written, or is too much, is refused before the first run" {
    local words many=''
    pretend "$PWD/one"
    cd one
    for words in {1..65}; do many+="v$words=build "; done
    while read -r words; do
        # shellcheck disable=SC2086  # words
        run_to_files "$ALIDADE_SOURCE"/scripts/$words
        expect_status 1
        [[ $(wc -l <"$err") -eq 1 && $stderr =~ ^"${words%% *}: "("cannot write to '/nowhere/x'"|"at most 64 variants") ]] || fail "$words: no sentence"
        [[ ! -e launches ]] || fail "$words: it measured"
    done <<END
repeat --build build --json /nowhere/x latency
compare --json /nowhere/x a=build b=build -- latency
compare --markdown /nowhere/x a=build b=build -- latency
compare --junit /nowhere/x a=build b=build -- latency
compare --report /nowhere/x a=build b=build -- latency
compare $many -- latency
examine --build build --json /nowhere/x
examine --build build --output /nowhere/x
tune --build build --json /nowhere/x allreduce
tune --build build --output /nowhere/x allreduce
END
    # As many as the analysis has.
    build/mpi/pt2pt/latency --json x.json >/dev/null
    # shellcheck disable=SC2086  # words
    run_to_files "${judge[@]}" compare ${many//=build/=x.json}
    expect_err "at most 64 variants"
}
