# SPDX-License-Identifier: BSD-3-Clause
# Sourced by common.sh: a command is run, is said to go on, and all that it has started ends when
# this script does.
# shellcheck shell=bash
# shellcheck disable=SC2154 # variables of common.sh

# The process group that the script waits for, and its own process that goes ahead of it, if any.
running='' ahead=''
# Does another say that it was interrupted?
quiet=no
# Is printed what is neither a result nor an error?  --quiet ends that.
tells=yes

# At a terminal a launcher may ask for something, as ssh does, and only what is in the
# terminal's own process group can.
terminal=no
if { : </dev/tty; } 2>/dev/null; then terminal=yes; fi

# All that a run has started here inherits this, also what outlives its launcher.  The name
# has no beginning that results record.
mark=_RUN_OF_ALIDADE=$$-$RANDOM$RANDOM

# marked [MARK]: processes of the script's runs, or of one of them.
marked() { grep -lsz "^${1:-$mark}\$" /proc/[0-9]*/environ | tr -dc '0-9\n'; }

# members GROUP: its processes, other than those that have ended and that nobody waits for.
members() {
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v group="$1" '{ process = $1; sub(/.*\) /, "") } $3 == group && $1 != "Z" { print process }'
}

# end_all TENTHS LIST TARGET...: end them, and kill them if the command LIST names a process so much later.
end_all() {
    local tenths=$1 list=$2 i
    shift 2
    kill -TERM -- "$@" 2>/dev/null || return 0
    for ((i = 0; i < tenths; i++)); do
        [ -n "$($list)" ] || return 0
        sleep 0.1
    done
    kill -KILL -- "$@" 2>/dev/null || true
}

# end_group GROUP: whatever is left of it.
end_group() { end_all 200 "members $1" "-$1"; }

# end_running SIGNAL: launchers that are told to end, and told once, end their ranks.
end_running() {
    local i patience=0
    [ "$running" != starting ] || running=${!-}
    # Where it has ended, another process may have its number by now.
    [[ $'\n'$(jobs -pr)$'\n' != *$'\n'"${ahead:-none}"$'\n'* ]] || kill -KILL "$ahead" 2>/dev/null || true
    [ -n "$running$ahead" ] || return 0
    # Ctrl-C at a terminal has told the launcher already.
    [ "$terminal" = no ] || [ "$1" -ne 2 ] || patience=30
    for ((i = 0; i < 300; i++)); do
        [ "$i" -ne "$patience" ] || kill -TERM "$running" 2>/dev/null || true
        kill -0 "$running" 2>/dev/null || break
        sleep 0.1
    done
    [ "$terminal" = yes ] || [ -z "$running" ] || end_group "$running"
    # shellcheck disable=SC2046  # numbers
    end_all 100 marked $(marked)
}

# interrupted SIGNAL: whether the script alone got it, its process group, or a terminal.
interrupted() {
    trap '' HUP INT TERM
    # A child that has not yet reset the traps has nothing to tell.
    [ "$BASHPID" -eq $$ ] || exit $((128 + $1))
    # How the launcher ends is not for the shell to say.
    end_running "$1" 2>/dev/null
    [ "$quiet" = yes ] || printf '\n%s: interrupted\n' "$script" >&2
    exit $((128 + $1))
}
trap 'interrupted 1' HUP
trap 'interrupted 2' INT
trap 'interrupted 15' TERM

# held OUT ERR COMMAND...: run it, where there is no terminal as a process group of its own;
# it ends when the script does.  Its output is added to the files OUT and ERR, which may be one, or '' for the script's.
held() {
    local code=0 out=$1 err=$2 held_mark=_HELD_OF_ALIDADE=$BASHPID-$RANDOM$RANDOM
    shift 2
    running=starting
    [ "$terminal" = yes ] || set -m
    (
        [ -z "$out" ] || exec >>"$out"
        [ -z "$err" ] || exec 2>>"$err"
        export "${mark?}" "${held_mark?}"
        exec "$@"
    ) </dev/null 9>&- &
    running=$!
    set +m
    # What killed it is said by others, and not by the shell.
    wait "$running" 2>/dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        [ "$terminal" = yes ] || end_group "$running"
        # Daemons of a launcher that failed or was ended have groups of their own.  Other runs of this script go on.
        # shellcheck disable=SC2046  # numbers
        end_all 100 "marked $held_mark" $(marked "$held_mark")
    fi
    running=''
    return "$code"
}

# with_progress WHAT HOW-FAR COMMAND...: run it, and every 30 s print what goes on, and how far it is: in the words that
# HOW-FAR prints, which is a command, too.
with_progress() {
    local what=$1 how_far=$2 begun=$SECONDS next=30 code=0 teller
    shift 2
    (
        # It looks every second: who interrupts the script leaves nothing that sleeps on.
        while [ "$tells" = yes ] && kill -0 $$ 2>/dev/null; do
            sleep 1
            [ $((SECONDS - begun)) -ge "$next" ] || continue
            printf '%s: %s after %d s\n' "$what" "$("$how_far")" $((SECONDS - begun))
            next=$((next + 30))
        done
    ) </dev/null 9>&- >&2 &
    teller=$!
    "$@" || code=$?
    kill "$teller" 2>/dev/null || true
    wait "$teller" 2>/dev/null || true
    return "$code"
}
