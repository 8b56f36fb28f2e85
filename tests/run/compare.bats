#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# compare: verdicts on results that are made up, and on launches with planted delays.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    [[ $have_jansson == yes ]] || skip "this build has no jansson"
    judge=$ALIDADE_BUILD/c/compare/alidade-compare
    cd "$BATS_TEST_TMPDIR" || return
}

# result FILE [BYTES:]TIME...: a document of latency with rows of 8, 16, ... bytes that took
# so many us.
result() {
    local file=$1 bytes=8 row rows=''
    shift
    for row; do
        [[ $row != *:* ]] || bytes=${row%:*}
        row=${row#*:}
        printf -v row '{"benchmark":"latency","ranks":2,"bytes":%d,"datatype":"MPI_CHAR","window":1,"value":%s,"unit":"us","verified":"pass","over_ranks":{"mean_us":%s},"over_iterations":{"median_us":%s}}' \
            "$bytes" "$row" "$row" "$row"
        rows+=${rows:+,}$row
        bytes=$((2 * bytes))
    done
    [[ $file != */* || -d ${file%/*} ]] || mkdir -p "${file%/*}"
    printf '{"suite":"Alidade","schema":2,"benchmark":"latency","method":{"start":"dissemination","verified":true},"environment":{"mpi":"Some-1","path":"same-numa","ranks":2,"bound":"core"},"rows":[%s],"exit":{"code":0}}\n' \
        "$rows" >"$file"
}

# eight FOLDER [BYTES:]TIME...: eight launches about 1 % apart.
eight() {
    local folder=$1 i times
    shift
    while read -r i times; do
        # shellcheck disable=SC2086  # figures, each a word
        result "$folder/$i.json" $times
    done < <(awk 'BEGIN {
        for (i = 1; i <= 8; i++) {
            printf "%d", i
            for (k = 1; k < ARGC; k++) {
                n = split(ARGV[k], part, ":")
                printf " %s%.6f", (n > 1 ? part[1] ":" : ""), part[n] * (1 + (i * 5 % 8 - 3.5) / 700)
            }
            print ""
        }
    }' "$@")
}

judge() { run_to_files "$judge" "$@"; }

# The verdict of a row.
expect_verdict() {
    local seen
    seen=$(sed -n "s/^$1 MPI_CHAR ranks=2 .* \(faster\|slower\|same\|undecided\)\( (.*)\)\{0,1\}\$/\1/p" "$out")
    [[ $seen == "$2" ]] || fail "row $1: expected '$2', saw '$seen'"
}

@test "same, slower, faster, undecided; the first is what the other is compared with" {
    eight old 1 2 3 4
    eight new 1 2.2 2.7 4.12
    judge --rows old new
    expect_status 0
    expect_verdict 8 same
    expect_verdict 16 slower
    expect_verdict 32 faster
    expect_verdict 64 undecided
    expect_out "# new (8 runs) compared with the baseline old (8 runs): 4 rows of 1 benchmark; margin 3%"
    expect_out "# new is faster in 1 rows, slower in 1, the same in 1, undecided in 1"
    expect_out "# Rows of new compared with old:"
    expect_out "# - latency, 2 ranks, same-numa, H-H: 8 same, 16 slower, 32 faster, 64 undecided"$'\n'
    grep -Eq '^16 MPI_CHAR ranks=2 +2\.00 +2\.20 +1\.100 +1\.09[0-9] to 1\.1[01][0-9] +0\.0006  slower$' "$out" || fail "another row"
    judge --rows new old
    expect_verdict 16 faster
    expect_verdict 32 slower
    judge --rows --gate old new
    expect_status 2
    judge --rows --gate --margin 15% old new
    expect_status 0
    expect_verdict 16 same
    judge --list slower before=old after=new
    [[ $stdout == "slower after latency 16 MPI_CHAR ranks=2" ]] || fail "another list"
}

@test "columns whose quotient is outside the interval are marked, and explained once" {
    local i
    # Both sides fall into the same two groups, and their medians into one each.
    for ((i = 10; i < 34; i++)); do
        result "old/$i.json" 8:2.0"$i" 16:$((i < 23 ? 1 : 2)).5"$i"
        result "new/$i.json" 8:2.2"$i" 16:$((i < 21 ? 1 : 2)).5"$i"
    done
    judge --rows --markdown new.md old new
    expect_status 0
    grep -Eq '^8 MPI_CHAR ranks=2 .* slower$' "$out" || fail "marked"
    grep -Eq '^16 MPI_CHAR ranks=2 +1\.52 +2\.52 +1\.00[0-9] .* same \(columns disagree\)$' "$out" || fail "not marked"
    [[ $(grep -c '^# columns disagree: their quotient lies outside the interval' "$out") -eq 1 ]] || fail "not explained"
    grep -q '^| 16 .* same (columns disagree) |$' new.md && grep -q '^- columns disagree: ' new.md || fail "$(<new.md)"
    # Of a rate the quotient is that of times, too.
    sed -i 's|"value":2.0\([0-9]*\),"unit":"us"|"value":1.10\1,"unit":"MB/s"|' old/*.json
    sed -i 's|"value":2.2\([0-9]*\),"unit":"us"|"value":1.00\1,"unit":"MB/s"|' new/*.json
    judge --rows old new
    grep -Eq '^8 MPI_CHAR ranks=2 +1\.10 +1\.00 +1\.(099|100) .* slower$' "$out" || fail "another row"
    [[ $(grep -c 'columns disagree)$' "$out") -eq 1 ]] || fail "rates"
}

# The verdict of a size class.
expect_class() {
    local seen
    seen=$(sed -n "s/^latency  *$1  .* \(faster\|slower\|same\|undecided\)\( (.*)\)\{0,1\}\$/\1/p" "$out")
    [[ $seen == "$2" ]] || fail "class $1: expected '$2', saw '$seen'"
}

@test "the answer comes first: a line for each size class, one sentence, and no row" {
    eight old 8:1 16:1 256:1 512:2 8192:2 16384:3 131072:3 262144:4
    eight new 8:1.2 16:1.25 256:1.3 512:1 8192:1.1 16384:3 131072:3 262144:4.12
    judge old new
    expect_status 0
    expect_class "to 256B" slower
    expect_class "to 8KiB" faster
    expect_class "to 128KiB" same
    expect_class "above 128KiB" undecided
    # The geometric means of 1.2, 1.25 and 1.3, and of 0.5 and 0.55.
    grep -Eq '^latency +to 256B +3 +1\.249 +1\.2[34][0-9] to 1\.2[56][0-9]  slower$' "$out" || fail "another class"
    grep -Eq '^latency +to 8KiB +2 +0\.524 ' "$out" || fail "another class"
    [[ $(tr -d '#' <"$out" | tr -s ' \n' ' ') == *" new is faster in latency above 256B to 8KiB (48% shorter); slower in latency to 256B (25% longer); the same in latency above 8KiB to 128KiB; undecided in latency above 128KiB: over 100 more runs of each variant would probably be needed to decide this class. "* ]] ||
        fail "another sentence"
    expect_out "# single rows, which need more runs: 2 faster, 3 slower, 2 the same, 1 undecided; --rows prints them"
    ! grep -q '^[0-9]' "$out" || fail "rows"
    # Where classes end can be said, and what is no size.
    judge --classes 16,300K old new
    expect_status 0
    expect_class "to 16B" slower
    expect_class "to 300KiB" faster
    judge --list-classes slower --classes 16 old new
    [[ $stdout == "slower new latency to 16B" ]] || fail "another list"
    judge --classes 8:16 old new
    expect_status 1
    expect_err "--classes '8:16' is not a size"
    # What rows say against their class is said.
    judge --classes 1M old new
    grep -q '^latency  .*(.*2 rows faster.*)$\|^latency  .*(.*3 rows slower.*)$' "$out" || fail "not said"
    # Without differences in size or place there is one verdict for all.
    judge old old=old same=old/1.json
    eight new 8:1.2 16:1.25 256:1.3 512:2.4
    judge old new
    expect_out "new is slower in latency ("
}

@test "a class decides where no row can: the run is the unit, and its rows move together" {
    # noisy RUN OF-RUN OF-ROW: twelve rows of a run, so far from 1 us, and each so far from these.
    noisy() {
        awk -v i="$1" -v of_run="$2" -v of_row="$3" '
            function chance(k, x) { x = 43758.5453 * sin(12.9898 * k); return x - int(x) }
            BEGIN {
                for (r = 0; r < 12; r++)
                    printf "%d:%.6f ", 8 * r + 8, of_run * exp(of_row * chance(100 * i + r))
            }'
    }
    local i
    # 5 % more in each of twelve rows, whose noise is their own.
    for i in 1 2 3 4 5 6 7 8; do
        # shellcheck disable=SC2046  # figures, each a word
        result "old/$i.json" $(noisy "$i" 1 0.06)
        # shellcheck disable=SC2046
        result "new/$i.json" $(noisy "$((i + 50))" 1.05 0.06)
    done
    judge --rows old new
    expect_status 0
    expect_class "to 256B" slower
    [[ $(grep -c '^[0-9].*  undecided' "$out") -eq 12 ]] || fail "rows alone decide"
    # The gate judges rows, and says what it lets pass.
    judge --gate old new
    expect_status 0
    expect_out "# not counted by --gate, which judges rows: latency, 2 ranks, same-numa, H-H, to 256B is slower, but none of its rows alone"
    # What all rows of half of the runs have is no difference of the variants, however many rows.
    for i in 1 2 3 4 5 6 7 8; do
        # shellcheck disable=SC2046
        result "old/$i.json" $(noisy "$i" "$((i % 2 + 1))" 0.01)
        # shellcheck disable=SC2046
        result "new/$i.json" $(noisy "$((i + 50))" "$(((i + 1) % 2 + 1))" 0.01)
    done
    judge old new
    expect_class "to 256B" undecided
}

@test "few launches decide nothing, and it is said how many would" {
    local i
    for i in 1 2 3; do
        result "old/$i.json" 1.00"$i"
        result "new/$i.json" 1.50"$i"
    done
    judge --rows old new
    expect_status 0
    expect_out "undecided (about 1 more run)"
    expect_out "# 3 runs of a variant cannot show a difference in 1 row, however large it is: each needs at least 4"
    expect_verdict 8 undecided
    judge --gate old new
    expect_status 1
    expect_err "compare: this gate cannot fail in 1 of 1 rows, first latency, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2: 3 and 3 runs show no difference; each needs at least 4"
    # Five a side could decide one row, not eight together: what they say is told.
    for i in 1 2 3 4 5; do
        result "many/old/$i.json" {1..8}.00"$i"
        result "many/new/$i.json" {1..4}.00"$i" {5..8}.90"$i"
    done
    judge --rows many/old many/new
    expect_status 0
    expect_out ": 8 to 64 same, 128 to 1024 slower (before correction)"$'\n'
    expect_out "undecided (slower before correction; about 1 more run)"
    expect_out "# before correction: "
    result old/4.json 1.004
    result new/4.json 1.504
    judge --rows old new
    expect_verdict 8 slower
}

@test "what few launches cannot do is said of all rows, and half of the undecided is half" {
    local i edge
    # One row has launches enough on both sides, the other has not.
    for i in 1 2 3 4 5; do
        result "old/$i.json" "8:1.00$i"
        result "new/$i.json" "8:1.50$i"
    done
    result old/9.json 16:1
    result new/9.json 16:1.5
    judge --rows old new
    expect_status 0
    expect_verdict 8 slower
    expect_verdict 16 undecided
    refuse_out "cannot show a difference"
    expect_out "# about 4 more runs of each variant would probably decide half of the undecided rows"
    # Three of one and twenty of the other do: p is 0.001 at best.
    for i in {10..29}; do result "many/$i.json" "1.0$i"; done
    for i in 1 2 3; do result "three/$i.json" "1.50$i"; done
    judge --rows many three
    expect_status 0
    refuse_out "cannot show a difference"
    # Two of three rows are on the edge of the margin, and take over 100.
    for i in 1 2 3 4 5; do
        result "edge/one/$i.json" "1.0$i" "1.0$i" "1.0$i"
        edge=$(awk -v i="$i" 'BEGIN { printf "%.5f", (1 + i / 100) * 1.0301 }')
        result "edge/other/$i.json" "$edge" "$edge" "1.0$i"
    done
    judge --rows edge/one edge/other
    expect_status 0
    [[ $(grep -c 'over 100 more runs)' "$out") -eq 2 ]] || fail "not on the edge"
    expect_out "# over 100 more runs of each variant would probably be needed to decide half of the undecided rows"
    refuse_out "would probably decide half"
}

@test "three subjects: each against the first; one file is one launch" {
    eight a 1
    eight b 1
    eight c 1.2
    judge --rows a b c
    expect_status 0
    expect_out "# b (8 runs) compared with the baseline a"
    expect_out "# c (8 runs) compared with the baseline a"
    judge --rows a/1.json b/2.json
    expect_status 0
    expect_out "# 2.json (1 run) compared with the baseline 1.json (1 run)"
    # Places are never mixed.
    eight a/near 1
    eight a/far 9
    sed -i 's/"same-numa"/"inter-node"/' a/far/*.json
    eight b/far 18
    sed -i 's/"same-numa"/"inter-node"/' b/far/*.json
    judge --rows a b
    expect_status 0
    expect_out "# latency, 2 ranks, inter-node, H-H"
    expect_out "# latency, 2 ranks, same-numa, H-H"
    expect_out "# b is faster in 0 rows, slower in 1, the same in 1, undecided in 0"
    # Nor are numbers of ranks.
    sed -i 's/"ranks":2,/"ranks":4,/g' b/far/*.json b/*.json
    rm -rf a/far
    judge --rows a b/far
    expect_status 1
    expect_err "environment.ranks is 2 / 4"
    judge --rows a
    expect_status 1
    judge --rows a b --margin much
    expect_status 1
}

@test "what is not of one thing is not compared: the field is named, and can be allowed" {
    eight old 1
    eight new 1
    sed -i 's/"same-numa"/"inter-node"/' new/*.json
    judge old new
    expect_status 1
    [[ $stderr == "compare: old/1.json and new/1.json were measured under different conditions: environment.path is \"same-numa\" / \"inter-node\"; to permit it, add --allow environment.path" ]] || fail "other words"
    judge --allow environment.path old new
    expect_status 0
    sed -i 's/"start":"dissemination"/"start":"library"/' new/3.json
    # A field that there cannot be, and one that is nowhere.
    local field
    for field in path environment.mpi method environment.paht methods.start ""; do
        judge --allow "$field" old new
        expect_status 1
        [[ $stderr == *": --allow '$field' is no field that decides"* ]] || fail "taken: $field"
    done
    judge --allow environment.path --allow method.strat old new
    expect_status 1
    [[ $stderr == "compare: --allow 'method.strat': no result has that field" ]] || fail "other words"
    # With -z each iteration is timed, which costs time of its own.
    eight old 1
    eight tails 1
    sed -i 's/"verified":true}/"verified":true,"each_iteration":false}/' old/*.json
    sed -i 's/"verified":true}/"verified":true,"each_iteration":true}/' tails/*.json
    judge old tails
    expect_status 1
    expect_err "method.each_iteration is false / true; to permit it, add --allow method.each_iteration"
    judge --allow method.each_iteration --markdown x.md --json x.json --junit x.xml old tails
    expect_status 0
    # What was permitted is said wherever the answer is.
    local said="differs, and was allowed to: method.each_iteration: false / true" file
    expect_out "# $said"
    for file in x.md x.json x.xml; do
        grep -qF "$said" "$file" || fail "not in $file"
    done
    report -o page.html --allow method.each_iteration old tails
    grep -qF "$said" page.html || fail "not on the page"
    # A field that was permitted and is the same is not worth a word.
    judge --allow method.start --allow environment.bound old same=old
    refuse_out "was allowed to"
    # Ranks that shared CPUs.
    sed -i 's/"bound":"core"/"bound":"core","oversubscribed":true/' old/[1-3].json
    judge --allow method.each_iteration --allow environment.oversubscribed old tails
    expect_out "# in 3 of 8 runs of old the ranks shared CPUs (W08): their times show the scheduler, not MPI"
    refuse_out "runs of tails the ranks"
    eight old 1
    # A variant that failed: the gate does not pass, and CI sees why.
    sed -i 's/"bound":"core"/"bound":"core","oversubscribed":true/' old/*.json
    judge --gate --failed "third: it crashed <11>" --junit x.xml old old2=old
    expect_status 1
    expect_out "# left out, since it failed: third: it crashed <11>"
    "$python3" - x.xml <<'END'
import sys, xml.etree.ElementTree as tree
(suite,) = tree.parse(sys.argv[1]).getroot()
assert suite.get("errors") == "1" and suite.get("tests") == "2", suite.attrib
assert len(suite.findall("properties")) == 1 and len(suite.findall("properties/property")) == 3, "remarks"
(error,) = suite.iter("error")
assert [case.get("name") for case in suite if case.find("error") is not None] == ["third: it crashed <11>"]
END
    judge --allow environment.path old new
    expect_status 1
    expect_err 'new/3.json were measured under different conditions: method.start is "dissemination" / "library"'
    # What need not be the same is said.
    eight new 1
    sed -i 's/Some-1/Other-2/
        s/"bound":"core"}/"bound":"core","variables":{"MPIR_CVAR_A":"nb","MPIR_CVAR_CH3_INTERFACE_HOSTNAME":"n1","PMI_RANK":"0"}}/' new/*.json
    judge old new
    expect_status 0
    expect_out '# differs: mpi: "Some-1" / "Other-2"'
    # A user's variables, but not those of the launcher.
    expect_out '# differs: MPIR_CVAR_A: not set / "nb"'
    [[ $(grep -c '^# differs' "$out") -eq 2 ]] || fail "a launcher's variables are listed"
    # Within a subject it is of one MPI; words of one name make one subject.
    judge all=old all=new other=old
    expect_status 1
    expect_err "all: old/1.json is from Some-1, new/1.json from Other-2: name results of one MPI;"
    judge a=old/1.json a=old/2.json a=old/3.json b=new
    expect_status 0
    expect_out "# b (8 runs) compared with the baseline a (3 runs)"
    # Nothing in common.
    sed -i 's/"latency"/"bw"/g' new/*.json
    judge old new
    expect_status 1
    [[ $stderr == "compare: old and new have no row in common; not compared: bw, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2: missing in all runs of old" ]] || fail "other words"
}

@test "files that are no results: one sentence each, and 1" {
    eight old 1
    local what
    for what in cut foreign edited empty huge missing none; do
        rm -rf new
        eight new 1
        case $what in
        cut) truncate -s 300 new/4.json ;;
        foreign) echo '{"benchmark": "latency"}' >new/4.json ;;
        edited) sed -i 's/"median_us":[0-9.]*/"median_us":"fast"/' new/4.json ;;
        empty) : >new/4.json ;;
        huge) truncate -s 3G new/4.json ;;
        missing) rm -rf new ;;
        none) rm -f new/*.json ;;
        esac
        judge --rows old new
        echo "$what"
        expect_status 1
        [[ -z $stdout ]] || fail "something was printed"
        [[ $(wc -l <"$err") -eq 1 && $stderr == "compare: new"* ]] || fail "no sentence"
    done
    # Rows that cannot be counted are left out, not taken.
    eight new 1 2
    sed -i 's/"bytes":8,/"bytes":8,"suspect":["fast"],/' new/*.json
    eight old 1 2
    judge --rows old new
    expect_status 0
    [[ $(grep -c '^[0-9]' "$out") -eq 1 ]] || fail "the suspect row is there"
    expect_out "# not compared: latency, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2: suspect in all runs of new"
}

@test "Markdown, JUnit and JSON of the same rows" {
    [[ $python3 != none ]] || skip "there is no python3"
    eight old 1 2 3
    eight new 1.2 2 3.09
    judge --markdown m.md --junit j.xml --json c.json old new
    expect_status 0
    grep -q '^| 8 MPI_CHAR ranks=2 | 1.00 | 1.20 | 1.200 | .* | slower |$' m.md || fail "no row in Markdown: $(<m.md)"
    cat >look.py <<'END'
import json
import sys
import xml.etree.ElementTree as tree
suite = tree.parse("j.xml").getroot()
assert suite.tag == "testsuites" and len(suite) == 1
suite = suite[0]
assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1"), suite.attrib
failed = [case for case in suite if case.find("failure") is not None]
assert [case.get("name") for case in failed] == ["2 ranks, same-numa, H-H: 8 MPI_CHAR ranks=2"], failed
c, = json.load(open("c.json"))["comparisons"]
assert [row["verdict"] for row in c["rows"]] == ["slower", "same", "undecided"], c
assert abs(c["rows"][0]["ratio"] - 1.2) < 0.01 and c["rows"][0]["ci95"][0] > 1.18, c
k, = c["classes"]
assert (k["benchmark"], k["sizes"], k["above_bytes"], k["to_bytes"], k["rows"]) == ("latency", "to 256B", None, 256, 3), k
# The geometric mean of 1.2, 1 and 1.03.
assert k["verdict"] == "slower" and abs(k["ratio"] - 1.0732) < 0.001 and k["runs"] == [8, 8], k
assert c["answer"].startswith("new is slower in latency (7."), c["answer"]
try:
    import jsonschema
except ImportError:
    raise SystemExit
schema = json.load(open(sys.argv[1]))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
whole = json.load(open("c.json"))
assert not list(kind(schema).iter_errors(whole)), list(kind(schema).iter_errors(whole))[:3]
for wrong in ({"verdict": "better"}, {"runs": [8]}, {"more": 1}):
    kept = dict(k)
    k.update(wrong)
    assert list(kind(schema).iter_errors({"suite": "Alidade", "comparisons": [c]})), wrong
    k.clear()
    k.update(kept)
END
    "$python3" look.py "$ALIDADE_SOURCE/doc/compare.schema.json" || fail "not as expected"
    [[ $(<m.md) == *"new is slower in latency (7."*"% longer)."*"| latency | to 256B | 3 | 1.07"*" | slower |"* ]] || fail "no class in Markdown: $(<m.md)"
    # Several comparisons are one document of each kind.
    eight other 1 2 3
    judge --markdown m.md --junit j.xml --json c.json old new other
    expect_status 0
    "$python3" - <<'END' || fail "not one document"
import json
import xml.etree.ElementTree as tree
assert [len(suite) for suite in tree.parse("j.xml").getroot()] == [3, 3]
assert [c["variants"] for c in json.load(open("c.json"))["comparisons"]] == [["old", "new"], ["old", "other"]]
END
    [[ $(grep -c '^## ' m.md) -eq 2 ]] || fail "not two in Markdown"
    judge --json /nowhere/c.json old new
    expect_status 1
    [[ $stderr == "compare: '/nowhere/c.json' could not be written: No such file or directory" ]] || fail "other words"
    # What is no file is written, not replaced.
    mkfifo pipe
    cat pipe >through &
    judge --json pipe old new
    expect_status 0
    wait
    [[ -p pipe && -s through ]] || fail "the pipe is gone"
}

@test "gate: what nobody has looked at, and wrong data, never pass" {
    eight old 1 2
    eight new 1
    judge --gate --junit j.xml old new
    expect_status 1
    [[ $(<j.xml) == *'tests="2" failures="0" errors="1"'*'<error message="not compared: missing in all runs of new"/>'* ]] || fail "not in JUnit: $(<j.xml)"
    [[ $stderr == "compare: not compared: latency, 2 ranks, same-numa, H-H, 16 MPI_CHAR ranks=2: missing in all runs of new" ]] || fail "other words"
    # Slower says more.
    eight new 1.2
    judge --gate old new
    expect_status 2
    expect_err "16 MPI_CHAR ranks=2: missing in all runs of new"
    # In one launch of eight.
    eight new 1 2
    sed -i 's/"verified":"pass"/"verified":"fail"/' new/4.json
    judge old new
    expect_status 0
    judge --gate old new
    expect_status 1
    [[ $stderr == "compare: new/4.json: wrong data: 8 MPI_CHAR ranks=2"* ]] || fail "other words"
    # A launch that has failed is no result.
    eight new 1 2
    sed -i 's/"code":0/"code":2/' new/4.json
    judge old new
    expect_status 1
    [[ $stderr == "compare: new/4.json: the run has failed: its exit code is not 0" ]] || fail "other words"
}

# suspect FOLDER...: no row of these results can be right.
suspect() {
    local folder
    for folder; do sed -i 's/"verified":"/"suspect":["x"],&/g' "$folder"/*.json; done
}

@test "gate: what was asked for and could not be judged fails, and is named everywhere" {
    [[ $python3 != none ]] || skip "there is no python3"
    local how sentence
    while IFS='|' read -r how sentence; do
        rm -rf old new
        eight old 1 2
        eight new 1 2
        # Three times slower: who has looked would have seen it.
        eight old/bw 1 2
        eight new/bw 3 6
        sed -i 's/"latency"/"bw"/g' old/bw/*.json new/bw/*.json
        eval "$how"
        judge --gate --asked latency --asked bw --json c.json --junit j.xml --markdown m.md old new
        expect_status 1
        echo "$how"
        [[ $stderr == "compare: $sentence" ]] || fail "other words"
        [[ $sentence != not* ]] || expect_out $'\n'"# $sentence"$'\n'
        [[ $sentence != not* || ($(<c.json) == *"\"$sentence\""* && $(<m.md) == *"- $sentence"* && $(<j.xml) == *"<error "*) ]] ||
            fail "not in all files"
        judge --asked latency --asked bw old new
        expect_status 0
    done <<'END'
suspect old/bw new/bw|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: suspect in all runs of old, suspect in all runs of new
suspect old/bw|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: suspect in all runs of old
suspect old/bw && rm -r new/bw|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: suspect in all runs of old, missing in all runs of new
rm -r old/bw|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: missing in all runs of old
rm -r new/bw|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: missing in all runs of new
rm -r old/bw new/bw|not compared: bw: no run has a row of it
sed -i 's/"rows":.*,"exit"/"rows":[],"exit"/' old/bw/* new/bw/*|not compared: bw: no run has a row of it
sed -i 's/"value":[0-9.]*/"value":null/g' new/bw/*|not compared: bw, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: without a value in all runs of new
rm old/bw/[2-8].json new/bw/[2-8].json|this gate cannot fail in 2 of 4 rows, first bw, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2: 1 and 1 runs show no difference; each needs at least 5
END
    # The page has it too, and where nothing is left the reason is told.
    rm -r old new
    eight old 1 2
    eight new 1 2
    suspect new
    judge --gate old new
    expect_status 1
    [[ $stderr == "compare: old and new have no row in common; not compared: latency, 2 ranks, same-numa, H-H, 2 rows, first 8 MPI_CHAR ranks=2: suspect in all runs of new" ]] || fail "other words"
    eight new 1 2 3
    run_to_files "$ALIDADE_BUILD/c/compare/alidade-report" -o page.html old new
    expect_status 0
    [[ $(<page.html) == *'<p class="note">not compared: latency, 2 ranks, same-numa, H-H, 32 MPI_CHAR ranks=2: missing in all runs of old</p>'* ]] || fail "not on the page"
}

