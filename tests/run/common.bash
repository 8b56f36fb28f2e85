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
#   keep NAME / recall NAME         share one run between the tests of a file
#   need_NAME                       skip the test where something is missing

: "${ALIDADE_BUILD:=$PWD}"
: "${ALIDADE_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
# shellcheck disable=SC1091  # configure makes it
source "$ALIDADE_BUILD/environment.sh"
faults=$ALIDADE_BUILD/tests/faults

# A user may have set these for real work.
unset ALIDADE_NODE_ID ALIDADE_SYSFS ALIDADE_TCP_ADDRESS LD_PRELOAD FAULT FAULT_RANK FAULT_BYTES FAULT_SPARE FAULT_CALL \
    FAULT_NTH FAULT_TRACE FAULT_STAGGER_US FAULT_OFFSET_US FAULT_DRIFT_PPM \
    FAULT_AT FAULT_US FAULT_GROW_NS FAULT_ELEMENT FAULT_FIRST FAULT_PERIOD FAULT_YIELD FAULT_BASE_US \
    FAULT_NS FAULT_TAG FAULT_SMALL FAULT_LARGE FAULT_CRASH FAULT_HANG FAULT_WRONG FAULT_LATER

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
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self

preload=()
wrapper=()
launcher=()
limit=300
impatient=no

# The file of a program, whatever its folder.
program() {
    local file
    for file in "$ALIDADE_BUILD"/mpi/*/"$1" "$ALIDADE_BUILD"/tests/truth/"$1"; do
        if [[ -x $file ]]; then
            printf '%s\n' "$file"
            return
        fi
    done
    echo "there is no program $1" >&2
    return 1
}

# Names of all programs that were built.
programs() {
    local file
    for file in "$ALIDADE_BUILD"/mpi/*/*; do
        if [[ -f $file && -x $file ]]; then
            # What this MPI or this build lacks is tested apart: smoke.bats.
            [[ ($file == */collective/*_persistent && $persistent == no*) ||
                ($file == */partitioned_* && $partitioned == no*) ||
                ($file == */ft && $have_fftw == no) ||
                ($file == */ucx_* && $have_ucx == no) ]] ||
                basename "$file"
        fi
    done
}

# The folder of a program: pt2pt, congestion, collective, one-sided, baseline,
# startup, system, application.
family() {
    basename "$(dirname "$(program "$1")")"
}

# The numbers of ranks that a program takes: two, even, many (2 or more), three
# (or more), any, dividing (1, 2 or 4, of up to 4).
rank_rule() {
    case $1 in
    multi_lat | mbw_mr | mbw_mr_mt | mbibw_mr | stripe_* | bw_fan_* | get_multi_lat | get_mbw | put_mbw) echo even ;;
    neighbor_* | ineighbor_* | pair_matrix | pair_bw) echo three ;;
    impact) echo four ;;
    reduce_local) echo any ;;
    comm_create | hotspot_* | ring | exchange | random_ring | bisection | halo) echo many ;;
    ft) echo dividing ;;
    *)
        case $(family "$1") in
        pt2pt | one-sided | baseline) echo two ;;
        startup | system | application) echo any ;;
        *) echo many ;;
        esac
        ;;
    esac
}

# Options without which a program does not run on one node, or leaves sizes out.
required() {
    case $1 in
    bw_fan_*) echo --groups 2 ;;
    partitioned_latency) echo -q 1 ;;
    # One block of rows.
    overlap_bw) echo --compute 50 ;;
    bw_queue) echo --queue-depth 8 ;;
    hotspot_*) echo --peers 1 ;;
    buffer_reuse_*) echo --reuse 3 ;;
    match_queue) echo --posted 3 ;;
    mbw_mr_mt) echo -t 3 ;; # no processes on four ranks
    progress) echo --compute 100 ;;
    # Few sizes have a block; halo.bats tests them.
    halo) echo --grid=2 -m 8:64 -c ;;
    # Elements of 4 bytes; impact.bats tests the other victims.
    impact) echo --victim=latency -m 8:64 -c ;;
    is | ft) echo --class S ;; # else it takes long
    noise) echo --duration 50ms ;;
    esac
}

# Programs of that kind that this MPI can run: neighbor_* ineighbor_*.
neighbours() {
    programs | grep -E '^i?neighbor_'
}

