#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What all of scripts/ have in common: their help, what they refuse, how they read numbers.
# shellcheck disable=SC2154  # variables shared with common.bash

load common
load made_up

# All but what they share.
scripts() {
    find "$ALIDADE_SOURCE/scripts" -maxdepth 1 ! -type d ! -name '*.sh' ! -name Makefile.inc | sort
}

# Compare has the most: 39 lines.
expect_screen() { [[ $(wc -l <"$out") -le 39 && ! $stdout =~ [^$'\n']{81} ]] || fail "larger than a screen"; }

# idle SCRIPT ARGUMENT...: in an empty folder, with a PATH whose tools that install, build
# or launch leave a trace.
idle() {
    local bin=$BATS_TEST_TMPDIR/bin tool
    if [[ ! -d $bin ]]; then
        mkdir "$bin" "$BATS_TEST_TMPDIR/empty"
        for tool in apt-get dnf sudo autoreconf make git mpirun mpiexec srun sbatch; do
            printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$tool" "$BATS_TEST_TMPDIR/traces" >"$bin/$tool"
        done
        chmod +x "$bin"/*
    fi
    cd "$BATS_TEST_TMPDIR/empty"
    ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds PATH=$bin:$PATH run_to_files "$@"
    [[ ! -e $BATS_TEST_TMPDIR/traces ]] || fail "it did: $(cat "$BATS_TEST_TMPDIR/traces")"
    [[ -z $(ls -A) && ! -e $BATS_TEST_TMPDIR/builds ]] || fail "it left something"
}

@test "every script: -h, --help and --version, alike, and they do nothing" {
    local script option words
    for script in $(scripts); do
        for option in -h --help; do
            echo "${script##*/} $option"
            idle "$script" "$option"
            expect_status 0
            [[ ${stdout%%$'\n'*} == "Usage: "*"${script##*/} "* ]] || fail "no usage"
            [[ ! -s $err ]] || fail "stderr must be empty"
            expect_screen
            expect_out $'\nExample'
            expect_out $'\nExit codes: '
            [[ $stdout =~ $'\n'\ +-h,\ --help\ +print ]] || fail "no --help"
            [[ $stdout =~ $'\n'\ +-v,\ --version\ +print ]] || fail "no --version"
            refuse_out "#!"
            refuse_out "SBATCH"
            refuse_out "set -"
        done
        idle "$script" --version
        expect_status 0
        [[ $stdout == "${script##*/} (Alidade) $version" && ! -s $err ]] || fail "no version"
    done
    # As later words, too.
    for words in "quickstart --mpi x" "check --long" "build-mpi -q" "bind-rail --rails a" "compare --runs 3"; do
        # shellcheck disable=SC2086  # words
        idle "$ALIDADE_SOURCE"/scripts/$words --help
        expect_status 0
        [[ $stdout == "Usage: "*"${words%% *} "* && ! -s $err ]] || fail "$words: no usage"
    done
}

@test "every script: an unknown option is refused in one sentence, and nothing is done" {
    local script
    for script in $(scripts); do
        echo "${script##*/}"
        idle "$script" --no-such-option
        expect_status 1
        expect_no_out
        [[ $(wc -l <"$err") -eq 1 && $stderr == "${script##*/}: unknown option --no-such-option; "* ]] || fail "no sentence"
    done
}

