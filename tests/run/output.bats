#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What stands on stdout, byte for byte: twenty known programs read it.
# shellcheck disable=SC2154  # status, out, ...: set by common.bash

load common

identity='# Alidade [0-9]+\.[0-9]+: ranks=[0-9]+; nodes=[0-9]+; path=[a-z-]+; mem=[A-Z]-[A-Z]; bound=[a-z]+; mpi=[A-Za-z]+-[0-9.]+;'

# Print a row as it must look: the size in 10 columns (none for "-"), then each
# field right-justified: v 18 columns with two decimals, vN the same in N, nN a
# whole number in N columns, other words in 18.
rebuild() {
    local line=$1 size=$2 text="" i=0
    shift 2
    local fields
    read -ra fields <<<"$line"
    if [[ $size != - ]]; then
        printf -v text '%-10s' "$size"
        i=1
    fi
    local kind width pattern
    for kind in "$@"; do
        case $kind in
        v*) pattern='^[0-9]+\.[0-9]{2}$' width=${kind#v} ;;
        n*) pattern='^[0-9]+$' width=${kind#n} ;;
        *) pattern="^$kind\$" width= ;;
        esac
        [[ ${fields[i]:-} =~ $pattern ]] || return 1
        printf -v text '%s%*s' "$text" "${width:-18}" "${fields[i]}"
        ((++i))
    done
    printf '%s\n' "$text"
}

# stdout is what stands on stdin, line by line and to the last byte: literal
# lines, IDENTITY, ROW SIZE FIELD... (as above), or ~ and a regular expression.
expect_layout() {
    local spec=() seen=() i line words
    mapfile -t spec
    mapfile -t seen <"$out"
    [[ ${#seen[@]} -eq ${#spec[@]} ]] ||
        fail "expected ${#spec[@]} lines, saw ${#seen[@]}"
    [[ -z $(tail -c 1 "$out") ]] || fail "the last line does not end"
    for i in "${!spec[@]}"; do
        line=${seen[i]}
        case ${spec[i]} in
        IDENTITY) [[ $line =~ ^$identity$ ]] || fail "line $((i + 1)): $line" ;;
        ROW*)
            read -ra words <<<"${spec[i]#ROW }"
            [[ $line == "$(rebuild "$line" "${words[@]}")" ]] ||
                fail "line $((i + 1)) is not ${spec[i]}: '$line'"
            ;;
        "~"*)
            [[ $line =~ ^${spec[i]#\~}$ ]] ||
                fail "line $((i + 1)) is not ${spec[i]}: '$line'"
            ;;
        *) [[ $line == "${spec[i]}" ]] ||
            fail "line $((i + 1)): expected '${spec[i]}', saw '$line'" ;;
        esac
    done
}

brief=(-i 20 -x 2)

@test "latency" {
    launch 2 latency -m 8:16 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
ROW 8 v
ROW 16 v
END
    [[ ! -s $err ]] || fail "stderr is not empty"
}

@test "latency -c -z: Validation and percentiles, in this order" {
    launch 2 latency -m 4:4 -c -z -i 200 -x 2
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)
ROW 4 v Pass v v v
END
    [[ ! -s $err ]] || fail "stderr is not empty"
}

@test "latency -zP,...: titles in the order given, 18 wide, the title of P100 19" {
    launch 2 latency -m 4:4 -z95,1,100 -i 2000 -x 2
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)  P95 Tail Lat(us)   P1 Tail Lat(us)  P100 Tail Lat(us)
ROW 4 v v v v
END
}

@test "multi_lat: no suffix slot, the same table; -z has values" {
    launch 2 multi_lat -m 8:8 -z50 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Multi Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)  P50 Tail Lat(us)
ROW 8 v v
END
}

@test "bw and bibw, -z of a bandwidth" {
    launch 2 bw -m 8:16 -z1 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Bandwidth Test v7.4
# Datatype: MPI_CHAR.
# Size      Bandwidth (MB/s)  P1 Tail BW(MB/s)
ROW 8 v v
ROW 16 v v
END
    launch 2 bibw -m 1048576:1048576 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Bi-Directional Bandwidth Test v7.4
# Datatype: MPI_CHAR.
# Size      Bandwidth (MB/s)
ROW 1048576 v
END
}