# The same on graphs whose ranks have different numbers of sources and
# destinations: MPICH's alltoallw delivers wrong data there (its issue 6233).
unequal_neighbours() {
    neighbours | if [[ $flavour == mpich ]]; then grep -v alltoallw; else cat; fi
}

# The smallest number of ranks on which a program works.
fewest() {
    case $(rank_rule "$1") in
    any | dividing) echo 1 ;;
    three) echo 3 ;;
    four) echo 4 ;;
    *) echo 2 ;;
    esac
}

takes_sizes() {
    case $1 in
    barrier | ibarrier | barrier_persistent | comm_create | init | hello | where | noise | is | ft | halo | impact | fop_latency | cas_latency) return 1 ;;
    esac
}

# Does the program have iterations to count?
takes_laps() {
    case $1 in
    init | hello | where | noise | is | ft) return 1 ;;
    esac
}

# Does it make sums?  Their type is float unless -T says otherwise.
takes_sums() {
    [[ $1 =~ reduce|scan|acc_latency ]]
}

# Does it divide a vector among the ranks?  Each size needs an element for each rank.
deals_out() {
    [[ $1 == *reduce_scatter* ]]
}

# A fault of the library, not ours (doc/known-issues.md): PROGRAM on N ranks.
library_fails() {
    [[ $flavour == mpich && $1 == scatter_persistent && $2 -gt 2 ]]
}

# Is it a collective with a root (-k)?
takes_root() {
    [[ $1 =~ ^i?(bcast|gatherv?|scatterv?|reduce)(_persistent)?$ ]]
}

# Does a program take this option, for example in-place?
takes_option() {
    [[ $("$(program "$1")" --help) == *" --$2"* ]]
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

takes_types() {
    [[ $1 != completion && $1 != stripe_* && $1 != staged_* ]] && takes_sizes "$1" &&
        [[ $1 != *_guideline || $1 =~ reduce|scan ]] &&
        [[ ! $(family "$1") =~ ^(one-sided|baseline)$ || $1 == *acc_latency ]]
}

# Programs whose message is one element of each type.
takes_elements() {
    [[ $1 == fop_latency || $1 == cas_latency ]]
}

# LD_PRELOAD of the ranks.
libraries() {
    local list=() name
    for name in "${preload[@]}"; do
        list+=("$faults/$name.so")
    done
    if [[ $flavour == mpich ]]; then
        list+=("$faults/yield.so")
    fi
    local IFS=:
    echo "${list[*]}"
}

# Open MPI keeps sockets in a session folder below TMPDIR.  Launches that share it
# race: the last to leave removes what another has just made.
# Standard input is a pipe that never ends: MPICH's mpiexec passes on the end of its
# input, and dies of SIGPIPE where the ranks have ended before.
run_to_files() {
    # In setup_file there is no test yet.
    local folder=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} session
    out=$folder/out err=$folder/err
    session=$(mktemp -d "$folder/XXXX")
    mkfifo "$session/input"
    status=0
    TMPDIR=$session timeout -k 5 "$limit" "$@" \
        >"$out" 2>"$err" <>"$session/input" || status=$?
    rm -rf "$session"
    stdout=$(<"$out") stderr=$(<"$err")
}

launch() {
    local n=$1 file load
    file=$(program "$2") || return 1
    load=$(libraries)
    shift 2
    local command=("$mpirun" "${launcher[@]}")
    if [[ $n -eq 1 || $impatient == yes ]]; then
        # Open MPI lets a second or two pass for other ranks to end by
        # themselves when one failed.
        command=(env OMPI_MCA_odls_base_sigkill_timeout=0 "${command[@]}")
    fi
    if [[ -n $load && $flavour == mpich ]]; then
        command+=(-genv LD_PRELOAD "$load")
    elif [[ -n $load ]]; then
        command+=(-x "LD_PRELOAD=$load")
    fi
    run_to_files "${command[@]}" -n "$n" "${wrapper[@]}" "$file" "$@"
}

direct() {
    local file load
    file=$(program "$1") || return 1
    load=$(libraries)
    shift
    run_to_files env ${load:+LD_PRELOAD="$load"} "$file" "$@"
}

keep() {
    cp "$out" "$BATS_FILE_TMPDIR/$1.out"
    cp "$err" "$BATS_FILE_TMPDIR/$1.err"
    echo "$status" >"$BATS_FILE_TMPDIR/$1.status"
}

