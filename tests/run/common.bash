# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # sets variables for the tests; they set some here
#
# common.bash - the common part of all tests that run programs; "load common" first.
#
#   launch N PROGRAM [ARGUMENT...]  run on N ranks under this build's own MPI
#       sets status, and the files $out and $err (also read into $stdout and
#       $stderr, which lack the last end of line)
#       honours preload=(NAME...)  libraries of tests/faults, into the ranks
#               wrapper=(COMMAND...)  comes before the program
#               launcher=(OPTION...)  of mpirun
#               limit=SECONDS      for the whole job, 300 unless set
#               impatient=yes      kill the job as soon as one rank has failed:
#                                  faster, if all have finished their work
#   direct PROGRAM [ARGUMENT...]    the same without any launcher
#   in_namespace COMMANDS           they come before mpirun, in a mount namespace of its own
#   keep NAME / recall NAME         share one run between the tests of a file
#   later NAME N PROGRAM [ARGUMENT...]  a run that is recalled by this name, once
#   together                        has run all of them, which ran=(NAME...) lists: in one job
#                                   for each number of ranks.  A launch takes longer than most runs.
#   all_good CHECK...               the same; each must end with 0 and without messages, and each
#                                   CHECK, a command, must be true of it ($name)
#   wrong_data N                    programs in one job, all of which receive wrong data
#   cases                           a line for each command, and what is true of it then
#   need_NAME                       skip the test where something is missing

# bats notes the line of every command before it, which takes longer than the command.  Of what
# fails in this file, or in another one of tests/run/*.bash, the line of the test is enough.
if declare -F bats_debug_trap >/dev/null; then
    # shellcheck disable=SC2016  # a line of the function
    eval "$(declare -f bats_debug_trap | sed '2a [[ $1 != */tests/run/*.bash ]] || return 0')"
fi

: "${ALIDADE_BUILD:=$PWD}"
: "${ALIDADE_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
# What a test leaves is gone with it.
cd "${BATS_TEST_TMPDIR:-.}" || return
# Judging needs no build: with ALIDADE_JUDGE, tests of it run without one, and need_build skips the others.
built=yes
if [[ -n ${ALIDADE_JUDGE:-} && ! -e $ALIDADE_BUILD/environment.sh ]]; then
    built=no flavour=none mpirun=none python3=$(command -v python3 || echo none)
else
    # shellcheck disable=SC1091  # configure makes it
    source "$ALIDADE_BUILD/environment.sh"
fi
faults=$ALIDADE_BUILD/tests/faults
# make has written it there, unless it came with the tarball.
result_schema=$ALIDADE_BUILD/doc/result.schema.json
[[ -e $result_schema ]] || result_schema=$ALIDADE_SOURCE/doc/result.schema.json

# Scripts that are told no build take this one, whatever its folder is called.
if [[ -n ${BATS_RUN_TMPDIR:-} ]]; then
    export ALIDADE_BUILDS=$BATS_RUN_TMPDIR/builds
    [[ -e $ALIDADE_BUILDS/openmpi ]] || { mkdir -p "$ALIDADE_BUILDS" && ln -sfn "$ALIDADE_BUILD" "$ALIDADE_BUILDS/openmpi"; }
fi

# A user may have set these for real work.
unset ALIDADE_NODE_ID ALIDADE_SYSFS ALIDADE_TCP_ADDRESS LD_PRELOAD FAULT FAULT_RANK FAULT_BYTES FAULT_SPARE FAULT_CALL \
    FAULT_NTH FAULT_TRACE FAULT_STAGGER_US FAULT_OFFSET_US FAULT_DRIFT_PPM FAULT_STEP_US FAULT_TEXT \
    FAULT_AT FAULT_US FAULT_GROW_NS FAULT_ELEMENT FAULT_FIRST FAULT_PERIOD FAULT_YIELD FAULT_BASE_US \
    FAULT_NS FAULT_TAG FAULT_SMALL FAULT_LARGE FAULT_CRASH FAULT_HANG FAULT_WRONG FAULT_LATER FAULT_EVERY FAULT_SHARE FAULT_SEED \
    FAULT_CELLS FAULT_LOG FAULT_MS FAULT_OTHER FAULT_CROWDED

