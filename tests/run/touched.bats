#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# make check-touched: which tests have to do with what was touched.  It needs no build.

# A tree that is made up, all of which is committed.
setup() {
    command -v git >/dev/null || skip "there is no git"
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    touched=$BATS_TEST_DIRNAME/../touched
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p tree/{c/util/stats,c/family/rings,c/family/alone,mpi/pt2pt,scripts/judge,scripts/runner,doc,tests/run/answers,tests/unit,tests/faults} build/tests/run
    cd tree || return
    touch c/util/stats/{series,lonely}.{c,h} scripts/judge/plots.py scripts/runner/gpu_matrix.py doc/page.md c/family/rings/rings.c c/family/alone/alone.c mpi/pt2pt/alone.c \
        tests/faults/plant.c tests/run/corpus.bats tests/unit/test_judge.py tests/run/answers/compare.txt
    echo '#include "rings/rings.h"' >mpi/pt2pt/ring.c
    echo '#include "stats/series.c"' >tests/unit/test_numbers.c
    printf 'launch %s ring\n' 2 4 >tests/run/rings.bats
    echo 'launch 2 ring; preload=(plant); gpu-matrix' >tests/run/others.bats
    git init -q . 2>/dev/null
    git add -A
    git -c user.name=x -c user.email=x@x commit -qm all
}

# finds REVISION FILE...: besides the lints, these, and nothing more.
finds() {
    local revision=$1 seen
    shift
    seen=$("$touched" . ../build "$revision" tests/run/{corpus,rings,others,smoke,judge,answers,commands}.bats 2>../said)
    set -- tests/lint/lint.bats "$@"
    [ "$seen" = "$*" ] || {
        echo "$seen"
        return 1
    }
}

@test "without a difference the lints alone; of each kind of file what has to do with it" {
    local path tests
    finds HEAD
    while read -r path tests; do
        echo "$path"
        echo x >>"$path"
        # shellcheck disable=SC2086 # files
        finds HEAD $tests
        git checkout -q "$path"
    done <<'END'
tests/run/others.bats tests/run/others.bats
tests/unit/test_numbers.c tests/unit/test_numbers
tests/unit/test_judge.py tests/run/judge.bats
tests/run/answers/compare.txt tests/run/answers.bats
c/util/stats/series.c tests/unit/test_numbers
c/util/stats/series.h tests/unit/test_numbers
c/util/stats/lonely.c tests/run/smoke.bats
c/family/rings/rings.c tests/run/rings.bats tests/run/others.bats
mpi/pt2pt/ring.c tests/run/rings.bats tests/run/others.bats
mpi/pt2pt/alone.c tests/run/smoke.bats
c/family/alone/alone.c tests/run/smoke.bats
tests/faults/plant.c tests/run/others.bats
scripts/judge/plots.py tests/run/answers.bats tests/run/judge.bats
scripts/runner/gpu_matrix.py tests/run/others.bats
doc/page.md tests/run/commands.bats
END
}

@test "what is new counts, and what was committed since BASE; another BASE is refused" {
    echo x >mpi/pt2pt/new.c
    echo 'launch 2 new' >>tests/run/rings.bats
    finds HEAD tests/run/rings.bats
    git add -A
    git -c user.name=x -c user.email=x@x commit -qm more
    finds HEAD
    finds HEAD~1 tests/run/rings.bats
    run "$touched" . ../build nothing
    [ "$status" -eq 1 ]
    [ "$output" = "check-touched: 'nothing' is no revision of a git checkout: give BASE=REVISION" ]
}

@test "what would take too long is left out, and named" {
    echo '# took 50 s, of CPUs 60 s' >../build/tests/run/rings.log
    echo '# took 20 s, of CPUs 10 s' >../build/tests/run/others.log
    echo x >>mpi/pt2pt/ring.c
    finds HEAD tests/run/rings.bats
    grep -q "^check-touched: left out, .*: tests/run/others.bats$" ../said
    # The first one is run, however long it takes.
    echo '# took 200 s, of CPUs 60 s' >../build/tests/run/rings.log
    finds HEAD tests/run/rings.bats
}
