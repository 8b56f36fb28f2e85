#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The runner of all scripts that run programs: options, plans, folders of results, limits, failures, interruptions.
# shellcheck disable=SC2016,SC2154  # what is expanded later; variables shared with common.bash

load common
load made_up

setup() {
    [[ $python3 != none ]] || skip "there is no python3"
    {
        printf '#!%s -BI\nimport sys\nsys.path.insert(0, "%s")\n' "$python3" "$ALIDADE_SOURCE/scripts"
        cat <<'END'
"""A plan: programs, or PROGRAM@VARIANT, with commas."""
import os
from runner import folders, main as door, plan
from runner.builds import need_launcher, start_of

USAGE = """Usage: front [OPTION...] [WORD...] [-- OPTION...]

Options:
  --runs N          it [2]
  --time TIME       it [0]
  --limit TIME      it [none]
  --margin PERCENT  it [0]
  --bind core|none  it [core]
  --programs LIST   it [good]
  --allow FIELD     it
  --launcher WORDS  it [{n}]
  --ranks N         it [2]
  --json FILE       it
  --results DIR     it [front-DATE]
  --shuffle         it
"""


class Front(plan.Plan):
    def command_of(self, line):
        binary = os.path.join(os.getcwd(), line.program)
        return plan.Command(binary, [binary] + self.options, ["VARIANT=" + line.variant])


def main(o):
    if o.words[:1] == ["options"]:
        start = start_of(need_launcher(o, None), o.ranks)
        print("runs=%d time=%d limit=%d margin=%g bind=%s allow=%s words=%s options=%s start=%s" % (
            o.runs, o.time, o.limit or 0, o.margin, o.bind, " ".join(o.allow), " ".join(o.words), " ".join(o.further),
            " ".join(start)))
        return 0
    front = Front(o.runs, o.limit or 0)
    front.options = o.further
    front.begin(o.results, "front", "programs: %s; options: %s" % (o.programs, " ".join(o.further)))
    front.lines = [plan.Line(*word.split("@")) for word in o.programs.split(",")]
    # Chance, as it may be.
    plan.shuffle = list.reverse
    front.make_runs(shuffled=o.shuffle)
    if not o.print:
        folders.tell("made=%d old=%d failed=%d skipped=%d" % (front.made, front.old, len(front.failed), len(front.skipped)))
        for text in front.failed + front.skipped:
            folders.tell(text)
    return 0


if "NOW" in os.environ:
    folders.time.strftime = lambda form: os.environ["NOW"]
door.is_command = lambda name: True
door.command_of = lambda name: sys.modules[__name__]
sys.exit(door.main(["front"] + sys.argv[1:]))
END
    } >front
    cat >good <<'END'
#!/usr/bin/env bash
# As its name says.
echo "${0##*/} $VARIANT $*" >>launches
while [ $# -gt 0 ]; do
    [ "$1" != --json ] || echo '{}' >"$2"
    shift
done
case ${0##*/} in
bad) echo "alidade: error E14: bad: wrong data" >&2 && exit 3 ;;
lost) echo "alidade: error E14: lost: wrong data" >&2 ;;
crash) exit 139 ;;
late) printf 'alidade: error E15: late: no progress; rank=%d;\n' 0 1 1 >&2 && exit 2 ;;
cannot) echo "alidade: error E28: cannot: two nodes" >&2 && exit 77 ;;
slow)
    (sleep 600 & echo $! >>ranks)
    exec sleep 600
    ;;
esac
END
    chmod +x front good
    ln -s good bad
    ln -s good cannot
    ln -s good slow
    ln -s good crash
    ln -s good late
    ln -s good lost
}

# What a test that fails has left.
teardown() {
    local pid
    for pid in $(jobs -p; cat ranks 2>/dev/null); do
        kill "$pid" 2>/dev/null || true
    done
}

front() { run_to_files ./front "$@"; }