@test "mbw_mr -V: eight windows for each size, and the rates behind; -R 0 drops those" {
    local windows="#                 1           2           4           8          16          32          64         128"
    local line='([ 0-9.]{10}  ){7}[ 0-9.]{7}[.][0-9][0-9]'
    launch 2 mbw_mr -V -c -m 64K:128K -i 4 -x 1
    expect_layout <<END
IDENTITY
# OSU MPI Multiple Bandwidth / Message Rate Test v7.4
# [ pairs: 1 ] [ window size: varied ]

# Uni-directional Bandwidth (MB/sec)
# Datatype: MPI_CHAR.
$windows
~65536    $line
~131072   $line

# Message Rate Profile
$windows
~65536    $line
~131072   $line
END
    launch 2 mbw_mr -V -R 0 -m 8:8 -i 4 -x 1 --csv "$BATS_TEST_TMPDIR/x.csv"
    refuse_out "Profile"
    [[ $(cut -d, -f4,5 "$BATS_TEST_TMPDIR/x.csv" | tr '\n' ' ') == \
        "window,bytes 1,8 2,8 4,8 8,8 16,8 32,8 64,8 128,8 " ]] || fail "not eight windows"
    launch 2 mbw_mr -V -W 32 -m 8:8
    expect_status 1
    expect_error E12
}

# Lines of the table, and as many of the profile: fields of each, on one line.
lines_of_V() {
    awk '/^[0-9]/ { n[/-/ ? "cut" : "whole"]++; if (NF != 9) bad = 1 }
         END { print n["whole"] + 0, n["cut"] + 0, bad + 0 }' "$out"
}

@test "mbw_mr -V that is left within a line: that line, and the rates" {
    preload=(wrong)
    FAULT=flip FAULT_BYTES=2 launch 2 mbw_mr -V -c -m 1:2 -i 4 -x 1
    expect_status 3
    [[ $(lines_of_V) == "2 2 0" ]] || fail "$(lines_of_V)"
    [[ $(tail -n 1 "$out") == "DATA VALIDATION ERROR: mbw_mr "* ]] || fail "not the last line"
    [[ $(grep -c '^2 .*[0-9][.][0-9]*           -           -           -           -           -           -           -$' "$out") -eq 2 ]] ||
        fail "not one window"
    preload=()
    launch 2 mbw_mr -V --total 0.02 -m 1:64 -i 300
    expect_status 0
    expect_out "# Message Rate Profile"
    local whole cut bad
    read -r whole cut bad <<<"$(lines_of_V)"
    [[ $((whole + cut)) -ge 2 && $((whole % 2 + cut % 2 + bad)) -eq 0 && $cut -le 2 ]] ||
        fail "whole=$whole cut=$cut bad=$bad"
}

@test "mbw_mr: no empty line, pairs and window, two columns; -R 0 drops one" {
    launch 2 mbw_mr -m 8:16 -c "${brief[@]}"
    expect_layout <<END
IDENTITY
# OSU MPI Multiple Bandwidth / Message Rate Test v7.4
# [ pairs: 1 ] [ window size: 64 ]
# Datatype: MPI_CHAR.
# Size                  MB/s        Messages/s        Validation
ROW 8 v v Pass
ROW 16 v v Pass
END
    launch 2 mbw_mr -R 0 -W 2 -m 8:8 "${brief[@]}"
    expect_layout <<END
IDENTITY
# OSU MPI Multiple Bandwidth / Message Rate Test v7.4
# [ pairs: 1 ] [ window size: 2 ]
# Datatype: MPI_CHAR.
# Size                  MB/s
ROW 8 v
END
}

@test "blocking and persistent collectives: title, type, heading; -f" {
    local name title type
    while read -r name type title; do
        launch 2 "$name" -m 8:16 "${brief[@]}"
        echo "$name"
        expect_layout <<END
IDENTITY

$(title_line "$name" "MPI $title Latency Test")
# Datatype: $type.
# Size       Avg Latency(us)
ROW 8 v
ROW 16 v
END
    done <<END
allgather MPI_CHAR Allgather
allgatherv MPI_CHAR Allgatherv
allreduce MPI_FLOAT Allreduce
allreduce_persistent MPI_FLOAT Allreduce Persistent
alltoall MPI_CHAR All-to-All Personalized Exchange
bcast MPI_CHAR Broadcast
END
    launch 2 allreduce -f -c -z50 -m 4:4 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Allreduce Latency Test v7.4
# Datatype: MPI_FLOAT.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations        Validation  P50 Tail Lat(us)
ROW 4 v v v n12 Pass v
END
}

