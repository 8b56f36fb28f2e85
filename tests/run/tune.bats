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
    cd "$BATS_TEST_TMPDIR" || return
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

# pretend: what looks like a build, in fake/, started by "env RANKS={n}".  Its allreduce has the algorithm that the variables
# or the rules of this MPI ask for.  It takes 1 us; half of it with the algorithm FAULT_SMALL up to 64 bytes, and FAULT_LARGE
# above; 4 us there where its results are in the folder FAULT_LATER.  FAULT_CRASH, FAULT_HANG, FAULT_WRONG: of these algorithms.
pretend() {
    mkdir -p fake/mpi/pt2pt fake/mpi/collective
    cp "$ALIDADE_BUILD/environment.sh" fake/
    {
        echo '#!/usr/bin/env bash'
        declare -f read_options
        cat <<'END'
read_options "$@"
control=${OMPI_MCA_coll_tuned_allreduce_algorithm-${MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM-}}
ranges=${I_MPI_ADJUST_ALLREDUCE-}
rules=${OMPI_MCA_coll_tuned_dynamic_rules_filename-} rows='' run=${file##*-}
for ((bytes = ${range%:*}; bytes <= ${range#*:}; bytes *= 2)); do
    name=$control
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
    if [[ $library != openmpi ]]; then
        with=$(sed -n 's/^export //p' tuned | tr -d "'" | xargs)
    else
        with="OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/tuned"
    fi
    run_to_files "$ALIDADE_SOURCE/scripts/compare" --gate --classes rows --ranks "$n" --runs 6 --results "fresh-$operation-$n" \
        "default=$ALIDADE_BUILD" "tuned=$with $ALIDADE_BUILD" -- "$operation" -- "$@"
    expect_status 0
}

@test "the plan: the default and each algorithm, with the variables that ask for it, for each number of ranks" {
    tune --print --ranks 4,2 --runs 1 --algorithms "${both%,*}" --launcher "mine {n}" --results runs allreduce -- -m 16
    expect_status 0
    [[ ! -e runs ]] || fail "it did something"
    sed -E 's,: .*(ALGORITHM=|algorithm=|ADJUST_ALLREDUCE=)([a-z_0-9]+)? ,: \2 ,' "$out" >plan
    diff - plan <<END || fail "another plan"
allreduce-2/default/allreduce-1: mine 2 $(program allreduce) -m 16
allreduce-2/$first/allreduce-1: ${first%-*} mine 2 $(program allreduce) -m 16
allreduce-4/default/allreduce-1: mine 4 $(program allreduce) -m 16
allreduce-4/$first/allreduce-1: ${first%-*} mine 4 $(program allreduce) -m 16
END
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
    grep -Eq "\"control\": \".*(ALGORITHM|algorithm|ADJUST_ALLREDUCE)=" answer.json || fail "no record of the control"
    cp "$out" before
    pretended --ranks 4,2 --runs 6
    expect_status 0
    diff before "$out" || fail "another answer"
    [[ -z $(find runs -name 'allreduce-*.json' -newer before) ]] || fail "runs were started"
    # New runs of another choice do not count.
    echo other >runs/allreduce-2/confirm/rules
    pretended --ranks 4,2 --runs 6
    expect_status 0
    [[ $(find runs -name 'allreduce-*.json' -newer before | grep -c /confirm/) -eq 12 ]] || fail "they were not made anew"
}

@test "two that are fast at different sizes make two ranges; MPICH, which has no ranges, names one at most" {
    export FAULT_SMALL=$small FAULT_LARGE=$large
    pretended --runs 6
    expect_status 0
    if [[ $library == mpich ]]; then
        # Each is faster at some sizes, and the same elsewhere: one for all is possible.
        [[ $(grep -c '^allreduce ' "$out") -le 1 ]] || fail "more than one algorithm"
        return
    fi
    grep -Eq "^allreduce +2 +16 +64 .* $first " "$out" || fail "another algorithm of small messages"
    grep -Eq "^allreduce +2 +128 +256 .* $second " "$out" || fail "another algorithm of large messages"
    if [[ $library == intel ]]; then
        grep -qxF "export I_MPI_ADJUST_ALLREDUCE='0:0-15;1:16-127;2:128-256;0:257-2147483647'" tuned || fail "other variables"
    else
        [[ $(grep -c '^[0-9]* [12] 0 0$' tuned) -eq 2 ]] || fail "other rules"
    fi
}

@test "what is slower in new runs is dropped, at its sizes or for all" {
    export FAULT_SMALL=$small FAULT_LARGE=$small FAULT_LATER=/confirm/tuned/
    pretended --runs 6
    expect_status 0
    expect_out "an algorithm was faster, but new runs were slower than the default"
    if [[ $library == mpich ]]; then
        expect_out "# No algorithm was confirmed to be faster than the default"
        return
    fi
    grep -Eq "^allreduce +2 +16 +64 .* $first " "$out" || fail "another algorithm of small messages"
    [[ $(grep -c '^allreduce ' "$out") -eq 1 ]] || fail "more than what is left"
}

@test "nothing is chosen where nothing is faster; where ranks shared CPUs it means nothing" {
    CROWDED=true pretended --runs 5
    expect_status 0
    expect_out "# No algorithm was confirmed to be faster than the default"
    expect_out "# In 15 of 15 runs the ranks shared CPUs (W08): the choice means nothing for a real run."
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
@test "an algorithm that is fast in the library is found, and fast in new jobs with what was written" {
    need_long
    [[ $library != intel ]] || skip "its algorithms are hidden in the library"
    export FAULT_SMALL=$small FAULT_LARGE=$small FAULT_US=20000
    LD_PRELOAD=$planted tune --ranks 4,2 --runs 6 --algorithms "$both" --results runs \
        --output tuned allreduce -- -m 16:256 -i 8 -x 1
    expect_status 0
    for n in 2 4; do
        grep -Eq "^allreduce +$n +16 +256 .* $first +0\.[0-9]+ " "$out" || fail "another row of $n ranks"
        LD_PRELOAD=$planted fresh allreduce "$n" -m 16:256 -i 8 -x 1
        expect_out " faster"
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
    "${judge[@]}" tune --mpi openmpi --output rules "${places[@]}"
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
        OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/rules \
            launch "$n" suite "${operations[@]}" -- -m 16:512 -i 2 -x 1
        expect_status 0
        sort -u taken | diff expected - || fail "$n ranks"
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
