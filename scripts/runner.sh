# SPDX-License-Identifier: BSD-3-Clause
# Sourced by common.sh: runs of programs, one or a plan of them, in a folder of results.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of common.sh, and for the scripts

# --- Running programs, and being interrupted ------------------------------------

# The process group that the script waits for, if any.
running=''
# The run that is going on: its files without their endings.
stem=''
# Does a folder keep the runs, so that --results goes on with them?
resumable=no

# At a terminal a launcher may ask for something, as ssh does, and only what is in the
# terminal's own process group can.
terminal=no
if { : </dev/tty; } 2>/dev/null; then terminal=yes; fi

# All that a run has started here inherits this, also what outlives its launcher.  The name
# has no beginning that results record.
mark=_RUN_OF_ALIDADE=$$-$RANDOM$RANDOM

# marked: processes of the script's runs.
marked() { grep -lsz "^$mark\$" /proc/[0-9]*/environ | tr -dc '0-9\n'; }

# alive PROCESS...: is one of them, other than those that have ended and nobody waits for?
alive() {
    local pid
    for pid; do
        ! grep -qs '^State:[[:space:]]*[^Z]' "/proc/$pid/status" || return 0
    done
    return 1
}

# lives GROUP: has it a process, other than those that have ended and that nobody waits for?
lives() {
    kill -0 -- "-$1" 2>/dev/null &&
        cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v group="$1" '{ sub(/.*\) /, "") } $3 == group && $1 != "Z" { found = 1 } END { exit !found }'
}

# end_group GROUP: whatever is left of it.
end_group() {
    local i
    kill -TERM -- "-$1" 2>/dev/null || return 0
    for ((i = 0; i < 200; i++)); do
        lives "$1" || return 0
        sleep 0.1
    done
    kill -KILL -- "-$1" 2>/dev/null || true
}

# end_running SIGNAL: launchers that are told to end, and told once, end their ranks.
end_running() {
    local i ranks patience=0
    [ "$running" != starting ] || running=${!-}
    [ -n "$running" ] || return 0
    # Ctrl-C at a terminal has told the launcher already.
    [ "$terminal" = no ] || [ "$1" -ne 2 ] || patience=30
    for ((i = 0; i < 300; i++)); do
        [ "$i" -ne "$patience" ] || kill -TERM "$running" 2>/dev/null || true
        kill -0 "$running" 2>/dev/null || break
        sleep 0.1
    done
    [ "$terminal" = yes ] || end_group "$running"
    ranks=$(marked)
    # shellcheck disable=SC2086  # numbers
    kill -TERM $ranks 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do
        # shellcheck disable=SC2086  # numbers
        alive $ranks || return 0
        sleep 0.1
    done
    # shellcheck disable=SC2086  # numbers
    kill -KILL $ranks 2>/dev/null || true
}

# A script may have its own: what it does with the runs that there are.
when_interrupted() { :; }

# interrupted SIGNAL: whether the script alone got it, its process group, or a terminal.
interrupted() {
    local how=''
    trap '' HUP INT TERM
    # A child that has not yet reset the traps has nothing to tell.
    [ "$BASHPID" -eq $$ ] || exit $((128 + $1))
    # How the launcher ends is not for the shell to say.
    end_running "$1" 2>/dev/null
    # Of a run that has written its results and not ended.
    [ ! -e "$stem.out" ] || [ ! -e "$stem.json" ] || mv "$stem.json" "$stem.json.failed"
    when_interrupted || true
    [ "$resumable" = no ] || how="; finished runs are kept; to continue, repeat the command with --results $(printf %q "$results")"
    printf '\n%s: interrupted%s\n' "$script" "$how" >&2
    exit $((128 + $1))
}
trap 'interrupted 1' HUP
trap 'interrupted 2' INT
trap 'interrupted 15' TERM

# held OUT ERR COMMAND...: run it, where there is no terminal as a process group of its own;
# it ends when the script does.  Its output is added to the files OUT and ERR, which may be one, or '' for the script's.
held() {
    local code=0 out=$1 err=$2
    shift 2
    running=starting
    [ "$terminal" = yes ] || set -m
    (
        [ -z "$out" ] || exec >>"$out"
        [ -z "$err" ] || exec 2>>"$err"
        export "${mark?}"
        exec "$@"
    ) </dev/null 9>&- &
    running=$!
    set +m
    # What killed it is said by others, and not by the shell.
    wait "$running" 2>/dev/null || code=$?
    [ "$code" -eq 0 ] || [ "$terminal" = yes ] || end_group "$running"
    running=''
    return "$code"
}

# make_folder FOLDER: if it is not there.
make_folder() {
    local why
    why=$(mkdir -p "$1" 2>&1) || die "cannot create '$1':${why##*:}"
}