# MPICH 5 as Debian builds it says that no two ranks share a node (doc/known-issues.md): W21 in
# every run, unless the nodes have names.  Intel MPI is MPICH for a compiler.
intel=no mpich_5=no mpich_release=
if [[ $flavour == mpich ]]; then
    launcher_says=$("$mpirun" --version 2>&1) || true
    if [[ $launcher_says == *"Intel(R) MPI"* ]]; then
        intel=yes
        # Its mpirun starts the mpiexec.hydra that is first in PATH.
        [[ $mpirun != /* ]] || export PATH="${mpirun%/*}:$PATH"
    elif [[ $launcher_says =~ Version:\ +([0-9.]+) ]]; then
        mpich_release=${BASH_REMATCH[1]}
    fi
fi
if [[ $mpich_release == 5.* ]]; then
    mpich_5=yes
    export ALIDADE_NODE_ID=node
fi

# Numbers and texts are compared as the C locale writes them.
export LC_ALL=C

# As root (containers), with more ranks than CPUs, and without probing for
# networks, which would be most of the time a test takes.  PRTE_MCA_ variables
# are those of Open MPI 5.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_hwloc_default_binding_policy=none
# A rank that waits gives up its CPU; MPICH has no such variable, but tests/faults/yield.c.
export OMPI_MCA_mpi_yield_when_idle=1
export I_MPI_THREAD_YIELD=3 I_MPI_PIN=off
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self UCX_TLS=self,posix
# Nor does a start look for devices that no rank uses: that each rank of MPICH read the registers of all PCI
# devices, and loaded libraries of displays and networks, was a third of the CPU time of a start.  A test of
# another topology unsets HWLOC_COMPONENTS, with which hwloc obeys no HWLOC_SYNTHETIC and HWLOC_XMLFILE.
# And UCX writes 0.3 MB of buffers for messages of others, not 3.5.
export UCX_POSIX_RX_BUFS_GROW=32
export HWLOC_COMPONENTS=-linux:io,-linux:pci,-linux:misc HWLOC_PLUGINS_PATH=/nonexistent UCX_MODULE_DIR=/nonexistent
# In Open MPI 6.0.0rc2 they lose messages of threads (doc/known-issues.md).
export OMPI_MCA_btl_sm_fbox_max=0
# All ranks load this: none looks how crowded the machine is (tests/faults/crowded.c), and those of MPICH yield
# (yield.c).  So do scripts, wherever they start ranks.
usual=
if [[ $built == yes ]]; then
    usual=$faults/crowded.so
    [[ $flavour != mpich || $intel == yes ]] || usual+=:$faults/yield.so
fi

preload=()
wrapper=()
launcher=()
runs=0
ran=()
limit=300
impatient=no

# A process that the shell starts may take as long as a program that is tested, and these
# functions run some thousand times.  So they start none that they can do without.

# The facts about each program that was built, by its name: its file; its folder (pt2pt,
# congestion, collective, one-sided, baseline, startup, system, application); the numbers of
# ranks that it takes (two, even, many: 2 or more, three or more, four or more, any, dividing:
# 1, 2 or 4, of up to 4), and the smallest; the words of its descriptor; options without which it
# does not run on one node, or leaves sizes out.
declare -gA file_of=() family_of=() rule_of=() fewest_of=() words_of=() needs_of=()

# The file of a program, whatever its folder.
program() {
    [[ -v file_of[$1] ]] || {
        echo "there is no program $1" >&2
        return 1
    }
    printf '%s\n' "${file_of[$1]}"
}

# Does this library deliver wrong data to that program (doc/known-issues.md)?  persistent.bats sees that it says so.
library_is_wrong() {
    [[ ($mpich_release == 4.0.* || $intel == yes) && $1 == @(allgather|gather|scatter)_persistent ]]
}

# Names of all programs that were built, and that this library lets be right.
programs() {
    local file
    for file in "$ALIDADE_BUILD"/mpi/*/*; do
        if [[ -f $file && -x $file ]]; then
            # What this MPI or this build lacks is tested apart: smoke.bats.
            [[ ($file == */collective/*_persistent && $persistent == no*) ||
                ($file == */partitioned_* && $partitioned == no*) ||
                ($file == */memory_* && $shares_memory == no) ||
                ($file == */ft && $have_fftw == no) ||
                ($file == */ucx_* && $have_ucx == no) ]] ||
                library_is_wrong "${file##*/}" ||
                echo "${file##*/}"
        fi
    done
}

# NAME and what its descriptor says, as tests/corpus/facts prints it.
learn() {
    local name=$1 least=${2:-2} most=${3:-0} even=${4:-no} rule=many fewest=2 needs=
    words_of[$name]=" ${*:5} "
    case $least-$most-$even in
    1-*) rule=any ;;
    2-2-*) rule=two ;;
    *-yes) rule=even ;;
    3-*) rule=three ;;
    4-*) rule=four ;;
    esac
    # What their families refuse.
    case $name in
    bw_fan_*) rule=even ;;
    neighbor_* | ineighbor_*) rule=three ;;
    ft) rule=dividing ;;
    esac
    case $rule in
    any | dividing) fewest=1 ;;
    three) fewest=3 ;;
    four) fewest=4 ;;
    esac
    case $name in
    bw_fan_*) needs='--groups 2' ;;
    partitioned_latency) needs='-q 1' ;;
    # One block of rows.
    overlap_bw) needs='--compute 50' ;;
    bw_queue) needs='--queue-depth 8' ;;
    hotspot_*) needs='--peers 1' ;;
    hosts) needs='--rounds 0' ;;
    buffer_reuse_*) needs='--reuse 3' ;;
    match_queue) needs='--posted 3' ;;
    mbw_mr_mt) needs='-t 3' ;; # no processes on four ranks
    progress) needs='--compute 100' ;;
    # Few sizes have a block; halo.bats tests them.
    halo) needs='--grid=2 -m 8:64 -c' ;;
    # Elements of 4 bytes; impact.bats tests the other victims.
    impact) needs='--victim=latency -m 8:64 -c' ;;
    is | ft) needs='--class S' ;; # else it takes long
    noise) needs='--budget 50ms' ;;
    esac
    rule_of[$name]=$rule fewest_of[$name]=$fewest needs_of[$name]=$needs
}

