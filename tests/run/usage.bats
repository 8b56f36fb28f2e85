#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Bad input is refused by one sentence, for the whole job, before anything is
# measured; and what needs no MPI works without it.
#
# What is refused before MPI_Init needs no launcher: each rank of a job of two
# is started by hand, with an MPI_Init that would abort.  That is a hundred
# times faster than Open MPI's mpirun, which waits for others to fail too.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

setup() {
    ranks=2
    quick=yes
}

# refused CODE NUMBER PROGRAM ARGUMENT...: before MPI_Init; rank 0 speaks for all.
refused() {
    local code=$1 number=$2
    shift 2
    preload=(noinit)
    as_rank 1 direct "$@"
    echo "$*"
    expect_status "$code"
    [[ ! -s $out && ! -s $err ]] || fail "rank 1 spoke"
    as_rank 0 direct "$@"
    expect_status "$code"
    expect_refused "$number"
    preload=()
}

# As the launcher of this MPI would tell a process.
as_rank() {
    local rank=$1
    shift
    if [[ $flavour == openmpi ]]; then
        OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$rank "$@"
    else
        PMI_SIZE=2 PMI_RANK=$rank "$@"
    fi
}

# job PROGRAM ARGUMENT...: $ranks ranks together.
job() {
    impatient=$quick
    launch "$ranks" "$@"
}

# By this error and nothing else.
expect_refused() {
    expect_error "$1"
    expect_no_out
}

@test "under mpirun: one line for the whole job, and the launcher passes on the code" {
    ranks=4
    quick=no # a rank that is quick to fail must not have rank 0 killed
    cases <<'END'
| job latency -m abc | 1 | $ expect_refused E12
| job allreduce -d cuda | 77 | $ expect_refused E05
END
}

# tests/unit/test_option.c has all that is refused, and its words.
@test "refused before MPI_Init, by rank 0 alone: options, and -d in a build without GPU support" {
    local kind
    refused 1 E12 latency -Q
    expect_err "unknown option '-Q'"
    refused 1 E12 latency -m 8:8 foo
    refused 1 E12 latency -c --no-verify
    refused 1 E12 latency -d openacc D D
    refused 1 E12 allreduce -d sycl --dry-run
    for kind in cuda CUDA managed rocm; do
        # What is known of this one process is said by all ranks together.
        [[ $have_cuda == no || ! ${kind,,} =~ ^(cuda|managed)$ ]] || continue
        [[ $hip_dir == none || ! $kind =~ ^(rocm|managed)$ ]] || continue
        refused 77 E05 latency -d "$kind" D D
    done
}

@test "wrong numbers of ranks: E02 and 77, with an example" {
    ranks=3
    cases <<'END'
| job latency | 77 | $ expect_refused E02 && needs exactly 2 ranks; given: 3. && ~ ^This test requires exactly two processes
| job mbw_mr | 77 | $ expect_refused E02 && needs an even number of ranks; given: 3.
| job multi_lat -i 5 | 77 | $ expect_refused E02
ranks=1 | job allreduce | 77 | $ expect_refused E02 && ~ ^This test requires at least two processes && needs at least 2 ranks; given: 1.
END
}

@test "without any launcher: one process, E02 and 77" {
    local folder="$BATS_TEST_TMPDIR/it's mine" file
    ln -s "${file_of[latency]%/*}" "$folder"
    for file in "${file_of[latency]}" "$folder/latency"; do
        run_to_files "$file" -m 8:8
        expect_status 77
        expect_error E02
        expect_no_out
        expect_err "For example: "
        # It works when pasted, also as root, and binds the ranks.
        run_to_files env -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM -u I_MPI_PIN \
            bash -c "$(sed -n 's/.*For example: //p' "$err") -m 8:8 -i 5 -x 1"
        expect_status 0
        expect_sizes 8
        [[ $(nproc) -lt 2 ]] || expect_out "bound=core;"
    done
    # So do the examples of the help.
    run_to_files "$folder/latency" --help
    run_to_files env -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
        bash -c "$(grep -m 1 'columns=median,stddev' "$out" | sed 's/mpi[a-z]*[.a-z]* /"$0" /') -m 8:8 -i 5 -x 1" "$mpirun"
    expect_status 0
    expect_sizes 8
}

@test "--dry-run refuses numbers of ranks and options as a job does" {
    cases <<'END'
| direct bw_fan_in --groups 7 --dry-run --ranks 3 | 77 | $ expect_refused E02
| direct mbw_mr -p 5 --dry-run --ranks 4 | 1 | $ expect_refused E12 && -p 5 needs 10 ranks; given: 4
| direct mbw_mr_mt -t 64 -W 16777215 -m 1:1 --dry-run | 0 |
END
}

