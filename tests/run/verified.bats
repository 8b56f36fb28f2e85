#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What verification sees of what an MPI can do wrong: each kind of fault (tests/faults/plant.c) in the
# first, a middle and the last message of the verified iteration, on each rank, in each program.
# A launch has a row for each of them.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash; set for one subshell

load common

# What is not seen: lines "PROGRAM KIND MESSAGE@RANK WHY", of which the first three are patterns and the
# first line that fits decides.  A cell that is not seen and has no line fails; so does one that is seen and has
# a line, unless WHY begins with "?": there a race of threads decides.
#   WHY "-": it is seen, though a line below fits.
#   Other words are a sentence of "What verification cannot see" in doc/output.md.
blind() {
    cat <<'END'
bcast_guideline * first/2@* What a mock-up delivers beyond the result, or replaces in its next step, is not looked at.
reduce_guideline @(byte|dropped|stale) *@!(0) What a mock-up delivers beyond the result, or replaces in its next step, is not looked at.
# What ends in the call itself is looked at before another one.
?(i)@(allgather?(v)|allreduce|alltoall?(v|w)|bcast|gather?(v)|reduce?(_scatter?(_block))|scatter?(v)|scan|exscan) late *@* -
?(i)neighbor_@(allgather?(v)|alltoall?(v|w)) late *@* -
* late *@* ?Data that arrive during the next call of MPI that the loop itself makes count as received: an acknowledgement, the answer of a round trip, the end of an epoch, MPI_Request_free.
bw_persistent once all@* Of `bw_persistent` each verified iteration is the first start after its initialization.
@(pair_matrix|hosts) @(doubled|stale|swapped) *@* ?All messages that a rank of `pair_matrix` or `hosts` sends in a verified round have the same contents.
?(i)exscan?(_persistent) @(displaced|doubled) first@LAST The last rank of an exclusive scan contributes to no result.
scan_guideline @(displaced|doubled) first/2@LAST The last rank of an exclusive scan contributes to no result.
hotspot_get @(doubled|stale|swapped) *@* ?All reads of `hotspot_get` deliver the same block.
bw-single @(doubled|stale|swapped) *@* The messages of a window have the same contents unless `-b multiple` gives each a send buffer of its own.
END
}

kinds=(byte dropped stale late doubled displaced swapped changed)

# Programs that move data by calls of MPI and have a row for each size; non-blocking and persistent forms in the
# long form.  Those of transports and applications, and these, have tests of their own: noise.bats, application.bats, halo.bats, impact.bats.  In
# completion, which waits for data in memory, most of this is a hang.
planted() {
    local name
    for name in $(most_programs); do
        [[ $name == @(tcp|ucx|memory)_* || $name == @(halo|impact|is|ft|noise|staged_*|completion) ]] ||
            ! takes_sizes "$name" || echo "$name"
    done
}

