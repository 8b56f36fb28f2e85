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
declare -A users    # option -> "name name ... ", the programs in which it has an effect
declare -A words    # option -> what the refusal says of them
programs=()
# shellcheck source=doc/families.sh
. "$source/doc/families.sh"
while read -r first option value; do
    if [[ $first == Accepted ]]; then
        idle=yes
    elif [[ $first == =* ]]; then
        path=$option idle=
        programs+=("$path")
    else
        takes["$path $option"]=1
        argument[$option]=$value
        [[ -n $idle ]] || users[$option]+="${path##*/} "
    fi
done < <(helps "$source" "$build" --help |
    sed -En 's/^  (-.,|   ) --([a-z-]+)(\[?=\S+)?( .*)?$/- \2 \3/p; /^=/p; /^Accepted for/p')

# refused PATH OPTION
refused() {
    local word=--$2 said
    [[ ${argument[$2]} != =* ]] || word="$word=1"
    said=$("$build/$1" "$word" 2>&1 >/dev/null | head -n 1)
    words[$2]=${said#*; of use in: }
    [[ $said == *"; of use in: "[!\(]* ]] ||
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

# The words are true of all programs, but of options that none makes use of: those of two options are the same where the programs are, a program that they name
# is one of these, and where they name nothing else these are all.
declare -A said_of # words -> option
for option in "${!words[@]}"; do
    text=${words[$option]}
    [[ $text != *"unknown option"* && -n ${users[$option]-} ]] || continue
    other=${said_of[$text]-$option}
    [[ ${users[$option]-} == "${users[$other]-}" ]] ||
        echo "--$option and --$other: of use in: $text: not in the same programs"
    said_of[$text]=$option
    named=0 others=0
    while IFS= read -r name; do
        if [[ " ${programs[*]##*/} " == *" $name "* ]]; then
            named=$((named + 1))
            [[ " ${users[$option]-}" == *" $name "* ]] || echo "--$option: of use in: $text: not in $name"
        else
            others=$((others + 1))
        fi
    done <<<"${text//, /$'\n'}"
    [[ $others -gt 0 || $(wc -w <<<"${users[$option]-}") -eq $named ]] ||
        echo "--$option: of use in: $text: in others, too: ${users[$option]}"
done