@test "--dry-run: a need beyond what can be counted is not none" {
    cases <<'END'
| direct bw --dry-run -m 1T:8388607T -W 64 -b multiple | 0 | 16EiB && $ refuse_out " 0B"
END
}

@test "neighbourhoods: nonsense, missing file, bad line, no edge, bad rank" {
    ranks=3
    cases <<'END'
| job neighbor_alltoall -N nonsense | 1 | $ expect_refused E12
| job neighbor_alltoall -N cart:1 | 1 | $ expect_refused E12
| job neighbor_alltoall -N cart:0:1 | 1 | $ expect_refused E12
| job neighbor_alltoall -N cart:1:5 | 77 | $ expect_refused E02 && needs at least 11 ranks
| job neighbor_alltoall -N graph:missing | 1 | $ expect_refused E12 && cannot be read
printf '0,1\n0 1\n' >graph | job neighbor_alltoall -N graph:graph | 1 | $ expect_refused E12 && line 2
printf '0,3\n' >graph | job neighbor_alltoall -N graph:graph | 1 | $ expect_refused E12 && line 1
printf '# nothing\n' >graph | job neighbor_alltoall -N graph:graph | 1 | $ expect_refused E12 && no edges
END
}

@test "files that cannot be written are found out before measuring" {
    need_json
    # A refused run says so in the file that it can write, and nothing else is left.
    cases <<'END'
| job latency -m 8:8 --json missing/x.json | 1 | $ expect_refused E17 && No such file
| job latency -m 8:8 --json . | 1 | $ expect_refused E17 && Is a directory
| job latency -m 8:8 --csv missing/x.csv | 1 | $ expect_refused E17
| job latency -m 8:8 --json a.json --csv missing/x.csv | 1 | $ expect_refused E17 && @a.json "code": 1 && $ [[ $(echo *) == a.json ]]
END
}

@test "sizes that fit nowhere: E10 says how much, exit 2" {
    # The last has a limit of one's own.
    cases <<'END'
| job latency -m 1T:1T | 2 | $ expect_refused E10 && size=1099511627776; needs=4TiB && available=
| job alltoall -m 4T:4T | 2 | $ expect_refused E10
| job bw -W 100000 -m 1G:1G -b multiple | 2 | $ expect_refused E10
| job latency -m 1M:1M -M 64K | 2 | $ expect_refused E10 && mem-limit per rank=65536;
END
}

@test "sizes of which some fit: W11 once, the others are measured" {
    # Counted without overflow, whatever the window.  Open MPI's time for a window grows with
    # its square: not 100000 where it is measured.
    cases <<'END'
| launch 2 latency -m 64K:64G -M 1M -i 1 -x 0 | 0 | $ expect_sizes 65536 131072 262144 && $ expect_quiet W11 && $ [[ $(messages "warning W11") -eq 1 ]] && last=262144; next=524288;
| launch 2 bw -m 8:8E -i 1 -x 0 | 1 |
| launch 2 bw -W 2000 -M 1M -m 64:1T -i 1 -x 0 -c | 0 | $ expect_quiet W11 && $ expect_sizes 64 128 256 512
| direct bw -W 100000 --dry-run -m 8:8 | 0 | $ expect_sizes 8
END
}

