#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What users read, held to the words and sentences of CONTRIBUTING.md: the pages, and
# what programs and tools of a build say with --help and -h.  Prints what is wrong.
# usage: plain_words.sh pages FILE...
#        plain_words.sh help SOURCE BUILD
set -eu
here=$(dirname "$0")
what=$1
shift

# said PROGRAM...: the help of each; what several say is reported once.
said() {
    for program; do
        for option in --help -h; do
            # shellcheck disable=SC2086 # a program, or a tool and its verb
            $program "$option" 2>/dev/null |
                awk -v form=help -v name="${program##*/} $option" -f "$here/plain_words.awk"
        done
    done | awk '{ text = $0; sub(/^[^:]*: /, "", text) } !seen[text]++'
}

case $what in
pages) awk -v form=markdown -f "$here/plain_words.awk" "$@" ;;
help)
    source=$1 build=$2
    tool=$build/c/analysis/alidade-analysis
    # shellcheck disable=SC2046 # paths without blanks
    said $("$here/program_list.sh" "$source" | sed "s|^|$build/|") \
        $(grep -il '^# usage: ' "$source"/scripts/*) \
        "$tool" "$tool compare" "$tool accept" "$tool repeat" "$tool report" "$tool examine" "$tool tune"
    ;;
esac