# alone_in FOLDER [wait]: no other command uses the folder until this one ends, however it
# ends: it is refused, or waits.  (File systems without locks let it in.)
alone_in() {
    local code=0
    { exec 9>>"$1/.lock"; } 2>/dev/null || die "cannot write to '$1'"
    flock -n -E 75 9 2>/dev/null || code=$?
    [ "$code" -eq 75 ] || return 0
    [ "${2-}" = wait ] || die "another command is using '$1'; choose another --results folder"
    say "waiting for another command that is using $1" >&2
    until flock -n 9; do sleep 1; done
}

# take_results NAME: sets results, if it is empty, to a new folder of that name and the time;
# the folder is this command's.
take_results() {
    local stem number=1
    if [ -z "$results" ]; then
        stem=$1-$(date +%Y-%m-%d-%H%M%S) results=$stem
        # Of several commands at once mkdir has one make it.
        until mkdir "$results" 2>/dev/null; do
            [ -e "$results" ] || make_folder "$results"
            number=$((number + 1)) results=$stem-$number
        done
    fi
    make_folder "$results"
    alone_in "$results"
    resumable=yes
}

# steering: the variables that steer the MPI and its transports, as words for a shell.
steering() {
    local name
    for name in $(compgen -e | LC_ALL=C sort); do
        [[ ! $name =~ ^(OMPI_MCA|PRTE_MCA|PMIX_MCA|UCX|UCC|MPICH|MPIR_CVAR|FI|PSM2|I_MPI)_ ]] || printf '%s=%q ' "$name" "${!name}"
    done
}

# keep_asked ASKED: results has runs of what is asked, or none; of the same script and version, too.
keep_asked() {
    local before
    set -- "$(steering)$1; $(version)"
    if [ -s "$results/.asked" ] && before=$(<"$results/.asked") && [ "$before" != "$1" ] &&
        find "$results" -name '*.json' -o -name '*-[0-9]*.txt' | grep -q .; then
        die "$results has results of another command: $before; choose another --results folder"
    fi
    { echo "$1" >"$results/.asked"; } 2>/dev/null || die "cannot write to '$results'"
}

# said ERR: the first sentence in that file that is a launcher's or a library's.  Open MPI
# frames its paragraphs with lines of dashes and breaks their lines.
said() {
    awk '
        /^\[[^]@]*:[0-9]+\]/ && named == "" { named = $0 } # a library on a host
        /^#/ || /^[-=]+$/ || /^\[[^]@]*:[0-9]+\]/ || !/[[:alnum:]]/ { skip = 0; if (text != "") exit; next }
        /^Primary job/ { skip = 1 } # a further paragraph may say which rank ended, and how
        skip { spare = spare $0 " "; next }
        text ~ /^\[/ { exit } # each line of MPICH has a place in front of it
        { text = text (text == "" ? "" : " ") $0 }
        END {
            text = text == "" ? spare == "" ? named : spare : text
            gsub(/[[:space:]]+/, " ", text)
            if (match(text, /[.] [A-Z]/))
                text = substr(text, 1, RSTART)
            if (length(text) > 200) {
                text = substr(text, 1, 200)
                sub(/[\300-\377]?[\200-\277]*$/, "", text) # the cut is within no character
            }
            sub(/[.:; ]+$/, "", text)
            print text
        }' "$1"
}

