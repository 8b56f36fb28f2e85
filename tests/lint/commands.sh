#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command of the console blocks of README.md and doc/*.md (claims.py): list them, or run
# those that can run here, in a copy of the sources where build/openmpi and build/mpich are the
# builds named. Exits with code 1 if a command ends with another exit code than its block
# shows.  Or record what they print: the output of a block that follows a line
# "<!-- recorded -->" is replaced in the page; "<!-- recorded: from TEXT -->" leaves out what
# comes before the first line with that text.  doc/examples.md then has date, machine and commit.
# usage: commands.sh list SOURCE
#        commands.sh run SOURCE SCRATCH BUILD...
#        commands.sh record SOURCE SCRATCH BUILD...
set -eu
what=$1
source=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=${3-}
[ "$what" = list ] || scratch=$(mkdir -p "$3/build" "$3/bin" && cd "$3" && pwd)
builds=()
for build in "${@:4}"; do
    builds+=("$(cd "$build" && pwd)")
done
cd "$source"
commands=$(python3 "$here/claims.py" commands README.md doc/*.md)

if [ "$what" = list ]; then
    printf '%s\n' "$commands"
    exit
fi

tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$scratch"
for build in "${builds[@]}"; do
    flavour='' mpirun=''
    # shellcheck source=/dev/null
    . "$build/environment.sh"
    ln -sfn "$build" "$scratch/build/$flavour"
    # With both, mpirun is Open MPI's and mpiexec MPICH's.  No links: MPICH's launcher
    # looks for its parts where it was called.
    first=mpirun second=mpiexec
    [ "$flavour" = openmpi ] || first=mpiexec second=mpirun
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$mpirun" >"$scratch/bin/$first"
    [ -e "$scratch/bin/$second" ] || cp "$scratch/bin/$first" "$scratch/bin/$second"
done
chmod +x "$scratch"/bin/*
cd "$scratch"
export PATH="$scratch/bin:$PATH" LC_ALL=C
# As root, with more ranks than CPUs: what tests/run/common.bash sets.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# recorded PAGE: the page with new outputs.
recorded() {
    local line from='' command=''
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '<!-- recorded'*'-->')
            from=${line#<!-- recorded}
            from=${from% -->}
            from=.${from#: from }
            ;;
        '```') from='' ;;
        '```console') ;;
        *) if [ -n "$from" ] && [[ $line != '$ '* ]]; then continue; fi ;;
        esac
        printf '%s\n' "$line"
        [[ -n $from && $line == '$ '* ]] || continue
        command=${line#\$ }
        echo "recording: $1: $command" >&2
        timeout 900 bash -c "$command" >"$scratch/output" 2>&1 </dev/null || echo "exit code $?" >>"$scratch/output"
        if [ "$from" = . ]; then
            cat "$scratch/output"
        else
            awk -v from="${from#.}" '!on && index($0, from) { on = 1; if (NR > 1) print "..." } on' "$scratch/output"
        fi
    done <"$source/$1"
}

if [ "$what" = record ]; then
    commit=$(git -C "$source" rev-parse --short HEAD 2>/dev/null || echo unknown)
    pages=$(cd "$source" && grep -l '^<!-- recorded' README.md doc/*.md)
    for page in $pages; do
        recorded "$page" >"$scratch/page"
        cp "$scratch/page" "$source/$page"
    done
    # shellcheck disable=SC2016  # the quotes of Markdown
    {
        printf '# Where the examples come from\n\n`make doc-examples` recorded outputs of the pages in the last row in one go, and wrote this page.\n\n| | |\n|---|---|\n'
        printf '| date | %s |\n' "$(date -u '+%Y-%m-%d %H:%M UTC')"
        printf '| commit | %s |\n' "$commit"
        printf '| machine | %s, %s CPUs, Linux %s |\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(uname -r)"
        printf '| load before | %s |\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)"
        # shellcheck disable=SC2086  # names of pages
        printf '| pages | %s |\n' "$(printf '%s, ' $pages | sed 's/, $//')"
    } >"$scratch/page"
    cp "$scratch/page" "$source/doc/examples.md"
    exit
fi

failed=0
while IFS=$'\t' read -r where expected reason command; do
    for flavour in openmpi mpich; do
        [[ $reason != - || $command != *build/$flavour* || -e build/$flavour ]] ||
            reason="needs a build with $flavour"
    done
    # The first word after VARIABLE=VALUE, or what a launcher starts, if that is not a program of ours.
    tool=$(sed -E 's/^([A-Za-z_0-9]+=("[^"]*"|[^ ]*) )*//; s/^mpi(run|exec) -n [0-9]+ ([a-z]+ )/\2/; s/ .*//' <<<"$command")
    [ "$reason" != - ] || type "$tool" >/dev/null 2>&1 || reason="there is no $tool"
    [[ $reason != - || $tool != s@(run|batch) ]] || scontrol ping >/dev/null 2>&1 ||
        reason="no Slurm is running"
    if [ "$reason" != - ]; then
        echo "not run: $where: $command ($reason)"
        continue
    fi
    code=0
    timeout 900 bash -c "$command" >"$scratch/output" 2>&1 </dev/null || code=$?
    if [ "$code" -eq "$expected" ] || grep -qx "exit code $expected" "$scratch/output"; then
        echo "ran: $where: $command"
    else
        echo "FAILED: $where: $command (exit code $code, the page shows $expected)"
        tail -n 20 "$scratch/output"
        failed=1
    fi
done <<<"$commands"
exit "$failed"
