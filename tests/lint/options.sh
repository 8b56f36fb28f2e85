#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Ask every built program about every option of every program: does --help
# list it, and where it is refused, does the refusal name exactly the programs
# that take it?  Prints what is wrong.
# usage: options.sh SOURCE BUILD
set -eu
source=$1
build=$2

declare -A takes    # "program option" -> 1
declare -A argument # option -> its argument in help, or nothing
programs=()
while read -r path; do
    name=${path##*/}
    programs+=("$path")
    while read -r option value; do
        takes["$name $option"]=1
        argument[$option]=$value
    done < <("$build/$path" --help |
        sed -En 's/^  (-.,|   ) --([a-z-]+)(\[?=\S+)?( .*)?$/\2 \3/p')
done < <("$source/tests/lint/program_list.sh" "$source")

# "every program but a, b" or "a, b", as a sorted list of names.
resolve() {
    local path name
    case $1 in
    "every program but "*)
        for path in "${programs[@]}"; do
            name=${path##*/}
            case ", ${1#every program but }," in
            *", $name,"*) ;;
            *) echo "$name" ;;
            esac
        done
        ;;
    *) tr -d ' ' <<<"$1" | tr , '\n' ;;
    esac | sort
}

for option in "${!argument[@]}"; do
    takers=$(for path in "${programs[@]}"; do
        name=${path##*/}
        [ -z "${takes["$name $option"]-}" ] || echo "$name"
    done | sort)
    for path in "${programs[@]}"; do
        name=${path##*/}
        [ -z "${takes["$name $option"]-}" ] || continue
        word=--$option
        [[ ${argument[$option]} != =* ]] || word="$word=1"
        said=$("$build/$path" "$word" 2>&1 >/dev/null | head -n 1 |
            sed -n 's/.*; taken by: //p')
        if [ -z "$said" ]; then
            echo "$name $word: not refused as another program's option"
        elif [ "$(resolve "$said")" != "$takers" ]; then
            echo "$name $word: says \"$said\", but --help lists it in:" \
                "${takers//$'\n'/, }"
        fi
    done
done