@test "options: those of the header, with units and checks; anything else is one sentence" {
    local words sentence
    front options a --runs=3 --time 10m b --limit 1.5 --margin 3% --bind none --allow method.x --allow=environment.path -- -m 8
    expect_status 0
    [[ $stdout == "runs=3 time=600 limit=2 margin=0.03 bind=none allow=method.x environment.path words=options a b options=-m 8 start=2" ]] || fail "others"
    front options --runs 4 --time 2h
    expect_out "runs=4 time=7200 limit=0 "
    front options --ranks 6 --launcher "srun --mpi=pmix"
    expect_out " start=srun -n 6 --mpi=pmix"
    while IFS='|' read -r words sentence; do
        front options --ranks 6 --launcher "$words"
        [[ $stdout == *" start=$sentence" ]] || fail "$words: not $sentence"
    done <<'END'
mpirun|mpirun -n 6
mpiexec|mpiexec -n 6
flux|flux run -n 6
flux run --exclusive|flux run -n 6 --exclusive
jsrun -b rs|jsrun --np 6 -b rs
srun --mpi=pmix scripts/bind-rail|srun -n 6 --mpi=pmix scripts/bind-rail
mine -x {n} {n}|mine -x 6 6
END
    while IFS='|' read -r words sentence; do
        # shellcheck disable=SC2086  # several words
        front options $words
        expect_status 1
        expect_no_out
        [[ $stderr == "front: $sentence" ]] || fail "$words: another sentence"
    done <<'END'
--runs none|--runs 'none' is not a number of runs from 1 to 999999999
--runs 0|--runs '0' is not a number of runs from 1 to 999999999
--ranks two|--ranks 'two' is not a number of ranks from 1 to 999999999
--time soon|--time 'soon' is not a number of seconds from 0 to 999999999, nor a time such as 10m
--limit 0|--limit '0' is not a number of seconds from 1 to 999999999, nor a time such as 10m
--margin x|--margin 'x' is not a percentage from 0 to below 1000, such as 5 or 2.5%
--bind socket|--bind 'socket' is not core or none
--json /nowhere/x|cannot write to '/nowhere/x': No such file or directory
--time|--time needs a value; see --help
--shuffle=yes|--shuffle takes no value
--nothing|unknown option --nothing; see --help
-m 8|unknown option -m; see --help
--ranks 4 --launcher env|--ranks 4 has no effect: the launcher 'env' lacks {n}, which stands for the number of ranks
END
}

