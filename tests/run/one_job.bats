#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# suite: many programs in one MPI job, each as it is alone.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash, and of subshells

load common

brief=(-i 5 -x 1)

# Lines of the last run, with figures masked.
masked() {
    sed -E '/^# (suite: |suspect|doubtful|Undecided|Violated)/d; s/-?[0-9]+\.[0-9]+/N/g; s/ +/ /g' "$out"
}

# What each family prints is the same, in whatever order, and twice.
@test "each program prints what it prints alone; a document each; a line each at the end" {
    local names=(latency put_latency iallreduce allreduce_guideline halo comm_create allreduce) name json=()
    local folder=$BATS_TEST_TMPDIR/json
    launch 2 suite "${names[@]}" --json="$folder/" -- "${brief[@]}"
    expect_status 0
    expect_quiet W31 W36
    expect_out "# suite: programs=7; run=7; skipped=0; failed=0; seconds="
    masked >"$BATS_TEST_TMPDIR/together"
    : >"$BATS_TEST_TMPDIR/alone"
    for name in "${names[@]}"; do
        [[ $name != allreduce ]] || json=(--json="$BATS_TEST_TMPDIR/alone.json")
        launch 2 "$name" "${brief[@]}" "${json[@]}"
        expect_status 0
        masked >>"$BATS_TEST_TMPDIR/alone"
    done
    diff "$BATS_TEST_TMPDIR/alone" "$BATS_TEST_TMPDIR/together"
    need_json
    json=$BATS_TEST_TMPDIR/alone.json
    check "$folder/allreduce.json" <<'END'
e = json.load(open(sys.argv[2]))
assert set(d) == set(e), set(d) ^ set(e)
assert d["benchmark"] == e["benchmark"] and d["method"] == e["method"] and d["exit"] == e["exit"]
assert [set(row) for row in d["rows"]] == [set(row) for row in e["rows"]]
assert d["command"][0] == e["command"][0] and len(d["command"]) == len(e["command"]), e["command"]
END
    [[ $(find "$folder" -name '*.json' | wc -l) -eq 7 ]] || fail "not a file each"
}

@test "what cannot run is skipped with the reason, or with the command that runs it alone" {
    launch 3 suite latency latency_mt init latency_mp allreduce -- --budget 1ms -m 8:8
    expect_status 0
    expect_quiet
    expect_out "# suite: latency: skipped; needs exactly 2 ranks; given: 3"
    expect_out "# suite: latency_mt: skipped; needs MPI_THREAD_MULTIPLE; alone: "
    expect_out "/mpi/pt2pt/latency_mt --budget 1ms -m 8:8"
    expect_out "# suite: init: skipped; "
    expect_out "# suite: latency_mp: skipped; forks processes; alone: "
    expect_out "# suite: allreduce: run; "
    expect_sizes 8
    cases <<'END'
| launch 3 suite latency bw | 77 | $ expect_out "# suite: programs=2; run=0; skipped=2; failed=0; "
| launch 2 suite latency -- -I | 77 | $ expect_out "skipped; starts MPI by a session; alone: "
END
}

@test "words: groups, names with osu_, twice; bad words and options are refused before all" {
    direct suite --list
    expect_status 0
    [[ $(wc -l <"$out") -eq $("$ALIDADE_SOURCE/tests/lint/program_list.sh" "$ALIDADE_SOURCE" | wc -l) ]] || fail "not all"
    cases <<'END'
| direct suite --help | 0 | $ expect_out "Usage: "
| direct suite latency barrier -- -m 9P:9P | 1 | $ expect_out "# suite: latency: failed; E12: -m '9P:9P' is not a size"
| direct suite s:standard osu_latency -- --dry-run -m 8:8 | 0 | $ [[ $(grep -c '^# latency on 2 ranks' "$out") -eq 2 ]] && $ [[ $(grep -c '^# bw on 2 ranks' "$out") -eq 1 ]]
| direct suite s:standard ^bw -- --dry-run -m 8:8 | 0 | # latency on 2 ranks && $ refuse_out "# bw on 2 ranks" && $ refuse_out "bw_persistent" && # suite: rows=
END
    local words
    for words in nothing s:nothing "latency ^bw" "^latency latency" "latency ^latency" "latency -m 8:8" "" "latency bw -- -m 8:4" "latency bw -- --json=x" \
        "latency latency -- --json=x/" "latency bw -- --no-such" "latency bw -- -clog"; do
        # shellcheck disable=SC2086  # words
        direct suite $words
        echo "$words"
        expect_status 1
        expect_no_out
        expect_error E12
    done
    [[ ! -e x ]] || fail "it made something"
}