# bats reads this file again for each test; what it learns here is the same for all of them.
learned=${BATS_RUN_TMPDIR:+$BATS_RUN_TMPDIR/learned${ALIDADE_BUILD//\//-}}
if [[ -e ${learned:-} ]]; then
    # shellcheck disable=SC1090  # written below
    source "$learned"
else
    for file in "$ALIDADE_BUILD"/tests/truth/* "$ALIDADE_BUILD"/mpi/suite "$ALIDADE_BUILD"/mpi/*/*; do
        if [[ -f $file && -x $file ]]; then
            family=${file%/*}
            file_of[${file##*/}]=$file family_of[${file##*/}]=${family##*/}
            learn "${file##*/}"
        fi
    done
    while read -ra fact; do learn "${fact[@]}"; done < <("$ALIDADE_SOURCE/tests/corpus/facts" "$ALIDADE_SOURCE")
    [[ -z $learned ]] || declare -p file_of family_of rule_of fewest_of words_of needs_of | sed 's/^declare -/&g/' >"$learned"
fi

# Programs of that kind that this MPI can run: neighbor_* ineighbor_*.
neighbours() {
    local name
    for name in $(programs); do
        [[ ! $name =~ ^i?neighbor_ ]] || echo "$name"
    done
}

# The same on graphs whose ranks have different numbers of sources and
# destinations: MPICH's alltoallw delivers wrong data there (its issue 6233).
unequal_neighbours() {
    neighbours | if [[ $flavour == mpich ]]; then grep -v alltoallw; else cat; fi
}

# Does its descriptor have that word?
has_word() {
    [[ ${words_of[$1]} == *" $2 "* ]]
}

# Those of a program that needs few are among its options already.
takes_sizes() {
    has_word "$1" TAKES_SIZES && [[ ${needs_of[$1]} != *" -m "* ]]
}

# Does the program have iterations to count?
takes_iterations() {
    has_word "$1" TAKES_ITERATIONS
}

# Does it make sums?  Their type is float unless -T says otherwise.
takes_sums() {
    [[ $1 =~ reduce|scan|acc_latency ]]
}

# Does it divide a vector among the ranks?  Each size needs an element for each rank.
deals_out() {
    [[ $1 == *reduce_scatter* ]]
}

# Is it a collective with a root (-k)?
takes_root() {
    has_word "$1" TAKES_ROOT
}

# Sets takes[NAME] for each program that takes this option, for example in-place.
takers() {
    local name
    declare -gA takes=()
    while read -r name; do takes[$name]=yes; done < <("${file_of[suite]}" all -- --help |
        awk -v option=" --$1" '/^Usage: / { sub(/ \[OPTION.*/, ""); sub(/.*[ \/]/, ""); name = $0 }
                               index($0, option) { print name }')
}

# Programs less those that are the non-blocking or persistent form of another
# collective and share its flow (lint.bats); those of allreduce and barrier
# represent all.
distinct_programs() {
    local name base
    for name in $(programs); do
        base=${name%_persistent}
        if [[ $base == "$name" ]]; then
            base=${name#i}
        fi
        if [[ $base == "$name" || $base == allreduce || $base == barrier ||
            ! -x $ALIDADE_BUILD/mpi/collective/$base ]]; then
            echo "$name"
        fi
    done
}

# Enough programs to check a property of all; in the long form all.
most_programs() {
    if [[ -n ${ALIDADE_LONG:-} ]]; then programs; else distinct_programs; fi
}

# One program of each kind whose loop, memory or start of its own differs; in the long form
# all.
kinds_of_programs() {
    if [[ -n ${ALIDADE_LONG:-} ]]; then
        programs
    else
        printf '%s\n' latency bw latency_mt latency_mp mbw_mr mbw_mr_mt bw_fan_in iallreduce allreduce bcast \
            neighbor_alltoall allgather_guideline put_latency put_bibw fop_latency completion hotspot_put \
            buffer_reuse_bw staged_latency progress match_queue pair_matrix ring impact memory_bw tcp_latency \
            comm_create hello where noise halo is
    fi
}

takes_types() {
    has_word "$1" TAKES_TYPE && takes_sizes "$1"
}

# Sets load, the LD_PRELOAD of the ranks.
libraries() {
    local name
    load=''
    for name in "${preload[@]}"; do
        load+=${load:+:}$faults/$name.so
    done
    load+=${load:+:}$usual
}

# Open MPI keeps sockets in a session folder below TMPDIR.  Launches that share it
# race: the last to leave removes what another has just made.
# Standard input is a pipe that never ends: MPICH's mpiexec passes on the end of its
# input, and dies of SIGPIPE where the ranks have ended before.
run_to_files() {
    # In setup_file there is no test yet.
    local folder=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} session
    out=$folder/out err=$folder/err
    session=$folder/$BASHPID.$((++runs))
    mkdir "$session"
    [[ -p $folder/input ]] || mkfifo "$folder/input"
    status=0
    [[ -n ${LD_PRELOAD:-} ]] || local -x LD_PRELOAD=$usual
    TMPDIR=$session timeout -k 5 "$limit" "$@" \
        >"$out" 2>"$err" <>"$folder/input" || status=$?
    stdout=$(<"$out") stderr=$(<"$err")
}

# start_of N: sets start, the words that start N ranks here with the libraries in preload; N may be {n}, for
# --launcher of a script, and the last two words may be left out where others give the number.  All starts of tests go
# through it, since it knows that others use the CPUs at the same time: with what is exported above more ranks than
# CPUs may run, bound to none, and a rank that waits gives up its CPU, under each MPI in its own way.
start_of() {
    local load
    libraries
    start=("$mpirun" "${launcher[@]}")
    if [[ $1 == 1 || $impatient == yes ]]; then
        # Open MPI lets a second or two pass for other ranks to end by
        # themselves when one failed.
        start=(env OMPI_MCA_odls_base_sigkill_timeout=0 "${start[@]}")
    fi
    if [[ $flavour == mpich ]]; then
        start+=(-genv LD_PRELOAD "$load")
    else
        start+=(-x "LD_PRELOAD=$load")
    fi
    start+=(-n "$1" "${wrapper[@]}")
}

launch() {
    local n=$1 name=$2 start
    program "$name" >/dev/null || return 1
    shift 2
    start_of "$n"
    run_to_files "${start[@]}" "${file_of[$name]}" "$@"
}

# Do ranks of one node share memory, as MPI says?  Only MPICH 5 needs to be asked, and once.
if [[ $mpich_5 == yes && ! -v shares_memory ]]; then
    start_of 2
    [[ $(timeout -k 5 60 "${start[@]}" "$ALIDADE_BUILD/mpi/baseline/memory_latency" -m 8:8 -i 1 -x 0 2>&1 </dev/null) != *'error E28:'* ]] ||
        shares_memory=no
fi
export "shares_memory=${shares_memory:-yes}"

in_namespace() {
    unshare --mount true 2>/dev/null || skip "no mount namespace can be made"
    printf '#!/bin/sh\n%s\nexec "%s" "$@"\n' "$1" "$mpirun" >"$BATS_TEST_TMPDIR/inside"
    printf '#!/bin/sh\nexec unshare --mount "%s/inside" "$@"\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/mpirun"
    chmod +x "$BATS_TEST_TMPDIR/inside" "$BATS_TEST_TMPDIR/mpirun"
    mpirun=$BATS_TEST_TMPDIR/mpirun
}

direct() {
    local name=$1 load
    program "$name" >/dev/null || return 1
    libraries
    shift
    run_to_files env LD_PRELOAD="$load" "${file_of[$name]}" "$@"
}

keep() {
    cp "$out" "$BATS_FILE_TMPDIR/$1.out"
    cp "$err" "$BATS_FILE_TMPDIR/$1.err"
    echo "$status $1.err" >"$BATS_FILE_TMPDIR/$1.status"
}

# Programs of one job share what it said.
recall() {
    echo "$1"
    out=$BATS_FILE_TMPDIR/$1.out
    read -r status err <"$BATS_FILE_TMPDIR/$1.status"
    err=$BATS_FILE_TMPDIR/$err
    stdout=$(<"$out") stderr=$(<"$err")
}

# recall_good NAME [MESSAGES]: what it printed, which must be figures and no message but those.
recall_good() {
    recall "$1"
    expect_status 0
    expect_quiet "${@:2}"
    expect_figures
}

# Lines "NAME N PROGRAM ARGUMENT...".
deferred=()

later() {
    deferred+=("$*")
}

together() {
    local n line words alone=()
    ran=()
    for n in $(printf '%s\n' "${deferred[@]}" | cut -d ' ' -f 2 | sort -nu); do
        together_on "$n"
    done
    # What suite cannot start, and what was in a job that failed.
    : >"$BATS_FILE_TMPDIR/alone"
    for line in "${alone[@]}"; do
        read -ra words <<<"$line"
        launch "${words[@]:1}"
        keep "${words[0]}"
        echo "${words[2]}" >>"$BATS_FILE_TMPDIR/alone"
    done
    deferred=()
}

# In the place of a CHECK "messages W22 W30" are messages that may be there.
all_good() {
    local name check messages=()
    if [[ ${1:-} == 'messages '* ]]; then
        read -ra messages <<<"${1#* }"
        shift
    fi
    together
    for name in "${ran[@]}"; do
        recall "$name"
        expect_status 0
        expect_quiet "${messages[@]}"
        for check; do
            eval "$check" || fail "not so: $check"
        done
    done
}

together_on() {
    local n=$1 line words name lines=() outcomes=() i folder=$BATS_FILE_TMPDIR job=job.${BATS_TEST_NUMBER:-0}.$1.err limit=900
    for line in "${deferred[@]}"; do
        read -r -a words <<<"$line"
        [[ ${words[1]} -eq $n ]] || continue
        lines+=("$line")
        ran+=("${words[0]}")
        echo "${words[*]:2}"
    done >"$folder/lines"
    launch "$n" suite --from="$folder/lines"
    if [[ $status -eq 0 ]]; then
        mapfile -t outcomes < <(sed -n 's/^# suite: [a-z_0-9]*: //p' "$out")
    fi
    for i in "${!lines[@]}"; do
        name=${lines[i]%% *}
        if [[ ${outcomes[i]:-} == "run; "* ]]; then
            echo "0 $job" >"$folder/$name.status"
            echo "$folder/$name.out"
        else
            alone+=("${lines[i]}")
        fi
    done >"$folder/tables"
    cp "$err" "$folder/$job"
    awk -v tables="$folder/tables" '
        /^# suite: / { exit }
        /^# Alidade / { close(to); if ((getline to <tables) <= 0) exit }
        to != "" { print >to }' "$out"
}

# wrong_data N: lines "PROGRAM OPTION...|WORDS...|WORDS", in one job on N ranks: each program
# receives wrong data, says so once with these words, in this order, and has no row.
wrong_data() {
    local n=$1 words seen line file=$BATS_TEST_TMPDIR/lines impatient=yes
    cat >"$file.seen"
    cut -d '|' -f 1 "$file.seen" >"$file"
    launch "$n" suite --from="$file"
    expect_status 3
    [[ -z $(sizes) ]] || fail "a row of wrong data"
    while IFS='|' read -r words seen <&5; do
        read -r line <&6 || fail "no more errors"
        echo "$words"
        # shellcheck disable=SC2053  # a pattern
        [[ $line == "alidade: error E14: ${words%% *}: wrong data; "*${seen//|/*}* ]] || fail "$line"
    done 5<"$file.seen" 6< <(grep '^alidade: error ' "$err")
    [[ $(messages error) -eq $(wc -l <"$file") ]] || fail "not an error each"
}

# expect_wrong PROGRAM SIZE TYPE WORDS: it received wrong data of that type, E14 says where, and
# there is no row.
expect_wrong() {
    expect_status 3
    expect_error E14
    [[ -z $(sizes) ]] || fail "a row of wrong data"
    expect_err "$1: wrong data; size=$2; wrong="
    expect_err " type=$3; "
    expect_err "$4"
}

# --- Checks: each prints what it saw when it fails ----------------------------

# The CPUs that a test may use; the command obeys variables that are meant for threads.
nproc() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc "$@"; }

fail() {
    printf '%s\n' "$*"
    printf 'exit status: %s\n--- stdout\n%s\n--- stderr\n%s\n---\n' \
        "${status:-none}" "${stdout:-}" "${stderr:-}"
    return 1
}

expect_status() {
    [[ $status -eq $1 ]] || fail "expected exit status $1"
}

# A literal part of stdout, or of stderr.
expect_out() {
    [[ $stdout == *"$1"* ]] || fail "stdout lacks: $1"
}

expect_err() {
    [[ $stderr == *"$1"* ]] || fail "stderr lacks: $1"
}

refuse_out() {
    [[ $stdout != *"$1"* ]] || fail "stdout must not have: $1"
}

# Did MPICH 4.2's launcher lose the exit codes of the ranks?  doc/known-issues.md.
exit_code_lost() {
    local release='Version: +4\.2'
    [[ $flavour == mpich && $status -eq 0 && $("$mpirun" --version) =~ $release ]]
}

# The job ended with an error, and not by our limit (124).  MPICH's launcher kills
# the ranks that have not ended yet, and may return that code instead of their 2; Intel's returns 255 then.
expect_given_up() {
    # MPICH's mpiexec may not hear of the exit codes, and makes one up (doc/known-issues.md).
    exit_code_lost || [[ $status -eq 2 || ($flavour == mpich && $status -eq 9) ||
        ($intel == yes && $status -eq 255 && $stdout == *"KILLED BY SIGNAL: 9 "*) ||
        ($flavour == mpich && $stdout$stderr == *"Hangup (signal 1)"*) ]] ||
        fail "expected exit status 2"
}

# expect_kept CODE ROWS: so many rows and that exit code, a pattern, are in the JSON file.  A launcher that
# kills rank 0 without a signal that it could see leaves FILE.part.
expect_kept() {
    [[ $python3 != none ]] || return 0
    local file=$BATS_TEST_TMPDIR/x.json
    [[ -e $file ]] || file=$file.part
    [[ $("$python3" -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(d["exit"]["code"], len(d["rows"]))' "$file") == $1" $2" ]] || fail "not kept: exit $1, $2 rows"
    rm -f "${file%.part}" "${file%.part}.part"
}

expect_no_out() {
    [[ ! -s $out ]] || fail "stdout must be empty"
}

# Messages of ours (launchers add their own lines to stderr).
messages() {
    local line n=0
    while IFS= read -r line; do
        [[ ${line#'# '} != "alidade: ${1:-}"* ]] || n=$((n + 1))
    done <"$err"
    echo "$n"
}

# No messages but those listed: "W08 W22"; W08 (more ranks than CPUs) and W37 (more
# threads) depend on the machine and are always allowed; and W07 if these tests
# themselves are bound, or the machine has several NUMA nodes.
expect_quiet() {
    local line number
    while IFS= read -r line; do
        [[ ${line#'# '} == 'alidade: '* ]] || continue
        number=${line#*'alidade: '* } number=${number%%:*}
        [[ $number != W07 || ($(nproc) -eq $(nproc --all) && ! -e /sys/devices/system/node/node1) ]] || continue
        [[ " W08 W37 $* " == *" $number "* ]] || fail "said: $line"
    done <"$err"
}

# Exactly one error for the whole job: this one.
expect_error() {
    local line errors=0 right=no
    while IFS= read -r line; do
        [[ $line != 'alidade: error '* ]] || errors=$((errors + 1))
        [[ $line != "alidade: error $1:"* ]] || right=yes
    done <"$err"
    [[ $errors -eq 1 ]] || fail "expected exactly one error line"
    [[ $right == yes ]] || fail "expected error $1"
}

# Lines "STATUS NUMBER PROGRAM [OPTION...]|WORDS of the message": each without a launcher, with one
# error and nothing else.
refusals() {
    local words why code number
    while IFS='|' read -r words why; do
        echo "$words"
        read -r code number words <<<"$words"
        # shellcheck disable=SC2086  # words
        direct $words
        expect_status "$code"
        expect_error "$number"
        expect_no_out
        expect_err "$why"
    done
}

# cases: reads a line for each, "SETUP | COMMAND | CODE | TEXT && TEXT".  SETUP makes files in a
# folder of its own, COMMAND is run there and ends with CODE.  Each TEXT is in what COMMAND printed,
# whose broken lines may be joined.  "! TEXT" is not, "= TEXT" is all of stderr ("=": there is
# none), "~ TEXT" is a pattern of a line, "@FILE TEXT" is in that file, "!@FILE TEXT" not, and
# "$ CHECK" is a command that must be true.
cases() {
    local setup command code texts text printed joined
    while IFS='|' read -r setup command code texts; do
        cd "$(mktemp -d -p "$BATS_TEST_TMPDIR")" || return
        echo "$setup | $command"
        eval "$setup" </dev/null
        eval "$command" </dev/null
        expect_status "$((code))"
        printed=$stdout$'\n'$stderr
        joined=$(tr -d '#' <<<"$printed" | tr -s ' \n' ' ')
        texts=${texts# }
        while IFS= read -r text; do
            # Within "||" a check that fails would go on.
            if [[ $text == '$ '* ]]; then
                eval "${text:2}" </dev/null
                continue
            fi
            case $text in
            =) [[ -z $stderr ]] ;;
            '!@'*) ! grep -qF -- "${text#* }" "$(cut -c 3- <<<"${text%% *}")" ;;
            '! '*) [[ $printed != *"${text:2}"* ]] ;;
            '= '*) [[ $stderr == "${text:2}" ]] ;;
            '~ '*) grep -Eq -- "${text:2}" <<<"$printed" ;;
            @*) grep -qF -- "${text#* }" "$(cut -c 2- <<<"${text%% *}")" ;;
            *) [[ $printed == *"$text"* || $joined == *"$text"* ]] ;;
            esac || fail "not so: $text"
        done <<<"${texts// && /$'\n'}"
    done
}

# expect_after PROGRAM PATTERN: the line after its table, which is one on stderr, matches.
expect_after() {
    local lines
    lines=$(sed -n "s/^# $1: //p" "$err")
    # shellcheck disable=SC2053  # a pattern
    [[ $lines == $2 && $lines != *$'\n'* ]] || fail "the line after the table: '$lines'"
}

# The table ends with a row: of sizes, of times, or the line of init and hello.
ends_with_row() {
    [[ $(tail -n 1 "$out") =~ ^(\ *[0-9]|nprocs:\ |This\ is\ a\ test\ with\ ) ]]
}

# Sizes in the first column of the table, on one line.
sizes() {
    local line all=()
    while IFS= read -r line; do
        [[ $line != [0-9]* ]] || all+=("${line%% *}")
    done <"$out"
    echo "${all[*]}"
}

expect_sizes() {
    local seen
    seen=$(sizes)
    [[ $seen == "$*" ]] || fail "sizes: expected '$*', saw '$seen'"
}

# The number of sections in a program's table, where it is not 1: operations that have every size.
declare -gA blocks_of=([completion]=5 [staged_latency]=2 [staged_bw]=2)

# Column N (from 1) of all rows, on one line.
column() {
    local word all=()
    while read -ra word; do
        [[ ${word[0]:-} != [0-9]* ]] || all+=("${word[$1 - 1]:-}")
    done <"$out"
    echo "${all[*]}"
}

# Every figure of every row is a finite number, and the first is positive.  On a
# busy machine the rate of a few bytes may be less than the least that is printed.
expect_figures() {
    local word i rows=0 rate=no
    while read -ra word; do
        [[ ${word[*]} != '# '*MB/s* ]] || rate=yes
        [[ ${word[0]:-} == [0-9]* ]] || continue
        rows=$((rows + 1))
        for ((i = 1; i < ${#word[@]}; i++)); do
            [[ ${word[i]} =~ ^([0-9]+(\.[0-9][0-9]([0-9][0-9])?)?|Pass|passed|-)$ ]] || fail "no figure: ${word[i]}"
        done
        [[ ! ${word[1]:-} =~ ^0+(\.0+)?$ ||
            ! ($rate == no && ${word[0]} != 0 || $rate == yes && ${word[0]%%[!0-9]*} -ge 4096) ]] ||
            fail "nothing measured: ${word[*]}"
    done <"$out"
    [[ $rows -gt 0 ]] || fail "no rows"
}

# interrupt CONDITION COMMAND...: the command, a process group of its own whose number is pid, with its output in the files
# o and e, gets SIGTERM as soon as the condition is true, or after 30 s; it ends with 143.
interrupt() {
    local condition=$1
    shift
    set -m
    "$@" >o 2>e 3>&- &
    pid=$!
    set +m
    for _ in $(seq 300); do
        ! eval "$condition" || break
        sleep 0.1
    done
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    [[ $status -eq 143 ]] || fail "status $status: $(<e)"
}

need_build() {
    [[ $built == yes ]] || skip "there is no build"
}

need_json() {
    [[ $python3 != none ]] || skip "there is no python3"
}

# The document $json that the last run wrote, as d; the rest of a Python program
# on stdin looks at it.
check() {
    { printf 'import json, sys\nd = json.load(open(sys.argv[1]))\n' && cat; } \
        >"$BATS_TEST_TMPDIR/check.py"
    "$python3" "$BATS_TEST_TMPDIR/check.py" "$json" "$@" || fail "not as expected"
}

need_objdump() {
    [[ $objdump != none ]] || skip "there is no objdump"
}

# All rows of the run say Pass, and there are as many as expected.
expect_all_pass() {
    local line rows=0 passed=0
    while IFS= read -r line; do
        [[ $line == [0-9]* ]] || continue
        rows=$((rows + 1))
        [[ ! $line =~ \ (Pass|passed)(\ |$) ]] || passed=$((passed + 1))
    done <"$out"
    [[ $rows -eq $1 && $passed -eq $1 ]] ||
        fail "expected $1 rows that pass; rows: $rows, passed: $passed"
}

# nodes ID...: rank r is on the node of the r-th ID.
nodes() {
    wrapper=()
    ranks ALIDADE_NODE_ID "$@"
}

# ranks VARIABLE WORD...: rank r runs with the r-th word in the variable.
ranks() {
    local script=$BATS_TEST_TMPDIR/rank_with_$1
    cat >"$script" <<'END'
#!/bin/sh
variable=$1 words=$2
shift 2
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}
export "$variable=$(echo "$words" | cut -d ' ' -f $((rank + 1)))"
exec "$@"
END
    chmod +x "$script"
    wrapper+=("$script" "$1" "${*:2}")
}
