#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# -G: drawings by gnuplot, and what happens where there is none.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 20 -x 2)

setup() {
    mkdir "$BATS_TEST_TMPDIR/here" && cd "$BATS_TEST_TMPDIR/here" || return 1
}

need_gnuplot() {
    command -v gnuplot >/dev/null || skip "there is no gnuplot"
}

# In PATH, first: a gnuplot that does what stands on stdin.
fake_gnuplot() {
    mkdir -p ../fake
    { echo '#!/bin/sh' && cat; } >../fake/gnuplot
    chmod +x ../fake/gnuplot
    wrapper=(env "PATH=$BATS_TEST_TMPDIR/fake:$PATH")
}

# The files that were drawn are these, each of the form its name says.
expect_drawn() {
    local seen file
    seen=$(find . -name '*.png' -o -name '*.pdf' -o -name '*.svg' | sed 's|^\./||' | sort | tr '\n' ' ')
    [[ $seen == "${*:+$* }" ]] || fail "drawn: $seen"
    for file; do
        case $file in
        *.png) [[ $(head -c 4 "$file" | tail -c 3) == PNG ]] ;;
        *.pdf) [[ $(head -c 5 "$file") == %PDF- ]] ;;
        *.svg) grep -q '^</svg>' "$file" ;;
        esac || fail "$file is not of that form"
    done
}

# Points of a drawing that stand for the figures of the table; one is the
# legend's.
points() {
    grep "<use xlink:href='#gpPt6' transform" "$1" | grep -vc "color='white'"
}

@test "-G png,pdf,svg: one drawing of all rows, and one of each" {
    need_gnuplot
    launch 2 latency -m 8:32 "${brief[@]}" -G png,pdf -G svg
    expect_status 0
    expect_quiet
    ! grep WARNING "$err" || fail "gnuplot warns"
    expect_drawn latency-16.pdf latency-16.png latency-16.svg latency-32.pdf latency-32.png \
        latency-32.svg latency-8.pdf latency-8.png latency-8.svg latency.pdf latency.png latency.svg
    [[ $(points latency.svg) -eq 4 ]] || fail "not as many points as rows: $(points latency.svg)"
    [[ $(points latency-8.svg) -eq 21 ]] || fail "not as many points as iterations"
    grep -q '>latency: one-way latency between two ranks (half the round-trip time)<' latency.svg || fail "no title"
    grep -qF "$(sed -n '1s/^# //p' "$out")" latency.svg || fail "it does not say what was measured"
    grep -q '>message size (bytes)<' latency.svg && grep -q '>Avg Latency(us)<' latency.svg || fail "axes"
    [[ $(find . -type f | wc -l) -eq 12 ]] || fail "something is left over"
}

@test "-G tty: behind the table, each line as a comment, of the size asked for" {
    need_gnuplot
    export OMB_COL_SIZE=90 OMB_ROW_SIZE=25
    launch 2 bw -m 0:64 "${brief[@]}" -G tty
    expect_status 0
    expect_drawn
    expect_sizes 0 1 2 4 8 16 32 64
    sed '1,/^64 /d' "$out" >plot
    [[ $(wc -l <plot) -ge 24 && $(wc -l <plot) -le 26 ]] || fail "not 25 lines"
    ! grep -v '^# ' plot || fail "a line is no comment"
    [[ $(awk 'length > n { n = length } END { print n }' plot) -le 90 ]] || fail "too wide"
    expect_out "message size (bytes)"
    # Or as wide as the terminal.
    script --version >/dev/null 2>&1 || return 0
    unset OMB_COL_SIZE
    local start columns
    start_of 2
    for columns in 80 100; do
        NO_COLOR=1 script -qec "stty cols $columns; ${start[*]} ${file_of[bw]} -m 8:64 ${brief[*]} -G tty" /dev/null </dev/null | tr -d '\r' >seen
        grep -q '+---' seen || fail "no plot: $(<seen)"
        [[ $(awk '/^#  / && length > n { n = length } END { print n }' seen) -gt $((columns - 12)) ]] || fail "narrow"
        ! awk -v n=$columns 'length > n' seen | grep . || fail "too wide"
    done
}

@test "-G: types in the names of files; one curve for each" {
    need_gnuplot
    launch 2 allreduce -m 8:16 -T all "${brief[@]}" -G svg --order=random:3
    expect_status 0
    expect_drawn allreduce-mpi_{double,float,int,int64_t,signed_char}-{16,8}.svg allreduce.svg
    [[ $(points allreduce.svg) -eq 15 ]] || fail "not two rows and a legend of five types: $(points allreduce.svg)"
}