@test "a plan is printed, made in order or shuffled, and what is there is not made again" {
    front --print --programs good@a,good@b --results r
    expect_status 0
    [[ $stdout == "a/good-1: VARIANT=a $PWD/good"$'\n'"b/good-1: VARIANT=b $PWD/good"$'\n'"a/good-2: VARIANT=a $PWD/good"$'\n'"b/good-2: VARIANT=b $PWD/good" && ! -e r ]] ||
        fail "another plan"
    front --programs good@a,good@b --results r -- -m 8
    expect_out "made=4 old=0 failed=0"
    [[ $(cut -d ' ' -f 2-4 launches | tr '\n' ';') == "a -m 8;b -m 8;a -m 8;b -m 8;" ]] || fail "another order: $(<launches)"
    [[ $(cd r && echo ./*/*) == "./a/good-1.json ./a/good-1.txt ./a/good-2.json ./a/good-2.txt ./b/good-1.json ./b/good-1.txt ./b/good-2.json ./b/good-2.txt" ]] || fail "other files"
    rm r/a/good-2.json
    front --runs 3 --programs good@a,good@b --results r -- -m 8
    expect_out "made=3 old=3 failed=0"
    rm launches
    front --shuffle --programs good@a,good@b --results shuffled
    [[ $(cut -d ' ' -f 2 launches | xargs) == "b a b a" ]] || fail "not shuffled: $(<launches)"
    # Nobody else's.
    front --programs good@a,good@b --results r -- -m 16
    expect_status 1
    [[ $stderr == "front: r has results of another command: "*"programs: good@a,good@b; options: -m 8; front (Alidade) $version; choose another folder for results" ]] || fail "no sentence"
    UCX_NET_DEVICES='mlx5_1:1 x' front --programs good@a,good@b --results r -- -m 8
    expect_status 1
    expect_err "r has results of another command: "
    UCX_NET_DEVICES='mlx5_1:1 x' front --programs good@a --results ucx -- -m 8
    grep -qF 'UCX_NET_DEVICES=mlx5_1:1\ x ' ucx/.asked || fail "$(<ucx/.asked)"
    LD_LIBRARY_PATH=/other/mpi front --programs good@a,good@b --results r -- -m 8
    expect_status 1
    expect_err "r has results of another command: "
    touch -d 2000-01-01 r/b/good-1.json
    front --runs 4 --programs good@a,good@b --results r -- -m 8
    expect_status 1
    [[ $stderr == "front: $PWD/good is newer than r/b/good-1.json: name another folder with --results, since runs of two versions must not be mixed" ]] || fail "no sentence"
    # Nor those with two versions of a library, which the linker names.
    mkdir bin
    printf '#!/bin/sh\necho "library.so => %s (0x0)"\n' "$PWD/library.so" >bin/ldd
    chmod +x bin/ldd
    touch -d 2000-01-01 library.so good
    PATH=$PWD/bin:$PATH front --programs good@a --results libraries
    PATH=$PWD/bin:$PATH front --programs good@a --results libraries
    expect_out "made=0 old=2 failed=0"
    touch -d 2001-01-01 libraries/a/good-1.json
    touch -d 2002-01-01 library.so
    PATH=$PWD/bin:$PATH front --programs good@a --results libraries
    expect_status 1
    [[ $stderr == "front: $PWD/library.so is newer than libraries/a/good-1.json: "* ]] || fail "no sentence"
}

@test "a run that fails is kept apart, three in a row are the last; the others go on" {
    front --runs 4 --limit 1 --programs good,bad,cannot,slow,crash --results r
    expect_status 0
    expect_out "made=14 old=0 failed=9 skipped=1"
    # What dies without a word is tried three times.
    [[ $(cut -d ' ' -f 1 launches | sort | uniq -c | xargs) == "3 bad 1 cannot 9 crash 4 good 3 slow" ]] || fail "others: $(<launches)"
    expect_out "bad: exit 3: wrong data (E14); see r/bad-3.err"
    expect_out "slow: exit 124: it took more than 1 s (--limit); see r/slow-1.err"
    expect_out "cannot: two nodes (E28)"
    expect_err "front: bad: exit 3: wrong data (E14); see r/bad-1.err"
    [[ $(cd r && echo ./*.json ./*.txt) == "./good-1.json ./good-2.json ./good-3.json ./good-4.json ./good-1.txt ./good-2.txt ./good-3.txt ./good-4.txt" ]] || fail "$(ls r)"
    [[ -e r/bad-1.json.failed && -e r/bad-1.out && $(ls r/*.failed | wc -l) -eq 9 && $(echo r/cannot*) == r/cannot-1.err ]] || fail "$(ls r)"
    # The first of several ranks need not be the one that others wait for.
    front --programs late --results late.d
    expect_out "late: exit 2: no progress; rank=0; first of 2 lines (E15); see late.d/late-1.err"
    # What the launcher says is well need not be.
    front --programs lost --results lost.d
    expect_out "lost: exit 1: wrong data (E14); see lost.d/lost-1.err"
    [[ ! -e lost.d/lost-1.json && -e lost.d/lost-1.json.failed ]] || fail "$(ls lost.d)"
    # A command that failed leaves its folder to others.
    front --programs bad --results free
    front --programs good --results free
    expect_status 0
    expect_out "made=2 old=0 failed=0"
}

@test "interrupted: at once, no rank stays, runs are kept, and the same command goes on; one command for a folder" {
    local pid i
    # What is loaded is part of what is asked: this command has it of run_to_files, and so has the next.
    local -x LD_PRELOAD=$usual
    ./front --programs good,slow --results r >o 2>e 3>&- &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        [[ ! -s ranks ]] || break
        sleep 0.1
    done
    front --programs good --results r
    expect_status 1
    [[ $stderr == "front: another command is using 'r'; choose another folder for results" ]] || fail "no sentence"
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    expect_status 143
    grep -q '^front: interrupted; finished runs are kept; to continue, repeat the command with --results r$' e || fail "$(<e)"
    for ((i = 0; i < 50; i++)); do
        grep -qs '^State:[[:space:]]*[^Z]' "/proc/$(<ranks)/status" || break
        sleep 0.1
    done
    [[ $i -lt 50 ]] || fail "a rank stays"
    rm slow
    sed 's/^slow)/never)/' good >slow
    chmod +x slow
    front --programs good,slow --results r
    expect_out "made=3 old=1 failed=0"
    # Without a name each has its own, in the same second too.
    for i in 1 2 3; do
        NOW=2026-11-25-120000 ./front --runs 1 >"o$i" 2>&1 3>&- &
    done
    wait
    [[ $(echo front-*/good-1.json) == "front-2026-11-25-120000-2/good-1.json front-2026-11-25-120000-3/good-1.json front-2026-11-25-120000/good-1.json" ]] ||
        fail "other folders: $(ls; cat o?)"
}

@test "a signal that nohup or a shell keeps from the command does not end it" {
    local pid i
    sed -i 's/exec sleep 600$/while [ ! -e go ]; do sleep 0.1; done/' good
    (trap '' HUP INT && exec ./front --runs 1 --programs slow --results r >o 2>e 3>&-) &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        [[ ! -s ranks ]] || break
        sleep 0.1
    done
    kill -HUP "$pid"
    kill -INT "$pid"
    sleep 0.5
    touch go
    status=0
    wait "$pid" || status=$?
    kill "$(<ranks)" || true
    expect_status 0
    [[ $(<o) == "made=1 old=0 failed=0 skipped=0" && ! -s e ]] || fail "$(<o) $(<e)"
}