@test "barrier: no size column, no type line" {
    launch 2 barrier "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Barrier Latency Test v7.4
# Avg Latency(us)
ROW - v17
END
    launch 2 barrier -f "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Barrier Latency Test v7.4
# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
ROW - v17 v v n12
END
}

@test "ibarrier: neither size nor type, five columns more with -f" {
    launch 2 ibarrier "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Non-blocking Barrier Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
ROW - v13 v v v
END
    launch 2 ibarrier -f -t 2 -z90 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Non-blocking Barrier Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Overall(us)       Compute(us)    Coll. Init(us)      MPI_Test(us)      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     Max Comm.(us)        Overlap(%)  P90 Tail Lat(us)
ROW - v13 v v v v v v v v v
END
}

# The title of a collective, in OMB's words.
title_of() {
    local name=${1%_persistent} what before=
    if [[ $1 == i* ]]; then
        name=${1#i} before="Non-blocking "
    fi
    case $name in
    bcast) what=Broadcast before=${before/b/B} ;;
    alltoall) what="All-to-All Personalized Exchange" ;;
    alltoallv) what="All-to-Allv Personalized Exchange" ;;
    alltoallw) what="All-to-Allw Personalized Exchange" ;;
    *) what=${name^} ;;
    esac
    [[ $1 != ialltoall ]] || what=All-to-All
    [[ $1 != *_persistent ]] || what="$what Persistent"
    title_line "$1" "MPI $before$what Latency Test"
}

@test "-t that leaves no computation between two calls is said to be too large" {
    local name
    for name in iallreduce "allreduce_persistent --compute" "ineighbor_allgather"; do
        # shellcheck disable=SC2086  # a program and its option
        launch 3 $name -m 8:16 -t 1000000 -i 2 -x 0
        expect_status 0
        grep -Eq '^# -t 1000000 is too large up to 16 bytes: less than [0-9.]+ us of computation lie between two calls of MPI_Test, so the cost of the calls decides Overlap\. (-t [0-9]+ suits all rows|Leave -t out for such sizes)\.$' "$out" || fail "$name: not said"
        # shellcheck disable=SC2086
        launch 3 $name -m 1M:1M -t 1 -i 2 -x 0
        expect_status 0
        refuse_out "is too large"
    done
    launch 2 ibarrier -t 1000000 -i 2 -x 0
    expect_status 0
    expect_out "# -t 1000000 is too large: less than "
}

@test "iallreduce: the formula, an empty line, four columns; nine with -f" {
    launch 2 iallreduce -m 8:16 "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Non-blocking Allreduce Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Datatype: MPI_FLOAT.
# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
ROW 8 v v v v
ROW 16 v v v v
END
    launch 2 iallreduce -m 8:8 -f -c "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Non-blocking Allreduce Latency Test v7.4
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Datatype: MPI_FLOAT.
# Size           Overall(us)       Compute(us)    Coll. Init(us)      MPI_Test(us)      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     Max Comm.(us)        Overlap(%)        Validation
ROW 8 v v v v v v v v v Pass
END
}

@test "neighbourhoods: topology before the empty line, titles" {
    local name title
    while read -r name title; do
        programs | grep -qx "$name" || continue
        echo "$name"
        launch 3 "$name" -m 8:8 "${brief[@]}"
        if [[ $name == i* ]]; then
            expect_layout <<END
IDENTITY
Dimensions size = 3 
~Time took to create topology graph:[0-9]+\.[0-9]{2} us\.

$(title_line "$name" "MPI $title Latency Test")
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Datatype: MPI_CHAR.
# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
ROW 8 v v v v
END
        else
            expect_layout <<END
IDENTITY
Dimensions size = 3 
~Time took to create topology graph:[0-9]+\.[0-9]{2} us\.

$(title_line "$name" "MPI $title Latency Test")
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
ROW 8 v
END
        fi
    done <<'TITLES'
neighbor_allgather Neighborhood Allgather
neighbor_allgatherv Neighborhood Allgatherv
neighbor_alltoall Neighborhood Alltoall
neighbor_alltoallv Neighborhood All-to-Allv
neighbor_alltoallw All-to-Allw Personalized Exchange
neighbor_allgather_persistent Neighborhood Allgather Persistent
neighbor_allgatherv_persistent Neighborhood Allgatherv Persistent
neighbor_alltoall_persistent Neighborhood Alltoall Persistent
neighbor_alltoallv_persistent Neighborhood All-to-Allv Persistent
neighbor_alltoallw_persistent Neighborhood All-to-Allw Persistent
ineighbor_allgather Non-blocking Neighborhood Allgather
ineighbor_allgatherv Non-blocking Neighborhood Allgatherv
ineighbor_alltoall Non-blocking Neighborhood Alltoall
ineighbor_alltoallv Non-blocking Neighborhood Alltoallv
ineighbor_alltoallw Non-blocking Neighborhood Alltoallw
TITLES
}