# plant N PROGRAM OPTION...: lines "PROGRAM KIND MESSAGE@RANK seen" or "not" of what was planted.  What cannot
# be (the last of one message) is not.
plant() {
    local n=$1 name=$2 i=1 kind message rank bytes step=48 cells=$BATS_TEST_TMPDIR/cells rows=()
    local messages=(first middle last)
    shift 2
    # Each mock-up is verified by itself; every guideline has one.
    [[ $name != *_guideline ]] || messages+=(first/2 last/2)
    [[ $n -ne 5 ]] || step=240
    # No multiple of a size is another one: of what a mock-up moves as one block.
    bytes=$((step * (${#kinds[@]} * ${#messages[@]} * n + 1)))
    echo "$bytes none 0 0" >"$cells"
    for kind in "${kinds[@]}"; do
        for message in "${messages[@]}"; do
            for ((rank = 0; rank < n; rank++)); do
                echo "$((bytes + i++ * step)) $kind $rank $message" >>"$cells"
            done
        done
    done
    mapfile -t rows < <(cut -d ' ' -f 1 "$cells")
    preload=(plant)
    export FAULT_CELLS=$cells FAULT_LOG=$BATS_TEST_TMPDIR/planted
    # A row whose data is wrong does not end the run.
    launch "$n" "$name" "$@" --sizes="$(IFS=,; echo "${rows[*]}")" -i 1 -x 0 --verify=1 -c
    [[ $status -eq 0 || $status -eq 3 ]] || fail "$name on $n ranks"
    awk -v name="$name" -v n="$n" '
        FILENAME ~ /cells$/ { cell[$1] = $2 " " $4 "@" ($3 == n - 1 && name ~ /scan/ ? "LAST" : $3); next }
        FILENAME ~ /out$/ { if ($1 in cell) { row[$1] = 1; if (/ (Fail|failed)/) wrong[$1] = 1 } next }
        $2 != "none" { hit[$1] = 1 }
        END { for (size in cell)
                  if (!(size in row)) print name, cell[size], "has no row"
                  else if (size in hit) print name, cell[size], size in wrong ? "seen" : "not"
                  else if (size in wrong) print name, cell[size], "wrong without a fault" }' \
        "$cells" "$out" "$BATS_TEST_TMPDIR"/planted.*
}

# one N LABEL KIND MESSAGE RANKS PROGRAM OPTION...: the same of one fault in a run by itself.  In the place of a
# RANK stands what is_among of plant.c reads; OTHER and AT are exported.
one() {
    local n=$1 label=$2 message=$4 name=$6
    preload=(plant)
    export FAULT=$3 FAULT_NTH=$4 FAULT_RANK=$5 FAULT_BYTES=${!#} FAULT_LOG=$BATS_TEST_TMPDIR/planted
    FAULT_BYTES=${FAULT_BYTES##*[=:]} # the size, which is the last word
    shift 6
    [[ $message != all ]] || FAULT_NTH=0
    case $name in
    fop_latency) export FAULT_BYTES=4 FAULT_CALL=MPI_Fetch_and_op ;;
    cas_latency) export FAULT_BYTES=4 FAULT_CALL=MPI_Compare_and_swap ;;
    esac
    launch "$n" "$name" "$@" -i 2 -x 0
    [[ $status -eq 0 || $status -eq 3 ]] || fail "$label on $n ranks"
    cat "$FAULT_LOG".* | grep -q " ${FAULT/once/dropped} " || fail "$label: nothing was planted"
    echo "$label $FAULT $message@$FAULT_RANK $([[ $status -eq 3 ]] && echo seen || echo not)"
}

# judge: of such lines those that are not as the list says.  In a subshell, in which bats need not note each of some
# 100,000 commands: that takes longer than they do.
judge() {
    local name kind where seen why i patterns=() kinds=() wheres=() whys=()
    trap - DEBUG
    while read -r name kind where why; do
        patterns+=("$name") kinds+=("$kind") wheres+=("$where") whys+=("$why")
    done < <(blind | grep -v "^#")
    while read -r name kind where seen; do
        why=-
        for i in "${!patterns[@]}"; do
            # shellcheck disable=SC2053  # patterns
            if [[ $name == ${patterns[i]} && $kind == ${kinds[i]} && $where == ${wheres[i]} ]]; then
                why=${whys[i]}
                break
            fi
        done
        [[ ($why == '?'* && $seen =~ ^(seen|not)$) || ($why == - && $seen == seen) || ($why != - && $seen == not) ]] ||
            echo "$name: $kind in message@rank $where: $seen, but the list says: ${why/#-/seen}"
    done
}

# in_parallel COMMAND: it is run with each line of standard input, four at once, each with a folder of its own;
# what they print is in the file lines.
in_parallel() {
    local words running=0 i=0
    while read -ra words; do
        (
            trap - DEBUG
            BATS_TEST_TMPDIR+=/$((++i))
            mkdir -p "$BATS_TEST_TMPDIR"
            "$1" "${words[@]}" >"$BATS_TEST_TMPDIR/lines" 2>"$BATS_TEST_TMPDIR/said"
            : >"$BATS_TEST_TMPDIR/ended"
        ) &
        i=$((i + 1)) running=$((running + 1))
        [[ $running -lt 4 ]] || wait -n || true
    done
    wait
    for ((; i > 0; i--)); do
        [[ -e $BATS_TEST_TMPDIR/$i/ended ]] || fail "$(cat "$BATS_TEST_TMPDIR/$i"/{said,lines})"
        cat "$BATS_TEST_TMPDIR/$i/lines" >>"$BATS_TEST_TMPDIR/lines"
    done
    rm -r "$BATS_TEST_TMPDIR"/[0-9]*
}

# launches [N]: the programs of the table that run on N ranks, or on their fewest, with what they need.
launches() {
    local name n needs
    takers buffer-num
    for name in $(planted); do
        n=${1:-${fewest_of[$name]}} needs=${needs_of[$name]}
        [[ $n -ge ${fewest_of[$name]} && (${rule_of[$name]} != two || $n -eq 2) &&
            (${rule_of[$name]} != even || $((n % 2)) -eq 0) ]] || continue
        # Messages of a window differ.
        [[ ! -v takes[$name] ]] || needs+=' -b multiple'
        case $name in
        latency_mt) needs+=' -t 1' ;;
        mbw_mr_mt) needs=${needs/-t 3/-t 2} ;;
        # What is computed moves no data.
        overlap_bw) needs=${needs/compute 50/compute 1} ;;
        progress) needs=${needs/compute 100/compute 1} ;;
        esac
        echo "$n $name $needs"
    done
}

