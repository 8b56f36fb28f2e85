#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Files that programs and the judge write: what they replace and when, and what stands in them
# of text that is any bytes.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common
load made_up

# check KIND < DOCUMENT: it is whole, of that kind, and UTF-8.
check() {
    "$python3" -c '
import csv, html.parser, json, sys, xml.etree.ElementTree
kind, text = sys.argv[1], sys.stdin.buffer.read().decode("utf-8")
if kind == "json":
    json.loads(text)
elif kind == "csv":
    rows = list(csv.reader(text.splitlines()))
    assert len(rows) > 1 and len(set(map(len, rows))) == 1 and rows[0][0] == "benchmark", rows
elif kind == "xml":
    xml.etree.ElementTree.fromstring(text)
elif kind == "html":
    html.parser.HTMLParser().feed(text)
    assert text.endswith("</html>\n"), text[-100:]
else:
    assert text.startswith("## "), text[:100]
' "$1"
}

# value FILE EXPRESSION: of the document d in it.
value() {
    "$python3" -c 'import json, sys; d = json.load(open(sys.argv[1], encoding="utf-8")); print(eval(sys.argv[2]))' "$@"
}

# verb NAME ...: ask the judge.
verb() { run_to_files "${judge[@]}" "$@"; }

# What the verbs read.
both_stored() {
    eight a 1 2
    eight b 2 4
    "${judge[@]}" accept --learn limits a >/dev/null
    decided allreduce 2 recursive_doubling ff
}

# Everything that writes a file: its kind, and its command, in which @ is the file.
writers() {
    cat <<END
json launch 1 reduce_local -m 8:16 -i 5 -x 0 --json @
csv launch 1 reduce_local -m 8:16 -i 5 -x 0 --csv @
json verb compare --json @ a b
xml verb compare --junit @ a b
markdown verb compare --markdown @ a b
json verb repeat --json @ a
json verb accept --learn @ a
json verb accept --json @ limits a
html verb report --output @ a b
markdown verb report --output page --markdown @ a b
json verb examine --output page --json @ a
json verb tune --mpi mpich --json @ allreduce:2=allreduce-2
END
}

