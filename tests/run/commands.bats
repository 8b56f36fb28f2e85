#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The commands that README.md and the pages under doc/ show.

load common

setup() {
    cd "$ALIDADE_SOURCE" || return 1
}

@test "the pages show commands that a shell can read" {
    tests/lint/commands.sh list . >"$BATS_TEST_TMPDIR/list"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/list")" -gt 5 ]
    while IFS=$'\t' read -r where _ _ command; do
        bash -n -c "$command" || fail "$where: $command"
    done <"$BATS_TEST_TMPDIR/list"
}

@test "exit codes of commands, and where else they were seen, are read from the page" {
    page=$BATS_TEST_TMPDIR/page.md
    printf '%s\n' '```console' '$ true \' '    really' 'some output' '$ false' 'exit code 1' '```' \
        'Text.' '<!-- not seen: needs a cluster -->' '```console' '$ srun x' '```' \
        '```console' '$ false; true' '```' >"$page"
    diff - <(tests/lint/claims.py commands "$page" | sed 's|^[^:]*/||') <<EOF
page.md:2	0	-	true     really
page.md:5	1	-	false
page.md:11	0	not seen: needs a cluster	srun x
page.md:14	0	-	false; true
EOF
}

@test "outputs are recorded where a page asks for it, and nothing else changes" {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/doc"
    printf '%s\n' 'Text.' '<!-- recorded -->' '```console' '$ echo new' 'old' '$ false' '```' '```console' '$ echo other' 'old' '```' \
        '<!-- recorded: from b -->' '```console' '$ printf "a\nb\nc\n"' '...' 'x' '```' 'End.' >"$tree/README.md"
    echo "# Page" >"$tree/doc/page.md"
    tests/lint/commands.sh record "$tree" "$BATS_TEST_TMPDIR/scratch" "$ALIDADE_BUILD" 2>"$BATS_TEST_TMPDIR/progress"
    diff - "$tree/README.md" <<'END' || fail "another page"
Text.
<!-- recorded -->
```console
$ echo new
new
$ false
exit code 1
```
```console
$ echo other
old
```
<!-- recorded: from b -->
```console
$ printf "a\nb\nc\n"
...
b
c
```
End.
END
    grep -q '^| date | 20' "$tree/doc/examples.md" || fail "no date"
    grep -q '^| pages | README.md |$' "$tree/doc/examples.md" || fail "other pages"
}

# Some minutes: whole comparisons are among them.
@test "the commands of the pages end as the pages show" {
    [ -n "${ALIDADE_LONG:-}" ] || skip "in the long form"
    builds=("$ALIDADE_BUILD")
    # A build for the other MPI, next to this one.
    other=openmpi
    [ "$flavour" != openmpi ] || other=mpich
    other=$(grep -l "^flavour='$other'" "${ALIDADE_BUILD%/*}"/*/environment.sh | head -n 1)
    [ -z "$other" ] || builds+=("${other%/*}")
    tests/lint/commands.sh run . "$BATS_TEST_TMPDIR/scratch" "${builds[@]}" >&3
}