@test "-G: levels, windows, operations and numbers of ranks have files and curves of their own" {
    need_gnuplot
    launch 3 hotspot_send -m 8:16 --peers 1,2 "${brief[@]}" -G svg
    expect_status 0
    expect_drawn hotspot_send-peers1-16.svg hotspot_send-peers1-8.svg hotspot_send-peers2-16.svg \
        hotspot_send-peers2-8.svg hotspot_send.svg
    [[ $(points hotspot_send.svg) -eq 6 ]] || fail "not two curves of two rows, and a legend: $(points hotspot_send.svg)"
    grep -q 'peers=2, MPI_CHAR median' hotspot_send.svg || fail "a curve without its level"
    rm -f ./*.svg
    launch 2 mbw_mr -V -m 1:1 "${brief[@]}" -G svg
    expect_status 0
    expect_drawn mbw_mr-window{1,128,16,2,32,4,64,8}-1.svg mbw_mr.svg
    rm -f ./*.svg
    launch 3 comm_create "${brief[@]}" -G svg
    expect_status 0
    [[ $(find . -name 'comm_create-*.svg' | wc -l) -ge 2 ]] || fail "rows share a file: $(echo ./*)"
}

@test "-G: a program without sizes, and whose samples they are" {
    need_gnuplot
    launch 2 barrier "${brief[@]}" -G svg,tty
    expect_status 0
    expect_drawn barrier.svg
    [[ $(points barrier.svg) -eq 21 ]] || fail "not as many points as iterations"
    grep -q 'slowest rank<' barrier.svg || fail "does not say whose"
    expect_out "# "
}

@test "-G: a file of results that a drawing would replace is refused" {
    local option
    need_gnuplot
    for option in --json=latency.png --csv=./latency-8.png "--csv=$PWD/latency-mpi_char-8.svg"; do
        echo "$option"
        # shellcheck disable=SC2086  # words of options
        launch 2 latency -m 8:8 "${brief[@]}" -G png,svg $option
        expect_status 1
        expect_error E12
        expect_err "-G gives this ending to drawings"
        # The file of --json says how it ended.
        [[ $option != --json=* ]] || { grep -q '"code": 1' latency.png && rm latency.png; } || fail "no result file"
        [[ -z $(find . -name 'latency*') ]] || fail "a file is left over"
    done
    launch 2 latency -m 8:8 "${brief[@]}" -G png --json=latency.svg --csv=latency.csv
    expect_status 0
}

@test "-G without gnuplot: refused before anything is measured" {
    wrapper=("$(command -v env)" PATH=/nonexistent)
    launch 2 latency -m 8:8 "${brief[@]}" -G png --json x.json
    expect_status 77
    expect_error E24
    expect_err "nstall gnuplot"
    expect_no_out
    grep -q '"code": 77' x.json || fail "does not say how it ended"
    [[ ! -e x.json.part ]] || fail "a file is left over"
}

@test "-G: a folder that cannot be written is found out before" {
    need_gnuplot
    [[ $(id -u) -ne 0 ]] || skip "root may write everywhere"
    mkdir closed
    chmod 555 closed
    cd closed || return 1
    launch 2 latency -m 8:8 "${brief[@]}" -G png
    expect_status 1
    expect_error E17
}

@test "-G: a gnuplot that fails is a warning; the table stands" {
    fake_gnuplot <<<'echo "no font" >&2; exit 1'
    launch 2 latency -m 8:8 "${brief[@]}" -G png
    expect_status 0
    expect_sizes 8
    expect_quiet W25
    expect_err "no font"
    expect_err "W25: latency: gnuplot: its exit status=1;"
    fake_gnuplot <<<'kill -9 $$'
    launch 2 latency -m 8:8 "${brief[@]}" -G png
    expect_status 0
    expect_err "status=137;"
}

@test "-G: gnuplot ends at the first drawing that it cannot write" {
    need_gnuplot
    local name
    for name in latency-8.png.part latency-8.png; do
        mkdir "$name"
        launch 2 latency -m 8:16 "${brief[@]}" -G png
        expect_status 0
        expect_quiet W25
        expect_err "$([[ $name == *.part ]] && echo "cannot open file" || echo "$name: Is a directory")"
        [[ ! -e latency-16.png && ! -e latency.png ]] || fail "it went on"
        expect_sizes 8 16
        rmdir "$name"
    done
}

@test "-G: once, by rank 0, with a script that no shell has read" {
    fake_gnuplot <<<'echo once >>count; cat >script'
    launch 2 allreduce -m 4:8 "${brief[@]}" -G svg
    expect_status 0
    [[ $(wc -l <count) -eq 1 ]] || fail "not once"
    [[ $(grep -c '^set output .allreduce' script) -eq 3 ]] || fail "not three drawings"
}

@test "-G: a drawing that is there stays until the new one is whole" {
    need_gnuplot
    echo old >latency-8.svg
    # It dies in the middle of the second drawing.
    fake_gnuplot <<END
sed '/^set output .latency-16/,\$d' | $(command -v gnuplot) -d /dev/stdin
echo half >latency-16.svg.part
exit 1
END
    launch 2 latency -m 8:16 "${brief[@]}" -G svg
    expect_status 0
    expect_quiet W25
    [[ $(<latency-8.svg) == old ]] || fail "it is lost"
    [[ ! -e latency-16.svg ]] || fail "half of one has the name of a whole one"
    wrapper=()
    launch 2 latency -m 8:16 "${brief[@]}" -G svg
    expect_quiet
    expect_drawn latency-16.svg latency-8.svg latency.svg
    [[ $(find . -type f | wc -l) -eq 3 ]] || fail "something is left over"
}