@test "as omb_one_sided: options, --, tests of OMB in its domain; without -- all of them" {
    local name=$BATS_TEST_TMPDIR/omb_one_sided words
    ln "${file_of[suite]}" "$name" 2>/dev/null || cp "${file_of[suite]}" "$name"
    cases <<'END'
| run_to_files "$name" -m 8:8 --dry-run -- osu_put_latency s:rma | 0 | $ [[ $(grep -c '^# put_latency on 2 ranks' "$out") -eq 1 ]]
| run_to_files "$name" --dry-run | 0 | # cas_latency on 2 ranks && $ refuse_out "# latency on 2 ranks" && $ refuse_out "# hotspot_put on"
END
    for words in allreduce s:persistent hotspot_put; do
        run_to_files "$name" -- $words
        expect_status 1
        expect_error E12
        expect_err "'$words' is neither a program nor a group that OMB has in: one-sided;"
    done
}

# lines TEXT: a file for --from.
lines() {
    printf '%b' "$1" >"$BATS_TEST_TMPDIR/lines"
}

@test "--from: a line is a program with its own options; one may stand there several times" {
    local csv=$BATS_TEST_TMPDIR/csv
    lines "# a comment\n\n  latency -m 8:8 --csv=$csv/\r\n\tlatency\t-m 16:32 --total 9s\n #x\nallreduce -m 4:4 -T mpi_int -c"
    launch 2 suite barrier --from="$BATS_TEST_TMPDIR/lines" -- "${brief[@]}"
    expect_status 0
    expect_sizes 8 16 32 4
    expect_out "# Datatype: MPI_INT."
    [[ $(sed -n 's/^# suite: \([a-z]*\): run;.*/\1/p' "$out" | xargs) == "barrier latency latency allreduce" ]] ||
        fail "not these four"
    [[ $(tail -n 1 "$csv/latency.csv") == latency,2,*,8,* ]] || fail "not the row of 8 bytes"
    # What one line asks for is not asked of the others.
    lines "latency -m 8:8 --dry-run\nbw -i 2 -x 0 -m 64:64"
    launch 2 suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    expect_out "# suite: bw: run; "
    refuse_out "# suite: latency"
    expect_out "# suite: rows=1;"
    # What all are given and one does not take is no fault of its line.
    lines "latency -m 8:8\nbarrier"
    cases <<'END'
| launch 2 suite --from="$BATS_TEST_TMPDIR/lines" -- -c "${brief[@]}" | 0 | # suite: barrier: skipped; does not take -c && # suite: programs=2; run=1; skipped=1;
| direct suite latency init -- -W 4 | 1 | $ expect_error E43 && $ expect_err "suite: no program can run with these options: does not take -W"
| direct suite --from="$BATS_TEST_TMPDIR/lines" -- --order=bad | 1 | $ expect_err "suite: no program can run with these options: --order 'bad' is not one of "
END
}

@test "--from: a bad line, or none, is named before anything is measured" {
    local file=$BATS_TEST_TMPDIR/lines text words
    while IFS='|' read -r text words; do
        lines "$text"
        direct suite --from="$file" -- "${brief[@]}"
        echo "$text"
        expect_status 1
        expect_no_out
        expect_error E12
        expect_err "lines$words"
    done <<'END'
latency\n\npt2pt -m 8:8|: line 3: 'pt2pt' is not the name of a program
latency -m 8:8\n# x\n\nlatency -m 8:4|: line 4: latency: -m
bw -m 8:8\nlatency -W 4|: line 2: latency: does not take -W
# nothing| names no program
END
    rm "$file"
    direct suite --from="$file"
    expect_status 1
    expect_error E12
    expect_err "cannot be read: No such file"
    direct suite --from=/
    expect_err "cannot be read: Is a directory"
    direct suite --from latency
    expect_err "--from takes one file"
}

