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

# said COMMAND...: the help of each tool, or script.
said() {
    for tool; do
        for option in --help -h; do
            echo "=tool $tool $option"
            # shellcheck disable=SC2086 # a tool and its verb
            $tool "$option" 2>/dev/null
        done
    done
}

case $what in
pages) awk -v form=markdown -f "$here/plain_words.awk" "$@" ;;
help)
    source=$1 build=$2
    # shellcheck source=doc/families.sh
    . "$source/doc/families.sh"
    {
        helps "$source" "$build" --help
        helps "$source" "$build" -h
        # shellcheck disable=SC2046 # paths without blanks
        said $(find "$source/scripts" -maxdepth 1 ! -type d ! -name '*.sh' ! -name Makefile.inc | sort)
    } | awk -v form=help -f "$here/plain_words.awk" |
        awk '{ text = $0; sub(/^[^:]*: /, "", text) } !seen[text]++' # what several say once
    ;;
esac