planted_table() {
    local wrong
    launches "$@" | in_parallel plant
    wrong=$(judge <"$BATS_TEST_TMPDIR/lines")
    [[ -z $wrong ]] || fail "$wrong"
}

@test "each kind of fault, in the first, a middle and the last message, on each rank: seen, or listed" {
    planted_table
    # The table is not blind: something was planted in each program.
    local name
    while read -r _ name _; do
        grep -q "^$name byte first@" "$BATS_TEST_TMPDIR/lines" || fail "$name was not hit"
    done < <(launches)
}

# Rows of one size, sets of ranks, and barriers.
@test "operations of one element, sets of ranks and barriers: seen, or listed" {
    local wrong kind name
    {
        for kind in byte dropped doubled displaced missing; do
            echo "2 fop_latency $kind 1 0 fop_latency"
            [[ $kind == doubled ]] || echo "2 cas_latency $kind 1 0 cas_latency"
        done
        echo "2 cas_latency always all 0 cas_latency"
        cat <<'END'
3 hotspot_put-3 dropped all 1 hotspot_put --peers 2 -m 960:960
3 hotspot_put-3 dropped all 2 hotspot_put --peers 2 -m 960:960
2 bw-single swapped 1 1 bw -m 960:960
2 bw-single doubled 1 1 bw -m 960:960
2 reduce_scatter_block-4072 next all -1 reduce_scatter_block --sizes=4072
2 reduce_scatter_block next all -1 reduce_scatter_block --sizes=4080
3 allreduce displaced all 1,2 allreduce -m 960:960
3 allreduce doubled all 0-2 allreduce -m 960:960
3 scan impostor all 1 scan -m 960:960
10 allreduce impostor all 5 allreduce -m 960:960
2 barrier early all -1 barrier
2 ibarrier early all -1 ibarrier
END
        for name in latency_persistent bibw_persistent bw_persistent; do
            echo "2 $name once all 1 $name -m 960:960"
        done
        if [[ $persistent != no* ]]; then
            echo 2 barrier_persistent early all -1 barrier_persistent
            for name in allgatherv allreduce alltoallw bcast reduce_scatter scan; do
                echo "2 ${name}_persistent once all 1 ${name}_persistent -m 960:960"
            done
        fi
    } | in_parallel one
    # Rank 8 contributes what rank 1 does, and 7 ranks are one node.
    FAULT_OTHER=1 in_parallel one <<<'10 allreduce-10 impostor all 8 allreduce -m 960:960'
    FAULT_AT=5 in_parallel one <<<'14 allreduce-14 displaced all 7-13 allreduce -m 4000:4000'
    wrong=$(judge <"$BATS_TEST_TMPDIR/lines")
    [[ -z $wrong ]] || fail "$wrong"
}

