#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# repeat: one table of several runs, made up and real, and who reads what it writes.  What is said
# of runs in two groups, or far apart, is in answers/repeat-groups.txt.
# shellcheck disable=SC2016,SC2034,SC2154  # variables shared with common.bash

load common
load made_up

setup() {
    need_build
}

# repeat ARGUMENT...: runs of what looks like a build.  (No launcher adds to its output.)
repeat() {
    [[ -d fake ]] || pretend
    run_to_files "$ALIDADE_SOURCE/scripts/repeat" --build fake --launcher env "$@"
}

# The n-th run of the program in fake/ prints sizes 8 and 16 and takes the n-th number in
# the file takes for 8 bytes, its double for 16; "fail", "hang" and "empty" do that.  It
# counts its runs in the file ran.
pretend() {
    mkdir -p fake/mpi/pt2pt
    cp "$ALIDADE_BUILD/environment.sh" fake/
    {
        printf '#!/usr/bin/env bash\ncd %q\n' "$PWD"
        declare -f read_options
        cat <<'END'
[[ $* != *--help* ]] || exec echo "Usage: latency"
read_options "$@"
echo run >>ran
mapfile -t ran <ran
mapfile -t takes <takes
time=${takes[${#ran[@]} - 1]} path=same-numa
[ ! -e path ] || path=$(<path)
case $time in
fail)
    echo "alidade: error E07: latency: no luck" >&2
    exit 2
    ;;
hang) exec sleep 60 ;;
empty) exit 0 ;;
cannot)
    echo "alidade: error E02: latency: wrong number of ranks" >&2
    exit 77
    ;;
usage)
    echo "alidade: error E12: latency: -m 'x' is not a size" >&2
    exit 1
    ;;
esac
echo "# alidade: warning W08: latency: more processes than CPUs" >&2
echo "# Alidade 0.1: ranks=2; nodes=1; path=same-numa; mem=H-H; bound=core; mpi=Some-1;"
printf '\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)        Validation\n'
row() {
    printf '%-10s%18.2f%18s\n' "$1" "$2" Pass >&3
    printf '{"benchmark":"latency","ranks":2,"bytes":%d,"datatype":"MPI_CHAR","window":1,"value":%s,"unit":"us","verified":"pass","over_ranks":{"mean_us":%s},"over_iterations":{"median_us":%s}}' \
        "$1" "$2" "$2" "$3"
}
read -r half double triple < <(awk -v t="$time" 'BEGIN { printf "%.6f %.6f %.6f\n", 1.5 * t, 2 * t, 3 * t }')
{
    echo '{"suite":"Alidade","schema":2,"benchmark":"latency","method":{"title":"OSU MPI Latency Test","start":"dissemination","verified":true},'
    printf '"environment":{"mpi":"Some-1","path":"%s","ranks":2,"bound":"core"},"rows":[%s,' "$path" "$(row 8 "$half" "$time")"
    printf '%s],"exit":{"code":0}}\n' "$(row 16 "$triple" "$double")"
} 3>&1 >"$file"
echo "# a line after the table"
END
    } >fake/mpi/pt2pt/latency
    chmod +x fake/mpi/pt2pt/latency
    rm -f ran
}

# Eight times about 1 us, 0.2 % apart.
eight() { awk 'BEGIN { for (i = 1; i <= 8; i++) printf "%.6f\n", 1 + (i * 5 % 8 - 3.5) / 500 }'; }

launched() { wc -l <ran 2>/dev/null || echo 0; }