@test "one-sided: window, synchronisation and type lines" {
    launch 2 put_latency -m 8:8 -c -z50 "${brief[@]}"
    expect_layout <<END
IDENTITY
# OSU MPI_Put Latency Test v7.4
# Window creation: MPI_Win_allocate
# Synchronization: MPI_Win_flush
# Datatype: MPI_CHAR.
# Size          Latency (us)        Validation  P50 Tail Lat(us)
ROW 8 v passed v
END
    launch 2 get_bw -m 8:8 -w create -s pscw "${brief[@]}"
    expect_layout <<END
IDENTITY
# OSU MPI_Get Bandwidth Test v7.4
# Window creation: MPI_Win_create
# Synchronization: MPI_Win_post/start/complete/wait
# Datatype: MPI_CHAR.
# Size      Bandwidth (MB/s)
ROW 8 v
END
}

@test "start-up programs: one line" {
    launch 2 init
    expect_layout <<END
IDENTITY
# OSU MPI Init Test v7.4
~nprocs: 2, min: [0-9]+ ms, max: [0-9]+ ms, avg: [0-9]+ ms
END
    launch 3 hello
    expect_layout <<END
IDENTITY
# OSU MPI Hello World Test v7.4
This is a test with 3 processes
END
}

@test "several types: type line and heading again before each" {
    launch 2 latency -m 8:8 -T mpi_int,MPI_CHAR -T mpi_double "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_INT.
# Size       Avg Latency(us)
ROW 8 v
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
ROW 8 v
# Datatype: MPI_DOUBLE.
# Size       Avg Latency(us)
ROW 8 v
END
}

@test "wide sizes push nothing into each other" {
    launch 2 latency -m 134217728:134217728 -i 1 -x 0 --no-verify
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
ROW 134217728 v
END
}

@test "extra columns: names of --list, 18 wide, at the end" {
    launch 2 latency -m 8:8 --columns median,min,max,iterations,stop "${brief[@]}"
    expect_layout <<END
IDENTITY

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)        Median(us)     Iter. Min(us)     Iter. Max(us)        Iterations              Stop
ROW 8 v v v v n18 count
END
}

# How often a heading is in the table, its key in CSV, which is there in any case, ranks and words.
@test "a column that can say nothing in any row is not in the table" {
    local shown heading n words csv=$BATS_TEST_TMPDIR/x.csv key
    while IFS='|' read -r shown heading key n words; do
        # shellcheck disable=SC2086  # a program and its options
        launch "$n" $words -x 0 --csv "$csv"
        echo "$words"
        expect_status 0
        [[ $(grep -c "^# Size .* $heading" "$out") -eq $shown ]] || fail "$heading: not $shown times"
        head -n 1 "$csv" | grep -q "$key" || fail "$key is not in CSV"
    done <<'END'
0|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5
0|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5 --compute=0
1|Of Full(%)|of_full_percent|2|halo --grid=2x1 -m 64:64 --exchange=packed -i 5 --compute=50
0|P99|impact_p99_low|4|impact -m 8:8 --victim=latency -i 8:99:20
1|P99|impact_p99_low|4|impact -m 8:8 --victim=latency -i 8:20:100
0|CI95|ratio_high|2|bcast_guideline -m 8:8 -i 5
1|CI95|ratio_high|2|bcast_guideline -m 8:8 -i 20
END
}

