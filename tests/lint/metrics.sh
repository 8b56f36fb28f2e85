#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How long the programs are, how much of them stands in others too, and how many
# lines of C there are, as a table.
# usage: metrics.sh SOURCE
#
# "shared" and "own" are counted with whitespace squeezed, and without blank lines
# and lone braces: a line is shared if another program of the suite has it as well,
# comments included.  A family's lines are compared with those of all programs.
set -eu
source=$(cd "$1" && pwd)
cd "$source"

# shellcheck disable=SC2016  # awk's fields
tests/lint/program_list.sh . | sed 's/$/.c/' | xargs awk '
    # The lower one of two in the middle.
    function median(list,    n, x, i, j, t) {
        n = split(list, x, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && x[j - 1] + 0 > x[j] + 0; j--) {
                t = x[j]
                x[j] = x[j - 1]
                x[j - 1] = t
            }
        return x[int((n + 1) / 2)]
    }
    function add(group, file) {
        if (!(group in programs))
            order[++groups] = group
        programs[group]++
        all[group] += counted[file]
        both[group] += counted[file] - own[file]
        whole[group] = whole[group] " " lines[file]
        rest[group] = rest[group] " " counted[file]
        mine[group] = mine[group] " " own[file]
        if (lines[file] > longest[group])
            longest[group] = lines[file]
    }
    FNR == 1 { name[++files] = FILENAME }
    {
        lines[FILENAME]++
        gsub(/[ \t]+/, " ")
        gsub(/^ | $/, "")
        if ($0 == "" || $0 == "{" || $0 == "}")
            next
        counted[FILENAME]++
        line[files, counted[FILENAME]] = $0
        if (!((FILENAME, $0) in seen))
            holders[$0]++
        seen[FILENAME, $0] = 1
    }
    END {
        for (f = 1; f <= files; f++) {
            for (i = 1; i <= counted[name[f]]; i++)
                own[name[f]] += holders[line[f, i]] == 1
            family = name[f]
            sub(/\/[^\/]*$/, "", family)
            add(family, name[f])
        }
        for (f = 1; f <= files; f++)
            add("mpi", name[f])
        printf "%-16s %8s %7s %7s %6s %14s\n", "# programs", "number", "median",
            "longest", "shared", "own, median"
        for (g = 1; g <= groups; g++) {
            family = order[g]
            printf "%-16s %8d %7d %7d %5.0f%% %14s\n", family, programs[family],
                median(whole[family]), longest[family], 100 * both[family] / all[family],
                median(mine[family]) " of " median(rest[family])
        }
    }'

echo
printf '%-16s %8s %7s %7s\n' '# lines of C' files lines code
for folder in mpi c/util c/family; do
    mapfile -t files < <(find "$folder" -name '*.[ch]' | sort)
    printf '%-16s %8d %7d %7d\n' "$folder" "${#files[@]}" "$(cat "${files[@]}" | wc -l)" \
        "$(cat "${files[@]}" | awk -f tests/lint/code.awk | wc -l)"
done
