#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What --help of a program does not list must be refused: each option by one program, and
# one option by each set of programs that take the same.  An option of the core or of a watcher
# is refused as another program's, in words that say whose; the program does not know the
# options of other families.
# Prints what is wrong.
# usage: options.sh SOURCE BUILD
set -eu
source=$1
build=$2

declare -A takes    # "program option" -> 1
declare -A alike    # options taken -> 1
declare -A argument # option -> its argument in help, or nothing
programs=()
# shellcheck source=doc/families.sh
. "$source/doc/families.sh"
while read -r first option value; do
    if [[ $first == =* ]]; then
        path=$option
        programs+=("$path")
    else
        takes["$path $option"]=1
        argument[$option]=$value
    fi
done < <(helps "$source" "$build" --help |
    sed -En 's/^  (-.,|   ) --([a-z-]+)(\[?=\S+)?( .*)?$/- \2 \3/p; /^=/p')

# refused PATH OPTION
refused() {
    local word=--$2 said
    [[ ${argument[$2]} != =* ]] || word="$word=1"
    said=$("$build/$1" "$word" 2>&1 >/dev/null | head -n 1)
    [[ $said == *"; taken by: "[!\(]* ]] ||
        { [[ $said == *"unknown option"* ]] &&
            ! grep -rq "{ [^,]*, \"$2\"," "$source/c/util/options/settings_rows.c" "$source/c/watch"; } ||
        echo "$1 $word: not refused as another program's option: $said"
}

declare -A asked # options
for path in "${programs[@]}"; do
    set=
    for option in "${!argument[@]}"; do
        set+=${takes["$path $option"]-0}
    done
    [ -z "${alike[$set]-}" ] || continue
    alike[$set]=1
    known=
    for option in "${!argument[@]}"; do
        [ -z "${takes["$path $option"]-}" ] || continue
        # Families have the letter of this row under another name.
        [ "$option" != num-test-calls ] || continue
        # Options that nobody was asked about yet, or else the last one.
        if [ -z "${asked[$option]-}" ]; then
            refused "$path" "$option"
            asked[$option]=1 known=
        else
            known=$option
        fi
    done
    [ -z "$known" ] || refused "$path" "$known"
done
