#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What the sources promise about themselves.  Needs ALIDADE_SOURCE and
# ALIDADE_BUILD; starts no MPI job.

setup() {
    mpicc='' version='' flavour=''
    # shellcheck source=/dev/null
    . "$ALIDADE_BUILD/environment.sh"
    lint=$ALIDADE_SOURCE/tests/lint
    cd "$ALIDADE_SOURCE" || return 1
}

# Nothing may be printed.
silent() {
    local found
    found=$("$@" 2>&1) || true
    [ -z "$found" ] || {
        printf '%s\n' "$found"
        return 1
    }
}

sources() {
    find c mpi tests doc -name '*.[ch]' -not -path '*/build/*' | sort
}

@test "C files are laid out as .clang-format says" {
    tool=
    for name in clang-format-14 clang-format; do
        if command -v "$name" >/dev/null &&
            "$name" --version | grep -q 'version 14\.'; then
            tool=$name
            break
        fi
    done
    [ -n "$tool" ] || skip "no clang-format 14"
    sources | xargs "$tool" --dry-run -Werror
}

@test "shell scripts pass shellcheck" {
    command -v shellcheck >/dev/null || skip "no shellcheck"
    {
        find tests doc -name '*.sh' -o -name '*.bash'
        find tests/lab -type f ! -name '*.*'
        echo tests/simgrid/truth tests/bench/spread tests/bench/suite tests/bench/founding tests/bench/compare tests/truth/truth tests/truth/planted tests/truth/repeat \
            tests/gpu/run tests/corpus/record tests/run/answers/record tests/run/answers/asked
        [ ! -d scripts ] || find scripts packaging/osu packaging/build-cuda-openmpi packaging/try -type f ! -name Makefile.inc ! -name '*.py' ! -name '*.css' ! -name '*.pyc'
        [ ! -f .ci/run ] || echo .ci/run
    } | xargs shellcheck --external-sources --source-path=SCRIPTDIR
}

@test "what is Python is Python 3.6; files have at most 500 lines of 100 columns, functions 60" {
    run python3 - scripts/judge/*.py scripts/runner/*.py tests/unit/test_judge*.py tests/truth/classes.py <<'END'
import ast, sys
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    tree = ast.parse(text, path, feature_version=(3, 6)) if sys.version_info >= (3, 8) else ast.parse(text, path)
    lines = text.split("\n")
    wrong = ["%d lines" % len(lines)] if len(lines) > 501 else []
    wrong += ["line %d is long" % (i + 1) for i, line in enumerate(lines) if len(line) > 100]
    wrong += ["%s() is long" % node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
              and getattr(node, "end_lineno", 0) - node.lineno >= 60]
    for why in wrong:
        print("%s: %s" % (path, why))
END
    [ "$status" -eq 0 ] && [ -z "$output" ]
}

# accepts TOOL WORD...: so does the tool, which scripts/check installs.
accepts() {
    local tools=$ALIDADE_SOURCE/build/python-tools
    PATH=$tools/bin:$PATH command -v "$1" >/dev/null || skip "no $1: scripts/check installs it where pip can"
    PATH=$tools/bin:$PATH PYTHONPATH=$tools run "$@"
    [ "$status" -eq 0 ] || {
        printf '%s\n' "$output"
        return 1
    }
}

@test "Python: ruff finds no name that is not there, or that nothing uses" {
    accepts ruff check -q --isolated --no-cache --select E9,F --ignore F402 --target-version py37 \
        scripts/judge scripts/runner tests/unit tests/truth doc tests/mutants/run packaging/ci/run.py packaging/spack/check.py tests/lint/claims.py
}

@test "Python: mypy finds the types right" {
    cd scripts
    accepts mypy --cache-dir="$BATS_TEST_TMPDIR/mypy" --ignore-missing-imports -p judge -p runner
}

@test "Python: vermin finds nothing of its library that 3.6 lacks" {
    accepts vermin -q -t=3.6- --no-tips --violations scripts/judge scripts/runner doc/result_schema.py tests/unit tests/truth/classes.py
}

@test "a file of the judge or the runner imports only files before it in the list of __init__.py; the judge, nothing of the runner" {
    local room
    for room in judge runner; do
        run python3 - "scripts/$room" <<'END'
import ast, os, re, sys
folder = sys.argv[1]
trees = {name[:-3]: ast.parse(open(os.path.join(folder, name), encoding="utf-8").read())
         for name in sorted(os.listdir(folder)) if name.endswith(".py")}
order = re.search(r"in this order: (.*?)\.", ast.get_docstring(trees.pop("__init__")).replace("\n", " ")).group(1).split(", ")
trees.pop("__main__", None)  # it starts the last one
# Commands of the runner have a help, and are not listed: they import none of each other.
commands = [name for name in trees if name not in order and any(
    isinstance(node, ast.Assign) and node.targets[0].id == "USAGE" for node in trees[name].body if isinstance(node, ast.Assign))]
wrong = ["%s is not in the list, or not there" % name for name in sorted(set(order) ^ set(trees)) if name not in commands]
for name in [name for name in order if name in trees] + commands:
    before = order[:order.index(name)] if name in order else order[:-2]
    for node in ast.walk(trees[name]):
        if isinstance(node, ast.ImportFrom) and node.level:
            for other in [node.module] if node.module else [alias.name for alias in node.names]:
                if other not in before:
                    wrong.append("%s.py, line %d: imports %s" % (name, node.lineno, other))
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("runner"):
            wrong.append("%s.py, line %d: imports the runner" % (name, node.lineno))
print("".join(line + "\n" for line in wrong), end="")
END
        [ "$status" -eq 0 ] && [ -z "$output" ]
    done
}

@test "program files have at most 60 lines, or say why" {
    silent "$lint/program_files.sh" length .
}

@test "half of the programs have at most 50 lines, and own at most 20 of them" {
    "$lint/metrics.sh" . >"$BATS_TEST_TMPDIR/metrics"
    cat "$BATS_TEST_TMPDIR/metrics"
    # mpi NUMBER MEDIAN LONGEST SHARED OWN of COUNTED
    awk '$1 == "mpi" && $5 ~ /%$/ { seen = 1; good = $3 <= 50 && $6 <= 20 }
         END { exit !(seen && good) }' "$BATS_TEST_TMPDIR/metrics"
}

@test "a loop that makes persistent operations says that they start again, or that it posts ahead" {
    local file
    for file in $(grep -lE 'MPI_[A-Za-z_]+_init\(' mpi/*/*.c); do
        grep -qE 'STARTS_AGAIN|POSTS_AHEAD' "$file" || { echo "$file" && return 1; }
    done
}

