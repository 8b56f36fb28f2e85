# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034  # range and file are of those who call
#
# made_up.bash - results that are made up, and what programs that are made up have in common.

# read_options OPTION...: of a program that is made up: range and file become what follows -m
# and --json.
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        -m) range=$2 ;;
        --json) file=$2 ;;
        esac
        shift
    done
}

# result FILE [BYTES:]TIME...: a document of latency with rows of 8, 16, ... bytes that took
# so many us.
result() {
    local file=$1 bytes=8 row rows=''
    shift
    for row; do
        [[ $row != *:* ]] || bytes=${row%:*}
        row=${row#*:}
        printf -v row '{"benchmark":"latency","ranks":2,"bytes":%d,"datatype":"MPI_CHAR","window":1,"value":%s,"unit":"us","verified":"pass","over_ranks":{"mean_us":%s},"over_iterations":{"median_us":%s}}' \
            "$bytes" "$row" "$row" "$row"
        rows+=${rows:+,}$row
        bytes=$((2 * bytes))
    done
    [[ $file != */* || -d ${file%/*} ]] || mkdir -p "${file%/*}"
    printf '{"suite":"Alidade","schema":2,"benchmark":"latency","method":{"start":"dissemination","verified":true},"environment":{"mpi":"Some-1","path":"same-numa","ranks":2,"bound":"core"},"rows":[%s],"exit":{"code":0}}\n' \
        "$rows" >"$file"
}

# eight FOLDER [BYTES:]TIME...: eight launches about 1 % apart.
eight() {
    local folder=$1 i times
    shift
    while read -r i times; do
        # shellcheck disable=SC2086  # figures, each a word
        result "$folder/$i.json" $times
    done < <(awk 'BEGIN {
        for (i = 1; i <= 8; i++) {
            printf "%d", i
            for (k = 1; k < ARGC; k++) {
                n = split(ARGV[k], part, ":")
                printf " %s%.6f", (n > 1 ? part[1] ":" : ""), part[n] * (1 + (i * 5 % 8 - 3.5) / 700)
            }
            print ""
        }
    }' "$@")
}

# both TIME... -- TIME...: eight launches of old, and of new.
both() {
    local old=()
    while [[ $1 != -- ]]; do
        old+=("$1")
        shift
    done
    eight old "${old[@]}"
    eight new "${@:2}"
}

# runs N FOLDER TIME...: N launches of which each takes 0.001 us more than the one before.
runs() {
    local n=$1 folder=$2 i
    shift 2
    for ((i = 1; i <= n; i++)); do result "$folder/$i.json" "${@/%/$(printf '%03d' "$i")}"; done
}

# edit SED FILE...: in the documents.
edit() { sed -i "$@"; }

# suspect FOLDER...: no row of these results can be right.
suspect() {
    local folder
    for folder; do edit 's/"verified":"/"suspect":["x"],&/g' "$folder"/*.json; done
}

# on_host HOST FOLDER: its runs were there.
on_host() { edit "s/\"ranks\":2,\"bound\"/\"rank\":[{\"host\":\"$1\"},{\"host\":\"$1\"}],&/" "$2"/*.json; }

# mark REASON BYTES RUN...: the row of so many bytes of new has that reason in these runs.
mark() {
    local reason=$1 bytes=$2 run
    shift 2
    for run; do edit "s/\"ranks\":2,\"bytes\":$bytes,/&\"doubtful\":[\"$reason\"],/" "new/$run.json"; done
}

# pairs FILE NAME SLOW LINE...: the row of the document has such values of pairs.
pairs() {
    local file=$1 name=$2 slow=$3 matrix
    shift 3
    matrix=$(printf ',[%s]' "$@")
    sed -i "s|\"unit\"|\"pairs\":{\"ranks\":[0,2,5],\"hosts\":[\"a\",\"b<1>\",\"c\"],\"slow\":[$slow],\"$name\":[${matrix#,}]},&|g" "$file"
}

# compared NAME LETTERS: comparison.json, of sizes from 16 on: f faster, s slower, = the same, ? undecided.
compared() {
    local i row='' class='' word ratio
    for ((i = 0; i < ${#2}; i++)); do
        case ${2:i:1} in
        f) word=faster ratio=0.8 ;;
        s) word=slower ratio=1.2 ;;
        '?') word=undecided ratio=1 ;;
        *) word=same ratio=1 ;;
        esac
        row+="${row:+,}{\"bytes\":$((16 << i)),\"values\":[10,10],\"ratio\":$ratio,\"ci95\":null,\"class\":$i}"
        class+="${class:+,}{\"verdict\":\"$word\"}"
    done
    echo "{\"suite\":\"Alidade\",\"comparisons\":[{\"variants\":[\"default\",\"$1\"],\"margin\":0.03,\"classes\":[$class],\"rows\":[$row]}]}"
}

# decided OPERATION RANKS ALGORITHM LETTERS: a place where new runs confirm what was found.
decided() {
    mkdir -p "$1-$2/confirm"
    compared "$3" "$4" >"$1-$2/comparison.json"
    compared tuned "$4" >"$1-$2/confirm/comparison.json"
}