# The default of containers is 64 MB.
@test "windows that MPI has in /dev/shm: what does not fit there is left out with W11, or is E10; -w create takes none" {
    local name names=()
    [[ $shares_memory == yes ]] || skip "the ranks of this MPI share no memory"
    in_namespace 'mount -t tmpfs -o size=32m tmpfs /dev/shm'
    takers win-options
    for name in "${!takes[@]}"; do
        ! takes_sizes "$name" || names+=("$name")
    done
    [[ ${#names[@]} -ge 12 ]] || fail "few programs: ${names[*]}"
    printf '%s -i 1 -x 0 --sizes=64,64M\n' "${names[@]}" >"$BATS_TEST_TMPDIR/lines"
    launch 2 suite --from="$BATS_TEST_TMPDIR/lines"
    expect_status 0
    expect_quiet W11 W30
    refuse_out "67108864 "
    [[ $(grep -c '^# suite: .*: run; ' "$out") -eq ${#names[@]} ]] || fail "not all were run"
    for name in "${names[@]}"; do
        expect_err "warning W11: $name: large sizes are left out: last=64; next=67108864; needs="
    done
    expect_err "; per node in /dev/shm available="
    launch 2 put_latency -i 1 -x 0 --sizes=64M
    expect_given_up
    expect_error E10
    expect_err "no size fits /dev/shm: size=67108864; needs=128MiB; per node in /dev/shm available="
    launch 2 put_latency -w create -i 1 -x 0 --sizes=64,64M
    expect_status 0
    expect_quiet
    expect_sizes 64 67108864
}

@test "a table without rows is never a success" {
    cases <<'END'
| job latency -m 1:3 -T mpi_int | 2 | $ expect_refused E19
| job allreduce -m 1:2 -T mpi_float | 2 | $ expect_refused E19
| job latency -m 3:3 -T mpi_double | 2 | $ expect_refused E19
END
}

@test "--dry-run lists the sizes that have a row, under one heading, or E19 and 2" {
    cases <<'END'
| direct partitioned_latency --dry-run -q 3 -T mpi_int -m 6:100 | 0 | $ expect_sizes 12 24 48 96 && # rows=4; && $ said 1 "^# Size"
| direct partitioned_latency --dry-run -q 5 -T mpi_int -m 1:100 | 2 | $ expect_error E19
END
}

# said N PATTERN: so many lines of what all programs said.
said() {
    [[ $(grep -Ec -e "$2" "$out") -eq $1 ]] || fail "not $1 times: $2"
}

@test "--help, --version, --dry-run of every program work where MPI_Init aborts" {
    local n option
    preload=(noinit)
    direct suite --list
    n=$(wc -l <"$out")
    for option in -h --help --version --dry-run; do
        direct latency "$option"
        expect_status 0
        [[ ! -s $err ]] || fail "stderr is not empty"
        direct suite all -- "$option"
        echo "$option"
        expect_status 0
        # As in a run: sizes that have no element for each rank.
        [[ $option != --dry-run ]] || sed -i '/ W31: i*reduce_scatter.* a rank would have less/,+1d' "$err"
        [[ ! -s $err ]] || fail "stderr is not empty"
        expect_out "# suite: programs=$n; run=0; skipped=0; failed=0; "
        refuse_out "(null)"
        case $option in
        -h | --help)
            said "$n" '^Usage: .* \[OPTION\.\.\.\]'
            [[ $(grep -A 1 '^Usage: ' "$out" | grep -c '^[A-Z].*\.$') -eq $n ]] || fail "not a sentence each"
            ;;&
        -h)
            awk '/^Usage: / { if (programs++ && n != 3) bad = 1; n = 0; sub(/ \[OPTION.*/, ""); sub(/.* /, ""); name = $0 }
                /^  [a-z.]*run[a-z.]* -n [0-9]* / && $0 ~ "/" name "( |$)" { n++ }
                END { exit bad || programs < 100 || n != 3 }' "$out" || fail "not three examples of each"
            ;;
        --help)
            said "$n" '--timeout='
            said "$n" '--version  '
            said "$n" '^Sample'
            ;;
        --version)
            diff <("$ALIDADE_SOURCE/tests/lint/program_list.sh" "$ALIDADE_SOURCE" | sed "s,.*/,,; s/$/ (Alidade) $version, built for $flavour;/") \
                <(sed -n 's/^\([^#;]*;\) .*/\1/p' "$out" | sed 's/, commit [0-9a-f]*+\{0,1\},/,/') || fail "other names or versions (OMB 54)"
            ;;
        --dry-run) said "$n" 'nothing is measured' ;;
        esac
    done
    # The library does abort.
    direct hello
    [[ $status -ne 0 ]] || fail "noinit did not abort"
}

@test "the examples of -h work" {
    local name line
    for name in $(if [[ -n ${ALIDADE_LONG:-} ]]; then programs; else echo latency ineighbor_alltoall fop_latency init; fi); do
        ln -sf "${file_of[$name]}" .
        "./$name" -h | grep "^  [a-z.]*run[a-z.]* -n " >"$name.examples"
        while read -r line; do
            echo "$line"
            # Briefer than it stands there; more ranks than cores under Open MPI.
            [[ $line == *" -i "* || $name =~ ^(init|hello|where|is|ft)$ ]] || line+=" --budget=1ms -m 8:64"
            [[ $name != fop_latency ]] || line=${line% -m 8:64}
            run_to_files bash -c "$line"
            [[ $line == *cuda* && $status -eq 77 ]] || expect_status 0
        done <"$name.examples"
    done
}

@test "under mpirun they are printed once" {
    cases <<'END'
| launch 2 latency --help | 0 | $ said 1 '^Sample: |Sample:'
| launch 3 latency --version | 0 | $ [[ $(wc -l <"$out") -eq 1 ]]
| launch 2 latency --dry-run -m 8:8 | 0 | $ expect_sizes 8
END
}

@test "standard output that cannot be written to is an error, whatever was to be printed" {
    local options
    for options in "is --class S" "init" "latency --dry-run" "latency --help" "latency --version"; do
        # shellcheck disable=SC2086
        set -- $options
        # shellcheck disable=SC2016
        run_to_files sh -c 'exec "$0" "$@" >/dev/full' "$(program "$1")" "${@:2}"
        echo "$options"
        expect_status 2
        expect_error E21
        expect_err "$1: standard output: "
    done
}