@test "files have at most 800 lines, functions 60, rooms 30 files, the parts of c their lines" {
    silent "$lint/rooms.sh" shape . "$ALIDADE_BUILD"
}

@test "every module of c/util and c/family has its header" {
    silent "$lint/rooms.sh" headers . "$ALIDADE_BUILD"
}

@test "program files hold a loop and a description, and nothing else" {
    silent "$lint/program_files.sh" words .
}

@test "header blocks have Sample and Printed and agree with the descriptor" {
    silent "$lint/program_files.sh" headers .
}

@test "header blocks say of what is printed what --help says" {
    silent "$lint/printed.sh" . "$ALIDADE_BUILD"
    # A half that is none, another unit, another direction, a mean that is none.
    mkdir "$BATS_TEST_TMPDIR/mpi"
    cp -r mpi/pt2pt mpi/collective "$BATS_TEST_TMPDIR/mpi"
    cd "$BATS_TEST_TMPDIR"
    sed -i 's/^ \* Printed  half of the mean/ * Printed  mean/' mpi/pt2pt/latency.c
    sed -i 's/^ \* Printed  the whole sample, in us/ * Printed  the whole sample, in ms/' mpi/pt2pt/bilatency.c
    sed -i 's/^ \* Printed  window/ * Printed  2 * window/' mpi/pt2pt/bw.c
    sed -i 's/^ \* Printed  mean over iterations, then over ranks/ * Printed  half the mean over iterations/' mpi/collective/bcast.c
    [ "$("$lint/printed.sh" . "$ALIDADE_BUILD" | grep -o '^[a-z]*\.c: ' | xargs)" = "bcast.c: bilatency.c: bw.c: latency.c:" ]
}

@test "every program file is built" {
    diff <(find mpi -name '*.c' | sed 's/\.c$//' | sort) \
        <({ "$lint/program_list.sh" .; echo mpi/skeleton; } | sort)
}

@test "non-blocking and persistent collectives move what the blocking ones do" {
    for file in mpi/collective/i*.c mpi/collective/*_persistent.c; do
        base=${file##*/i}
        [ -f "mpi/collective/$base" ] || base=${file##*/}
        base=${base%_persistent.c}
        diff <(grep '\.flow =' "$file") \
            <(grep '\.flow =' "mpi/collective/${base%.c}.c") || { echo "$file"; return 1; }
    done
}

@test "pages are what make doc writes" {
    diff doc/benchmarks.md <(doc/benchmarks.sh . "$ALIDADE_BUILD")
    diff doc/options.md <(doc/options.sh . "$ALIDADE_BUILD")
    diff c/family/README.md <(doc/family_list.sh .)
}

@test "what is made is not committed" {
    [ -e .git ] || skip "no git checkout"
    silent git ls-files --cached --ignored --exclude-standard
}

@test "README has at most 170 lines" {
    [ "$(wc -l <README.md)" -le 170 ]
}