@test "who mistypes a command, a program, an option or a word is asked for the near one" {
    local words said
    while IFS='|' read -r words said; do
        # shellcheck disable=SC2086  # words
        run_to_files "$ALIDADE_SOURCE"/scripts/${words//BUILD/$ALIDADE_BUILD}
        echo "$words"
        said=${said//BUILD/$ALIDADE_BUILD}
        expect_status 1
        [[ $stderr == *"$said"* && $(grep -o 'did you mean' "$err" | wc -l) -le 1 ]] || fail "not asked"
    done <<'END'
alidade compar|alidade: unknown command 'compar' (did you mean compare?); alidade --help lists them
alidade xyz|alidade: unknown command 'xyz'; alidade --help lists them
alidade which latnecy| (did you mean latency?); scripts/run-suite --list names them
repeat --build BUILD osu_latency|' is not a program of BUILD; it is called latency here
run-suite alreduce|run-suite: 'alreduce' is neither a program nor a family (did you mean allreduce?); --list names them
run-suite --resluts x|run-suite: unknown option --resluts (did you mean --results?)
END
    # OMB's name of a program is no mistake where a file is asked for.
    run_to_files "$ALIDADE_SOURCE/scripts/alidade" which osu_latency
    [[ $status -eq 0 && $stdout == */mpi/pt2pt/latency ]] || fail "$stdout"
}

@test "a file that each run would overwrite is refused" {
    local words
    while read -r words; do
        # shellcheck disable=SC2086  # words
        idle "$ALIDADE_SOURCE"/scripts/${words//BUILD/$ALIDADE_BUILD}
        expect_status 1
        expect_no_out
        [[ $stderr == *": leave out --csv, since each run would overwrite its file; "* ]] || fail "$words: no sentence"
    done <<'END'
compare a=BUILD b=BUILD -- latency -- --csv=x.csv
run-suite --build BUILD latency -- -m 8 --csv x.csv
repeat --build BUILD latency --csv x.csv
tune --build BUILD allreduce -- --csv=x.csv
examine --build BUILD -- --csv=x.csv
gpu-matrix BUILD -- --csv=x.csv
layers BUILD -- --csv=x.csv
END
}

@test "every script reads and writes numbers with a decimal point, whatever the locale" {
    local script
    for script in $(scripts); do
        # A link; in a tarball, a copy.
        [[ $(tail -n 1 "$script") != '. "$folder/alidade"' ]] && ! cmp -s "$script" "$ALIDADE_SOURCE/scripts/alidade" || continue
        grep -q -e '^export LC_ALL=C$' -e '^\. "\$\(folder\|(dirname "\$(readlink -f "\$0")")\)/common\.sh"$' "$script" || fail "${script##*/} leaves the locale as it is"
    done
    grep -q '^export LC_ALL=C$' "$ALIDADE_SOURCE/scripts/common.sh"
}

@test "ranks are bound to cores where there is one for each, else to hardware threads, else not; without ssh" {
    # shellcheck source=scripts/common.sh
    . "$ALIDADE_SOURCE/scripts/common.sh"
    cores_here() { echo 4; }
    cpus_here() { echo 8; }
    have() { [[ $1 != rsh ]]; }
    id() { echo 1000; }
    folder=$BATS_TEST_TMPDIR
    printf "flavour='openmpi'\nmpirun='m'\n" >"$folder/environment.sh"
    [[ $(launcher_here 4 '{n}') == "m -n {n} --bind-to core" ]]
    [[ $(launcher_here 5) == "m -n 5 --use-hwthread-cpus --bind-to hwthread" ]]
    [[ $(launcher_here 9) == "env "*" OMPI_MCA_mpi_yield_when_idle=1 m -n 9" ]]
    # As root Open MPI needs a word more, also in a command that somebody copies.
    id() { echo 0; }
    [[ $(launcher_here 4) == "m -n 4 --bind-to core --allow-run-as-root" ]]
    [[ "m $(on_nodes openmpi 2 core)" == "m --map-by ppr:2:node --bind-to core --allow-run-as-root" ]]
    id() { echo 1000; }
    have() { [[ $1 != ssh && $1 != rsh ]]; }
    [[ $(launcher_here 4) == "env OMPI_MCA_plm_rsh_agent=true m -n 4 --bind-to core" ]]
    sed -i s/openmpi/mpich/ "$folder/environment.sh"
    [[ $(launcher_here 4) == "m -n 4 -bind-to core" ]]
    [[ $(launcher_here 5) == "m -n 5 -bind-to hwthread" ]]
    [[ $(launcher_here 9) == "m -n 9" ]]
}

@test "whoever asks for the local rank knows the same launchers, and asks in the same order" {
    local file names
    names() { grep -oE '[A-Z][A-Z0-9_]*_LOCAL_?(RANK(ID)?|ID)|MPI_LOCALRANKID|SLURM_LOCALID'; }
    # The first is asked again in its place: it precedes all where MPI is not Open MPI.
    names=$(sed -n '/^int launch_local_rank/,/^}/p' "$ALIDADE_SOURCE/c/util/job/world.c" | names | sed 1d)
    [[ $(wc -l <<<"$names") -ge 9 ]] || fail "not all: $names"
    for file in scripts/bind-rail packaging/osu/get_local_rank; do
        diff <(echo "$names") <(names <"$ALIDADE_SOURCE/$file") || fail "$file has others"
    done
}

@test "no script takes what bash 4.4 does not have" {
    local file found
    for file in $(scripts) "$ALIDADE_SOURCE"/scripts/*.sh "$ALIDADE_SOURCE"/tests/run/installcheck; do
        ! found=$(sed 's/^[[:space:]]*#.*//' "$file" | grep -nE 'EPOCH(REALTIME|SECONDS)|SRANDOM|BASH_ARGV0|wait -[nf]*p|\$\{[^}]*@[UuLKk]\}|BASH_REMATCH\[@\]@|shopt -s (assoc_expand_once|localvar_inherit|patsub_replacement)') ||
            fail "${file##*/}: $found"
    done
}

# linked SCRIPT...: each starts through a link in another folder, from a path with blanks.
linked() {
    local script links="$BATS_TEST_TMPDIR/my bin"
    mkdir -p "$links"
    for script; do
        ln -sfn "$script" "$links/${script##*/}"
        run_to_files "$links/${script##*/}" --version
        expect_status 0
        [[ $stdout == "${script##*/} (Alidade) $version" && ! -s $err ]] || fail "$script: no version"
    done
    run_to_files "$links/alidade" place --help
    expect_status 0
    expect_out "place one-node|two-nodes"
    # By any name, through links whose paths are relative.
    mkdir -p "$links/more"
    ln -sfn ../repeat "$links/more/again"
    ln -sfn more/again "$links/mine"
    run_to_files env PATH="$links:$PATH" mine --version
    expect_status 0
    expect_out "repeat (Alidade) $version"
}

@test "every script starts through a link, from a path with blanks, and installed without the sources" {
    local tree="$BATS_TEST_TMPDIR/a tree" script=()
    mkdir -p "$tree/packaging"
    cp -r "$ALIDADE_SOURCE/scripts" "$tree/"
    cp "$ALIDADE_SOURCE/packaging/build-cuda-openmpi" "$tree/packaging/"
    cp "$ALIDADE_SOURCE/configure.ac" "$tree/"
    mapfile -t script < <(scripts)
    linked "${script[@]/#"$ALIDADE_SOURCE"/"$tree"}" "$tree/packaging/build-cuda-openmpi"
    rm -r "$tree/configure.ac" "$tree"/scripts/{check,quickstart}
    cp "$ALIDADE_BUILD/environment.sh" "$tree/"
    mapfile -t script < <(scripts | grep -v '/check$\|/quickstart$')
    [[ ${#script[@]} -gt 10 ]] || fail "not all scripts"
    linked "${script[@]/#"$ALIDADE_SOURCE"/"$tree"}"
}

@test "alidade help: one screen; of each command that it lists, too" {
    local name
    for name in $("$ALIDADE_SOURCE/scripts/alidade" --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
        [[ ! -e $ALIDADE_SOURCE/scripts/$name ]] || continue
        run_to_files "$ALIDADE_SOURCE/scripts/alidade" "$name" --help
        expect_status 0
        expect_screen
    done
    [[ $name == help ]] || fail "not all commands"
    cases <<'END'
| run_to_files "$ALIDADE_SOURCE/scripts/alidade" help | 0 | $ expect_screen && $ expect_out "--bind-to core"
| run_to_files "$ALIDADE_SOURCE/scripts/alidade" help repeat | 0 | $ expect_out "  -q, --quiet          print only results and errors"
| run_to_files "$ALIDADE_SOURCE/scripts/alidade" -q which latency | 0 | $ expect_out /mpi/pt2pt/latency
END
}

@test "alidade explain: the section of a message, from the sources and where it is installed, without the pages" {
    local there=$BATS_TEST_TMPDIR/there alidade name=scripts/
    run_to_files env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ALIDADE_BUILD" install-exec-local programs= \
        osu_programs= osu_suites= osu_scripts= DESTDIR="$there" prefix=/opt/suite
    expect_status 0
    [[ ! -e $there/opt/suite/share/doc ]] || fail "there are pages"
    # A package may call the command something else.
    sed "s/^command=.*/command='suite-x'/" "$ALIDADE_BUILD/environment.sh" >"$there/opt/suite/libexec/alidade/environment.sh"
    run_to_files "$there/opt/suite/bin/alidade" --help
    [[ $stdout == "Usage: suite-x COMMAND"*'$(suite-x which latency)'* && $stdout != *" alidade "* ]] || fail "$stdout"
    cp "$ALIDADE_BUILD/environment.sh" "$there/opt/suite/libexec/alidade/"
    explain() { run_to_files "$alidade" explain "$@"; }
    for alidade in "$ALIDADE_SOURCE/scripts/alidade" "$there/opt/suite/bin/alidade"; do
        # A section and no other; a field, also of another schema; a word of a table, or a column by its heading.
        cases <<'END'
| explain w03 | 0 | $ [[ $stdout == "W03"$'\n'"Some pairs of ranks are on one node"*"What to do: "* ]] && ! W04 && $ [[ ! $stdout =~ [^$'\n']{101} ]]
| explain E99 | 1 | $ [[ $stderr == "alidade: 'E99' is no message; "*/doc/messages.md" lists all" ]]
| explain half_width | 0 | $ [[ $stdout == "rows.over_iterations.half_width: "* ]]
| explain gpu.left_us | 0 | $ [[ $stdout == "rows.gpu.left_us: "* ]]
| explain p_holm | 0 | $ [[ $stdout == "compare --json: "*"p-value"* ]]
| explain E1 | 1 | $ [[ $stderr == "alidade: 'E1' is no message (did you mean E01?); "* ]]
| explain undecided | 0 | $ [[ $stdout == "undecided (compare, history): The runs differ too much"* ]]
| explain mock-up | 0 | $ [[ $stdout == "mock-up (guidelines): Other calls"* ]]
| explain interval | 0 | $ [[ $stdout == "interval (repeat): What Next Low"* ]]
| explain wait_us | 0 | $ [[ $stdout == "rows.columns.wait_us: Time in MPI_Wait, after the computation"* ]]
| explain left out | 0 | (W31)
| explain rows_of_one_variant | 0 | compare --json: 
| explain Next Low | 0 | $ [[ $stdout == "Next Low (repeat): "* ]]
| explain Next | 0 | $ [[ $stdout == "Next Low, Next High (repeat): "* ]]
| explain "Worst Group(us)" | 0 | $ [[ $stdout == "rows.columns.worst_group_us: "* ]]
| explain path | 0 | $ expect_out "path (the header line): Where two partners are" && $ expect_out "environment.path: "
| run_to_files "$alidade" which latnecy | 1 | $ [[ $stderr == *"; ${name}run-suite --list names them" ]]
| explain undecidd | 1 | = alidade: 'undecidd' is neither a message, nor a field of JSON files, nor a word that tables print (did you mean undecided?)
END
        name="alidade "
    done
}

@test "alidade explain knows every heading, verdict and note that the sources print, and every field of JSON files" {
    [[ $python3 != none ]] || skip "there is no python3"
    "$python3" - "$ALIDADE_SOURCE" <<'END'
import glob, os, re, sys

top = sys.argv[1]
sys.path.insert(0, os.path.join(top, "scripts"))
sys.dont_write_bytecode = True
from judge import accept, doctor, guidelines, tuning
from judge.comparison import VERDICTS
from judge.text import Refused
from runner import explain


def printed(pattern, *names):
    paths = [path for name in names for path in glob.glob(os.path.join(top, name), recursive=True)]
    return {word for path in paths for word in re.findall(pattern, open(path, encoding="utf-8").read())}


# Columns of programs, which have a key or a unit, and lines about rows; then those of the judge, as written-down answers
# have them.
words = printed(r'\{ *"[a-z_0-9]+",\s*" *([A-Z2-7][^"_]*)"', "c/util/report/*.c", "c/family/**/*.c")
words |= printed(r'"(?:# )? *([A-Z][\w%./ -]{2,24}\((?:us|MB/s|%|s|ms)\))"', "c/**/*.c")
words |= printed(r'"# ([A-Z][A-Za-z ]*): ', "c/**/*.c", "mpi/**/*.c")
words |= printed(r'"(Pairs|Outliers|Violated|Undecided|Noise)"', "c/**/*.c")
words |= printed(r'Column\("([^"%]+)"', "scripts/**/*.py")
for line in printed(r"(?m)^# (\S+(?: \S+)*(?:  +\S+(?: \S+)*)+)\n(?!#)", "tests/run/answers/*.txt"):
    words |= {word for word in re.split("  +", line) if re.match("[A-Z].{,20}$", word)}
words |= printed(r"(?m)^# ([A-Z][A-Za-z-]*): ", "tests/run/answers/*.txt")
# Verdicts, and words of sentences.
words |= set(VERDICTS) | {value for judge in (accept, doctor, guidelines, tuning) for name, value in vars(judge).items()
                          if name.isupper() and isinstance(value, str) and re.match("[A-Za-z ]+$", value)}
# Keys of lines, and what else is printed.
words |= printed(r'(?:"(?:# )?|; )([a-z]{2,})=%', "c/**/*.c", "mpi/**/*.c")
words |= printed(r"(?:: |; )([a-z-]{2,})=[^ ]", "tests/run/answers/repeat*.txt")
words |= {"surely", "interval", "given", "busy", "neither wins", "times as long", "rail", "rack", "racks", "outlier", "pair", "ringed", "variants"}


# Columns and records have them as keys; those of numbers are percentiles.
def keys(schema):
    if isinstance(schema, dict):
        for name, value in schema.items():
            yield from value if name == "properties" else ()
            yield from keys(value)
    for value in schema if isinstance(schema, list) else []:
        yield from keys(value)


for name in explain.schemas():
    words |= {key for key in keys(explain.schema_of(name)) if not key[0].isdigit()}
assert len(words) > 600, len(words)
unknown = []
for word in sorted(words):
    try:
        explain.about(word)
    except Refused:
        unknown.append(word)
assert not unknown, "neither doc/words.md nor a schema explains %s" % ", ".join(unknown)
END
}

@test "manual pages have a synopsis, and each option of --help by itself" {
    local script page
    for script in $(scripts | grep -v '/check$\|/quickstart$'); do
        sh "$ALIDADE_SOURCE/doc/manual.sh" "$script" "$version" "$BATS_TEST_TMPDIR"
    done
    [[ $(cat "$BATS_TEST_TMPDIR"/*.1 | grep -c '^\.SH SYNOPSIS$') -eq $(cat "$BATS_TEST_TMPDIR"/*.1 | grep -c '^\.TH') ]] || fail "no synopsis"
    for page in "$BATS_TEST_TMPDIR"/*.1; do
        [[ $(<"$page") == *$'\n.SH OPTIONS\n'*$'.TP\n.B \\-h, \\-\\-help\nprint this help\n'*$'\n.SH EXIT STATUS\n'* ]] || fail "$page: $(<"$page")"
        ! command -v groff >/dev/null || [[ -z $(groff -man -ww -Tutf8 "$page" 2>&1 >/dev/null) ]] || fail "$page: groff complains"
    done
}

@test "completion: commands, their options, programs and what these take" {
    local words said
    "$ALIDADE_SOURCE/doc/completion.sh" bash "$ALIDADE_SOURCE" alidade mpi/pt2pt/latency mpi/pt2pt/bw >"$BATS_TEST_TMPDIR/alidade"
    "$ALIDADE_SOURCE/doc/completion.sh" zsh "$ALIDADE_SOURCE" alidade mpi/pt2pt/latency mpi/pt2pt/bw >"$BATS_TEST_TMPDIR/_alidade"
    ! command -v zsh >/dev/null || zsh -n "$BATS_TEST_TMPDIR/_alidade"
    # shellcheck source=/dev/null
    . "$BATS_TEST_TMPDIR/alidade"
    while IFS='|' read -r words said; do
        read -ra COMP_WORDS <<<"$words"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
        _alidade || true
        [[ ${COMPREPLY[*]} == "$said" ]] || fail "$words: ${COMPREPLY[*]}"
    done <<'END'
alidade comp|compare
alidade which l|latency
alidade compare --row|--rows
alidade compare old=a -- b|bw
alidade compare old=a -- bw -- --window-s|--window-size=
alidade repeat bw --window-s|--window-size=
alidade report --window-s|
alidade explain E0|E01 E02 E04 E05 E06
END
}

@test "make uninstall removes the pages that make install has put there, and no other" {
    [[ -s $ALIDADE_BUILD/doc/man/alidade-latency.1 ]] || skip "the pages were not made"
    local there=$BATS_TEST_TMPDIR/there
    mkdir -p "$there/man/man1"
    touch "$there"/man/man1/{alidade.1,alidade-latency.1,alidade-of-others.1}
    run_to_files env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ALIDADE_BUILD" uninstall-local DESTDIR="$there" mandir=/man bindir=/bin pkglibexecdir=/libexec
    expect_status 0
    [[ $(ls "$there/man/man1") == alidade-of-others.1 ]] || fail "left: $(ls "$there/man/man1")"
}

# python FILE VERSION: a Python that takes itself for one of that version.
python() {
    mkdir -p "${1%/*}"
    # shellcheck disable=SC2016  # of the shell there
    printf '#!/bin/sh\nwhile [ ! -d "$1" ]; do shift; done\nexec "%s" -c "import runpy, sys; sys.version_info = (%s); sys.executable = '"'\$0'"'; del sys.argv[0]; runpy.run_path(sys.argv[0])" "$@"\n' \
        "$python3" "$2" >"$1"
    chmod +x "$1"
}

@test "results are judged by the Python of the build, else by that in PATH, which is 3.6 or later" {
    local bin=$PWD/bin builds=$PWD/builds top=$PWD/top tool
    [[ $python3 != none ]] || skip "there is no python3"
    mkdir -p "$bin" "$builds/openmpi" "$builds/mpich" "$top"
    cp -r "$ALIDADE_SOURCE/scripts" "$top"
    printf 'import os, sys\ndef main(argv): print(sys.executable, os.environ["LC_ALL"], *argv)\n' >"$top/scripts/runner/main.py"
    for tool in bash readlink; do ln -s "$(command -v "$tool")" "$bin/"; done
    asked() { LC_ALL=C run_to_files env PATH="$bin" ALIDADE_BUILDS="$builds" "$top/scripts/report" x; }
    # by PYTHON: it has answered.
    by() {
        asked
        [[ $status -eq 0 && $stdout == "$1 ${2-C} report x" ]] || fail "not by $1: $stdout$stderr"
    }
    asked
    [[ $status -eq 1 && $stderr == "report: Python 3.6 or later is needed, and no python3 is in PATH; the programs run without it" ]] || fail "no refusal: $stderr"
    python "$bin/python3" 3,5
    asked
    [[ $status -eq 1 && $stderr == "report: Python 3.6 or later is needed, and $bin/python3 is older; the programs run without it" ]] || fail "an old one is taken: $stdout$stderr"
    # That one has no -X utf8.
    python "$bin/python3" 3,6
    by "$bin/python3" C.UTF-8
    python "$bin/python3" 3,7
    by "$bin/python3"
    # What is named there may be gone, or none.
    for tool in none /nowhere/python3; do
        echo "python3='$tool'" >"$builds/openmpi/environment.sh"
        by "$bin/python3"
    done
    echo "python3='$PWD/of-mpich/python3'" >"$builds/mpich/environment.sh"
    python "$PWD/of-mpich/python3" 3,13
    by "$PWD/of-mpich/python3"
    # Installed.
    echo "python3='$PWD/installed/python3'" >"$top/environment.sh"
    python "$PWD/installed/python3" 3,8
    by "$PWD/installed/python3"
}

@test "results are judged from a checkout without a build, through links, and with text of any bytes" {
    local top="$BATS_TEST_TMPDIR/a path/suite" results=$BATS_TEST_TMPDIR/$'Gr\xc3\xb6\xc3\x9fe \xfc' i
    [[ $python3 != none ]] || skip "there is no python3"
    mkdir -p "$top"
    cp -r "$ALIDADE_SOURCE/scripts" "$top"
    rm -rf "$top/scripts/judge/__pycache__"
    chmod -R a-w "$top"
    ln -s "$top/scripts/accept" ours
    ln -s ours accept
    for i in 1 2 3 4 5; do result "$results/$i.json" "1.0$i"; done
    foreign_load "$results"/[123].json
    LC_ALL=C.UTF-8 run_to_files "$ALIDADE_SOURCE/scripts/accept" --learn limits "$results"
    expect_status 2
    expect_out "# 0 of 1 limits can find a small fault. 1 is wide: learned while other processes used the CPUs of ranks (W40). "
    run_to_files "$ALIDADE_SOURCE/scripts/accept" limits "$results"
    expect_status 2
    expect_out "1 is wide: learned while other processes used the CPUs of ranks (W40). "
    run_to_files "$ALIDADE_SOURCE/scripts/accept" --allow-wide limits "$results"
    expect_status 0
    # Of two folders it is said once, and a folder in another one counts once.
    mkdir -p more/within
    cp "$results"/* more/within
    run_to_files "$ALIDADE_SOURCE/scripts/accept" limits "$results" more more/within
    [[ $(grep "^# Other" "$out") == "# Other processes used the CPUs of ranks (W40) in 6 of 10 runs: "* ]] || fail "W40: $stdout"
    run_to_files "$ALIDADE_SOURCE/scripts/accept" --learn limits "$results"
    [[ $status -eq 1 && $stderr == "accept: limits is there: delete it, or name another file for --learn" ]] || fail "$stderr"
    # Nothing that a user has set for other work changes the answer.
    cd /
    PATH=/usr/bin:/bin ALIDADE_BUILDS=/nowhere PYTHONUNBUFFERED=1 PYTHONHOME=/nowhere PYTHONIOENCODING=ascii LC_ALL= LANG=C \
        run_to_files "$BATS_TEST_TMPDIR/accept" --allow-wide --learn "$BATS_TEST_TMPDIR/again" "$results"
    chmod -R u+w "$top"
    expect_status 0
    cmp "$BATS_TEST_TMPDIR/limits" "$BATS_TEST_TMPDIR/again"
    run_to_files "$BATS_TEST_TMPDIR/accept" "$BATS_TEST_TMPDIR/limits" "$results/no \xfc"
    [[ $status -eq 1 && $stderr == *$'/Gr\xc3\xb6\xc3\x9fe \xfc/no \\xfc: '* ]] || fail "$stderr"
}

@test "what takes long in bash says every 30 s what it is, how far and for how long, unless it is quiet" {
    cat >"$BATS_TEST_TMPDIR/long" <<'END'
script=long
. "$2/scripts/held.sh"
tells=$1
# Each second of it is twenty.
sleep() { SECONDS=$((SECONDS + 20)) && command sleep 0.05; }
how_far() { echo "3 of 4 files"; }
with_progress building how_far bash -c 'sleep 1; exit 3'
END
    run bash "$BATS_TEST_TMPDIR/long" yes "$ALIDADE_SOURCE"
    [[ $status -eq 3 && ${lines[0]} =~ ^building:\ 3\ of\ 4\ files\ after\ 4[0-9]\ s$ && ${lines[1]} =~ \ 6[0-9]\ s$ ]] || fail "$output"
    run bash "$BATS_TEST_TMPDIR/long" no "$ALIDADE_SOURCE"
    [[ $status -eq 3 && -z $output ]] || fail "$output"
}

# made_up_tree: with two MPIs. The build with the second waits for tests with the first, which wait for that build in turn;
# each build takes SLOW s.
made_up_tree() {
    local name
    mkdir -p tree/{scripts,mpi,c,tests,bin,build/python-tools/bin}
    cp "$ALIDADE_SOURCE"/scripts/{check,common.sh,held.sh} tree/scripts
    touch tree/configure.ac tree/build/python-tools/bin/vermin
    echo '@test "one" {' >tree/tests/one.bats
    for name in mpicc.openmpi mpicc.mpich apt-get dnf sudo; do printf '#!/bin/sh\necho yes_it_is\n' >"tree/bin/$name"; done
    cat >tree/scripts/fetch-mpi <<'END'
#!/bin/sh
case $1 in *==1) echo "there is no release 1" >&2; exit 1 ;; esac
echo /fails
END
    cat >tree/configure <<'END'
#!/bin/sh
case $* in *fails*) exit 1 ;; esac
cp ../../tests/Makefile .
END
    cat >tree/tests/Makefile <<'END'
await = for i in $$(seq 300); do [ ! -e $(1) ] || break; sleep 0.1; done; cat $(1)
all:
	@case $(CURDIR) in */mpich) $(call await,../openmpi/tests) ;; esac && echo >made && sleep $${SLOW:-0}
check-mpi:
	@echo >tests; $(call await,../mpich/made) && echo '# PASS: 3'
check:
	@echo '# PASS: 2' && echo 'ERROR: of the loader of libraries'
distcheck:
	@tar -czf alidade-0.1.tar.gz Makefile && echo '# PASS: 4' && echo '# SKIP: 5'
list-%:
	@echo tests/one.bats
END
    chmod +x tree/bin/* tree/configure tree/scripts/fetch-mpi
    unset ALIDADE_BUILDS
    export PATH=$PWD/tree/bin:$PATH
}

@test "check: the build with the next MPI goes on while tests run; what fails or cannot be had is counted; interrupted, all ends" {
    made_up_tree
    run_to_files tree/scripts/check --mpi=pypi:mpich==1,pypi:mpich==2 --short --tarball
    [[ $status -eq 1 && $stdout == *"SKIP: pypi:mpich==1: there is no release 1"*$'\n9 passed, 1 failed, 6 skipped' &&
        $stderr == *"check: configure failed; see "*/tree/build/check-mpich-2/configure.out* ]] || fail "another outcome"
    rm -r tree/build/{openmpi,mpich}
    SLOW=97.$$ interrupt '[[ -e tree/build/openmpi/made ]]' "$PWD/tree/scripts/check"
    for _ in {1..50}; do
        [[ -n $(pgrep -f "$PWD/tree/scripts/check|^sleep 97[.]$$") ]] || return 0
        sleep 0.1
    done
    fail "it goes on"
}
