#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# compare and report: launches with planted delays, and what answers/*.txt do not have to the last byte.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common
load made_up

judge() { run_to_files "${judge[@]}" compare "$@"; }
report() { run_to_files "${judge[@]}" report "$@"; }
compare() {
    local limit=300
    need_build
    run_to_files "$ALIDADE_SOURCE/scripts/compare" "$@"
}

# --- Verdicts ------------------------------------------------------------------------

# What is said of classes, rows, places, gates, doubts and files is in answers/compare*.txt, to the last byte.
@test "versions that differ and rows between others are named; a benchmark without rows fails the gate" {
    aged() { # aged [FILE...]: of version 0.1, these of 9.9.
        both 1 -- 1 && edit 's/"schema":2/"schema":2,"version":"0.1"/' */*.json
        [[ $# -eq 0 ]] || edit 's/"0.1"/"9.9"/' "$@"
    }
    bw() { both 1 2 -- 1 2 && eight old/bw 1 2 && eight new/bw 3 6 && edit 's/"latency"/"bw"/g; s/"rows":.*,"exit"/"rows":[],"exit"/' */bw/*; }
    cases <<'END'
both 1 1 1 1 1 1 -- 1 1.2 1 1.2 0.8 0.8 | judge old new | 0 | Neither wins: it depends on the size. latency: old from 16B to 64B in 2 of 3 rows, new from 128B.
aged | judge old new | 0 | ! version of Alidade
aged new/5.json | judge --json c.json old new | 0 | # the runs of new differ: version of Alidade: "0.1" / "9.9" in 1 of 8 runs, first new/5.json && @c.json differ: version of Alidade
aged new/{1..8}.json | judge --json c.json old new | 0 | # differs: version of Alidade: "0.1" / "9.9" && @c.json differs: version of Alidade
bw | judge --gate --asked latency --asked bw old new | 1 | compare: not compared: bw: no run that counts has a row of it && gate: FAILED: 0 of 1 class slower, 1 other fault
END
}

@test "the JSON documents are as doc/compare.schema.json and doc/history.schema.json have them" {
    need_json
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    both 1 2 512:3 -- 1.2 2 512:3
    mark '<b>' 16 {1..8}
    judge --json c.json old new third=old
    expect_status 0
    json=c.json
    check "$ALIDADE_SOURCE/doc/compare.schema.json" <<'END'
import jsonschema
schema = json.load(open(sys.argv[2]))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
assert not list(kind(schema).iter_errors(d)), list(kind(schema).iter_errors(d))[:3]
for wrong in {"verdict": "better"}, {"runs": [8]}, {"more": 1}:
    c = dict(d["comparisons"][0])
    c["classes"] = [dict(c["classes"][0], **wrong)]
    assert list(kind(schema).iter_errors(dict(d, comparisons=[c]))), wrong
END
    # Of a release that lacks a row, one that cannot be compared, and one of another MPI.
    eight a-3 1
    edit 's/"bound":"core"/"bound":"none"/' a-3/*.json
    run_to_files "${judge[@]}" history --json c.json --failed "a-0: latency: why" a-1=old a-2=new a-3 b-1=new
    expect_status 0
    check "$ALIDADE_SOURCE/doc/history.schema.json" "$ALIDADE_SOURCE/doc/compare.schema.json" <<'END'
import copy, jsonschema, warnings
warnings.simplefilter("ignore")
schema, compare = (json.load(open(path)) for path in sys.argv[2:])
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
found = kind(schema, resolver=jsonschema.RefResolver("", schema, {"compare.schema.json": compare}))
assert not list(found.iter_errors(d)), list(found.iter_errors(d))[:2]
assert [step["why"] is None for step in d["steps"]] == [True, False], d["steps"]
for part in (lambda d: d, lambda d: d["releases"][0], lambda d: d["rows"][0], lambda d: d["steps"][0],
             lambda d: d["steps"][0]["comparison"]["classes"][0]):
    for key in list(part(d)) + ["something"]:
        wrong = copy.deepcopy(d)
        if key == "something":
            part(wrong)[key] = 1
        else:
            del part(wrong)[key]
        assert list(found.iter_errors(wrong)), key
END
}

# --- Launching ---------------------------------------------------------------------

# pretend FOLDER: what looks like a build; its latency writes rows of the sizes of -m, of 1 us
# each.  Sizes in the file slow take 1.5 us in the folder new, and all where SLOWER is set; where NOISY is, 1 or 2 us.
pretend() {
    need_build
    mkdir -p "$1/mpi/pt2pt" "$1/tests"
    cp "$ALIDADE_BUILD/environment.sh" "$1/"
    touch slow
    {
        printf '#!/usr/bin/env bash\ncd %q\n' "$PWD"
        declare -f result
        declare -f read_options
        cat <<'END'
read_options "$@"
rows=() launch=${file##*/latency-}
[[ -n ${range-} ]] && for ((b = ${range%:*}; b <= ${range#*:}; b *= 2)); do
    time=1.00$((${launch%.*} % 7))
    { [[ $file == */new/* ]] && grep -qx "$b" slow; } || [[ -n ${SLOWER-} ]] && time=1.5$((${launch%.*} % 7))
    [[ -z ${NOISY-} ]] || time=$((1 + ${launch%.*} % 2)).00$((${launch%.*} % 7))
    rows+=("$b:$time")
done
result "$file" "${rows[@]}"
END
    } >"$1/mpi/pt2pt/latency"
    chmod +x "$1/mpi/pt2pt/latency"
}

# starter COMMANDS: a launcher of this name, which does so first; $seen is a file.
starter() {
    printf '#!/bin/sh\nseen=%q\n%s\nexec "$@"\n' "$PWD/seen" "$1" >starter
    chmod +x starter
}

@test "compare: the gate judges runs that are made once, and the page is the same" {
    pretend build
    local gate=(--gate --runs 5 --results r --junit j.xml --report page.html old="build env" new="build env" -- latency -- -m 8:1024)
    compare "${gate[@]}"
    expect_status 0
    [[ $(<j.xml) == *'tests="2" failures="0" errors="0"'* ]] || fail "$(<j.xml)"
    printf '%s\n' 512 1024 >slow
    rm -r r
    compare "${gate[@]}"
    expect_status 2
    expect_out "new is slower in latency from 512B"
    expect_out "# results: r; to add runs, repeat the command with --results r and more --runs"
    [[ $(<j.xml) == *'tests="2" failures="1" errors="0"'* && $(<page.html) == *'<td class="word slower"><abbr'* ]] || fail "$(<j.xml)"
    [[ $(find r -name '*.json' | wc -l) -eq 10 ]] || fail "more runs than asked for"
    # Without a row of the first there is a page as well.
    eight all 1 1.5 1 1 1
    rm page.html
    compare --gate --report page.html all=all less=r/old
    expect_status 1
    expect_err "missing in all runs of"
    [[ -s page.html ]] || fail "no page"
}

@test "compare: what cannot be compared is refused after the first runs, not after the last" {
    pretend build
    pretend other
    sed -i 's/^result /sed_to() { sed -i "s,\"core\",\"none\"," "$1"; }\n&/; $a sed_to "$file"' other/mpi/pt2pt/latency
    compare --gate --junit x.xml --runs 6 --results r a="build env" b="other env" -- latency -- -m 8:8
    expect_status 1
    expect_err "bound"
    expect_err "gate: FAILED: nothing is judged"
    grep -q '<error message=.*environment.bound' x.xml || fail "not in JUnit: $(<x.xml)"
    [[ $(find r -name '*.json' | wc -l) -eq 2 ]] || fail "it went on: $(find r -name '*.json')"
}

@test "compare: programs that are named choose among stored results, too; names with brackets are names" {
    pretend build
    eight stored 8:1
    eight other 8:1
    edit 's/"latency"/"bw"/' other/*
    mkdir both
    cp stored/* both
    for file in other/*; do cp "$file" "both/bw-${file##*/}"; done
    compare --gate --runs 5 --results 'c[1]' old=both new="build env" -- latency -- -m 8:8
    expect_status 0
    expect_out "1 row of 1 benchmark"
    compare old=both new=stored -- latency
    expect_status 0
    expect_out "1 row of 1 benchmark"
    compare old=both new=other -- latency
    expect_status 1
    expect_err "compare: new has no results of latency"
    run_to_files "$ALIDADE_SOURCE/scripts/report" --output page.html 'c[1]'
    expect_status 0
}

@test "compare: runs are not mixed with those of another preloaded library" {
    local library
    need_build
    need_json
    library=$(ldd "$ALIDADE_BUILD/mpi/pt2pt/latency" | awk '/libm\.so/ { print $3 }')
    [[ -f $library ]] || skip "no libm"
    cp "$library" first.so
    compare --runs 1 --results r old="$ALIDADE_BUILD" new="LD_PRELOAD=$PWD/first.so $ALIDADE_BUILD" -- latency -- -m 8:8 -i 5 -x 1
    touch -d '+1 minute' first.so
    compare --runs 2 --results r old="$ALIDADE_BUILD" new="LD_PRELOAD=$PWD/first.so $ALIDADE_BUILD" -- latency -- -m 8:8 -i 5 -x 1
    expect_status 1
    expect_err "first.so is newer than r/new/latency-1.json: name another folder with --results"
}

@test "compare: a launcher of one's own has {n} and {mpirun}, and its variants run in random order" {
    pretend build
    pretend other
    # shellcheck disable=SC2016  # expanded by the launcher
    starter 'echo "$1 $2 $3 ${OMPI_MCA_mpi_yield_when_idle-waits busily}" >>"$seen"; shift 3'
    sed -i "s,^mpirun=.*,mpirun='first'," build/environment.sh
    sed -i "s,^mpirun=.*,mpirun='second'," other/environment.sh
    unset OMPI_MCA_mpi_yield_when_idle
    # Chance does not keep one order for so long, except once in 32,000 times.
    compare --ranks 10000 --runs 16 --results r a="build $PWD/starter {mpirun} {n} {n}" \
        b="other $PWD/starter {mpirun} {n} {n}" -- latency -- -m 8:8
    expect_status 0
    [[ $(paste -d , - - <seen | sort -u) == $'first 10000 10000 waits busily,second 10000 10000 waits busily\nsecond 10000 10000 waits busily,first 10000 10000 waits busily' ]] ||
        fail "seen: $(<seen)"
}

@test "compare: what fails is left out, the rest is judged, and the exit code is 1, or 3 for wrong data" {
    local two
    pretend build
    compare --gate --runs 1 --results r --json x.json old="build env" new="build env" bad="build false" -- latency -- -m 8:8
    expect_status 1
    expect_err "compare: latency with bad failed: it exited with code 1 and printed nothing; see r/bad/latency-1.err"
    expect_out "# left out, since it failed: bad: latency: it exited with code 1 and printed nothing; see r/bad/latency-1.err"
    expect_out "# new (1 run) compared with the baseline old (1 run)"
    expect_out "# results: r; to try again what failed, repeat the command with --results r"
    grep -qF '"bad: latency: it exited' x.json || fail "not in JSON"
    # Of two variants nothing is left, and the files say why, whether the baseline has run or not.
    for order in cat tac; do
        rm -rf r3 x.json x.xml
        mkdir -p bin
        ln -sf "$(command -v $order)" bin/shuf
        PATH=$PWD/bin:$PATH compare --gate --junit x.xml --json x.json --report x.html --runs 3 --results r3 old="build env" bad="build false" -- latency -- -m 8:8
        expect_status 1
        expect_err "compare: nothing is left to compare"
        expect_err "compare: the page x.html was not written"
        [[ ! -e r3/old/latency-2.json ]] || fail "the baseline went on alone"
        grep -qF 'name="bad: latency"><error message="bad: latency: it exited with code 1 and printed nothing; see r3/bad/latency-1.err"/>' x.xml || fail "not in JUnit: $(<x.xml)"
        grep -qF '"bad: latency: it exited' x.json || fail "not in JSON"
    done
    # So it is with the baseline, without which nothing is compared.
    rm -rf r3 x.json x.xml
    compare --gate --junit x.xml --json x.json --time 9 --runs 2 --results r3 old="build false" new="build env" third="build env" -- latency -- -m 8:8
    expect_status 1
    grep -qF 'name="old: latency"><error message="old: latency: it exited with code 1 and printed nothing; see r3/old/latency-1.err"' x.xml || fail "not in JUnit: $(<x.xml)"
    grep -qF '"comparisons":[]' <(tr -d ' \n' <x.json) || fail "compared: $(<x.json)"
    # One program fails: the other is judged.
    sed 's/latency/bw/g' build/mpi/pt2pt/latency >build/mpi/pt2pt/bw
    chmod +x build/mpi/pt2pt/bw
    # shellcheck disable=SC2016  # expanded by the launcher
    starter '[ "${1##*/}" != bw ] || exit 3'
    two=(--runs 5 --results r4 --json x.json --report x.html "old=build env" "new=build $PWD/starter" -- latency bw -- -m 8:8)
    compare "${two[@]}"
    expect_status 3
    expect_out "# left out, since it failed: new: bw: it exited with code 3 and printed nothing; see r4/new/bw-1.err"
    expect_out "new is the same in latency"
    grep -qF "left out, since it failed: new: bw" x.html || fail "not on the page"
    [[ -e r4/new/latency-5.json && ! -e r4/old/bw-2.json ]] || fail "other runs: $(find r4)"
    # Once it is repaired, the same command makes what is missing.
    starter 'echo "object cannot be preloaded: ignored" >&2'
    compare "${two[@]}"
    expect_status 0
    expect_out "new is the same in bw, latency"
    expect_out "# new: build $PWD/starter"
    expect_out "# new: 5 runs also printed: object cannot be preloaded: ignored; see r4/new/bw-1.err"
    expect_out "# results: r4; to add runs, repeat the command with --results r4 and more --runs"
    grep -qF '"new: 5 runs also printed' x.json || fail "not in JSON"
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o again.html r4
    grep -qF "new: build $PWD/starter" x.html && grep -qF "new: build $PWD/starter" again.html || fail "the page does not say what it is"
    # A command that failed leaves no result, so its folder is free for another.
    compare --runs 2 --results free old="build false" new="build false" -- latency
    expect_status 1
    compare --runs 2 --results free old="build env" new="build env" -- latency -- -m 8:8
    expect_status 0
    expect_err "compare: 2 runs of each variant may decide nothing: at least 5 are needed for up to 4 size classes"
    compare --runs 1 --results free old="build env" new="build env" -- latency -- -m 8:8
    expect_status 0
    expect_err "== latency: 2 runs of each program with each of 2 variants"
    compare --runs 2 --results free old="build env" new="build env" -- latency -- -m 16:16
    expect_status 1
    expect_err "free has results of another command"
}

@test "compare: interrupted, it prints the table of the runs that there are" {
    need_build
    need_json
    # Of two variants three runs each; the last does not end.
    cat >slow <<'END'
#!/bin/sh
echo >>launches
[ "$(wc -l <launches)" -lt 6 ] || { touch hangs; exec sleep 600; }
exec "$@"
END
    chmod +x slow
    interrupt '[[ -e hangs ]]' "$ALIDADE_SOURCE/scripts/compare" --runs 3 --results r "a=$ALIDADE_BUILD ./slow {mpirun} -n {n}" \
        "b=$ALIDADE_BUILD ./slow {mpirun} -n {n}" -- latency -- -m 8:8
    grep -Eq '^latency +to 256B +1 +[0-9.]+ ' o || fail "no table: $(<o) $(<e)"
    grep -q 'compare: interrupted; finished runs are kept' e || fail "$(<e)"
}

@test "compare: --time looks after N launches, 2 N, 4 N, each time at half the level" {
    pretend build
    local of=(--runs 4 old="build env" new="build env" -- latency -- -m 8:8) launches level verdict
    # 1 us and 1.5 us: with four launches p is 0.029 at best, 5 % but not 2.5 %.
    echo 8 >slow
    compare --time 100 --results r "${of[@]}"
    expect_status 0
    expect_out "# new (8 runs) compared with the baseline old (8 runs): 1 row of 1 benchmark; margin 3%; significance level 1.25%, as one of several interim analyses"
    expect_out "new is slower in latency"
    # Two groups stay two, however many launches there are.
    NOISY=1 compare --time 100 --results groups --runs 8 "${of[@]:2}"
    expect_out "# new (8 runs) compared with the baseline old (8 runs): 1 row of 1 benchmark; margin 3%; significance level 2.5%,"
    expect_out "undecided (two groups of runs)"
    # Time is up: the last look has a level of its own.  More runs are one more look, the same
    # runs are none.
    while read -r launches level verdict; do
        compare --time 0 --results r0 --runs "$launches" "${of[@]:2}"
        expect_status 0
        expect_out "($launches runs): 1 row of 1 benchmark; margin 3%; significance level $level%,"
        expect_out "$verdict latency"
    done <<<$'4 2.5 Not decided:\n5 1.25 new is slower in\n5 1.25 new is slower in\n6 0.625 new is slower in'
}

@test "compare: the same command goes on, another does not; stored results are compared without runs" {
    pretend build
    again() { compare --runs "$1" --results r old="build env" new="build env SLOWER=1" -- latency -- -m 8:16; }
    again 5
    expect_status 0
    [[ $stderr != *"may decide nothing"* ]] || fail "five are enough for four classes"
    [[ $stdout != *W40* ]] || fail "W40 of no run"
    foreign_load r/new/latency-5.json
    again 5
    expect_out "# new: Other processes used the CPUs of ranks (W40) in 1 of 5 runs: intervals may be wide, and values too high."
    [[ $stdout != *"old: Other"* ]] || fail "W40 of the other"
    # The runs alone say it, too.
    compare old=r/old new=r/new
    expect_out "# new: Other processes used the CPUs of ranks (W40) in 1 of 5 runs"
    expect_out "# new (5 runs) compared with the baseline old (5 runs)"
    expect_out "new is slower in latency ("
    again 6
    expect_status 0
    expect_out "# new (6 runs) compared with the baseline old (6 runs)"
    again 6
    expect_status 0
    expect_err "nothing was started: all runs are in r"
    # Nor with what was built or installed since.
    touch -d 2000-01-01 r/new/latency-3.json
    again 7
    expect_status 1
    expect_err "build/mpi/pt2pt/latency is newer than r/new/latency-3.json: name another folder with --results"
    # Against results that are there.
    compare --runs 2 --results other old=r/new new="build env" -- latency -- -m 8:16
    expect_status 0
    expect_out "# new (2 runs) compared with the baseline old (6 runs)"
    compare r/old r/new
    expect_status 0
    expect_out "# new (6 runs) compared with the baseline old (6 runs)"
}

@test "compare: without subjects, the MPIs of this machine; builds that are there are taken" {
    need_build
    local flavour flavours=0
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    for flavour in openmpi mpich; do
        mkdir -p "$ALIDADE_BUILDS/$flavour/mpi/pt2pt" "$ALIDADE_BUILDS/$flavour/tests"
        cp "$(program latency)" "$ALIDADE_BUILDS/$flavour/mpi/pt2pt/"
        cp "$ALIDADE_BUILD/environment.sh" "$ALIDADE_BUILDS/$flavour/"
        # shellcheck source=/dev/null
        [[ -z $(. "$ALIDADE_SOURCE/scripts/common.sh" && compiler_of "$flavour") ]] || flavours=$((flavours + 1))
    done
    [[ $flavours -eq 2 ]] || skip "there is one MPI on this machine"
    compare --runs 2 --results results -- latency -- -m 8:8 -i 50 -x 5
    expect_status 0
    expect_out "# mpich (2 runs) compared with the baseline openmpi (2 runs)"
    # The folder that it leaves is what report takes.
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html results
    expect_status 0
    [[ $stdout == "# page: page.html" ]] || fail "not said where"
    run_to_files "$ALIDADE_SOURCE/scripts/report" --output missing/page.html results
    expect_status 1
    [[ $stderr == "report: cannot write to 'missing/page.html': No such file or directory" ]] || fail "the file is not named"
    grep -Eq '<p class="answer">(mpich is|Not decided:|Neither wins:) ' page.html && grep -q '<h2>latency' page.html || fail "not of both"
}

@test "compare: what cannot be compared or launched is said in one sentence" {
    local b=$ALIDADE_BUILD begun=$SECONDS
    # hangs COMMANDS: a launcher that does so, and both variants have it.
    hangs() {
        printf '#!/bin/sh\n%s\n' "$1" >hangs
        chmod +x hangs
        two=("a=$b $PWD/hangs" "b=$b $PWD/hangs" -- latency)
    }
    cases <<'END'
: | compare a=/nowhere b=/nowhere | 1 | = compare: '/nowhere' of variant a does not exist
echo x >file | compare a=file b=$b -- latency | 1 | = compare: 'file' of variant a is no result file
: | compare a=$b b=$b latency | 1 | 'latency' of variant latency does not exist; programs follow --
: | compare a=$b .again=$b -- latency | 1 | a variant cannot be called '.again': name it, as NAME=
: | compare a=$b ..=$b -- latency | 1 | a variant cannot be called '..'
: | compare a=$b b=$b -- nothing | 1 | 'nothing' is not a program of
: | compare a=$b new="$b --mca x 1" -- latency | 1 | a launcher begins with its command, for example: {mpirun} -n {n} --mca x 1
: | compare --ranks 4 old="$b /bin/true" new="$b" -- latency | 1 | = compare: --ranks 4 has no effect: the launcher '/bin/true' lacks {n}, which stands for the number of ranks
: | compare --results r a=$b b=$b -- latency -- --no-such-option | 1 | ~ ^compare: latency with .* failed: .*; see r/[ab]/latency-1.err
hangs 'exec sleep 100' | compare --limit 1 --results r "${two[@]}" | 1 | failed: it took more than 1 s (--limit)
hangs 'echo so far; exec sleep 100' | compare --limit 1 --results r "${two[@]}"; cat r/?/*.out r/?/*.err >>"$out"; stdout=$(<"$out") | 1 | so far && it took more than 1 s (--limit)
hangs 'echo so far >&2; kill -9 $$' | compare --limit 100 --results r "${two[@]}" | 1 | failed: it was killed (137): so far
hangs 'exit 9' | compare --results r "${two[@]}" | 1 | failed: it exited with code 9 and printed nothing
hangs 'echo "[n3:05393] pml_ob1.c:703] invalid bml" >&2; exit 9' | compare --results r "${two[@]}" | 1 | failed: [n3:05393] pml_ob1.c:703] invalid bml; see r/
hangs 'exit 0' | compare --results r "${two[@]}" | 1 | failed: it wrote no results
END
    [[ $((SECONDS - begun)) -lt 90 ]] || fail "it was not ended"
}

@test "compare: a build for one prefix is not taken for another" {
    local prefix
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    for prefix in one/mpi other/mpi; do
        mkdir -p "$prefix/bin"
        touch "$prefix/bin/mpicc" "$prefix/bin/mpirun"
        chmod +x "$prefix/bin/mpicc"
    done
    pretend builds/compare-mpi
    sed -i "s|^mpirun=.*|mpirun='$PWD/one/mpi/bin/mpirun'|" builds/compare-mpi/environment.sh
    pretend build
    compare --runs 1 --results r old="build env" "mpi=$PWD/one/mpi env" -- latency -- -m 8:8
    expect_status 0
    compare --runs 1 --results r2 old="build env" "mpi=$PWD/other/mpi env" -- latency -- -m 8:8
    expect_status 1
    [[ $stderr == "compare: $ALIDADE_BUILDS/compare-mpi is a build for the MPI of $PWD/one/mpi/bin/mpirun, not for that in $PWD/other/mpi: give the variant another name, or remove the folder" ]] ||
        fail "other words"
    # Nor is one that was configured and not made.
    rm builds/compare-mpi/mpi/pt2pt/latency
    compare --runs 1 --results r2 old="build env" "mpi=$PWD/other/mpi env" -- latency -- -m 8:8
    expect_status 1
    expect_err "give the variant another name"
}

# --- The page --------------------------------------------------------------------------

# What is in it is in answers/report*.txt.
@test "report: the page needs nothing from outside, and its table is Markdown as well" {
    both 1 2 512:3 -- 1.2 2 512:3
    report -o page.html --title "A & B" --markdown m.md old new
    expect_status 0
    grep -qF '<title>A &amp; B</title>' page.html || fail "the title"
    grep -qF '| slower (1 of its rows: ratio 1.2) |' m.md || fail "no Markdown"
    # A link to take a chart away has the file itself.
    ! sed 's/href="data:/href="#/g' page.html | grep -Eiq '<script|<link|<img|@import|url\(|(src|href)="[^#]' ||
        fail "something from outside"
    grep -o '<a download="latency.svg" href="data:image/svg+xml;charset=utf-8,[^"]*' page.html | sed 's/.*utf-8,//' |
        "$python3" -c 'import sys, urllib.parse; sys.stdout.write(urllib.parse.unquote(sys.stdin.read().rstrip("\n")))' >link.svg
    report --figure figure.svg old new
    cmp link.svg figure.svg || fail "the link has another figure"
}

@test "report: the figure of a paper as PDF and PNG, or a sentence that names matplotlib" {
    both 8:1 64:2 -- 8:1.2 64:2
    local kind
    run_to_files "${judge[@]:0:${#judge[@]}-1}" -c 'import runpy, sys; sys.modules["matplotlib"] = None; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name="__main__")' \
        "${judge[-1]}" report --figure figure.pdf old new
    expect_status 1
    expect_err "report: 'figure.pdf' needs matplotlib, which "
    [[ ! -e figure.pdf ]] || fail "it was written"
    for kind in pdf png; do
        report --figure 1.$kind old new
        [[ $stderr != *" needs matplotlib, which "* ]] || skip "matplotlib is not installed: PDF and PNG were not drawn"
        expect_status 0
        report --figure 2.$kind old new
        cmp 1.$kind 2.$kind || fail "equal results make other files"
    done
    [[ $(head -c5 1.pdf) == %PDF- && $(head -c4 1.png | tail -c3) == PNG ]] || fail "they are something else"
    # 8.5 cm, in points, and fonts of type 42.
    grep -aq '/MediaBox \[ 0 0 240.9' 1.pdf && ! grep -aq '/Type3' 1.pdf || fail "size or fonts"
}

@test "scripts/report: folders of run-suite and of compare, whose first variant is the baseline" {
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    pretend builds/some
    page() { run_to_files "$ALIDADE_SOURCE/scripts/report" -opage.html --markdown page.md -m 3 "$1"; }
    suite() { result suite/latency.json 1 2 && touch suite/.asked; }
    some() { eight both/zebra 1 && eight both/ape 1.2 && printf '%s\n' "$@" >both/.variants; }
    cases <<'END'
suite | page suite | 0 | @page.html <h2>latency
suite; mkdir suite/{latency,bw}; mv suite/latency.json suite/latency/1.json; sed 's/"latency"/"bw"/' suite/latency/1.json >suite/bw/1.json | page suite | 0 | @page.html <h2>latency
some zebra ape | page both | 0 | @page.md ## ape (8 runs) compared with the baseline zebra (8 runs)
some zebra ape bee; eight both/bee 1; rm both/ape/* | page both | 0 | @page.md ## bee (8 runs) compared with the baseline zebra (8 runs) && !@page.md ape
some "old=$PWD/stored" zebra; mv both/ape stored | page both | 0 | @page.md ## zebra (8 runs) compared with the baseline old (8 runs)
some old=/nowhere zebra | page both | 1 | = report: variant old=/nowhere of both is not there any more: name all variants, as NAME=RESULTS
END
}

@test "report: in a browser all of it is there, at the width of a phone as well, light and dark" {
    local browser=
    for name in chromium chromium-browser google-chrome; do
        [[ -n $browser ]] || browser=$(command -v "$name" || true)
    done
    [[ -n $browser ]] || skip "there is no chromium"
    browse() {
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --user-data-dir="$BATS_TEST_TMPDIR/profile" "$@" 2>/dev/null
    }
    browse --dump-dom about:blank >dom && grep -q '<html>' dom || skip "chromium does not start here"
    # Four benchmarks of four size classes each, and one with a long name.
    local name
    for name in latency bw allreduce neighbor_alltoallw_persistent; do
        eight "old/$name" 8:1 512:2 16384:3 262144:4
        eight "new/$name" 8:1.2 512:2 16384:3.1 262144:4.5
        sed -i "s/\"latency\"/\"$name\"/g" {old,new}/"$name"/*.json
    done
    report -o page.html old new
    cp -r new other
    report -o three.html old new other
    report -o odd.html old new -- latency bw allreduce
    # One variant, with pairs of a host with a long name, and runs that began in one second.
    for i in 1 2 3; do
        result "one/$i.json" "1.0$i" 2
        pairs "one/$i.json" matrix_us '' null,1.00,1.01 1.02,null,null 1.01,1.00,null
        edit "s/\"suite\"/\"started\":\"2026-01-31T23:59:07Z\",&/; s/b<1>/$(printf 'x%.0s' {1..90})/" "one/$i.json"
    done
    report -o one.html one
    run_to_files "${judge[@]}" examine --output summary.html one
    # A browser's window may be wider than a phone, so pages are in frames.  All are asked at
    # once: is there nothing to scroll sideways, nothing empty, no row of charts half empty, no word without
    # its meaning?
    # Are the sentence, the table of classes and curves on the first screen?
    local page size asked
    for page in page three one summary odd; do
        for size in 390,844 1280,800; do
            echo "<iframe src=$page.html width=${size%,*} height=${size#*,}></iframe>"
        done
    done >frames.html
    cat >>frames.html <<'END'
<script>onload = () => { document.title = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, all = words => [...page.querySelectorAll(words)];
    const fits = page.documentElement.scrollWidth <= frame.contentWindow.innerWidth;
    const full = all("section").every(e => e.querySelector(".dot, td")) &&
        all("figure").every(e => e.querySelector(".dot, td")) &&
        all(".beside").every(e => {
            const charts = [...e.querySelectorAll(":scope > figure:not(.table)")];
            return charts.length < 2 || charts.pop().getBoundingClientRect().right > e.getBoundingClientRect().right - 120 }) &&
        all("h2").every(e => e.nextElementSibling && e.nextElementSibling.textContent.trim());
    const first = [".answer", ".beside table", ".beside svg.chart"].map(words => {
        const box = page.querySelector(words)?.getBoundingClientRect();
        return box && box.width > 200 && box.bottom <= frame.height && box.right <= frame.width });
    return [fits, full, all("abbr").every(e => e.title), ...frame.src.match("page|three") ? first : [],
        ...frame.src.includes("page.html") ? [all(".beside .classes tbody tr").length, getComputedStyle(page.body).backgroundColor,
         getComputedStyle(page.querySelector("td.slower")).backgroundColor] : []].join() }).join("; ") }</script>
END
    ask() { browse --window-size=1400,900 --allow-file-access-from-files "$@" --dump-dom "file://$PWD/frames.html" | grep -o '<title>[^<]*' || true; }
    local good='true,true,true'
    local screen="$good,true,true,true,16,rgb(255, 255, 255),rgb(251, 220, 220)"
    asked=$(ask)
    local three=$good,true,true,true
    [[ $asked == "<title>$screen; $screen; $three; $three; $good; $good; $good; $good; $good; $good" ]] || fail "$asked"
    screen="$good,true,true,true,16,rgb(24, 26, 27),rgb(92, 35, 35)"
    asked=$(ask --force-dark-mode)
    [[ $asked == "<title>$screen; $screen; "* ]] || fail "in the dark: $asked"
}

# --- Revisions of an MPI -----------------------------------------------------------------

# An MPI's source of five revisions, of which the third made messages noisy and the fourth slower: its launcher is all that
# it has.
mpi_source() {
    local revision
    git init -q source
    cat >source/configure <<END
#!/bin/sh
here=\$(cd "\$(dirname "\$0")" && pwd)
prefix=\${1#--prefix=}
[ -e "\$here/mpirun" ] || exit 1
printf 'all:\n\ninstall:\n\tmkdir -p %s/bin\n\tcp %s/mpicc %s/mpirun %s/bin\n' "\$prefix" "\$here" "\$here" "\$prefix" >Makefile
END
    printf '#!/bin/sh\nexec %s "$@"\n' "$mpicc" >source/mpicc
    chmod +x source/configure source/mpicc
    for revision in 1 2 3 4 5; do
        # shellcheck disable=SC2016 # expanded by the launcher
        printf '#!/bin/sh\n# %s\nwhile [ "${1#-}" != "$1" ]; do case $1 in -n | *-bind-to) shift ;; esac; shift; done\n%s exec "$@"\n' \
            "$revision" "$([[ $revision -lt 3 ]] || { [[ $revision -eq 3 ]] && echo NOISY=1 || echo SLOWER=1; })" >source/mpirun
        chmod +x source/mpirun
        git -C source add -A
        git -C source -c user.name=n -c user.email=e commit -qm "revision $revision"
        git -C source tag "r$revision"
    done
}

# A build of Alidade for a revision, as if it had been made, with that MPI's launcher.
built_for() {
    local commit
    commit=$(git -C source rev-parse --short=12 "$1")
    pretend "$ALIDADE_BUILDS/compare-$commit"
    sed -i "s|^mpirun=.*|mpirun='$ALIDADE_BUILDS/mpi-$commit/bin/mpirun'|" "$ALIDADE_BUILDS/compare-$commit/environment.sh"
}

need_git() {
    need_build
    command -v git >/dev/null || skip "there is no git"
}

@test "build-mpi: a revision into a prefix, once; the checkout stays as it is" {
    need_git
    mpi_source
    build_mpi() { run_to_files "$ALIDADE_SOURCE/scripts/build-mpi" "$@"; }
    build_mpi source r2 two
    expect_status 0
    grep -q '^# 2$' two/bin/mpirun || fail "another revision"
    [[ $(git -C source rev-parse HEAD) == $(git -C source rev-parse r5) && -z $(git -C source status --porcelain) &&
        $(git -C source worktree list | wc -l) -eq 1 ]] || fail "the checkout is another"
    echo here >two/bin/mine
    build_mpi source r2 two
    expect_status 0
    [[ -e two/bin/mine ]] || fail "built again"
    build_mpi source r4 two
    expect_status 0
    grep -q '^# 4$' two/bin/mpirun || fail "another revision"
    build_mpi source nothing three
    expect_status 1
    [[ $stderr == "build-mpi: 'nothing' is not a revision of 'source'" ]] || fail "other words"
    # Of two at once one builds, and the other waits for it.
    local i
    mkdir slow
    printf '#!/bin/sh\necho x >>%q\nsleep 1\nexec %q "$@"\n' "$PWD/makes" "$(command -v make)" >slow/make
    chmod +x slow/make
    for i in 1 2; do PATH=$PWD/slow:$PATH "$ALIDADE_SOURCE/scripts/build-mpi" source r3 both >"both.$i" 2>&1 3>&- & done
    wait
    [[ $(wc -l <makes) -eq 2 ]] || fail "built twice: $(cat both.?)"
    grep -q '^# 3$' both/bin/mpirun || fail "it is not there: $(cat both.?)"
    mkdir -p mine/bin
    build_mpi source r2 mine
    expect_status 1
    expect_err "was not made by build-mpi"
    git -C source rm -q mpirun
    git -C source -c user.name=n -c user.email=e commit -qm broken
    build_mpi source HEAD broken
    expect_status 1
    expect_err "configure"
    [[ -s broken/build.log || $stderr == *"see $PWD/broken/build.log"* ]] || fail "no log is named"
}

@test "bisect: the commit that made an MPI slower is found; compare takes revisions" {
    need_git
    mpi_source
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    local revision
    for revision in 1 2 3 4 5; do built_for "r$revision"; done
    compare --runs 1 --results one "old=source@r1" "new=source@r2" -- latency -- -m 8:8
    expect_status 0
    expect_out "# new (1 run) compared with the baseline old (1 run)"
    compare --results two "old=source@r1" "new=source@r9"
    expect_status 1
    expect_err "'r9' is not a revision of 'source'"
    # One that cannot be built is an error of its own.
    git -C source checkout -q -b broken && git -C source rm -q mpirun
    git -C source -c user.name=n -c user.email=e commit -qm broken
    compare --results three --junit x.xml --markdown x.md "old=source@r1" "new=source@r2" "bad=source@broken" -- latency -- -m 8:8
    expect_status 1
    expect_out "# new (8 runs) compared with the baseline old (8 runs)"
    expect_out "# new: source@r2 ($(git -C source rev-parse --short=12 r2))"
    grep -q 'name="bad: it could not be built"><error message="bad: it could not be built: build-mpi failed; see .*/build.log"' x.xml || fail "$(<x.xml)"
    grep -q 'left out, since it failed: bad: it could not be built' x.md || fail "$(<x.md)"
    # If none can be, it is the same, and not that all are stored results.
    compare --time 5 --results four --junit y.xml "old=source@broken" "new=source@broken" -- latency -- -m 8:8
    expect_status 1
    [[ $stderr != *"stored results"* ]] || fail "another reason"
    grep -q 'name="new: it could not be built"' y.xml || fail "$(<y.xml)"
    git -C source checkout -q r5
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --runs 4 --results steps source r1 r5 -- latency -- -m 8:8
    expect_status 0
    expect_out "# To be sure, compare both: scripts/compare before=$PWD/source@$(git -C source rev-parse --short=12 r3) after=$PWD/source@$(git -C source rev-parse --short=12 r4) --runs=4 -- latency -- -m 8:8"
    [[ $stdout == *"# results: $PWD/steps" && $stdout != *"to add runs"* && $stdout != *"differs: build"* ]] || fail "advice of compare"
    expect_out "# The parent $(git -C source rev-parse --short=12 r3) was undecided, which counts as good."
    expect_out "# $(git -C source rev-parse r4) is the first slower commit"
    [[ $(git -C source worktree list | wc -l) -eq 1 && -z $(git -C source bisect log 2>/dev/null) ]] || fail "something is left"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --runs 4 --results steps source r1 r5 -- latency -- -m 8:8
    expect_out "is the first slower commit"
    expect_err "nothing was started: all runs are in $PWD/steps/"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --print source r1 r5
    expect_status 0
    expect_out "good/latency-1: "
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --runs 5 source r4 r2
    expect_status 1
    expect_err "'r2' does not come after 'r4'"
}