@test "pages are written in plain words" {
    silent "$lint/plain_words.sh" pages README.md CONTRIBUTING.md NEWS doc/*.md
}

@test "links of pages lead to files and headings that are there" {
    silent "$lint/links.sh" README.md CONTRIBUTING.md doc/*.md results/*.md results/*/README.md c/README.md c/*/README.md \
        packaging/README.md tests/*/README.md
    printf '%s\n' '# One `two`' '[a](#one-two) [b](https://x) `[c](d)` [e](#two)' '[f](none.md)' >"$BATS_TEST_TMPDIR/page.md"
    [ "$("$lint/links.sh" "$BATS_TEST_TMPDIR/page.md" | sed 's/.*: //' | tr '\n' ' ')" = "#two none.md " ]
}

# The names of C files that pages mention and nothing in the tree has.
files_gone() {
    grep -ohE '`[A-Za-z0-9_./]+\.[ch]`' "$@" | tr -d '`' | sed 's|.*/||' | sort -u |
        comm -23 - <({ find c mpi tests -name '*.[ch]' | sed 's|.*/||'; printf '%s\n' NAME.c NAME.h mpi.h mpif.h; } | sort -u)
}

@test "pages name C files that are there" {
    silent files_gone README.md CONTRIBUTING.md doc/*.md c/README.md c/*/README.md tests/*/README.md
    echo 'a `c/run/run.c`, `gone.c`' >"$BATS_TEST_TMPDIR/page.md"
    [ "$(files_gone "$BATS_TEST_TMPDIR/page.md")" = gone.c ]
}

@test "each block of the pages is run, archived or in the table of what was not seen; figures are where the table says" {
    local page=$BATS_TEST_TMPDIR/page.md
    "$lint/claims.py" check "$lint/figures" README.md doc/*.md packaging/README.md >"$BATS_TEST_TMPDIR/claims" || cat "$BATS_TEST_TMPDIR/claims"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/claims")" -eq 1 ]
    cat "$BATS_TEST_TMPDIR/claims" >&3
    printf '%s\n' a b c >"$BATS_TEST_TMPDIR/file"
    : >"$BATS_TEST_TMPDIR/none"
    # What each block lacks, by its line.
    printf '%s\n' '```console' '$ x' '```' '```' 'a line' '```' "<!-- archived: $BATS_TEST_TMPDIR/file -->" '```console' '$ x \' y a ... c b '```' \
        '<!-- run by: tests/run/usage.bats -->' '```console' '$ scripts/nosuch' '```' '<!-- not seen: the sea -->' '```console' '$ x' '```' \
        '<!-- not run: too long -->' '```console' '$ x' '```' '<!-- archived: none -->' '```' b '```' >"$page"
    [ "$("$lint/claims.py" check "$BATS_TEST_TMPDIR/none" "$page" | sed "s|^$page||" | tr '\n' ';')" = \
        "# blocks: 6; run: 2; archived: 2; run by other tests: 1; not seen: 1; figures: 0;:4: nothing runs this block: say where it was seen;:14: b;:18: tests/run/usage.bats has no nosuch;:21: no row of doc/trust.md: the sea;:25: the mark not run is none of claims.py;:29: there is no file none;" ]
}

@test "a figure of the README without a source is found, and so is a source without the figure" {
    cd "$BATS_TEST_TMPDIR"
    mkdir doc
    printf '%s\n' '## What was not seen' '`5` [6](7.md) W08' >doc/trust.md
    printf '%s\n' 'It takes 3 s,' 'of 2 things, and 41, or 5.' >README.md
    printf '%s\n' '# comment' $'of 2 things\tlist\tcount: ^x' $'takes 3 s\tlist\tin 3  s' $'takes 4 s\tlist\tx' $'or 5\tlist\tfive' >figures
    printf '%s\n' x 'in' '3 s' x >list
    run "$lint/claims.py" check figures README.md doc/trust.md
    [ "$status" -eq 1 ]
    diff - <(printf '%s\n' "${lines[@]}" | sed 1d) <<'END'
figures:4: no page says: takes 4 s
figures:5: list has no: five
README.md: not in figures: It , , and 41, . 
doc/trust.md: not in figures: ## What was not seen [6 
END
    echo x >>list
    run "$lint/claims.py" check figures README.md doc/trust.md
    [[ $output == *"figures:2: list has no: count: ^x"* ]]
}

@test "help is written in plain words" {
    silent "$lint/plain_words.sh" help . "$ALIDADE_BUILD"
}

@test "a sentence that is not plain is found" {
    long=$(printf 'word %.0s' {1..36})
    planted=(
        'The lap takes long.' 'It is behind that.' 'One beside another.' 'Two, of which one.'
        'What is in front of it.' 'It ends with 2.' 'Here it stands.' 'That is looked after.'
        'It does so by itself.' 'One in place of two.' 'It is odd for sure.' "$long." "A list:

- with one item, where $long"
    )
    for text in "${planted[@]}"; do
        printf '# Title\n\nGood words `by itself`.\n\n%s\n' "$text" >"$BATS_TEST_TMPDIR/page.md"
        [ "$("$lint/plain_words.sh" pages "$BATS_TEST_TMPDIR/page.md" | wc -l)" -eq 1 ] ||
            { echo "not found: $text"; return 1; }
    done
    printf '%s\n' '```console' '$ lap behind' '```' '| `lap` | fine |' >"$BATS_TEST_TMPDIR/page.md"
    silent "$lint/plain_words.sh" pages "$BATS_TEST_TMPDIR/page.md"
}

@test "files include what the table of rooms allows" {
    silent "$lint/rooms.sh" includes . "$ALIDADE_BUILD"
}

@test "objects use names of rooms that the table of rooms allows" {
    silent "$lint/rooms.sh" symbols . "$ALIDADE_BUILD"
}

@test "c/util names no family" {
    silent "$lint/rooms.sh" words . "$ALIDADE_BUILD"
}

@test "MPI_COMM_WORLD is named where MPI is started, and nowhere else" {
    # In a session it may not be used; what is recorded is that of MPI_Init.
    for file in $(grep -rl --include='*.[ch]' MPI_COMM_WORLD c mpi); do
        awk -f "$lint/code.awk" "$file" | grep -q '[^A-Z_]MPI_COMM_WORLD' || continue
        [[ $file =~ ^c/(util/job/world|profile/profile)\.c$ ]] || { echo "$file"; return 1; }
    done
}

# Calls of MPI by public names that the table does not have.
public_names() {
    # shellcheck disable=SC2046  # paths without blanks
    awk -v named=yes -f "$lint/code.awk" $(find c -name '*.[ch]' | sort) |
        awk -f "$lint/public_names.awk" "$lint/public_names" -
}

@test "what is neither measured nor verified goes by the PMPI_ names of MPI" {
    silent public_names
    # Calls, and functions that are passed on; what the table has in vain.
    cp -r c "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    echo 'int f(void) { return MPI_Barrier(g(MPI_Alltoall)); } /* MPI_Send( */' >>c/util/run/run.c
    sed -i 's/MPI_Abort/PMPI_Abort/' c/util/job/world.c
    [ "$(public_names | grep -c '^c/util/run/run.c:[0-9]*: MPI_[BA][a-z]* of the harness: ')" -eq 2 ]
    [ "$(public_names | grep -vc '^c/util/run/run.c')" -eq 1 ]
    public_names | grep -qx 'tests/lint/public_names: c/util/job/world.c does not call Abort'
}