@test "without an output, or with a full one, all runs are made and no file of them has the answer" {
    local how
    for how in '2>&-' '2>/dev/full' '2>&- <&-'; do
        run_to_files bash -c "./front --programs good,bad --results r $how"
        expect_status 0
        expect_out "made=4 old=0 failed=2"
        rm -r r
    done
    for how in '>&-' '>/dev/full' '>&- <&-'; do
        run_to_files bash -c "./front --results r $how"
        expect_status 1
        [[ $stderr == "front: standard output could not be written" && ! -s r/.lock && -s r/good-2.json ]] ||
            fail "$how: $stderr; $(<r/.lock)"
        rm -r r
    done
}

@test "a signal while a process starts ends that process, and then the command" {
    cat >signals <<'END'
import os
import signal
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from runner import shell

start, started = subprocess.Popen, []


def interrupted_start(*words, **how):
    started.append(start(*words, **how))
    os.kill(os.getpid(), signal.SIGTERM)
    return started[0]


subprocess.Popen = interrupted_start
shell.watch_signals()
try:
    shell.execute(["sleep", "5"])
    print("it was lost")
except shell.Interrupted as why:
    print("signal %d; process: %s" % (why.number, started[0].poll()))
END
    run_to_files "$python3" -BI signals "$ALIDADE_SOURCE/scripts"
    expect_status 0
    [[ $stdout == "signal 15; process: -15" ]] || fail "otherwise"
}

@test "a full disk, and a folder that is read-only, are a sentence" {
    unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "nothing can be mounted"
    mkdir small
    unshare -m sh -c 'mount -t tmpfs -o size=16k none small && dd if=/dev/zero of=small/fill bs=1k 2>/dev/null
        ./front --results small/r >o 2>e' || true
    [[ $(<e) == "front: cannot write to 'small/r'" ]] || fail "full: $(<e)"
    unshare -m sh -c 'mount -t tmpfs -o ro,size=16k none small; ./front --results small/r >o 2>e' || true
    [[ $(<e) == "front: cannot create 'small/r': Read-only file system" && ! -e launches ]] || fail "read-only: $(<e)"
}

@test "a reminder of progress that is due when a command ends does not end it by a signal" {
    run_to_files "$python3" -c 'import signal, sys
sys.path.insert(0, sys.argv[1])
from runner import main
from runner.plan import Plan
plan = Plan()
plan.progress()
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
sys.exit(main.main(["alidade", "--help"]))' "$ALIDADE_SOURCE/scripts"
    expect_status 0
}

@test "the commands that CONTRIBUTING.md shows are whole: one makes runs and compares them, one judges results" {
    mkdir copy
    cp -a "$ALIDADE_SOURCE"/{scripts,configure.ac} copy
    chmod -R u+w copy
    awk '/^```python/ { getline; getline; name = substr($1, 4); on = 1 } /^```/ { on = 0 } on { print >("copy/scripts/runner/" name ".py") }' "$ALIDADE_SOURCE/CONTRIBUTING.md"
    sed -i 's/^  layers .*/&\n  alternate   by turns\n  extremes    of runs/' copy/scripts/runner/alidade.py
    ln -s alidade copy/scripts/alternate
    ln -s alidade copy/scripts/extremes
    run_to_files copy/scripts/alternate --print --runs 2 "A=1 C=3" B=2 latency
    expect_status 0
    [[ $(sed 's/\([A-Z]=[0-9]\) [^A-Z].*/\1/' "$out" | paste -sd ';') == "A/latency-1: A=1 C=3;B/latency-1: B=2;A/latency-2: A=1 C=3;B/latency-2: B=2" ]] ||
        fail "other runs: $(<"$out")"
    run_to_files copy/scripts/alternate --runs 1 --results r A=1 B=2 latency -m 8:8 -i 5
    expect_status 0
    expect_out "# B (1 run) compared with the baseline A (1 run): 1 row of 1 benchmark"
    run_to_files copy/scripts/alternate A
    expect_status 1
    [[ $(<"$err") == "alternate: alternate needs A, B and a program" ]] || fail "another sentence: $(<"$err")"
    result a.json 3 4
    result b.json 2 5
    run_to_files copy/scripts/extremes --markdown x.md a.json b.json
    expect_status 0
    [[ $(awk '/^[0-9]/ { print $(NF - 3), $(NF - 2), $(NF - 1), $NF }' "$out" | paste -sd ';') == "2.00 2 3.00 1;4.00 1 5.00 2" ]] || fail "other figures: $(<"$out")"
    [[ $(grep -c '^| [0-9]' x.md) -eq 2 ]] || fail "another table in Markdown: $(<x.md)"
    run_to_files copy/scripts/extremes nosuch
    [[ $status -eq 1 && $(<"$err") == "extremes: nosuch: No such file or directory" ]] || fail "another sentence: $(<"$err")"
}