@test "one OSU table: the title of the first run, medians over runs, five columns; nothing after" {
    eight >takes
    repeat --results r latency -m 8:16
    expect_status 0
    diff - "$out" <<'END'
# Repeat: runs=8; failed=0; interval=95%-next-run; widest=1.3%; wanted=5%; stop=precision;
# For a paper: print Median, with Next Low to Next High as its error bar;

# OSU MPI Latency Test v7.4

# MPI_CHAR ranks=2
# Size             Value(us)        Median(us)      Next Low(us)     Next High(us)         Spread(%)              Runs
8                       1.50            1.0000            0.9868            1.0134              0.49                 8
16                      3.00            2.0000            1.9735            2.0268              0.49                 8
END
    # What OMB's readers do: rows begin with a digit, and the second field is the figure.
    [[ $(awk '/^[0-9]/ { print $1 "=" $2 }' "$out") == $'8=1.50\n16=3.00' ]]
    # The first run's warnings; no progress in a pipe.
    [[ $stderr == "# alidade: warning W08: latency: more processes than CPUs" ]] || fail "stderr"
    # The tool prints the same of what is there, whatever the order.
    cp "$out" table
    run_to_files "${judge[@]}" repeat --precision 5% --stop precision r/latency-{3,1,2,4,5,8,7,6}.json
    expect_status 0
    diff table "$out"
    # A value that cannot be right does not count; where there is no other, the row is empty.
    sed -i '2s/"verified":"pass"/"suspect":["too fast"],&/2' r/latency-2.json
    sed -i '2s/"verified":"pass"/"suspect":["too fast"],&/' r/*.json
    run_to_files "${judge[@]}" repeat r
    expect_status 0
    grep -Eq '^8( +-){5} +0$' "$out" && grep -Eq '^16 +3\.00 .* 7$' "$out" || fail "suspect values count"
}

@test "runs go on until the interval is narrow, or the time is over; fewer than five have none" {
    # One of eight is another, so that eight are not enough.
    { echo 1.05 && for i in {1..30}; do echo "1.000$((i % 7))"; done; } >takes
    limit=600
    repeat --results wide --precision 4.0% --time 590 latency
    expect_status 0
    [[ $(launched) -gt 8 && $(launched) -lt 31 ]] || fail "runs: $(launched)"
    expect_out "stop=precision;"
    widest=$(sed -n 's/.*widest=\([0-9.]*\)%.*/\1/p' "$out")
    awk -v w="$widest" 'BEGIN { exit !(w <= 4) }' || fail "widest $widest"
    # No time for more than the least.
    rm ran
    repeat --results few --precision 0.1 --time 0 --runs 4 latency
    expect_status 0
    [[ $(launched) -eq 4 ]] || fail "runs: $(launched)"
    expect_out "# Repeat: runs=4; failed=0; interval=95%-next-run; wanted=0.1%; stop=runs;"
    grep -Eq '^8 +[0-9.]+ +[0-9.]+ +- +- +[0-9.]+ +4$' "$out" || fail "an interval of four runs"
    # With more runs it goes on where it was.
    repeat --results few --precision 0.1 --time 0 --runs 6 latency
    expect_status 0
    [[ $(launched) -eq 6 ]] || fail "runs: $(launched)"
    expect_out "# Repeat: runs=6;"
    # Runs that are there are all taken, those behind a gap, too.
    repeat --results few --precision 50 --time 0 --runs 5 latency
    expect_status 0
    [[ $(launched) -eq 6 ]] || fail "runs: $(launched)"
    expect_out "# Repeat: runs=6;"
    rm few/latency-4.json
    repeat --results few --precision 50 --time 0 --runs 2 latency
    expect_status 0
    [[ $(launched) -eq 6 ]] || fail "runs: $(launched)"
    expect_out "# Repeat: runs=5;"
    repeat --results few latency -m 8:8
    expect_status 1
    expect_err "has results of another command"
    # A number that is given is a limit.  Two groups stay two, however many runs there are.
    rm ran
    repeat --results three --precision 0.1 --runs 3 latency
    [[ $(launched) -eq 3 ]] || fail "runs: $(launched)"
    expect_out "# Repeat: runs=3; failed=0; interval=95%-next-run; wanted=0.1%; stop=runs;"
    for i in {1..20}; do echo "$((i % 2 + 1)).00$((i % 7))"; done >takes
    rm ran
    repeat --results two latency
    expect_status 0
    [[ $(launched) -eq 8 ]] || fail "runs: $(launched)"
    expect_out "wanted=5%; stop=groups;"
    expect_out "# Groups: probably=what changes from start to start: memory, connections, or other work;"
}

@test "the JSON document is as doc/repeat.schema.json has it, and the table is made of it again" {
    [[ $python3 != none ]] || skip "there is no python3"
    eight >takes
    echo fail >>takes
    repeat --results r --json r.json --runs 9 latency
    expect_status 1
    cp "$out" table
    # What was wanted, and why it ended, is known later, too: of the file, and of the folder.
    repeat r.json
    expect_status 0
    diff table "$out"
    repeat r
    [[ ${stdout%%$'\n'*} == "$(head -n 1 table)" ]] || fail "another first line"
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    json=r.json
    check "$ALIDADE_SOURCE/doc/repeat.schema.json" <<'END'
import jsonschema
schema = json.load(open(sys.argv[2]))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
assert not [error.message for error in kind(schema).iter_errors(d)]
assert d["failed"][0]["run"] == 9 and "no luck" in d["failed"][0]["reason"], d["failed"]
d["rows"][0]["runs"] = "many"
assert list(kind(schema).iter_errors(d))
END
}