@test "numbers of users are read by base/number.c alone: no sscanf, atoi or strtol elsewhere" {
    # What the kernel writes is read in base/proc_file.c and by what looks at the machine, and what
    # MPI says in world.c.
    silent grep -rnwE --include='*.[ch]' 'v?f?scanf|v?sscanf|ato(i|l|ll|f)|strto(d|f|ld|l|ll|ul|ull|imax|umax)' \
        c/util c/family c/suite mpi --exclude=number.c --exclude=proc_file.c --exclude=hardware.c --exclude=interference.c --exclude=memory.c \
        --exclude=world.c
}

@test "no two headers have the same include guard" {
    [ -z "$(grep -rh --include='*.h' '^#ifndef [A-Z0-9_]*_H$' c tests mpi | sort | uniq -d)" ]
}

# A header that is the first in a source file compiles with that.
@test "headers compile on their own" {
    # shellcheck disable=SC2154  # of environment.sh
    for header in $(find c -name '*.h'); do
        source=${header%.h}.c
        [[ ! -f $source || $(grep -m 1 '^#include' "$source") != "#include \"${header##*/}\"" ]] || continue
        echo "#include \"$PWD/$header\"" |
            $mpicc -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H \
                -I"$ALIDADE_BUILD" -Ic/util -Ic/watch -Ic/family -Wall -Wextra \
                -Wno-missing-field-initializers -Wno-unused-parameter -Werror \
                -fsyntax-only -x c - || { echo "$header"; return 1; }
    done
}

@test "refused options are unknown, or their programs are named" {
    silent "$lint/options.sh" . "$ALIDADE_BUILD"
}

@test "NEWS begins with this version" {
    grep -m 1 -E '^[^ ]+ [0-9]' NEWS | grep -qF " $version"
}

@test "nothing in the documentation points outside the project" {
    silent grep -nE '(^|[^A-Za-z0-9_.])/(work|root|home)/' \
        README.md c/*/README.md CONTRIBUTING.md NEWS doc/*.md results/*.md tests/lab/*
}
