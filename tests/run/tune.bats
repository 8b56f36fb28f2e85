#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# tune: finds algorithms that were made fast, keeps the default elsewhere, writes what the
# library reads. What depends on the times of this machine is in the long form, which make truth runs.
# shellcheck disable=SC2030,SC2031,SC2034,SC2154  # variables shared with common.bash, and of subshells

load common
load made_up

setup() {
    library=$flavour
    [[ $intel == no ]] || library=intel
    [[ $library == openmpi || $library == mpich || $library == intel ]] || skip "tune knows Open MPI, MPICH and Intel MPI"
    export FAULT_SMALL=none FAULT_LARGE=none
    planted=$faults/algorithm.so:$usual
    if [[ $library == intel ]]; then
        # They have numbers alone.
        small=1 large=2 first=1 second=2
    elif [[ $library == mpich ]]; then
        small=recursive_doubling large=nb first=recursive_doubling second=nb
    else
        small=linear large=nonoverlapping first=1-basic_linear second=2-nonoverlapping
    fi
    both=${first#*-},${second#*-}
}

tune() { run_to_files "$ALIDADE_SOURCE/scripts/tune" --build "$ALIDADE_BUILD" "$@"; }

# pretend: what looks like a build, in fake/, started by "env RANKS={n}".  Its allreduce has the algorithm that the variables,
# rules or tree of this MPI ask for.  It takes 1 us; half of it with the algorithm FAULT_SMALL up to 64 bytes, and FAULT_LARGE
# above; 4 us there where its results are in the folder FAULT_LATER.  FAULT_CRASH, FAULT_HANG, FAULT_WRONG: of these algorithms.
# SERVES: the component of Open MPI that it says to use, whatever is asked for.
pretend() {
    mkdir -p fake/mpi/pt2pt fake/mpi/collective
    cp "$ALIDADE_BUILD/environment.sh" fake/
    {
        echo '#!/usr/bin/env bash'
        like_mpich
        declare -f read_options
        echo "python3=$python3"
        cat <<'END'
read_options "$@"
ranges=${I_MPI_ADJUST_ALLREDUCE-} rules=${OMPI_MCA_coll_tuned_dynamic_rules_filename-} tree=${MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE-}
[ -z "${OMPI_MCA_coll_base_verbose-}" ] || echo "communicator MPI_COMM_WORLD rank 0 allreduce -> ${SERVES-tuned}" >&2
rows='' run=${file##*-} choices=()
[ -z "$tree" ] || readarray -t choices < <("$python3" - "$tree" "$RANKS" "${range%:*}" "${range#*:}" <<'PYTHON'
import json, operator, re, sys
ranks, first, last = map(int, sys.argv[2:])

def taken(tree, **values):
    for key, inner in tree.items():
        if key.startswith("algorithm="):
            return re.sub(".*_(intra|allcomm)_", "", key)
        word, sign, limit = re.match("([a-z_]*)([<=]*)(.*)", key).groups()
        if limit in ("any", "allreduce", "intra", "yes") or limit.isdigit() and \
                {"<": operator.lt, "<=": operator.le}[sign](values[word], int(limit)):
            return taken(inner, **values)

while first <= last:
    print(taken(json.load(open(sys.argv[1])), comm_size=ranks, avg_msg_size=first))
    first *= 2
PYTHON
)
for ((bytes = ${range%:*}; bytes <= ${range#*:}; bytes *= 2)); do
    name=${choices[0]-} choices=("${choices[@]:1}")
    [ -z "$rules" ] || name=$(awk -v ranks="$RANKS" -v bytes="$bytes" '
        / ranks or more/ { here = $1 <= ranks; n = 0 }
        here && NF == 4 && $1 <= bytes { n = $2; chosen = n }
        { } END { print chosen }' "$rules")
    [ -z "$ranges" ] || name=$(tr ';' '\n' <<<"$ranges" | awk -F '[:-]' -v bytes="$bytes" '
        NF == 1 || ($2 <= bytes && bytes <= $3) { print $1 }')
    case $name:$ranges in
    1:) name=linear ;;
    2:) name=nonoverlapping ;;
    esac
    [ "$name" != "${FAULT_CRASH-none}" ] || kill -ABRT $$
    [ "$name" != "${FAULT_HANG-none}" ] || exec sleep 100
    [ "$name" != "${FAULT_WRONG-none}" ] || { echo "alidade: error E14: allreduce: wrong data; byte 7" >&2 && exit 3; }
    time=1.00$((${run%.*} * 5 % 7)) fast=$FAULT_SMALL
    [ "$bytes" -le 64 ] || fast=$FAULT_LARGE
    [ "$name" != "$fast" ] || time=0.50$((${run%.*} * 5 % 7))
    [[ $file != *"${FAULT_LATER-nowhere}"* || $bytes -le 64 ]] || time=4.00$((${run%.*} % 7))
    rows+="${rows:+,}{\"benchmark\":\"allreduce\",\"ranks\":$RANKS,\"bytes\":$bytes,\"datatype\":\"MPI_CHAR\",\"value\":$time,\"unit\":\"us\",\"verified\":\"pass\",\"over_ranks\":{\"mean_us\":$time},\"over_iterations\":{\"median_us\":$time}}"
done
printf '{"suite":"Alidade","schema":2,"benchmark":"allreduce","method":{"start":"dissemination","verified":true},"environment":{"mpi":"Some-1","path":"same-numa","ranks":%s,"oversubscribed": %s,"bound":"core"},"rows":[%s],"exit":{"code":0}}\n' \
    "$RANKS" "${CROWDED-false}" "$rows" >"$file"
END
    } >fake/mpi/collective/allreduce
    cp fake/mpi/collective/allreduce fake/mpi/pt2pt/latency
    chmod +x fake/mpi/*/*
}

# pretended OPTION...: of allreduce in that build.
pretended() {
    local limit=200
    [[ -d fake ]] || pretend
    run_to_files "$ALIDADE_SOURCE/scripts/tune" --build fake --launcher "env RANKS={n}" "$@" --algorithms "$both" --results runs \
        --output tuned --json answer.json allreduce -- -m 16:256
}

# What the library really chooses is in the long form, with algorithms that are slower than what other work costs.
need_long() {
    [[ -n ${ALIDADE_LONG:-} ]] || skip "in the long form"
    limit=1000
}

# fresh OPERATION RANKS OPTION...: started anew with what was written, it is never slower than
# the default.
fresh() {
    local operation=$1 n=$2 with
    shift 2
    with=$(sed -n 's/^export //p' tuned | tr -d "'" | xargs)
    run_to_files "$ALIDADE_SOURCE/scripts/compare" --gate --classes rows --ranks "$n" --runs 6 --results "fresh-$operation-$n" \
        "default=$ALIDADE_BUILD" "tuned=$with $ALIDADE_BUILD" -- "$operation" -- "$@"
    expect_status 0
}

@test "the plan: the default and each algorithm, with the variables that ask for it, for each number of ranks" {
    tune --print --ranks 4,2 --runs 1 --algorithms "${both%,*}" --launcher "mine {n}" --results runs allreduce -- -m 16
    expect_status 0
    [[ ! -e runs ]] || fail "it did something"
    sed -E "s,: .*(/allreduce-./algorithms/|ADJUST_ALLREDUCE=)($first).* mine,: \\1\\2 mine," "$out" >plan
    for n in 2 4; do
        asks=/allreduce-$n/algorithms/$first
        [[ $library != intel ]] || asks=ADJUST_ALLREDUCE=$first
        echo "allreduce-$n/default/allreduce-1: mine $n $(program allreduce) -m 16"
        echo "allreduce-$n/$first/allreduce-1: $asks mine $n $(program allreduce) -m 16"
    done | diff - plan || fail "another plan"
    # Those of tuned are asked for with their component.
    [[ $library != openmpi ]] || expect_out " OMPI_MCA_coll_han_priority=0 "
    tune --launcher "$mpirun" allreduce
    expect_status 1
    expect_err "tune: --launcher '$mpirun' lacks {n}"
}

@test "the one fast algorithm is chosen for all sizes, confirmed and written; to resume starts nothing" {
    export FAULT_SMALL=$small FAULT_LARGE=$small
    pretended --ranks 4,2 --runs 6
    expect_status 0
    for n in 2 4; do
        grep -Eq "^allreduce +$n +16 +256 .* $first +0\.[0-9]+ " "$out" || fail "another row of $n ranks"
    done
    grep -q "\"algorithm\": \"$first\"" answer.json || fail "no record of the algorithm"
    cp "$out" before
    pretended --ranks 4,2 --runs 6
    expect_status 0
    diff before "$out" || fail "another answer"
    [[ -z $(find runs -name 'allreduce-*.json' -newer before) ]] || fail "runs were started"
    # New runs of another choice do not count.
    echo other >runs/allreduce-2/confirm/asked
    pretended --ranks 4,2 --runs 6
    expect_status 0
    [[ $(find runs -name 'allreduce-*.json' -newer before | grep -c /confirm/) -eq 12 ]] || fail "they were not made anew"
}

@test "two that are fast at different sizes make two ranges, in what the library reads and in what new runs use" {
    export FAULT_SMALL=$small FAULT_LARGE=$large
    pretended --runs 6
    expect_status 0
    grep -Eq "^allreduce +2 +16 +64 .* $first " "$out" || fail "another algorithm of small messages"
    grep -Eq "^allreduce +2 +128 +256 .* $second " "$out" || fail "another algorithm of large messages"
    if [[ $library == intel ]]; then
        grep -qxF "export I_MPI_ADJUST_ALLREDUCE='0:0-15;1:16-127;2:128-256;0:257-2147483647'" tuned || fail "other variables"
    elif [[ $library == mpich ]]; then
        [[ $(grep -o '"avg[^"]*"\|_nb"\|_recursive_doubling"' tuned.json | tr -d '"' | xargs) == *"avg_msg_size<=15 "*"avg_msg_size<=127 "*" _recursive_doubling avg_msg_size<=256 "*" _nb avg_msg_size=any"* ]] || fail "other conditions"
    else
        [[ $(grep -c '^[0-9]* [12] 0 0$' tuned.rules) -eq 2 ]] || fail "other rules"
    fi
    # The written file is what new runs were made with.
    if [[ $library != intel ]]; then
        cmp tuned.[jr]* runs/chosen.[jr]* || fail "new runs had another file"
    fi
    [[ $(sed 's,/runs/chosen,/tuned,' runs/chosen.sh) == "$(<tuned)" ]] || fail "new runs had other variables"
}

@test "what is slower in new runs is dropped at its sizes" {
    export FAULT_SMALL=$small FAULT_LARGE=$small FAULT_LATER=/confirm/tuned/
    pretended --runs 6
    expect_status 0
    expect_out "an algorithm was faster, but new runs were slower than the default"
    grep -Eq "^allreduce +2 +16 +64 .* $first " "$out" || fail "another algorithm of small messages"
    [[ $(grep -c '^allreduce ' "$out") -eq 1 ]] || fail "more than what is left"
}

@test "a component without effect is named with the one that serves, and nothing of it is measured" {
    [[ $library == openmpi ]] || skip "of Open MPI"
    export FAULT_SMALL=$small FAULT_LARGE=$small SERVES=other
    pretended --runs 5
    expect_status 0
    expect_err "# allreduce, 2 ranks: tuned has no effect: other serves this operation"
    [[ -z $(find runs -name 'allreduce-*.json') ]] || fail "it was measured"
    expect_out "# No algorithm was confirmed to be faster than the default"
}

@test "nothing is chosen where nothing is faster; where ranks shared CPUs it means nothing" {
    CROWDED=true pretended --runs 5
    expect_status 0
    expect_out "# No algorithm was confirmed to be faster than the default"
    expect_out "# Ranks shared CPUs (W07, W08 or W37) in 15 of 15 runs: their times show the scheduler, not MPI."
    [[ ! -e tuned ]] || fail "rules were written"
}

@test "an algorithm that crashes, hangs or delivers wrong data is dropped, the others are measured; without one, the default is kept" {
    local fault said
    export FAULT_SMALL=$small FAULT_LARGE=$small
    while IFS='|' read -r fault said; do
        rm -rf runs
        export "FAULT_$fault=$large"
        pretended --runs 1 --limit 1
        expect_status 0
        expect_err "$second is dropped: $said"
        [[ -n $(find runs -name "allreduce-*.json" -path "*/$first/*") ]] || fail "$fault: the other one was not measured"
        refuse_out " $second "
        unset "FAULT_$fault"
    done <<'END'
CRASH|it exited with code 134 and printed nothing; see 
HANG|it took more than 1 s (--limit); see 
WRONG|wrong data; byte 7 (E14); see 
END
    rm -rf runs
    both=${both%,*} FAULT_WRONG=$small pretended --runs 1
    expect_status 0
    expect_out "# No algorithm was confirmed to be faster than the default"
    [[ ! -e tuned ]] || fail "rules were written"
}

@test "of the library's own algorithms, what is written is never slower in new runs" {
    need_long
    local n
    limit=3000
    tune --ranks 2,4 --results runs --output tuned allreduce -- -m 64:1K
    expect_status 0
    cat "$out"
    if [[ ! -e tuned ]]; then
        expect_out "# No algorithm was confirmed to be faster than the default"
        return
    fi
    for n in 2 4; do fresh allreduce "$n" -m 64:1K; done
}

# Slow algorithms in the library itself.
@test "two algorithms that are fast in the library, each at its sizes, are found, and fast in new jobs with what was written" {
    need_long
    export FAULT_SMALL=$small FAULT_LARGE=$large FAULT_US=20000
    LD_PRELOAD=$planted tune --ranks 4,2 --runs 6 --algorithms "$both" --results runs \
        --output tuned allreduce -- -m 16:256 -i 8 -x 1
    expect_status 0
    cp "$out" answer
    for n in 2 4; do
        grep -Eq "^allreduce +$n +16 +64 .* $first +[0-9.e-]+ +[0-9]" answer || fail "another algorithm of small messages, $n ranks"
        grep -Eq "^allreduce +$n +128 +256 .* $second +[0-9.e-]+ +[0-9]" answer || fail "another algorithm of large messages, $n ranks"
        LD_PRELOAD=$planted fresh allreduce "$n" -m 16:256 -i 8 -x 1
        [[ $(grep -c "^allreduce .* faster\( (disturbed)\|$\)" "$out") -eq 5 ]] || fail "not all sizes are faster"
    done
}

@test "Open MPI takes what the rules say, at these sizes and numbers of ranks and at no other" {
    [[ $flavour == openmpi ]] || skip "of Open MPI"
    # Open MPI 6 has its algorithms in a library of their own, which calls them directly.
    [[ $(ldd "$(program allreduce)") != *libopen_mpi.* ]] || skip "no other library can watch the algorithms of this one"
    local operation operations number n places=()
    while read -r operation number; do
        decided "$operation" 2 "$number-x" "=ff==="
        decided "$operation" 4 "$number-x" "===ff="
        places+=("$operation:2=$operation-2" "$operation:4=$operation-4")
    done <<'END'
allgather 1
allreduce 2
alltoall 3
bcast 7
gather 3
reduce 6
scatter 3
END
    "${judge[@]}" tune --mpi openmpi --output asks "${places[@]}"
    preload=(taken)
    export FAULT_TRACE=$PWD/taken
    operations=(allgather allreduce alltoall bcast gather reduce scatter)
    for n in 2 3 4; do
        # What it takes of itself, and what the rules add.
        : >taken
        launch "$n" suite "${operations[@]}" -- -m 16:512 -i 2 -x 1
        expect_status 0
        for operation in "${operations[@]}"; do
            cut -d ' ' -f $((n - 1)) <<<"32,64  128,256" | tr , '\n' | sed "/./!d; s/^/$operation /" >>taken
        done
        sort -u taken >expected
        : >taken
        OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/asks.rules \
            launch "$n" suite "${operations[@]}" -- -m 16:512 -i 2 -x 1
        expect_status 0
        sort -u taken | diff expected - || fail "$n ranks"
    done
}

# It does not tell, so these are algorithms that cannot serve the benchmark's call with 3 ranks: MPI aborts, or data are wrong.
@test "MPICH takes what its tree says, at these sizes and numbers of ranks and at no other" {
    [[ $library == mpich ]] || skip "of MPICH"
    local operation n size fails
    decided allgather 3 recursive_doubling "=ff=="
    decided alltoall 3 pairwise_sendrecv_replace "=ff=="
    (cd "$ALIDADE_SOURCE/scripts" && "$python3" -c 'import sys; from runner import tune, builds; print(tune.said_of(builds.Build(sys.argv[1]), tune.LIBRARIES["mpich"], "alltoall"))' "$ALIDADE_BUILD") >said
    "${judge[@]}" tune --mpi mpich --said said --output asks allgather:3=allgather-3 alltoall:3=alltoall-3
    # shellcheck source=/dev/null
    . ./asks
    for operation in allgather alltoall; do
        while read -r n size fails; do
            launch "$n" "$operation" -m "$size:$size" -i 2 -x 1
            [[ $((status != 0)) -eq $fails ]] || fail "$operation, $n ranks, $size bytes: exit code $status"
        done <<<$'2 64 0\n3 31 0\n3 32 1\n3 64 1\n3 127 1\n3 128 0\n4 64 0'
    done
}

@test "the JSON document is as doc/tune.schema.json has it, and nothing of it may be missing" {
    need_json
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    decided allreduce 2 "$first" "ffff"
    decided allreduce 4 "$first" "f==f"
    mkdir -p bcast-2
    compared "$first" "==s=" >bcast-2/comparison.json
    json=answer
    run_to_files "${judge[@]}" tune --mpi "$library" --output tuned --json answer \
        allreduce:4=allreduce-4 allreduce:2=allreduce-2 bcast:2=bcast-2
    expect_status 0
    check "$ALIDADE_SOURCE/doc/tune.schema.json" <<'END'
import copy, jsonschema
schema = json.load(open(sys.argv[2]))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
assert not [error.message for error in kind(schema).iter_errors(d)], list(kind(schema).iter_errors(d))[:2]
for part in (lambda d: d, lambda d: d["rows"][0], lambda d: d["rows"][0]["new_runs"]):
    for key in list(part(d)) + ["something"]:
        wrong = copy.deepcopy(d)
        if key == "something":
            part(wrong)[key] = 1
        else:
            del part(wrong)[key]
        assert list(kind(schema).iter_errors(wrong)), key
END
}

@test "interrupted, it leaves nothing behind but runs" {
    export TMPDIR=$PWD/temporary FAULT_HANG=$small
    mkdir temporary
    pretend
    interrupt '[[ -n $(find runs -name "*.out" 2>/dev/null) ]]' "$ALIDADE_SOURCE/scripts/tune" --build fake \
        --launcher "env RANKS={n}" --algorithms "${both%,*}" --results runs allreduce -- -m 16:16
    grep -q 'interrupted.*--results' e || fail "not said: $(<e)"
    [[ -z $(ls temporary) ]] || fail "left: $(ls temporary)"
}

@test "bad input is one sentence" {
    local word
    for word in "--ranks x" "--margin y" "--algorithms no_such" "--algorithms ${first#*-},no_such allreduce" "no_such" "--build /nowhere" "--nothing" "latency" \
        "--runs z --results r allreduce" "--output /nowhere/at/all" "--json /nowhere/at/all"; do
        # shellcheck disable=SC2086  # words
        tune $word
        expect_status 1
        [[ $(grep -vc '^tune: allreduce with' "$err") -eq 1 ]] || fail "$word: $(<"$err")"
        # And not the name next to it.
        [[ $word != *,no_such* ]] || expect_err "--algorithms 'no_such' names none of allreduce"
    done
}