@test "the same on 3, 4 and 5 ranks" {
    [[ -n ${ALIDADE_LONG:-} ]] || skip "in the long form"
    local n
    for n in 3 4 5; do
        planted_table $n
    done
}

# crossing RANK: those programs in which that rank of a group receives what is planted.
crossing() {
    local name rank
    takers split
    for name in $(planted); do
        rank=1
        [[ $name != ?(i)@(gather?(v)|reduce)?(_persistent) ]] || rank=0
        [[ ! -v takes[$name] || $rank -ne $1 ]] ||
            echo "4 $name-groups crossed all $rank $name --split=2 -m 960:960"
    done
}

@test "what crosses from one group of --split into another is seen; barriers of groups are right" {
    local wrong name
    preload=()
    for name in barrier ibarrier; do
        launch 4 "$name" --split=2 -i 2 -x 0 --verify=4
        expect_status 0
        expect_err "# $name: verified: checked=4; wrong=0;"
    done
    crossing 1 >"$BATS_TEST_TMPDIR/first"
    crossing 0 >"$BATS_TEST_TMPDIR/roots"
    [[ $(cat "$BATS_TEST_TMPDIR"/{first,roots} | wc -l) -ge 18 ]] || fail "few programs take --split"
    FAULT_OTHER=3 in_parallel one <"$BATS_TEST_TMPDIR/first"
    FAULT_OTHER=2 in_parallel one <"$BATS_TEST_TMPDIR/roots"
    for name in allreduce reduce reduce_scatter scan; do
        echo "4 $name-groups impostor all 1 $name --split=2 -m 960:960"
    done >"$BATS_TEST_TMPDIR/sums"
    FAULT_OTHER=3 in_parallel one <"$BATS_TEST_TMPDIR/sums"
    printf '4 %s-groups early all -1 %s --split=2\n' barrier{,} ibarrier{,} | in_parallel one
    wrong=$(judge <"$BATS_TEST_TMPDIR/lines")
    [[ -z $wrong ]] || fail "$wrong"
}

@test "plant.c has every call by which a program moves data" {
    # Of those that it does not have none moves any, or it says so in its header.
    local call other='Comm_|Group_|Type_|Info_|Op_|Win_|Dims_|Get_address|Dist_graph_|Cart_|Iprobe|Error_|Init|Finalize|Abort|Wtime|Pready|UNWEIGHTED|[A-Za-z_]*_c$'
    nm -D --defined-only "$faults/plant.so" | grep -oE '\bMPIX?_[A-Za-z_]+$' | sort -u >"$BATS_TEST_TMPDIR/has"
    find "$ALIDADE_BUILD"/mpi "$ALIDADE_BUILD"/c/family -name '*.o' -exec nm -u {} + |
        grep -oE '\bMPIX?_[A-Za-z_]+$' | sort -u | grep -vE "^MPIX?_($other)" >"$BATS_TEST_TMPDIR/called"
    [[ -s $BATS_TEST_TMPDIR/called ]] || fail "no program calls MPI"
    comm -13 "$BATS_TEST_TMPDIR/has" "$BATS_TEST_TMPDIR/called" >"$BATS_TEST_TMPDIR/lacks"
    [[ ! -s $BATS_TEST_TMPDIR/lacks ]] || fail "it lacks $(xargs <"$BATS_TEST_TMPDIR/lacks")"
}

@test "doc/output.md has a sentence for each reason" {
    local why
    while read -r _ _ _ why; do
        [[ $why == - ]] || grep -qF -e "${why#\?}" "$ALIDADE_SOURCE/doc/output.md" || fail "not there: $why"
    done < <(blind | grep -v "^#")
}