@test "one file by two names: refused before anything is measured, and nothing is lost" {
    need_json
    local one two words
    mkdir folder
    echo old >there.json
    ln -s there.json link.json
    ln there.json hard.json
    ln -s nothing.json new-link.json
    while IFS='|' read -r one two words; do
        echo "$one, $two"
        lines "latency -m 8:8 $one\nbarrier $two"
        launch 2 suite --from="$BATS_TEST_TMPDIR/lines" -- "${brief[@]}"
        expect_status 1
        expect_no_out
        expect_error E12
        expect_err "$words"
        [[ $(<there.json) == old && ! -e r.json && ! -e nothing.json ]] || fail "a file was written"
    done <<'END'
--json=r.json|--json=./r.json|--json: './r.json' would be written twice; name a folder
--json=r.json|--csv=folder/../r.json|--csv: 'folder/../r.json' would be written twice
--csv=there.json|--json=link.json|--json: 'link.json' would be written twice
--json=hard.json|--json=there.json|--json: 'there.json' would be written twice
--json=nothing.json|--json=new-link.json|--json: 'new-link.json' would be written twice
--json=r.json|--csv=r.json.part|--csv: 'r.json.part' would be written twice
-m 8:8|--json=r.json --csv=r.json|--csv: 'r.json' would be written twice
END
    # What takes all, and files that differ.
    lines "latency -m 8:8 --json=/dev/null --csv=x.csv\nlatency -m 8:8 --json=/dev/null --csv=folder/x.csv"
    launch 2 suite --from="$BATS_TEST_TMPDIR/lines" -- "${brief[@]}"
    expect_status 0
    expect_out "# suite: programs=2; run=2;"
    if [[ -n $(type -P gnuplot) ]]; then
        launch 2 suite latency latency -- -m 8:8 -Gsvg "${brief[@]}"
        expect_status 1
        expect_err "-G: two runs of latency would draw the same files"
    fi
}

# The files of options are those of rank 0: the nodes of the others may lack them, or have others.
@test "two folders, and a file in that of one rank: rank 0 reads it, or all leave with a sentence" {
    local here=$BATS_TEST_TMPDIR/here away=$BATS_TEST_TMPDIR/away file words
    mkdir "$here" "$away"
    printf '8\n32 16\n' >"$here/sizes"
    printf 'latency -m 8:8\nbarrier\n' >"$here/lines"
    printf '4\n' >"$away/sizes"
    # in FIRST SECOND PROGRAM OPTION...: rank 0 in one folder, rank 1 in the other.
    # shellcheck disable=SC2016  # in that shell
    in_folders() {
        wrapper=(bash -c '[[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} == 0 ]] && cd "$0" || cd "$1"; exec "${@:2}"' "$1" "$2")
        launch 2 "${@:3}"
        wrapper=()
    }
    limit=25
    in_folders "$here" "$away" latency --sizes=@sizes "${brief[@]}"
    expect_status 0
    expect_sizes 8 16 32
    in_folders "$here" "$away" suite --from=lines -- "${brief[@]}"
    expect_status 0
    expect_out "# suite: programs=2; run=2;"
    rm "$away/sizes"
    in_folders "$away" "$here" latency --sizes=@sizes "${brief[@]}"
    expect_status 1
    expect_error E12
    expect_err "latency: --sizes=@sizes: No such file or directory (read on host=$(hostname);)"
    in_folders "$away" "$here" suite --from=lines
    expect_status 1
    expect_error E12
    expect_err "suite: --from=lines cannot be read: No such file"
    printf '8\n\n16, x\n' >"$here/sizes"
    in_folders "$here" "$away" latency --sizes=@sizes
    expect_status 1
    expect_err "latency: --sizes=@sizes: line 3 is not a size (examples: "
    # What comes on standard input comes to rank 0 alone.
    # shellcheck disable=SC2016  # in that shell
    wrapper=(bash -c '{ [[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 0 ]] || echo 8,24; } | "$@"' -)
    launch 2 latency --sizes=@/dev/stdin "${brief[@]}"
    wrapper=()
    expect_status 0
    expect_sizes 8 24
    direct latency --sizes=@"$here/lines" --dry-run
    expect_status 1
    expect_err "lines: line 1 is not a size"
}

@test "wrong data does not end the job: the others run, and the exit code is 3" {
    preload=(plant)
    export FAULT=byte FAULT_RANK=1
    launch 2 suite barrier allreduce ibarrier -- "${brief[@]}" -m 1000:1000
    expect_status 3
    expect_out "# suite: barrier: run; "
    expect_out "# suite: allreduce: failed; E14: "
    expect_out "# suite: ibarrier: run; "
}

@test "an MPI error ends the job, and the last line says how far it came" {
    preload=(stop)
    export FAULT=error FAULT_CALL=MPI_Send FAULT_RANK=0 FAULT_BYTES=64
    launch 2 suite hello latency bcast -- -m 64:64
    expect_given_up
    expect_err "alidade: error E16: "
    expect_out "# suite: hello: run; "
    expect_out "# suite: ended in latency, number=2; of programs=3; run=1; "
}