recall() {
    out=$BATS_FILE_TMPDIR/$1.out err=$BATS_FILE_TMPDIR/$1.err
    status=$(<"$BATS_FILE_TMPDIR/$1.status")
    stdout=$(<"$out") stderr=$(<"$err")
}

# --- Checks: each prints what it saw when it fails ----------------------------

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

refuse_err() {
    [[ $stderr != *"$1"* ]] || fail "stderr must not have: $1"
}

# Did MPICH 4.2's launcher lose the exit codes of the ranks?  doc/known-issues.md.
exit_code_lost() {
    local release='Version: +4\.2'
    [[ $flavour == mpich && $status -eq 0 && $("$mpirun" --version) =~ $release ]]
}

# The job ended with an error, and not by our limit (124).  MPICH's launcher kills
# the ranks that have not ended yet, and may return that code instead of their 2.
expect_given_up() {
    # MPICH's mpiexec may not hear of the exit codes, and makes one up (doc/known-issues.md).
    exit_code_lost || [[ $status -eq 2 || ($flavour == mpich && $status -eq 9) ||
        ($flavour == mpich && $stdout$stderr == *"Hangup (signal 1)"*) ]] ||
        fail "expected exit status 2"
}

expect_no_out() {
    [[ ! -s $out ]] || fail "stdout must be empty"
}

# Messages of ours (launchers add their own lines to stderr).
messages() {
    grep -c "^# alidade: ${1:-}" "$err" || true
}

# No messages but those listed: "W08 W22"; W08 (more ranks than CPUs) and W37 (more
# threads) depend on the machine and are always allowed; and W07 if these tests
# themselves are bound, or the machine has several NUMA nodes.
expect_quiet() {
    local line number
    if [[ $(nproc) -lt $(nproc --all) || -e /sys/devices/system/node/node1 ]]; then
        set -- W07 "$@"
    fi
    while IFS= read -r line; do
        number=$(sed -n 's/^# alidade: [a-z]* \([EW][0-9]*\):.*/\1/p' <<<"$line")
        [[ " W08 W37 $* " == *" $number "* ]] || fail "said: $line"
    done < <(grep '^# alidade: ' "$err")
}

# Exactly one error for the whole job: this one.
expect_error() {
    [[ $(messages error) -eq 1 ]] || fail "expected exactly one error line"
    [[ $(messages "error $1:") -eq 1 ]] || fail "expected error $1"
}

# Sizes in the first column of the table, on one line.
sizes() {
    awk '/^[0-9]/ { printf "%s%s", sep, $1; sep = " " }' "$out"
}

expect_sizes() {
    local seen
    seen=$(sizes)
    [[ $seen == "$*" ]] || fail "sizes: expected '$*', saw '$seen'"
}

# The number of sections in a program's table: operations that have every size.
blocks_of() {
    case $1 in
    completion) echo 5 ;;
    staged_*) echo 2 ;;
    *) echo 1 ;;
    esac
}

# These sizes, once for each section of the program's table.
expect_sizes_of() {
    local name=$1 n all=()
    shift
    for ((n = $(blocks_of "$name"); n > 0; n--)); do all+=("$@"); done
    expect_sizes "${all[@]}"
}

# Column N (from 1) of all rows, on one line.
column() {
    awk -v n="$1" '/^ *[0-9]/ { printf "%s%s", sep, $n; sep = " " }' "$out"
}

# Every figure of every row is a finite number, and the first is positive.  On a
# busy machine the rate of a few bytes may be less than the least that is printed.
expect_figures() {
    awk '
        /^# .*MB\/s/ { rate = 1 }
        /^ *[0-9]/ {
            rows++
            for (i = 2; i <= NF; i++)
                if ($i !~ /^[0-9]+(\.[0-9][0-9])?$/ && $i !~ /^(Pass|passed|-)$/)
                    bad = 1
            if (NF > 1 && $2 <= 0 && (rate ? $1 >= 4096 : $1 != 0))
                bad = 1
        }
        END { exit rows == 0 || bad }' "$out" || fail "no rows, or no figures"
}

need_json() {
    [[ $have_jansson == yes ]] || skip "this build has no jansson"
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
    local rows passed
    rows=$(grep -c '^[0-9]' "$out" || true)
    passed=$(grep -Ec '^[0-9].* (Pass|passed)( |$)' "$out" || true)
    [[ $rows -eq $1 && $passed -eq $1 ]] ||
        fail "expected $1 rows that pass; rows: $rows, passed: $passed"
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