# with_each FUNCTION: call it with KIND FILE COMMAND... of each writer, in a folder of its own.
with_each() {
    local kind command n=0
    both_stored
    while read -r kind command; do
        mkdir "in-$((++n))"
        echo "$kind $command"
        # shellcheck disable=SC2086  # words of the command
        "$1" "$kind" "in-$n/file" ${command//@/in-$n\/file}
    done < <(writers)
}

nothing_else() {
    [[ -z $(find . -name '.alidade-*' -o -name '*.part') ]] || fail "a temporary file is left over"
}

# full COMMAND...: where files take nothing, as on a full file system.
full() {
    # shellcheck disable=SC2016  # in that shell
    local how='trap "" XFSZ; ulimit -f 0; exec "$@"'
    if [[ $1 == launch ]]; then
        wrapper=(bash -c "$how" -)
        "$@"
        wrapper=()
    else
        # shellcheck disable=SC2016  # in that shell
        run_to_files bash -c "($how)"' | cat; exit "${PIPESTATUS[0]}"' - "${@:2}"
    fi
}

# Each kind of name that a file can have.
every_target() {
    local kind=$1 file=$2 folder=${2%/*} seen reader
    shift 2
    # A new file.
    "$@"
    [[ $status -le 3 ]] || fail "it ended with $status" # 3: written, and nothing could be found
    check "$kind" <"$file"
    [[ $(stat -c %a "$file") == 644 ]] || fail "the mode is not that of a new file"
    # An older one, which has a mode, a symbolic link and a second name.
    mkdir "$folder/real"
    mv "$file" "$folder/real/file"
    chmod 664 "$folder/real/file"
    ln "$folder/real/file" "$folder/second"
    ln -s real/file "$file"
    "$@"
    [[ -L $file && $(stat -c %a "$folder/real/file") == 664 ]] || fail "the link or the mode is lost"
    [[ ! $folder/real/file -ef $folder/second ]] || fail "the file was written in place"
    check "$kind" <"$folder/real/file"
    check "$kind" <"$folder/second"
    rm "$folder/second"
    # A link to nothing yet.
    rm "$folder/real/file"
    "$@"
    [[ -L $file ]] || fail "the link is lost"
    check "$kind" <"$folder/real/file"
    # A pipe, a full device, standard output.
    rm "$file"
    mkfifo "$file"
    check "$kind" <"$file" &
    reader=$!
    "$@"
    wait "$reader" || fail "what came through the pipe is not whole"
    [[ -p $file ]] || fail "the pipe is lost"
    "${@//$file//dev/full}"
    [[ $status -ne 0 && $stderr == *"/dev/full"*"No space left on device"* ]] || fail "a full device is success"
    "${@//$file//dev/stdout}"
    [[ $kind == markdown ]] && seen='## ' || seen=$(head -c 9 "$folder/real/file")
    expect_out "$seen"
    rm "$file"
    echo old >"$file"
    full "$@"
    [[ $status -ne 0 && $(<"$file") == old ]] || fail "a full file system is success, or costs the older file"
    rm -f "$file.part"
    # A folder that takes no file: known before anything is done.
    "${@//$file//proc/file}"
    [[ $status -ne 0 && $stderr == *"/proc/file"* && -z $stdout ]] || fail "not known before"
    nothing_else
}

@test "what is written: whole, at once, in the file that the name means; a full device is a failure" {
    [[ $(umask) == 0022 ]] || skip "umask is $(umask)"
    with_each every_target
}

@test "a run that is refused leaves older files as they were, and writes no rows elsewhere" {
    local code id options file
    while read -r code id options; do
        echo "$id: $options"
        for file in x.json x.json.part x.csv x.csv.part; do
            echo "old $file" >"$file"
        done
        # shellcheck disable=SC2086  # words of options
        launch 2 latency $options --json x.json --csv x.csv
        expect_status "$code"
        expect_error "$id"
        for file in x.json x.json.part x.csv x.csv.part; do
            [[ $(<"$file") == "old $file" ]] || fail "$file is lost"
            rm "$file"
        done
        # shellcheck disable=SC2086  # words of options
        launch 2 latency $options --json x.json --csv x.csv
        [[ ! -e x.csv || $(wc -l <x.csv) -eq 1 ]] || fail "there are rows"
        [[ ! -e x.json || $(value x.json "d['rows'], d['exit']['code']") == "([], $code)" ]] || fail "another exit record"
        rm -f x.json x.csv
        nothing_else
    done <<'END'
2 E35 -m 8:8 --expect=path=inter-node
2 E19 -m 3:3 -T mpi_int
2 E10 -m 8:8 -M 1
1 E12 -m 8:8 --ranks 3
END
}

@test "two names of one file: refused before anything is done" {
    # Of the devices only /dev/null does not mix what two write.
    cases <<'END'
| launch 2 latency -m 8:8 --json z --csv ./z | 1 | $ expect_error E12 && --csv ./z: another option names the same file
mkfifo pipe | launch 1 reduce_local -m 8:8 --json pipe --csv pipe | 1 | $ expect_error E12 && --csv pipe: another option names the same file
| launch 1 reduce_local -m 8:8 --json /dev/full --csv /dev/full | 1 | $ expect_error E12 && --csv /dev/full: another option names the same file
| launch 1 reduce_local -m 8:8 -i 2 -x 0 --json /dev/null --csv /dev/null | 0 |
eight a 1; ln -s z link | verb compare --json link --markdown "$PWD/z" a b=a | 1 | ': another option names the same file && $ [[ ! -e z ]]
eight a 1; ln -s z link | verb report --output link --markdown z a b=a | 1 | $ [[ ! -e z ]]
END
}

@test "a pipe: E15 names the option whose reader does not come, and a reader that leaves is E21" {
    mkfifo pipe
    launch 1 reduce_local -m 8:8 -i 2 -x 0 --csv pipe --timeout 1
    expect_error E15
    expect_err "phase=opening the file of --csv;"
    launch 1 reduce_local -m 8:8 -i 2 -x 0 --json pipe --timeout 1
    expect_error E15
    expect_err "phase=writing the file of --json;"
    # It leaves when the heading is there; the pipe holds a few rows, so that however late
    # it leaves others are still to come.
    python3 -c 'import fcntl; f = open("pipe"); fcntl.fcntl(f, 1031, 4096); f.readline()' &
    launch 1 reduce_local -m 1:1M -i 1 -x 0 --csv pipe -T all
    wait
    expect_status 2
    expect_error E21
    expect_err "--csv pipe: Broken pipe"
}

@test "an answer that cannot be printed is a failure of every verb" {
    local line words
    both_stored
    while read -r line; do
        echo "$line"
        read -ra words <<<"$line"
        run_to_files bash -c 'exec "$@" >/dev/full' judge "${judge[@]}" "${words[@]}"
        expect_status 1
        expect_err "standard output could not be written"
    done <<'END'
compare a b
compare --help
repeat a
accept limits a
accept --learn limits a
report a b
tune --mpi mpich allreduce:2=allreduce-2
END
}

@test "text that is any bytes: every document is valid, and nothing vanishes" {
    local bytes=$'J\xfcrgen \xf0\x9f \xed\xa0\x80 \x01\x1b\xef\xbf\xbf<&>"\x27]]> ' long
    long=$(printf '%0199d\xc3\xbc' 0)
    # The list of words keeps its length, and the variable its name.
    wrapper=(env $'ALIDADE_X\xfc=1')
    ALIDADE_Y=$bytes launch 1 reduce_local -m 8:8 -i 5 -x 0 --json "x$bytes"
    expect_status 0
    check json <"x$bytes"
    [[ $(value "x$bytes" "len(d['command'])") -eq 9 ]] || fail "a word is lost"
    [[ $(value "x$bytes" "d['environment']['variables']['ALIDADE_X\ufffd']") == 1 ]] || fail "a variable is lost"
    [[ $(value "x$bytes" "ascii(d['environment']['variables']['ALIDADE_Y'])") == "'J\ufffdrgen "* ]] || fail "a variable is lost"
    eight a 1
    eight $'b\xfc=1\x01<&>' 2
    eight c 1
    printf 'Gr\xf6\xdfe\n' >a/1.txt
    verb compare --json c.json --junit c.xml --markdown c.md --failed "v: $bytes$long" a $'b\xfc=1\x01<&>'
    expect_status 0
    check json <c.json
    check xml <c.xml
    check markdown <c.md
    grep -q $'J\xef\xbf\xbdrgen' c.json c.md c.xml || fail "the remark is lost"
    [[ $(value c.json "len(d['left_out'])") -eq 1 ]] || fail "the remark is lost"
    verb repeat --json r.json --failed "3: $bytes" --stop "$bytes" a
    expect_status 0
    check json <r.json
    [[ $(value r.json "ascii(d['failed'][0]['reason'][:6])") == "'J\\ufffdrgen'" ]] || fail "text is lost"
    printf 'latency\t3\t%s%s\t%s\nbw\t1\t%s%s\tx\n' "$long" "$bytes" "$bytes" "$long" "$bytes" >left
    verb examine --output p.html --json s.json --left-out left --command "$bytes" --title "$bytes" a
    check html <p.html
    check json <s.json
    [[ $(value s.json "'rgen' in d['not_measured'][1]['reason']") == True ]] || fail "a reason is lost"
    verb report --output p.html --markdown p.md --title "$bytes" a $'b\xfc=1\x01<&>'
    expect_status 0
    check html <p.html
    check markdown <p.md
}

@test "what a launcher says is cut within no character" {
    [[ $python3 != none ]] || skip "there is no python3"
    said() {
        "$python3" -B -I -X utf8 -c 'import os, sys
sys.path.insert(0, sys.argv[1])
from runner.plan import said
os.write(1, os.fsencode(said(sys.argv[2])))' "$ALIDADE_SOURCE/scripts" "$1"
    }
    printf '%0199d\xc3\xbc and more\n' 0 >err
    [[ $(said err) == "$(printf '%0199d' 0)" ]] || fail "it is $(said err)"
    printf 'f\xc3\xbcr J\xc3\xbc\n' >err
    [[ $(said err) == $'f\xc3\xbcr J\xc3\xbc' ]] || fail "it is $(said err)"
}