@test "report and accept read the file: a run in it is a run" {
    eight >takes
    repeat --results r --json old.json latency
    expect_status 0
    awk '{ print $1 * 1.2 }' takes >slower
    mv slower takes
    rm ran
    repeat --results s --json new.json latency
    expect_status 0
    ours() { run_to_files "$ALIDADE_SOURCE/scripts/$1" "${@:2}"; }
    # So does compare: answers/compare-files.txt.
    cases <<'END'
| ours report --output page.html ../old.json ../new.json | 0 | @page.html slower in latency (20% longer)
| ours accept --learn ../limits.json ../old.json | 0 | @../limits.json "runs": 8
| ours accept ../limits.json ../r | 0 |
| ours accept ../limits.json ../new.json | 2 | $ expect_out FAIL
END
}

@test "a run that fails is named, and the others keep their results; exit 1" {
    { eight | head -n 2; echo fail; eight | tail -n 5; echo empty; echo hang; eight; } >takes
    repeat --results r --runs 10 --limit 2 --time 0 latency
    expect_status 1
    expect_err "repeat: run 3 failed: no luck (E07)"
    expect_err "repeat: run 9 failed: it wrote no results"
    expect_err "repeat: run 10 failed: it took more than 2 s (--limit)"
    expect_err "repeat: 3 of 10 runs failed; their output is in r"
    expect_out "# Repeat: runs=7; failed=3;"
    grep -Eq '^8 .* 7$' "$out" || fail "no row of seven runs"
    # A folder with a failed run is still one of results.
    run_to_files "${judge[@]}" repeat r
    expect_status 0
    expect_out "# Repeat: runs=7;"
}

@test "three failures in a row end it, and what cannot run ends at once" {
    { eight | head -n 5; printf '%s\n' fail fail fail; eight; } >takes
    repeat --results r latency
    expect_status 1
    [[ $(launched) -eq 8 ]] || fail "runs: $(launched)"
    expect_out "stop=failed;"
    for word in cannot usage fail; do
        rm -rf ran
        printf '%s\n' $word $word $word $word >takes
        repeat --results "$word" latency
        expect_no_out
        case $word in
        cannot) expect_status 77 && [[ $(launched) -eq 1 ]] ;;
        usage) expect_status 1 && [[ $(launched) -eq 1 ]] ;;
        fail) expect_status 1 && [[ $(launched) -eq 3 && $stderr == *"repeat: no run succeeded; the output of each is in fail" ]] ;;
        esac || fail "$word: runs: $(launched)"
    done
}

@test "what makes no sense is one sentence, and nothing runs" {
    local words
    pretend
    while IFS='|' read -r words sentence; do
        echo "$words"
        # shellcheck disable=SC2086  # several words
        repeat $words
        expect_status 1
        expect_no_out
        [[ $(wc -l <"$err") -eq 1 && $stderr == "repeat: $sentence" ]] || fail "another sentence than '$sentence'"
        [[ ! -e ran ]] || fail "it ran"
    done <<'END'
--runs 18446744073709551617 latency|--runs '18446744073709551617' is not a number of runs from 1 to 999999999
--precision 0 latency|--precision '0' is not a percentage above 0
--time 18446744073709551617 latency|--time '18446744073709551617' is not a number of seconds from 0 to 999999999, nor a time such as 10m
-m 8:8 latency|unknown option -m; options of the program follow its name
nothing|'nothing' is not a program of fake; scripts/run-suite --list names them
--runs 3|no program is named, for example latency; see --help
latency --json x|--json is an option of repeat: name it before latency
latency --runs 5|--runs is an option of repeat: name it before latency
latency -m 8 --time=5|--time is an option of repeat: name it before latency
latency --ranks 4|--ranks is an option of repeat: name it before latency
latency --launcher srun|--launcher is an option of repeat: name it before latency
latency --build b|--build is an option of repeat: name it before latency
latency --limit 5|--limit is an option of repeat: name it before latency
latency --results r|--results is an option of repeat: name it before latency
latency --allow x|--allow is an option of repeat: name it before latency
--ranks 4 latency|--ranks 4 has no effect: the launcher 'env' lacks {n}, which stands for the number of ranks
--results fake/environment.sh latency|cannot create 'fake/environment.sh': File exists
END
    # Options that a program has too are its own.
    cases <<'END'
| repeat --allow path latency | 1 | ~ ^repeat: --allow 'path' is no field && $ [[ ! -e ran ]]
| repeat latency --ranks 4 --dry-run | 0 |
eight >takes | repeat --runs 1 --time 0 --results r latency --precision 3 | 0 |
| repeat latency --help | 0 | $ [[ $stdout == "Usage: latency" ]] && $ [[ ! -e ran ]] && $ [[ -z $(find . -name 'repeat-*') ]]
| run_to_files "$ALIDADE_SOURCE/scripts/repeat" --build /nowhere latency | 1 | = repeat: there are no programs in '/nowhere/mpi'; scripts/quickstart builds them
END
}