@test "runs of two versions of Alidade are compared, and that is said" {
    eight old 1
    eight new 1
    sed -i 's/"schema":2/"schema":2,"version":"0.1"/' old/*.json new/*.json
    judge old new
    refuse_out "version of Alidade"
    # In one run of eight.
    sed -i 's/"version":"0.1"/"version":"9.9"/' new/5.json
    judge --json c.json old new
    expect_status 0
    expect_out $'\n# differs: version of Alidade: "0.1" / "9.9"\n'
    [[ $(<c.json) == *'differs: version of Alidade'* ]] || fail "not in JSON"
}

@test "gate: launches made again decide what was slower, and what they lack stays slower" {
    [[ $python3 != none ]] || skip "there is no python3"
    eight old 1 2 3 4
    eight new 1 2.4 3.6 4.8
    # 16 is slower again, 32 is not, 64 is not among the rows.
    eight again/old 1 2 3
    eight again/new 1 2.3 3
    judge --rows --gate --markdown m.md --junit j.xml --json c.json --again old=again/old --again new=again/new old new
    expect_status 2
    expect_verdict 16 slower
    expect_verdict 32 undecided
    expect_verdict 64 slower
    expect_out "# confirmed slower: new latency 16 MPI_CHAR ranks=2 (ratio 1.150)"
    expect_out "# not confirmed: new latency 32 MPI_CHAR ranks=2 (ratio 1.000)"
    expect_out "# slower, not measured again: new latency 64 MPI_CHAR ranks=2"
    expect_out "undecided (slower once, ratio 1.000 in the repetition)"
    grep -q '^- not confirmed: new latency 32' m.md || fail "not in Markdown: $(<m.md)"
    "$python3" - <<'END' || fail "not as expected"
import json
import xml.etree.ElementTree as tree
suite, = tree.parse("j.xml").getroot()
assert (suite.get("failures"), suite.get("skipped")) == ("2", "1"), suite.attrib
message = suite.find("testcase/skipped").get("message")
assert "measured again: ratio 1.000" in message, message
c, = json.load(open("c.json"))["comparisons"]
assert [row["verdict"] for row in c["rows"]] == ["same", "slower", "undecided", "slower"], c
assert [row["again"] and row["again"]["is"] for row in c["rows"]] == [None, "slower", "not slower", "not seen"], c
END
    eight again/old 1 2 3 4
    eight again/new 1 2 3 4
    judge --rows --gate --again old=again/old --again new=again/new old new
    expect_status 0
    # With its rows the class is cleared.
    grep -q '^latency  *to 256B .* slower once, not confirmed$' "$out" || fail "the class"
    # Too few launches clear nothing.
    rm again/new/[4-8].json again/old/[4-8].json
    judge --rows --gate --again old=again/old --again new=again/new old new
    expect_status 2
    expect_out "# slower, not measured again: new latency 16"
    judge --rows --gate --again old=again/old old new
    expect_status 1
    [[ $stderr == "compare: new was not measured again" ]] || fail "other words"
    judge --rows --gate --again old=again/old --again new=nowhere old new
    expect_status 1
    [[ $stderr == "compare: nowhere: "* ]] || fail "other words"
    eight again/new 1 2 3 4
    sed -i 's/"dissemination"/"library"/' again/new/*.json
    judge --rows --gate --again old=again/old --again new=again/new old new
    expect_status 1
    expect_err "method.start"
}

@test "a folder of several subjects is none, a second look is left out, a file counts once" {
    eight both/a 1
    eight both/b 1.2
    eight c 1
    touch both/asked
    judge x=both c
    expect_status 1
    [[ $stderr == "compare: both: has results in several folders: name them one by one, as both/b" ]] || fail "other words"
    # One subject that was launched, and looked at again.
    mv both/b both/.again
    judge x=both c
    expect_status 0
    expect_out "# c (8 runs) compared with the baseline x (8 runs)"
    ln c/1.json c/again.json
    ln -s 2.json c/link.json
    judge x=c x=c/1.json x=c y=both/a
    expect_status 0
    expect_out "# y (8 runs) compared with the baseline x (8 runs)"
    mkdir none
    judge x=c x=none y=both/a
    expect_status 1
    expect_err "none: no file in it ends in .json"
}

@test "--allow environment.ranks, environment.path: rows are the same rows, on the page too" {
    eight two 1 2
    eight four 1.2 2
    sed -i 's/"ranks":2,/"ranks":4,/g; s/"same-numa"/"inter-node"/' four/*.json
    judge --rows two four
    expect_status 1
    judge --rows --allow environment.ranks --allow environment.path two four
    expect_status 0
    grep -Eq '^8 MPI_CHAR ranks=all .* slower$' "$out" || fail "another row"
    [[ $stderr == "" && $stdout != *"in one of the two variants"* ]] || fail "rows are missing"
    # Rows of fewer ranks stay apart.
    eight two 1
    eight more 2
    sed -i 's/"ranks":2,"bytes"/"ranks":1,"bytes"/' more/*.json
    cp more/1.json two/less.json
    cp more/1.json four/less.json
    judge --rows --allow environment.ranks --allow environment.path two four
    expect_status 0
    expect_out "8 MPI_CHAR ranks=1 "
    need_gnuplot
    eight far 1.2 2
    eight two 1 2
    rm two/less.json
    sed -i 's/"same-numa"/"inter-node"/' far/*.json
    report -o page.html --allow environment.path two far
    expect_status 0
    [[ $(grep -c '<h2>latency <small>' page.html) -eq 1 ]] || fail "not one table"
    grep -q '<td>8 MPI_CHAR ranks=2</td>.*<td class="word slower">' page.html || fail "no ratio"
}

@test "what a document says is text: units in HTML, characters that are not cut in two" {
    [[ $python3 != none ]] || skip "there is no python3"
    need_gnuplot
    eight old/near 1 2
    eight old/far 1 2
    sed -i 's/same-numa/inter-node/' old/far/*.json
    sed -i 's/"unit":"us"/"unit":"<b>\&us"/' old/*/*.json
    report -o page.html old
    expect_status 0
    ! grep -q '<b>' page.html || fail "markup from a document"
    [[ $(grep -c '&lt;b&gt;&amp;us' page.html) -ge 3 ]] || fail "no unit"
    # An odd place for two bytes each.
    local many=aéééééééééééééééééééééééééééééééééééééééé
    eight old 1
    rm -r old/near old/far
    sed -i "s/same-numa/$many/; s/\"ranks\":2,\"bound\"/\"ranks\":2,\"memory\":\"é$many\",\"bound\"/; s/MPI_CHAR/$many/; s/\"unit\":\"us\"/\"unit\":\"$many\",\"operation\":\"$many\"/" old/*.json
    judge --markdown m.md --json c.json "$many=old" "b=old"
    expect_status 0
    "$python3" -c 'import json; open("m.md", encoding="utf-8").read(); json.load(open("c.json", encoding="utf-8"))' || fail "cut in two"
}

# --- Launching ---------------------------------------------------------------------

compare() {
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/compare" "$@"
}

# pretend FOLDER: what looks like a build; its latency writes rows of the sizes of -m, and
# one of 12 bytes where they are several, of 1 us each.  Sizes in the file slow (slow-again
# in a second look) take 1.5 us in the folder new, those in lacking (lacking-again) are not
# there.
pretend() {
    mkdir -p "$1/mpi/pt2pt" "$1/c/compare" "$1/tests"
    cp "$ALIDADE_BUILD"/c/compare/alidade-* "$1/c/compare/"
    cp "$ALIDADE_BUILD/environment.sh" "$1/"
    touch slow slow-again lacking lacking-again
    {
        printf '#!/usr/bin/env bash\ncd %q\n' "$PWD"
        declare -f result
        cat <<'END'
while [ $# -gt 0 ]; do
    case $1 in
    -m) range=$2 ;;
    --json) file=$2 ;;
    esac
    shift
done
again='' rows=() bytes=()
[[ $file != */.again/* ]] || again=-again
echo "${range-none}" >>launched$again
[[ -n ${range-} ]] && for ((b = ${range%:*}; b <= ${range#*:}; b *= 2)); do bytes+=($b); done
[[ ${#bytes[@]} -le 1 ]] || bytes+=(12)
launch=${file##*/latency-}
for b in "${bytes[@]}"; do
    time=1.00$((${launch%%[-.]*} % 7))
    [[ $file != */new/* ]] || ! grep -qx "$b" slow$again || time=1.5$((${launch%%[-.]*} % 7))
    grep -qx "$b" lacking$again || rows+=("$b:$time")
done
result "$file" "${rows[@]}"
END
    } >"$1/mpi/pt2pt/latency"
    chmod +x "$1/mpi/pt2pt/latency"
}

@test "compare: the gate measures each size that tripped again, anew each time" {
    [[ $python3 != none ]] || skip "there is no python3"
    pretend build
    local gate=(--gate --results r --junit j.xml old="build env" new="build env" -- latency -- -m 8:64)
    compare "${gate[@]}"
    expect_status 0
    [[ ! -e r/.again && ! -e launched-again ]] || fail "nothing tripped"
    # The row of 12 bytes is not among those of -m 8:16.
    printf '%s\n' 8 12 16 >slow
    rm -r r
    echo 12 >slow-again
    compare "${gate[@]}"
    expect_status 2
    [[ $(sort launched-again | uniq -c | tr -s ' \n' ' ') == " 16 12:12 16 8:16 " ]] || fail "launched: $(<launched-again)"
    expect_out "# confirmed slower: new latency 12 MPI_CHAR ranks=2"
    expect_out "# not confirmed: new latency 8 MPI_CHAR ranks=2"
    [[ $(grep -c '<failure' j.xml) -eq 1 && $(grep -c 'measured again' j.xml) -eq 3 ]] || fail "of the first look: $(<j.xml)"
    # What an earlier second look has left decides nothing.
    : >slow-again
    compare "${gate[@]}"
    expect_status 0
    [[ $(grep -c '<failure' j.xml) -eq 0 && $(grep -c 'measured again' j.xml) -eq 3 ]] || fail "of the first look: $(<j.xml)"
    # A row that the second look lacks stays slower.
    echo 12 >lacking-again
    compare "${gate[@]}"
    expect_status 2
    expect_out "# slower, not measured again: new latency 12 MPI_CHAR ranks=2"
    # A second look that cannot be made or judged is no pass.
    printf '%s\n' 8 12 16 >lacking-again
    compare "${gate[@]}"
    expect_status 1
    [[ -n $stderr ]] || fail "no sentence"
}

@test "compare: a launcher of one's own is not told that this machine has too few cores" {
    [[ $python3 != none ]] || skip "there is no python3"
    pretend build
    # shellcheck disable=SC2016  # expanded by the launcher
    printf '#!/bin/sh\necho "${OMPI_MCA_mpi_yield_when_idle-waits busily}" >>%q\nshift\nexec "$@"\n' "$PWD/seen" >starter
    chmod +x starter
    unset OMPI_MCA_mpi_yield_when_idle
    compare --ranks 10000 --launches 2 --results r old="build $PWD/starter {n}" new="build $PWD/starter {n}" -- latency -- -m 8:8
    expect_status 0
    [[ $(sort -u seen) == "waits busily" ]] || fail "seen: $(sort -u seen)"
    # --ranks is nothing to a launcher that is not told.
    compare --ranks 4 --results r2 old="build $PWD/starter" new="build env" -- latency
    expect_status 1
    [[ $stderr == "compare: --ranks 4 has no effect: the launcher '$PWD/starter' lacks {n}, which stands for the number of ranks" && ! -e r2 ]] || fail "other words"
    # A variant that fails is left out with --drop, and the gate does not pass.
    compare --drop --gate --launches 4 --results r3 --json x.json old="build env" new="build env" bad="build false" -- latency -- -m 8:8
    expect_status 1
    expect_err "compare: latency with bad failed: it exited with code 1 and printed nothing; its output is in r3/bad/output"
    expect_out "# left out, since it failed: bad: it exited with code 1 and printed nothing"
    grep -qF "left out, since it failed: bad: " x.json || fail "not in JSON"
    compare --drop --launches 4 --results r4 old="build env" bad="build false" -- latency -- -m 8:8
    expect_status 1
    expect_err "compare: no variant is left to compare with old"
    # A command that failed leaves no result, so its folder is free for another.
    compare --launches 2 --results free old="build false" new="build false" -- latency
    expect_status 1
    expect_err "failed: it exited with code 1 and printed nothing"
    compare --launches 2 --results free old="build env" new="build env" -- latency -- -m 8:8
    expect_status 0
    compare --launches 1 --results free old="build env" new="build env" -- latency -- -m 8:8
    expect_status 0
    expect_err "== latency: 2 runs of each program with each of 2 variants"
    compare --launches 2 --results free old="build env" new="build env" -- latency -- -m 16:16
    expect_status 1
    expect_err "free has results of another command"
}

@test "compare: {mpirun} in a launcher is that of each variant's MPI" {
    [[ $python3 != none ]] || skip "there is no python3"
    pretend build
    pretend other
    # shellcheck disable=SC2016  # expanded by the launcher
    printf '#!/bin/sh\necho "$1" >>%q\nshift\nexec "$@"\n' "$PWD/seen" >starter
    chmod +x starter
    sed -i "s,^mpirun=.*,mpirun='$PWD/old'," build/environment.sh
    sed -i "s,^mpirun=.*,mpirun='$PWD/new'," other/environment.sh
    compare --launches 2 --results r old="build $PWD/starter {mpirun}" new="other $PWD/starter {mpirun}" -- latency -- -m 8:8
    expect_status 0
    [[ $(sort seen | uniq -c | tr -s ' ' | tr '\n' ';') == " 2 $PWD/new; 2 $PWD/old;" ]] || fail "seen: $(sort seen)"
}

@test "compare: each run starts its variants in random order, and {n} is the number of ranks each time" {
    [[ $python3 != none ]] || skip "there is no python3"
    pretend build
    # shellcheck disable=SC2016  # expanded by the launcher
    printf '#!/bin/sh\necho "$1 $2 $3" >>%q\nshift 3\nexec "$@"\n' "$PWD/seen" >starter
    chmod +x starter
    compare --ranks 3 --launches 24 --results r a="build $PWD/starter a {n} {n}" b="build $PWD/starter b {n} {n}" \
        -- latency -- -m 8:8
    expect_status 0
    # By chance it is one order alone in one of 8 million tests.
    [[ $(paste -d ' ' - - <seen | sort -u) == $'a 3 3 b 3 3\nb 3 3 a 3 3' ]] || fail "seen: $(<seen)"
}

@test "compare: --time looks after N launches, 2 N, 4 N, each time at half the level" {
    pretend build
    local of=(--rows --launches 4 old="build env" new="build env" -- latency -- -m 8:8)
    # 1 us and 1.5 us: with four launches p is 0.029 at best, 5 % but not 2.5 %.
    echo 8 >slow
    compare "${of[@]}"
    expect_status 0
    expect_out "# new (4 runs) compared with the baseline old (4 runs): 1 row of 1 benchmark; margin 3%"$'\n'
    expect_verdict 8 slower
    compare --time 100 --results r "${of[@]}"
    expect_status 0
    expect_out "# new (8 runs) compared with the baseline old (8 runs): 1 row of 1 benchmark; margin 3%; significance level 1.25%, as one of several interim analyses"
    expect_verdict 8 slower
    # Time is up: the last look has a level of its own.
    compare --time 0 --results r0 "${of[@]}"
    expect_status 0
    expect_out "(4 runs): 1 row of 1 benchmark; margin 3%; significance level 2.5%, as one of several interim analyses"
    expect_verdict 8 undecided
    # The command is repeated: more runs are one more look, and the same runs are none.
    local launches level
    while read -r launches level; do
        compare --time 0 --results r0 --rows --launches "$launches" "${of[@]:3}"
        expect_out "($launches runs): 1 row of 1 benchmark; margin 3%; significance level $level%,"
    done <<<$'4 2.5\n5 1.25\n5 1.25\n6 0.625'
    judge --look 0 old new
    expect_status 1
    expect_err "--look 0 is not a number"
}

@test "compare: the page of a gate is that after the second look" {
    need_gnuplot
    pretend build
    echo 16 >slow
    compare --gate --results r --report page.html old="build env" new="build env" -- latency -- -m 8:64
    expect_status 0
    grep -q 'slower once, not confirmed' page.html || fail "of the first look"
    ! grep -q '<td class="word slower">' page.html || fail "a row is slower"
    # Without a row of the first there is a page as well.
    eight all 1 1.5 1 1 1
    rm page.html
    compare --gate --report page.html all=all less=r/new
    expect_status 1
    expect_err "missing in all runs of less"
    [[ -s page.html ]] || fail "no page"
}

# Subjects whose messages take 20 us, and so many more.
planted() {
    echo "$1=LD_PRELOAD=$faults/delay.so FAULT=recv FAULT_BYTES=-1 FAULT_BASE_US=20 FAULT_US=$2 $ALIDADE_BUILD"
}

@test "compare: launches in turn, a slower side is found, the gate looks again" {
    local results=$BATS_TEST_TMPDIR/results options=(-- latency -- -m 8:16 -i 5 -x 0)
    # 40 ms longer: a rank may wait for its processor for some.
    compare --gate --launches 8 --results "$results" "$(planted before 0)" "$(planted after 40000)" "${options[@]}"
    expect_status 2
    expect_out "confirmed slower: after latency"
    [[ $(find "$results/before" "$results/after" -name '*.json' | wc -l) -eq 16 ]] || fail "not eight launches a side"
    # It goes on where it was: one more of each.
    compare --launches 9 --results "$results" "$(planted before 0)" "$(planted after 40000)" "${options[@]}"
    expect_status 0
    expect_out "# after (9 runs) compared with the baseline before (9 runs)"
    # But not with figures of something else.
    compare --launches 9 --results "$results" "$(planted before 0)" "$(planted after 30000)" -- latency
    expect_status 1
    expect_err "has results of another command"
    # Nor again what is all there, nor with what was built or installed since.
    compare --launches 9 --results "$results" "$(planted before 0)" "$(planted after 40000)" "${options[@]}"
    expect_status 0
    expect_err "nothing was started: all runs are in $results"
    touch -d 2000-01-01 "$results/after/latency-3.json"
    compare --launches 10 --results "$results" "$(planted before 0)" "$(planted after 40000)" "${options[@]}"
    expect_status 1
    expect_err "is newer than $results/after/latency-3.json: name another folder with --results"
    # Against results that are there.
    compare --launches 5 --results "$BATS_TEST_TMPDIR/other" old="$results/after" "$(planted new 40000)" "${options[@]}"
    expect_status 0
    expect_out "# new (5 runs) compared with the baseline old (9 runs)"
    compare "$results/before" "$results/after"
    expect_status 0
    expect_out "# after (9 runs) compared with the baseline before (9 runs)"
}

@test "compare: without subjects, the MPIs of this machine; builds that are there are taken" {
    local flavour flavours=0
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    for flavour in openmpi mpich; do
        mkdir -p "$ALIDADE_BUILDS/$flavour/mpi/pt2pt" "$ALIDADE_BUILDS/$flavour/c/compare" "$ALIDADE_BUILDS/$flavour/tests"
        cp "$(program latency)" "$ALIDADE_BUILDS/$flavour/mpi/pt2pt/"
        cp "$ALIDADE_BUILD"/c/compare/alidade-* "$ALIDADE_BUILDS/$flavour/c/compare/"
        cp "$ALIDADE_BUILD/environment.sh" "$ALIDADE_BUILDS/$flavour/"
        # shellcheck source=/dev/null
        [[ -z $(. "$ALIDADE_SOURCE/scripts/common.sh" && compiler_of "$flavour") ]] || flavours=$((flavours + 1))
    done
    [[ $flavours -eq 2 ]] || skip "there is one MPI on this machine"
    compare --launches 2 --results results -- latency -- -m 8:8 -i 50 -x 5
    expect_status 0
    expect_out "# mpich (2 runs) compared with the baseline openmpi (2 runs)"
    expect_out "# results: results; to add runs, repeat the command with --results results and more --launches"
    # The folder that it leaves is what report takes.
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html results
    expect_status 0
    [[ $stdout == "# page: page.html" ]] || fail "not said where"
    run_to_files "$ALIDADE_SOURCE/scripts/report" --output missing/page.html results
    expect_status 1
    [[ $stderr == "report: 'missing/page.html' could not be written: No such file or directory" ]] || fail "the file is not named"
    grep -q '<p class="answer">mpich is ' page.html && grep -q '<h2>latency' page.html || fail "not of both"
}

@test "compare: what cannot be compared or launched is said in one sentence" {
    compare a=/nowhere b=/nowhere
    expect_status 1
    [[ $stderr == "compare: '/nowhere' of variant a does not exist" ]] || fail "other words"
    # Before anything is measured.
    compare --results r0 "a=$ALIDADE_SOURCE/README.md" "b=$ALIDADE_BUILD" -- latency
    expect_status 1
    [[ $stderr == "compare: '$ALIDADE_SOURCE/README.md' of variant a is no result file" ]] || fail "other words"
    compare --results r0 --margin abc "a=$ALIDADE_BUILD" "b=$ALIDADE_BUILD" -- latency
    expect_status 1
    expect_err "--margin abc is not a percentage"
    compare --results r0 "a=$ALIDADE_BUILD" "b=$ALIDADE_BUILD" latency
    expect_status 1
    expect_err "'latency' of variant latency does not exist; programs follow --"
    [[ ! -e r0 ]] || fail "it began"
    compare "a=$ALIDADE_BUILD"
    expect_status 1
    expect_err "two variants are needed"
    compare "a=$ALIDADE_BUILD" "a=$ALIDADE_BUILD"
    expect_status 1
    expect_err "two variants are called 'a'"
    local word
    for word in .again asked ranks . ..; do
        compare --results r0 "a=$ALIDADE_BUILD" "$word=$ALIDADE_BUILD" -- latency
        expect_status 1
        [[ $stderr == "compare: a variant cannot be called '$word': name it, as NAME=$ALIDADE_BUILD" ]] || fail "other words"
    done
    compare --launches no "a=$ALIDADE_BUILD" "b=$ALIDADE_BUILD"
    expect_status 1
    compare --results r "a=$ALIDADE_BUILD" "b=$ALIDADE_BUILD" -- nothing
    expect_status 1
    expect_err "'nothing' is not a program of"
    compare --results r2 "a=$ALIDADE_BUILD" "b=$ALIDADE_BUILD" -- latency -- --no-such-option
    expect_status 1
    expect_err "compare: latency with "
    expect_err " failed: "
    # A launch that hangs is ended, and not tried again.
    printf '#!/bin/sh\nexec sleep 100\n' >hangs
    chmod +x hangs
    local begun=$SECONDS
    compare --limit 1 --results r3 "a=$ALIDADE_BUILD $PWD/hangs" "b=$ALIDADE_BUILD $PWD/hangs" -- latency
    expect_status 1
    expect_err "failed: it took more than 1 s (--limit)"
    [[ $((SECONDS - begun)) -lt 50 ]] || fail "it was not ended"
    # What it has said until then stays.
    printf '#!/bin/sh\necho so far\nexec sleep 100\n' >hangs
    compare --limit 1 --results r4 "a=$ALIDADE_BUILD $PWD/hangs" "b=$ALIDADE_BUILD $PWD/hangs" -- latency
    expect_err "failed: it took more than 1 s (--limit)"
    [[ $(cat r4/?/output) == "so far"$'\n'"it took more than 1 s (--limit)" ]] || fail "another output"
    # One that somebody else has killed took no time.
    printf '#!/bin/sh\necho so far\nkill -9 $$\n' >hangs
    compare --limit 100 --results r5 "a=$ALIDADE_BUILD $PWD/hangs" "b=$ALIDADE_BUILD $PWD/hangs" -- latency
    expect_status 1
    expect_err "failed: it was killed (137): so far"
    printf '#!/bin/sh\nexit 9\n' >hangs
    compare --results r6 "a=$ALIDADE_BUILD $PWD/hangs" "b=$ALIDADE_BUILD $PWD/hangs" -- latency
    expect_err "failed: it exited with code 9 and printed nothing"
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
    compare --launches 1 --results r old="build env" "mpi=$PWD/one/mpi env" -- latency -- -m 8:8
    expect_status 0
    compare --launches 1 --results r2 old="build env" "mpi=$PWD/other/mpi env" -- latency -- -m 8:8
    expect_status 1
    [[ $stderr == "compare: $ALIDADE_BUILDS/compare-mpi is a build for the MPI of $PWD/one/mpi/bin/mpirun, not for that in $PWD/other/mpi: give the variant another name, or remove the folder" ]] ||
        fail "other words"
    compare --launches 1 --results r3 "$PWD/one/mpi env" "$PWD/other/mpi env"
    expect_status 1
    expect_err "two variants are called 'mpi'"
    # Nor is one that was configured and not made.
    rm builds/compare-mpi/mpi/pt2pt/latency
    compare --launches 1 --results r2 old="build env" "mpi=$PWD/other/mpi env" -- latency -- -m 8:8
    expect_status 1
    expect_err "give the variant another name"
}

# --- Expectations ----------------------------------------------------------------------

accept() { run_to_files "$ALIDADE_BUILD/c/compare/alidade-accept" "$@"; }

# at MINUTE FOLDER...: run number i of each began i minutes after that.
at() {
    local minute=$1 folder i
    shift
    for folder; do
        for i in 1 2 3 4 5 6 7 8; do
            sed -i "s/^{/{\"started\":\"2026-01-01T10:$((10 + minute + i)):00Z\",/" "$folder/$i.json"
        done
    done
}

@test "runs that were not made in turn: the answer says so" {
    eight old 1 2
    eight new 2 4
    eight late 2 4
    at 0 old new
    at 8 late
    judge old new
    expect_status 0
    refuse_out "were made after"
    judge late old
    expect_status 0
    [[ $(tr -d '\n#' <"$out" | tr -s ' ') == *"All runs of late were made after those of old: a difference may be the machine's."* ]] ||
        fail "no word of the order"
}

@test "accept: learned from launches, held against others, edited by hand" {
    eight usual 1 2 4
    accept --learn limits.json usual
    expect_status 0
    refuse_out "are wide"
    accept limits.json usual
    expect_status 0
    expect_out "# 3 of 3 rows are within their limits"
    # 5 % at least are let pass, ten are not.
    eight better 0.9 1.9 4.1
    accept limits.json better
    expect_status 0
    eight worse 1.1 2 4
    accept limits.json worse
    expect_status 2
    grep -Eq '^latency +2 ranks, same-numa, H-H +8 MPI_CHAR ranks=2 +<= 1\.05 us +1\.10  FAIL \(4\.8% above\)$' "$out" || fail "another row"
    expect_out "# 2 of 3 rows are within their limits"
    # What was not measured is not reached.
    eight less 1 2
    accept limits.json less
    expect_status 2
    expect_out " -  MISSING"
    [[ $stdout != *"no row with a limit"* ]] || fail "one row is lacking, not all"
    # Results of something else are told apart from a row that is lacking.
    eight other 1 2
    sed -i 's/"latency"/"bw"/g' other/*.json
    accept limits.json other
    expect_status 2
    expect_out "# no row with a limit was measured: limits.json has limits of latency (2 ranks, same-numa, H-H; us); the results are of bw (2 ranks, same-numa, H-H; us)"
    # Of several nodes the worst counts: a median over all would hide it.
    local node
    for node in n1 n2 n3; do
        cp -r usual "node-$node"
    done
    cp worse/*.json node-n2
    for node in n1 n2 n3; do
        sed -i "s/\"ranks\":2,\"bound\"/\"rank\":[{\"host\":\"$node\"},{\"host\":\"$node\"}],&/" "node-$node"/*.json
    done
    accept limits.json node-n1 node-n3
    expect_status 0
    accept limits.json node-n*
    expect_status 2
    grep -Eq '^latency .* 8 MPI_CHAR ranks=2 .* 1\.10  FAIL \(4\.8% above; on n2 in node-n2\)$' "$out" || fail "the bad node is not named"
    expect_out "# 2 of 3 rows are within their limits"
    expect_out "# beyond limits, with rows: n2 in node-n2 (1)"$'\n'"# 3 sets of runs, by hosts and folder; of each row the worst is shown"
    # Neither does an older folder of the same host hide it, nor a row that others have.
    cp -r node-n2 older
    cp usual/*.json older
    sed -i "s/\"ranks\":2,\"bound\"/\"rank\":[{\"host\":\"n2\"},{\"host\":\"n2\"}],&/" older/*.json
    accept limits.json older node-n2
    expect_status 2
    expect_out "; on n2 in node-n2)"
    eight short 1 2
    sed -i "s/\"ranks\":2,\"bound\"/\"rank\":[{\"host\":\"n4\"},{\"host\":\"n4\"}],&/" short/*.json
    accept limits.json node-n1 short
    expect_status 2
    grep -Eq '^latency .* 32 MPI_CHAR ranks=2 .* -  MISSING \(on n4 in short\)$' "$out" || fail "what a node lacks is not named"
    # A repeated measurement of the same host does not make up for it; another part does.
    cp -r node-n1 earlier
    sed -i 's/"n1"/"n4"/g' earlier/*.json
    accept limits.json earlier short
    expect_status 2
    grep -Eq '^latency .* 32 MPI_CHAR ranks=2 .* -  MISSING \(on n4 in short\)$' "$out" || fail "an older folder hides what is lacking"
    eight part 32:4
    sed -i "s/\"ranks\":2,\"bound\"/\"rank\":[{\"host\":\"n4\"},{\"host\":\"n4\"}],&/" part/*.json
    accept limits.json part short
    expect_status 0
    # All rows of a placement may be lacking: there is another one on this node.
    cp -r node-n1 elsewhere
    sed -i 's/same-numa/same-socket/; s/"n1"/"n5"/g' elsewhere/*.json
    accept limits.json node-n1 elsewhere
    expect_status 2
    expect_out "# 0 of 3 rows are within their limits"
    grep -Eq '^latency .* 8 MPI_CHAR ranks=2 .* -  MISSING \(on n5 in elsewhere\)$' "$out" || fail "what a node lacks is not named"
    # Neither is a node checked of which most runs failed.
    cp -r node-n3 few
    rm few/[2-8].json
    accept limits.json node-n1 few
    expect_status 2
    expect_out "# 3 of 3 rows are within their limits"
    expect_out "# runs are missing: latency; 8 MPI_CHAR ranks=2 on n3 in few has 1 of 8; and in 2 other rows"
    # Ranks that shared CPUs are no good state.
    cp -r usual crowd
    sed -i 's/"ranks":2,/&"oversubscribed":true,/' crowd/*.json
    accept --learn crowd.json crowd
    expect_out "# In 8 of 8 result files the ranks shared CPUs (W08): such limits mean nothing."
    # Rates have a limit below.
    eight rate 100
    sed -i 's/"unit":"us"/"unit":"MB\/s"/' rate/*.json
    accept --learn --slack 20% rates.json rate
    accept rates.json rate
    expect_status 0
    expect_out ">= 83."
    sed -i 's/"at_least": *[0-9.]*/"at_least": 130/' rates.json
    accept rates.json rate
    expect_status 2
    # Launches that differ widen what is expected.
    local i
    for i in 1 2 3 4 5; do result "wide/$i.json" "1.$((2 * i))"; done
    accept --learn wide.json wide
    expect_out $'# written: wide.json\n# 1 of 1 limits are wide'
    expect_out "from the median by a factor of 2.5: latency, 8 MPI_CHAR ranks=2."
    eight other 1.7
    accept wide.json other
    expect_status 0
}

@test "accept: rows that no limit was learned from or holds for are named" {
    eight usual 1 2
    sed -i 's/"bytes":16,/&"suspect":["x"],/' usual/*.json
    accept --learn limits.json usual
    expect_status 0
    expect_out "# 1 row got no limit, since no run of them counts: the first is latency, 16 MPI_CHAR ranks=2."
    eight later 1 2
    accept limits.json later
    expect_status 0
    expect_out "# without a limit: 1 row, first latency, 2 ranks, same-numa, H-H, 16 MPI_CHAR ranks=2"
    # A limit whose rows are all suspect is not reached.
    sed -i 's/"bytes":8,/&"suspect":["x"],/' later/*.json
    accept limits.json later
    expect_status 2
    expect_out " -  MISSING"
}

@test "accept: what cannot be learned from or read is one sentence" {
    eight mixed/one 1
    eight mixed/other 2
    sed -i 's/Some-1/Other-2/' mixed/other/*.json
    accept --learn limits.json mixed
    expect_status 1
    [[ $(wc -l <"$err") -eq 1 && $stderr == *"Some-1"*"Other-2"* && ! -e limits.json ]] || fail "two MPIs mixed"
    result few/1.json 1
    accept --learn limits.json few
    expect_status 1
    [[ $stderr == "accept: latency, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2: 1 run; learning limits takes at least 5" ]] || fail "other words"
    [[ ! -e limits.json ]] || fail "a file of nothing"
    local text
    for text in '' '{' '[]' '{"rows":[]}' '{"alidade_limits":1}' '{"alidade_limits":1,"rows":[]}' \
        '{"alidade_limits":1,"rows":[5]}' \
        '{"alidade_limits":1,"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"us"}]}' \
        '{"alidade_limits":1,"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"us","at_most":-1}]}' \
        '{"alidade_limits":1,"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"us","at_least":1}]}' \
        '{"alidade_limits":1,"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"MB/s","at_most":1}]}' \
        '{"alidade_limits":1,"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"us","at_most":1,"at_least":1}]}'; do
        echo "$text" | tee limits.json
        accept limits.json few
        expect_status 1
        [[ $(wc -l <"$err") -eq 1 && $stderr == "accept: limits.json: "* && -z $stdout ]] || fail "no sentence"
    done
    expect_err "limits.json: row 1 needs either at_most or at_least, above 0"
    accept limits.json
    expect_status 1
}

@test "an option that one side lacks is a difference, in compare and in accept" {
    local field
    eight old 1
    # An option that only one side has: its field is missing on the other.
    cp -r old derived
    sed -i 's/"verified":true}/"verified":true,"derived":"vect:8:4"}/' derived/*.json
    for field in "old derived" "derived old"; do
        # shellcheck disable=SC2086  # two folders
        judge $field
        expect_status 1
        expect_err "different conditions: method.derived is "
    done
    expect_err 'method.derived is "vect:8:4" / not set; to permit it, add --allow method.derived'
    accept --learn limits.json derived
    accept limits.json old
    expect_status 1
    expect_err 'method.derived is "vect:8:4" / not set; to permit it, write "any" in measured_as of limits.json for method.derived'
    accept --learn limits.json old derived
    expect_status 1
    expect_err "method.derived is not set / "
    # In an archived file a field may be missing because it came later.
    sed -i 's/"schema":2/"schema":2,"converted_from":1/' old/*.json
    judge old derived
    expect_status 0
    accept --learn limits.json old
    accept limits.json derived
    expect_status 0
    # An option that had no effect is no condition.
    cp -r derived ignored
    sed -i 's/"verified":true,/"verified":true,"ignored":["-a"],/' ignored/*.json
    judge ignored derived
    expect_status 0
}

@test "accept --learn: runs that fall into groups are counted" {
    local i
    for i in 1 2 3 4 5; do
        result "groups/$i.json" 8:1.00"$i" 16:$((i > 3 ? 3 : 1)).00"$i" 32:$((i > 4 ? 3 : 1)).00"$i"
    done
    accept --learn limits.json groups
    expect_status 0
    expect_out "# In 1 of 3 rows some of these runs lie beyond their own limit: the runs fall into groups."
    expect_out "# Most do in latency, 16 MPI_CHAR ranks=2: 2 of 5."
    rm groups/[45].json
    cp groups/1.json groups/4.json
    cp groups/2.json groups/5.json
    accept --learn limits.json groups
    expect_status 0
    [[ $stdout != *"fall into groups"* ]] || fail "one group"
    # Of a bandwidth the lower ones are beyond.
    for i in 1 2 3 4 5; do
        result "groups/$i.json" 8:$((i > 3 ? 1 : 3)).00"$i" 16:$((i > 3 ? 3 : 1)).00"$i"
    done
    sed -i 's/"unit":"us"/"unit":"MB\/s"/g' groups/*.json
    accept --learn limits.json groups
    expect_out "# In 1 of 2 rows some of these runs lie beyond their own limit: "
    expect_out "# Most do in latency, 8 MPI_CHAR ranks=2: 2 of 5."
}

@test "accept, report: launches of different things are not thrown together, nor held against each other" {
    eight mixed 1 2
    sed -i 's/"dissemination"/"library"/' mixed/5.json
    accept --learn limits.json mixed
    expect_status 1
    [[ $stderr == 'accept: mixed/1.json and mixed/5.json were measured under different conditions: method.start is "dissemination" / "library"' && ! -e limits.json ]] ||
        fail "other words"
    report -o page.html mixed
    expect_status 1
    [[ $stderr == 'report: mixed/1.json and mixed/5.json were measured under different conditions: method.start is "dissemination" / "library"; to permit it, add --allow method.start' && ! -e page.html ]] ||
        fail "other words"
    need_gnuplot
    report -o page.html --allow method.start mixed
    expect_status 0
    # How it was measured stands in the file; an older one does not say it.
    eight usual 1 2
    eight far 4
    sed -i 's/same-numa/inter-node/' far/*.json
    accept --learn limits.json usual far
    expect_status 0
    cp mixed/5.json other.json
    accept limits.json mixed
    expect_status 1
    expect_err "mixed/1.json and mixed/5.json"
    accept limits.json other.json
    expect_status 1
    [[ $stderr == 'accept: limits.json and other.json were measured under different conditions: method.start is "dissemination" / "library"; to permit it, write "any" in measured_as of limits.json for method.start' && -z $stdout ]] || fail "other words"
    # Done as it says, the results are accepted.
    "$python3" - <<'END'
import json
d = json.load(open("limits.json"))
for m in d["measured_as"]:
    m["method"]["start"] = "any"
json.dump(d, open("edited.json", "w"))
END
    accept edited.json other.json far
    expect_status 0
    sed -i 's/"library"/"dissemination"/; s/"core"/"none"/' other.json
    accept limits.json other.json
    expect_status 1
    expect_err 'environment.bound is "core" / "none"'
    sed -i 's/"none"/"core"/' other.json
    accept limits.json other.json far
    expect_status 0
    "$python3" -c 'import json; d = json.load(open("limits.json")); assert len(d.pop("measured_as")) == 2; json.dump(d, open("older.json", "w"))'
    sed -i 's/"dissemination"/"library"/' other.json
    accept older.json other.json far
    expect_status 0
    local text
    for text in 5 '[5]' '[{"benchmark":"a"}]'; do
        echo '{"alidade_limits":1,"measured_as":'"$text"',"rows":[{"benchmark":"a","placement":"b","row":"c","unit":"us","at_most":1}]}' >limits.json
        accept limits.json far
        expect_status 1
        [[ $(wc -l <"$err") -eq 1 && $stderr == "accept: limits.json: measured_as "* ]] || fail "no sentence"
    done
}

# --- Doubtful rows ---------------------------------------------------------------------

# mark FOLDER REASON BYTES RUN...: the row of so many bytes has that reason in these runs.
mark() {
    local folder=$1 reason=$2 bytes=$3 run
    shift 3
    for run; do
        sed -i "s/{\"benchmark\":\"latency\",\"ranks\":2,\"bytes\":$bytes,/&\"doubtful\":[\"$reason\"],/" "$folder/$run.json"
    done
}

@test "a row that is doubtful in half of a variant's runs is named by compare, repeat, accept and report" {
    local marked reason named many words
    eight old 1 2
    accept --learn limits.json old
    while IFS='|' read -r marked reason named; do
        rm -rf new
        eight new 1.2 2
        # shellcheck disable=SC2086  # several runs
        mark new "$reason" 8 $marked
        {
            "$judge" --rows --junit j.xml --markdown m.md --json c.json old new
            cat m.md j.xml
            "$ALIDADE_BUILD/c/compare/alidade-repeat" --json r.json new
            "$ALIDADE_BUILD/c/compare/alidade-accept" limits.json new || true
            "$ALIDADE_BUILD/c/compare/alidade-accept" --learn other.json new
            "$ALIDADE_BUILD/c/compare/alidade-report" -o page.html old new
            cat page.html
            "$ALIDADE_BUILD/c/compare/alidade-report" -o page.html new
            cat page.html
        } >all
        if [[ $named == no ]]; then
            ! grep -F -e "$reason" -e "little of the machine (" -e "<abbr" all || fail "$marked: it is named"
            continue
        fi
        while IFS='|' read -r many words; do
            [[ $(grep -cF -- "$words" all) -eq $many ]] ||
                fail "runs $marked: $(grep -cF -- "$words" all) lines, not $many, have '$words': $(<all)"
        done <<END
5|1 of 2 rows of new says little of the machine ($reason): latency 8 MPI_CHAR ranks=2
3|1 of its rows: $reason)
1|1 of 2 rows of results says little of the machine ($reason): latency 8 MPI_CHAR ranks=2
2|slower ($reason in new)
1|# Disturbed: rows=1 of 2; why=$reason; row=8,MPI_CHAR,ranks=2;
1|FAIL (14.3% above; $reason)
2|<td>1.20 <abbr title="$reason in half of the runs or more">?</abbr></td>
1|; $reason in new"/></testcase>
END
        [[ $python3 == none ]] || "$python3" - <<END || fail "not in JSON"
import json
c, = json.load(open("c.json"))["comparisons"]
assert [row["doubtful"] for row in c["rows"]] == [[None, "$reason"], [None, None]], c["rows"]
assert c["classes"][0]["doubtful_rows"] == 1, c["classes"]
assert [row["doubtful"] for row in json.load(open("r.json"))["rows"]] == ["$reason", None]
END
    done <<'END'
1 2 3 4|disturbed|yes
1 2 3 4 5 6 7 8|few iterations|yes
2 4 7|disturbed|no
END
    # At most three by name; a value within its limit is doubtful too.
    eight old 1 2 3 4 5
    eight new 1 2 3 4 5
    for bytes in 8 16 32 64; do mark new "speed changed" "$bytes" {1..8}; done
    judge old new
    expect_out "# 4 of 5 rows of new say little of the machine (speed changed): latency 8 MPI_CHAR ranks=2, latency 16 MPI_CHAR ranks=2, latency 32 MPI_CHAR ranks=2, and 1 more"
    expect_out "same (4 of its rows: speed changed)"
    accept limits.json new
    expect_out "pass (speed changed)"
    # Nothing of the text is markup of the page.
    mark new '<b>' 128 {1..8}
    report -o page.html old new
    expect_status 0
    ! grep -q '<b>' page.html || fail "markup"
}

# --- The page --------------------------------------------------------------------------

report() { run_to_files "$ALIDADE_BUILD/c/compare/alidade-report" "$@"; }

need_gnuplot() {
    command -v gnuplot >/dev/null || skip "there is no gnuplot"
}

@test "report: one page, a curve for each benchmark, verdicts, what differs marked; nothing from outside" {
    need_gnuplot
    eight old 1 2 3
    eight new 1.2 2 3
    sed -i 's/Some-1/Other<2>/' new/*.json
    report -o page.html --title "A & B" old new
    expect_status 0
    local page
    page=$(<page.html)
    [[ $page == *"<title>A &amp; B</title>"* ]] || fail "the title"
    # That of the ratios, and that of the benchmark.
    [[ $(grep -c '<svg' page.html) -eq 2 ]] || fail "not one curve"
    [[ $page == *'<tr class="differs"><td>MPI &ne;</td><td class="word">Some-1</td><td class="word">Other&lt;2&gt;</td>'* ]] || fail "what differs"
    [[ $page == *'<td class="word slower">slower</td>'* && $page == *'<td class="word same">same</td>'* ]] || fail "verdicts"
    # First the answer: two rows of three are the same, on average they are 6 % slower.
    [[ $page == *'<p class="answer">new is slower in latency (6.'*'% longer).</p>'* ]] || fail "the answer"
    [[ $page == *'<td class="word">to 256B</td><td>1.06'*'<td class="word slower">slower</td></tr>'* ]] || fail "the class"
    # By itself: no script, and nothing that is fetched.
    ! grep -Eiq '<script|<link|<img|@import|url\(|(src|href)="[^#]' page.html || fail "something from outside"
    # What is not of one thing is shown, and not compared.
    sed -i 's/"start":"dissemination"/"start":"library"/' new/*.json
    report -o page.html old new
    expect_status 0
    grep -q 'were measured under different conditions: method.start' page.html || fail "no reason"
    expect_err "report: not compared: old/1.json and new/1.json were measured under different conditions: method.start"
    # One subject, two places; a size alone has no curve.
    eight one/far 4
    sed -i 's/"same-numa"/"inter-node"/' one/far/*.json
    eight one/near 1 2 3
    report -o page.html one
    expect_status 0
    [[ $(grep -c '<h2>latency <small>(2 ranks' page.html) -eq 2 && $(grep -c '<svg' page.html) -eq 1 ]] || fail "sections"
}

@test "report: places of a benchmark side by side, tails of the laps, launches over time" {
    need_gnuplot
    local kinds i page
    for kinds in H-H H-D D-D; do
        eight "gpu/$kinds" 1 2 3
        sed -i 's/"ranks":2,"bound"/"ranks":2,"memory":"'$kinds'","bound"/' gpu/"$kinds"/*.json
    done
    rm gpu/D-D/*
    eight gpu/D-D 5
    sed -i 's/"ranks":2,"bound"/"ranks":2,"memory":"D-D","bound"/; s/"median_us":\([0-9.]*\)/"median_us":\1,"n":9999,"percentiles_us":{"90":7.5,"99":10,"99.9":20}/' gpu/D-D/*.json
    report -o page.html gpu
    expect_status 0
    page=$(tr -d '\n' <page.html)
    [[ $page == *"<tr><th>gpu (us)</th><th>D-D</th><th>H-D</th><th>H-H</th></tr>"* ]] || fail "no matrix"
    [[ $page == *"<tr><td>8 MPI_CHAR ranks=2</td><td>5.00</td><td>1.00</td><td>1.00</td></tr><tr><td>16 MPI_CHAR ranks=2</td><td>-</td><td>2.00</td><td>2.00</td></tr>"* ]] ||
        fail "another matrix"
    [[ $page == *"<td>1.50 / 2.00 / -</td>"* ]] || fail "other tails"
    # The largest of few samples is no percentile, and the other runs do not stand for that
    # one; a mean of several iterations is no iteration.
    sed -i 's/"n":9999/"n":999/' gpu/D-D/3.json
    report -o page.html gpu
    [[ $(<page.html) == *"<td>1.50 / - / -</td>"* ]] || fail "a tail of few samples"
    sed -i 's/"ranks":2,"bytes"/"stride":4,&/' gpu/D-D/*.json
    report -o page.html gpu
    [[ $(<page.html) != *"<td>1.50 / "* ]] || fail "a tail of means"
    # Documents that do not say when they began are in no order.
    [[ $page != *"<h2>Over time"* ]] || fail "an order"
    # The machine becomes 10 % slower after half of the launches, for one of the two.
    for i in {10..29}; do
        result "steady/$i.json" "1.0$i" "2.00$((i % 7))"
        result "slowing/$i.json" "1.0$i" "2.00$((i % 7))"
        [[ $i -lt 20 ]] || result "slowing/$i.json" "1.1$i" "2.20$((i % 7))"
        sed -i "s/\"suite\"/\"started\":\"2026-01-31T23:59:${i}Z\",&/" steady/"$i".json slowing/"$i".json
    done
    report -o page.html steady slowing
    expect_status 0
    page=$(tr -d '\n' <page.html)
    [[ $page == *"<h2>Over time</h2>"* && $page == *"Time since the first run (s)"* ]] || fail "no curve over time"
    grep -Eq '^<p><strong>slowing</strong>: the last third of the runs took 1\.(09|1[01])[0-9]* times .*: <strong>the machine changed meanwhile' page.html ||
        fail "it was not seen"
    grep -Eq '^<p><strong>steady</strong>: .*\)\.</p>$' page.html || fail "what is steady changed"
}

@test "scripts/report: a folder of run-suite has the documents themselves" {
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    pretend builds/some
    result suite/latency.json 1 2
    touch suite/asked
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html suite
    expect_status 0
    grep -q '<h2>latency' page.html || fail "no table"
    mkdir -p suite/latency
    mv suite/latency.json suite/latency/1.json
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html suite
    expect_status 0
}

@test "scripts/report: of scripts/compare's folder the first that was asked for is the baseline" {
    export ALIDADE_BUILDS=$BATS_TEST_TMPDIR/builds
    pretend builds/some
    eight both/zebra 1
    eight both/ape 1.2
    echo "zebra=builds/some mpirun -n {n}; ape=X=1 builds/some mpirun -n {n}; ranks=2; programs: latency; options: " >both/asked
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html --markdown page.md both
    expect_status 0
    grep -q '^## ape (8 runs) compared with the baseline zebra (8 runs)' page.md || fail "another baseline"
    # A folder that was not asked for comes last.
    eight both/bee 1
    mv both/ape both/.again
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html --markdown page.md both
    expect_status 0
    grep -q '^## bee (8 runs) compared with the baseline zebra (8 runs)' page.md || fail "another baseline"
    # A stored variant is where it was.
    eight stored 1
    echo "old=stored ; zebra=builds/some mpirun -n {n}; ranks=2; programs: latency; options: " >both/asked
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html --markdown page.md both
    expect_status 0
    grep -q '^## zebra (8 runs) compared with the baseline old (8 runs)' page.md || fail "another baseline"
    mv stored away
    run_to_files "$ALIDADE_SOURCE/scripts/report" -o page.html both
    expect_status 1
    expect_err "report: both is no folder of compare, or its variant old=stored is not there any more: name all variants, as NAME=RESULTS; of examine, name both/runs"
}

@test "report: files of curves, Markdown; what cannot be read or written is one sentence" {
    need_gnuplot
    eight old 1 2 3
    eight new 1.2 2 3
    report -o page.html --graphs png --markdown m.md old new
    expect_status 0
    [[ $(head -c 4 page-latency-0.png | tail -c 3) == PNG ]] || fail "no PNG"
    grep -q '| slower |$' m.md || fail "no Markdown"
    report -o /nowhere/page.html old
    expect_status 1
    [[ $stderr == "report: "* && ! -e page.html.new ]] || fail "other words"
    echo '{' >new/3.json
    report -o other.html old new
    expect_status 1
    [[ $(wc -l <"$err") -eq 1 && ! -e other.html ]] || fail "a page of what cannot be read"
    report
    expect_status 1
}

# pairs FILE NAME SLOW LINE...: the row of the document has such values of pairs.
pairs() {
    local file=$1 name=$2 slow=$3 matrix
    shift 3
    matrix=$(printf ',[%s]' "$@")
    sed -i "s|\"unit\"|\"pairs\":{\"ranks\":[0,2,5],\"hosts\":[\"a\",\"b<1>\",\"c\"],\"slow\":[$slow],\"$name\":[${matrix#,}]},&|g" "$file"
}

@test "report: a heat map of all pairs, dark where a pair is slow, as the median of the runs" {
    local slow='{"rank":2,"host":"b<1>","partner":null,"whole_node":false,"ratio":2.0}' page
    result bw/1.json 1 2 4
    result bw/2.json 1 2 4
    result bw/3.json 1 2 4
    pairs bw/1.json matrix_mb_per_s "$slow" null,400,790 400,null,400 800,400,null
    pairs bw/2.json matrix_mb_per_s "$slow" null,400,800 400,null,400 800,null,null
    pairs bw/3.json matrix_mb_per_s '' null,400,1600 400,null,400 800,null,null
    report -o page.html bw
    expect_status 0
    page=$(tr -d '\n' <page.html)
    # Of three sizes the smallest and the largest.
    [[ $(grep -c '<figure class="heat"' page.html) -eq 2 && $(grep -c '<title>rank ' page.html) -eq 12 ]] || fail "not two maps"
    [[ $page == *"<h3>All pairs: bw <small>(32 MPI_CHAR ranks=2)</small></h3>"* ]] || fail "the largest"
    # The ends of the scale, as light and dark as it goes, whatever colors are seen.
    [[ $page == *'<title>rank 0 (a) to rank 5 (c): 800.00 MB/s</title>'*'fill="#eef5fb"/>'*'fill="#000">800</text>'* ]] || fail "the fastest"
    [[ $page == *'<title>rank 0 (a) to rank 2 (b&lt;1&gt;): 400.00 MB/s</title><rect x="154.00" y="34.00" width="120.00" height="120.00" fill="#08264f"/><text x="214.00" y="94.00" fill="#fff">400</text>'* ]] ||
        fail "the slowest"
    [[ $page == *'y="426">800</text>'*'y="426">566</text>'*'y="426">400</text>'*'>MB/s: darker is slower; '* ]] || fail "the legend"
    [[ $page == *'<strong>rank 2</strong> (b&lt;1&gt;): 0.50 times typical, in 2 of 3 runs</li>'* ]] || fail "no outlier"
    [[ $page == *'<p>Slowest pairs:</p><ul><li>rank 0 (a) to rank 2 (b&lt;1&gt;): 400.00 MB/s</li>'* ]] || fail "no list"
    # Times: slow is much.  What no run measured is crossed out, and a quiet machine is pale.
    result us/1.json 1
    pairs us/1.json matrix_us '' null,1.00,1.01 1.02,null,null 1.01,1.00,null
    report -o page.html us
    expect_status 0
    page=$(tr -d '\n' <page.html)
    [[ $page == *'<p>No outliers.</p>'*'<li>rank 2 (b&lt;1&gt;) to rank 0 (a): 1.02 us</li>'* ]] || fail "times"
    [[ $page == *'to rank 5 (c): not measured</title>'*' fill="#fff"/><path '* && $page != *'<title>'*'fill="#08264f"/></g>'* ]] || fail "not crossed out"
    [[ $page == *'y="426">1.00</text>'*'y="426">1.25</text>'* ]] || fail "the scale is narrow"
    # Documents of others, or damaged ones.
    result odd/1.json 1
    pairs odd/1.json matrix_us '"x",{}' '"a"' 7 null,2,3
    report -o page.html odd
    expect_status 0
    result odd/1.json 1
    sed -i 's/"unit"/"pairs":3,&/' odd/1.json
    report -o page.html odd
    expect_status 0
    ! grep -q 'class="heat"' page.html || fail "a map of nothing"
    # Too many to draw.
    result many/1.json 1
    # shellcheck disable=SC2046  # lines, each a word
    pairs many/1.json matrix_us '' $(seq 129)
    report -o page.html many
    expect_status 0
    grep -q '<p class="note">129 ranks: pairs of at most 128 are drawn' page.html || fail "not said"
}

@test "report: in a browser all of it is there, at the width of a phone as well" {
    need_gnuplot
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
    # The page asks itself.  A browser's window may be wider than a phone, so it is in a frame.
    # shellcheck disable=SC2016  # not the shell's
    local asking='onload = () => {
        const box = document.querySelector(".first svg").getBoundingClientRect();
        document.title = [document.querySelectorAll(".classes tbody tr").length,
            document.documentElement.scrollWidth <= innerWidth,
            box.width > 200 \&\& box.right <= innerWidth, box.bottom <= innerHeight,
            getComputedStyle(document.querySelector("td.slower")).backgroundColor].join(" ") }'
    sed "s|</body>|<script>${asking//$'\n'/ }</script></body>|" page.html >asking.html
    local size
    for size in 390,844 1280,800; do
        echo "<title></title><iframe src=asking.html width=${size%,*} height=${size#*,} onload='document.title = contentDocument.title'></iframe>" >frame.html
        browse --window-size=1400,900 --allow-file-access-from-files --dump-dom "file://$BATS_TEST_TMPDIR/frame.html" >dom || fail "no browser"
        # The table and the plot are the first screen.
        grep -q '<title>16 true true true rgb(251, 220, 220)</title>' dom || fail "at $size: $(grep -o '<title>[^<]*' dom)"
    done
    browse --window-size=1200,900 --screenshot="$BATS_TEST_TMPDIR/page.png" "file://$BATS_TEST_TMPDIR/page.html"
    # An empty page of this size has 5 KB.
    [[ $(stat -c %s page.png) -gt 30000 ]] || fail "nothing to see"
}

# --- Revisions of an MPI -----------------------------------------------------------------

# An MPI's source of five revisions, whose messages take 20 us, from the fourth on 40 ms more
# (a rank may wait for its processor for some): it is the MPI of this build, with a delay in
# its launcher.
mpi_source() {
    local revision
    git init -q source
    cat >source/configure <<END
#!/bin/sh
here=\$(cd "\$(dirname "\$0")" && pwd)
prefix=\${1#--prefix=}
[ -e "\$here/delay" ] || exit 1
printf 'all:\n\ninstall:\n\tmkdir -p %s/bin\n\tcp %s/mpicc %s/mpirun %s/bin\n' "\$prefix" "\$here" "\$here" "\$prefix" >Makefile
END
    printf '#!/bin/sh\nexec %s "$@"\n' "$mpicc" >source/mpicc
    chmod +x source/configure source/mpicc
    for revision in 1 2 3 4 5; do
        echo "$((revision < 4 ? 0 : 40000))" >source/delay
        printf '#!/bin/sh\n# %s\nLD_PRELOAD=%s FAULT=recv FAULT_BYTES=-1 FAULT_BASE_US=20 FAULT_US=%s exec %s "$@"\n' \
            "$revision" "$faults/delay.so" "$(<source/delay)" "$mpirun" >source/mpirun
        chmod +x source/mpirun
        git -C source add -A
        git -C source -c user.name=n -c user.email=e commit -qm "revision $revision"
        git -C source tag "r$revision"
    done
}

# A build of Alidade for a revision, as if it had been made: this one, started by that
# MPI's launcher.
built_for() {
    local commit folder
    commit=$(git -C source rev-parse --short=12 "$1")
    folder=$ALIDADE_BUILDS/compare-$commit
    mkdir -p "$folder/mpi/pt2pt" "$folder/c/compare" "$folder/tests"
    cp "$(program latency)" "$folder/mpi/pt2pt/"
    cp "$ALIDADE_BUILD"/c/compare/alidade-* "$folder/c/compare/"
    sed "s|^mpirun=.*|mpirun='$ALIDADE_BUILDS/mpi-$commit/bin/mpirun'|" "$ALIDADE_BUILD/environment.sh" >"$folder/environment.sh"
}

need_git() {
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
    git -C source rm -q delay
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
    compare --launches 5 --results one "old=source@r1" "new=source@r2" -- latency -- -m 8:8 -i 100 -x 10
    expect_status 0
    expect_out "# new (5 runs) compared with the baseline old (5 runs)"
    compare --results two "old=source@r1" "new=source@r9"
    expect_status 1
    expect_err "'r9' is not a revision of 'source'"
    local limit=300
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --launches 8 source r1 r5 -- latency -- -m 8:8 -i 5 -x 0
    expect_status 0
    expect_out "$(git -C source rev-parse r4) is the first bad commit"
    [[ $(git -C source worktree list | wc -l) -eq 1 && -z $(git -C source bisect log 2>/dev/null) ]] || fail "something is left"
    run_to_files "$ALIDADE_SOURCE/scripts/bisect" --launches 5 source r4 r2
    expect_status 1
    expect_err "'r2' does not come after 'r4'"
}