# Every run above, and any: what known readers rely on.
@test "lines of ours begin with '# ', no trailing blanks, no tab, no carriage return" {
    local name n
    for name in $(most_programs); do
        n=$(fewest "$name")
        if takes_sizes "$name"; then
            # shellcheck disable=SC2046  # options, each a word
            launch "$n" "$name" -m 8:8 -i 2 -x 0 $(required "$name")
        elif takes_laps "$name"; then
            launch "$n" "$name" -i 2 -x 0
        else
            # shellcheck disable=SC2046  # options, each a word
            launch "$n" "$name" $(required "$name")
        fi
        echo "$name"
        [[ $(head -n 1 "$out") =~ ^$identity$ ]] || fail "identity line"
        # The blanks behind the dimensions and the sender's threads are OMB's.
        refuse_out $'\t'
        refuse_out $'\r'
        if grep -vE '^(Dimensions|# Number of Sender threads)' "$out" | grep -q ' $'; then
            fail "trailing blanks"
        fi
        # A bare number before a blank would be taken for a result.
        if head -n 1 "$out" | cut -d: -f2- | grep -Eq '(^| )[0-9.]+ '; then
            fail "a bare number in the identity line"
        fi
        [[ $(grep -Ec '^# (OSU|NAS|Baseline|MPI(_[A-Z][a-z_]+)?) ' "$out") -eq 1 ]] || fail "not one title"
        if [[ $(family "$name") == collective && ! $name =~ neighbor|reduce_local ]]; then
            expect_out "$(title_of "$name")"$'\n'
        fi
        if ! [[ $name =~ bw|hotspot|reduce_local|halo|ring|exchange|bisection|impact ]]; then
            refuse_out "MB/s"
        fi
    done
}

# --- Readers, as they are written elsewhere -----------------------------------

setup_file() {
    launch 2 latency -m 1:64 -i 20 -x 2
    keep latency
    launch 2 bw -m 1:64 -i 20 -x 2
    keep bw
}

@test "awk readers: last row, row of a size, all rows" {
    recall latency
    [[ $(awk '$1 == "8" { print $2 }' "$out") =~ ^[0-9]+\.[0-9]{2}$ ]]
    [[ $(tail -n 1 "$out" | awk '{ print $1 }') == 64 ]]
    [[ $(grep -v '^#' "$out" | awk 'NF == 2' | wc -l) -eq 7 ]]
    [[ $(grep -v '#' "$out" | grep -c .) -eq 7 ]]
    # Sizes as a range pattern: everything from the heading to the end.
    [[ $(sed '1,/^# Size/d' "$out" | wc -l) -eq 7 ]]
}

@test "ReFrame's and other regular expressions find one value" {
    local file
    for file in latency bw; do
        recall "$file"
        [[ $(grep -Ec '^8[[:space:]]+([^[:space:]]+)' "$out") -eq 1 ]]
        [[ $(grep -Ec '^8[[:space:]]+[0-9.]+$' "$out") -eq 1 ]]
        [[ $(grep -Pc '^\s*64\s+([\d.]+)\s*$' "$out") -eq 1 ]]
    done
    recall latency
    # "# OSU MPI Latency Test v7.4": name and version of the format.
    [[ $(sed -n 's/^# OSU \(.*\) v\([0-9.]*\)$/\1=\2/p' "$out") == "MPI Latency Test=7.4" ]]
    # Multi-line search of the first row behind the heading.
    grep -Pzq '# Size\s+Avg Latency\(us\)\n1\s+\d+\.\d+\n2\s' "$out"
}

@test "numpy.loadtxt-like readers: '#' begins a comment, all else is numbers" {
    [[ $python3 != none ]] || skip "there is no python3"
    recall latency
    "$python3" - "$out" <<'END'
import sys

rows = []
for line in open(sys.argv[1]):
    line = line.split("#", 1)[0].split()
    if line:
        rows.append([float(word) for word in line])
assert [row[0] for row in rows] == [1, 2, 4, 8, 16, 32, 64], rows
assert all(len(row) == 2 for row in rows), rows
END
}

@test "stdout and stderr in one file: the table is still found" {
    launch 4 allreduce -m 8:32 -z99 -i 5 -x 1
    expect_status 0
    cat "$err" "$out" >"$BATS_TEST_TMPDIR/both"
    [[ $(sed '1,/^# Size/d' "$BATS_TEST_TMPDIR/both" | wc -l) -eq 3 ]]
    # No line of a warning looks like a row, nor has a bare number.
    if grep '^#' "$err" | grep -Eq '^[0-9]|[ (][0-9.]+ '; then
        fail "a warning could be read as a result"
    fi
}