@test "runs of different things are refused, or allowed to differ" {
    { eight; eight; } >takes
    repeat --results r --runs 5 --time 0 latency
    expect_status 0
    echo inter-node >path
    repeat --results r --runs 6 --time 0 latency
    expect_status 1
    [[ $stderr == *"repeat: r/latency-1.json and r/latency-6.json were measured under different conditions: environment.path is \"same-numa\" / \"inter-node\"; to permit it, add --allow environment.path" ]] || fail "another sentence"
    repeat --results r --runs 6 --time 0 --allow environment.path latency
    expect_status 0
    expect_out "# Repeat: runs=6;"
}

@test "progress and the time to go are shown on a terminal only" {
    eight >takes
    pretend
    script --version >/dev/null 2>&1 || skip "there is no script, which makes a terminal"
    script -qec "$ALIDADE_SOURCE/scripts/repeat --build fake --launcher env --results r latency" /dev/null >terminal </dev/null
    grep -q 'run 1 of 8: latency' terminal && grep -Eq 'run 8 of 8: latency; about [0-9]+ s to go' terminal || fail "$(<terminal)"
}

@test "an interrupted script prints what it has and says how to go on; each 30 s how far it is, but with --quiet" {
    local at_seven='[[ $(launched) -ge 7 ]] && kill -ALRM "$pid" && sleep 0.5'
    { eight | head -n 6; echo hang; } >takes
    pretend
    interrupt "$at_seven" "$ALIDADE_SOURCE/scripts/repeat" -q --build fake --launcher env --results q latency
    [[ $(grep -v '^$' e) == "repeat: interrupted; finished runs are kept; "* ]] || fail "not quiet: $(<e)"
    pretend
    interrupt "$at_seven" "$ALIDADE_SOURCE/scripts/repeat" --build fake --launcher env --results r latency
    grep -Eq '^repeat: run 7 of 8: latency; about [0-9]+ s to go$' e || fail "no progress: $(<e)"
    grep -q -- "to continue, repeat the command with --results r" e
    grep -q "# Repeat: runs=6; failed=0; .* stop=interrupted;" o || fail "$(<o)"
}

@test "real runs: tables of every form have a row for each of the program's" {
    local name limit=200 rows
    for name in latency barrier put_latency comm_create is init; do
        options=(--time 0 --runs 2 --results "r-$name")
        case $name in
        latency) words=(-m 8:16 -i 20 -x 2 -T "mpi_char,mpi_int") rows=4 ;;
        comm_create) words=(-i 5 -x 1) rows=4 ;;
        is) words=(--class S) rows=1 ;;
        init) words=() rows=1 ;;
        put_latency) words=(-m 8:16 -i 20 -x 2) rows=2 ;;
        *) words=(-i 20 -x 2) rows=1 ;;
        esac
        run_to_files "$ALIDADE_SOURCE/scripts/repeat" --build "$ALIDADE_BUILD" \
            "${options[@]}" --launcher "$mpirun -n {n}" "$name" "${words[@]}"
        expect_status 0
        [[ $(grep -Ec '^[^#].* - +- +[0-9.]+ +2$' "$out") -eq $rows ]] || fail "$name: not $rows rows"
        grep -Eq '^#.*\((us|s)\) +Median\((us|s)\) +Next Low\((us|s)\) +Next High\((us|s)\) +Spread\(%\) +Runs$' "$out" || fail "$name: no heading"
        [[ $name == init ]] || grep -Eq '^# (OSU MPI.* v7\.4|NAS .*|MPI.* Test)$' "$out" || fail "$name: no title"
        # Nothing but rows after the first row, but sections.
        [[ $(tail -n 1 "$out") != "#"* ]] || fail "$name: a line after the table"
    done
}