# why_of ERR: the error of a program there as "TEXT (E05)", or what else was said.
why_of() {
    local why
    # Older revisions, which compare and bisect build, put "# " before it.
    why=$(sed -n 's/^\(# \)*alidade: error \(E[0-9]*\): [a-z_0-9]*: \(.*[^; ]\)[; ]*$/\3 (\2)/p' "$1" |
        awk '!seen[$0]++ && n++ == 0 { text = $0; sub(/ [^ ]*$/, "", text); code = $NF }
            END { if (n) print text (n > 1 ? "; first of " n " lines" : "") " " code }')
    printf '%s\n' "${why:-$(said "$1")}"
}

# attempt OUT ERR LIMIT FILE COMMAND...: run it for at most LIMIT seconds (0: any time), with
# its output in the files OUT and ERR, which may be one, and its results in the JSON file
# FILE, if one is named.  Sets status and, if that is not 0, why.
attempt() {
    local out=$1 err=$2 limit=$3 file=$4 begun
    shift 4
    [ -z "$file" ] || set -- "$@" --json "$file"
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in 1 2 3; do
        status=0 begun=$SECONDS why=''
        { : >"$out" && : >"$err"; } 2>/dev/null || die "cannot write to '$out'"
        held "$out" "$err" timeout --foreground -k 10 "$limit" "$@" || status=$?
        if [ "$status" -ne 141 ] && { [[ $status =~ ^(0|124|137)$ ]] || [ -s "$out" ] || [ -s "$err" ]; }; then break; fi
    done
    # Launchers may lose exit codes (doc/known-issues.md), and rank 0 may be on a host
    # without this folder.
    if [ "$status" -eq 0 ] && [ -s "$err" ] && grep -q '^\(# \)*alidade: error ' "$err"; then
        status=1
    elif [ "$status" -eq 0 ]; then
        [ -n "$file" ] && [ ! -s "$file" ] || return 0
        status=1 why="it wrote no results"
        return 0
    fi
    # A failed run leaves no result that others could be compared with.
    [ -z "$file" ] || [ ! -e "$file" ] || mv "$file" "$file.failed"
    why=$(why_of "$err")
    # 137 is that of SIGKILL, which others send too: for want of memory, as a rule.
    if [ "$status" -eq 124 ] || { [ "$status" -eq 137 ] && [ "$limit" != 0 ] && [ $((SECONDS - begun)) -ge "${limit%.*}" ]; }; then
        why="it took more than $limit s (--limit)"
        echo "$why" >>"$err"
    elif [ "$status" -eq 137 ]; then
        why="it was killed (137)${why:+: $why}"
    fi
    why=${why:-"it exited with code $status and printed nothing"}
}

# cannot_run: after attempt: the program says that this is nothing for it.
cannot_run() { [ "$status" -eq 77 ] || [[ $why == *"does not take"* ]]; }

# unchanged_since RUN BINARY [VAR=VALUE...]: the program of a run that is there, and what it is linked with or loads first
# with these settings, are not newer than the run.
unchanged_since() {
    local run=$1 binary=$2 file
    shift 2
    while read -r file; do
        [ ! "$file" -nt "$run" ] ||
            die "$file is newer than $run: name another folder with --results, since runs of two versions must not be mixed"
    done < <(echo "$binary" && env "$@" ldd "$binary" 2>/dev/null | grep -o '/[^ ]*')
}

# --- A plan of runs -------------------------------------------------------------

# A script reads its options, sets plan, defines command_of, and calls begin and then run_plan (CONTRIBUTING.md has two of
# them).  With --print that is all; else finished has a document for each run if none failed or was skipped.  The folder has for each run VARIANT/PROGRAM-NUMBER.json and .txt, and .err
# for what it said; of a run that is going on, or failed, .out in place of .txt.  Runs that are there are not made again.

# Lines "PROGRAM [VARIANT]", of which each has $runs runs, each of at most $limit seconds (0: any time).
plan=() runs=1 limit=0
# Does the build write JSON?
documents=yes
# What became of the runs: made and there before, sentences on those that failed or cannot be, and the finished documents.
made=0 old=0 failed=() skipped=() finished=()
# The lines of the plan that are over, and how often each has failed in a row.
declare -A given_up=() in_a_row=()
begun=$SECONDS

# command_of PROGRAM VARIANT: of the script: sets the array command, binary, the program's file, and the array variables,
# VAR=VALUE words that are set for it.
variables=()

# more NUMBER: is there a run of this number?
more() { [ "$1" -le "$runs" ]; }

# after_run PROGRAM VARIANT NUMBER: one was made; status, why, took and stem, its files, say how it was.
after_run() { [ "$status" -eq 0 ] || echo "$script: ${2:+$2, }$1: exit $status: $why; see $stem.err" >&2; }

# Of a second.
tenths() { date +%s%1N; }

# progress [TEXT]: on a terminal alone, with the time that is left, and gone when the next line is printed.
progress() { [ ! -t 2 ] || printf '\r%-78s\r' "$*${1:+$(to_go)}" >&2; }

# to_go: what is known of the time that is left, for the runs, and then of that of --time.
to_go() {
    local left=$((${#plan[@]} * runs - made - old - ${#skipped[@]}))
    if [ "$left" -gt 0 ]; then
        [ "$made" -eq 0 ] || printf '; about %d s to go' $(((SECONDS - begun) * left / made))
    elif [ -n "${time-}" ]; then
        printf '; at most %d s to go' $((time - SECONDS + begun))
    fi
}

# begin NAME ASKED: results is this command's, by default a new folder of that name; its runs are of what is asked.
begin() {
    if [ "$print" = yes ]; then
        results=${results:-$1}
        return
    fi
    take_results "$1"
    keep_asked "$2"
}

# run_one PROGRAM VARIANT NUMBER: unless it is there.
run_one() {
    local program=$1 variant=$2 number=$3 line="$1 $2" before which=$3
    local place=$results${2:+/$2} command=() binary='' file=''
    stem=$place/$program-$number status=0 why='' took=0
    command_of "$program" "$variant"
    if [ "$print" = yes ]; then
        printf '%s:' "${stem#"$results/"}"
        printf ' %q' "${variables[@]}" "${command[@]}"
        echo
        return
    fi
    if [ -s "$stem.json" ] || { [ "$documents" = no ] && [ -e "$stem.txt" ]; }; then
        unchanged_since "$stem.$([ "$documents" = no ] && echo txt || echo json)" "$binary" "${variables[@]}"
        old=$((old + 1)) finished+=("$stem.json")
        return
    fi
    [ -d "$place" ] || make_folder "$place"
    [ "$number" -gt "$runs" ] || which="$number of $runs"
    progress "run $which: $program${variant:+, $variant}"
    before=$(tenths)
    [ "$documents" = no ] || file=$stem.json
    attempt "$stem.out" "$stem.err" "$limit" "$file" env "${variables[@]}" "${command[@]}"
    took=$(($(tenths) - before)) made=$((made + 1))
    took=$((took / 10)).$((took % 10))
    if [ "$status" -eq 0 ]; then
        mv "$stem.out" "$stem.txt"
        [ -s "$stem.err" ] || rm -f "$stem.err"
        finished+=("$stem.json") in_a_row[$line]=0
    elif cannot_run; then
        skipped+=("${variant:+$variant, }$program: $why") given_up[$line]=yes
    else
        failed+=("${variant:+$variant, }$program: exit $status: $why; see $stem.err")
        in_a_row[$line]=$((${in_a_row[$line]-0} + 1))
        [ "${in_a_row[$line]}" -lt 3 ] || given_up[$line]=yes
    fi
    progress
    after_run "$program" "$variant" "$number"
}

# run_plan FIRST [ORDER...]: the runs from that number on, one of each line, in order or as the command ORDER puts them,
# before the next of each.  A line is over when it cannot run here, or failed three times in a row.
run_plan() {
    local number=$1 line lines program variant
    shift
    [ "$print" = no ] || set --
    begun=$SECONDS given_up=()
    while [ ${#given_up[@]} -lt ${#plan[@]} ] && more "$number"; do
        mapfile -t lines < <(printf '%s\n' "${plan[@]}" | "${@:-cat}")
        for line in "${lines[@]}"; do
            read -r program variant <<<"$line"
            [ -n "${given_up["$program $variant"]-}" ] || run_one "$program" "$variant" "$number"
        done
        number=$((number + 1))
    done
}

# warnings: each once, those of runs that were there before, too.
warnings() {
    find "$results" -name '*.err' -exec sed -n '/W40/!s/^# alidade: \(warning W\)/\1/p' {} + | sort -u
    foreign_load "$results"
}

# foreign_load FOLDER: a sentence if other processes used the CPUs in runs; each has another share.
foreign_load() {
    local runs all
    runs=$(find "$1" -name '*.err' -exec grep -h '^# alidade: warning W40' {} + | wc -l)
    all=$(find "$1" -name '*-[0-9]*' ! -name 'suite-*' | sed -n -E 's/[.](err|txt|out)$//p' | sort -u | wc -l)
    [ "$runs" -eq 0 ] || echo "Other processes used the CPUs of ranks (W40) in $runs of $all run$([ "$all" -eq 1 ] || echo s): intervals may be wide, and values too high."
}

# foreign_words FOLDER: a sentence on what a launcher or a library printed in runs that succeeded.
foreign_words() {
    local file text='' first='' runs=0
    while IFS= read -r file; do
        [ -e "${file%.err}.txt" ] || continue
        [ -n "$first" ] || { text=$(said "$file") && [ -n "$text" ] && first=$file; } || continue
        runs=$((runs + 1))
    done < <(find "$1" -name '*-[0-9]*.err' -exec grep -lv '^#' {} + | sort -V)
    [ -z "$first" ] || echo "$runs run$([ "$runs" -eq 1 ] || echo s) also printed: $text; see $first"
}

# side_by_side WIDTH FILE...: the lines of the first file, by their first word, with so many further words of each file,
# or - where a file lacks the line.
side_by_side() {
    local width=$1
    shift
    awk -v width="$width" -v files=$# '
        FNR == 1 { file++ }
        file == 1 { key[++rows] = $1 }
        { for (i = 1; i <= width; i++) value[file, i, $1] = $(i + 1) }
        END {
            for (row = 1; row <= rows; row++) {
                printf "%s", key[row]
                for (file = 1; file <= files; file++)
                    for (i = 1; i <= width; i++)
                        printf " %s", ((file, i, key[row]) in value) ? value[file, i, key[row]] : "-"
                print ""
            }
        }' "$@"
}
