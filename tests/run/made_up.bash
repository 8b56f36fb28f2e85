# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034  # range and file are of those who call
#
# made_up.bash - the judge of results, results that are made up, and what programs that are made up
#                have in common.  It needs no build and no MPI.

# judge_of WORDS: sets judge, a command.  Tests have folders of their own, so files get their full names.
judge_of() {
    local i
    read -ra judge <<<"$1"
    for i in "${!judge[@]}"; do
        [[ ${judge[i]} != */* || ! -e ${judge[i]} ]] || judge[i]=$(realpath "${judge[i]}")
    done
}

# Whoever writes another judge names it: ALIDADE_JUDGE="python3 somewhere/alidade".  The Python is that of the build, if there is one;
# 3.6 has no -X utf8.
judge_of "${ALIDADE_JUDGE:-}"
[[ ${#judge[@]} -gt 0 ]] ||
    judge=("$(command -v env)" LC_ALL=C.UTF-8 "$(command -v "${python3:-python3}")" -I -S -X utf8 "$(cd "$(dirname "${BASH_SOURCE[0]}")/answers" && pwd)/ask")

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

# foreign_load FILE...: other processes used the CPUs in their runs (W40).
foreign_load() {
    sed -i 's/"foreign_load": null,//; s/"environment": *{/&"foreign_load":{"rank":0,"cpu_share":0.5,"host":"a"},/' "$@"
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

# as NAME FOLDER: the results in it are those of another program; as NAME FOLDER WHAT: and have a pure time (pure), are
# bandwidths (rates), or are of so many ranks.
as() {
    edit "s/\"latency\"/\"$1\"/g" "$2"/*.json
    case ${3:-} in
    pure) edit 's/"value":\([0-9.]*\)/&00,"columns":{"pure_us":\1}/g' "$2"/*.json ;;
    rates) edit 's|"unit":"us"|"unit":"MB/s"|g' "$2"/*.json ;;
    [0-9]*) edit "s/\"ranks\":2/\"ranks\":$3/g" "$2"/*.json ;;
    esac
}

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

# like_mpich: in a program, what tune looks for in MPICH's own file.
like_mpich() {
    echo '# {"collective=allreduce":{"comm_type=intra":{"avg_msg_size<=8":{"algorithm=MPIR_Allreduce_intra_ring":{}},"avg_msg_size=any":{"algorithm=MPIR_Allreduce_intra_usual":{}}}}}'
    printf '# algorithm=MPIR_Allreduce_%s\n' allcomm_nb intra_recursive_doubling intra_usual
}

# compared NAME LETTERS: comparison.json, of sizes from 16 on: f faster, s slower, = the same, ? undecided.
compared() {
    local i row='' class='' word ratio ends
    for ((i = 0; i < ${#2}; i++)); do
        case ${2:i:1} in
        f) word=faster ratio=0.8 ends=0.75,0.85 ;;
        s) word=slower ratio=1.2 ends=1.1,1.3 ;;
        '?') word=undecided ratio=1 ends=0.9,1.1 ;;
        *) word=same ratio=1 ends=0.99,1.01 ;;
        esac
        row+="${row:+,}{\"bytes\":$((16 << i)),\"values\":[10,10],\"ratio\":$ratio,\"ci95\":[$ends],\"class\":$i}"
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

# stored HOSTS RUNS [KEY=VALUE...]: results of quiet hosts h0, h1, ..., or of one that is slow.
# latency=2 bw=2 noise=2: the host whose values are worse; matrix=N pair=N: of the runs of
# pair_matrix name host 1, and of those of pair_bw hosts 1 and 2; kernel=1: has another one;
# percent=400: how slow; lock=1: cannot lock memory; period=1: loses time in a period (99: all do); crowded=1: ranks share CPUs.
# met=1: by the program hosts, and not by the others that compare hosts. Then within=2, link=2: the host that takes twice as long, or
# so many percent, within it or to others; two=1: so do the hosts 1 and 2 together; racks=4: in racks of so many; rack=1: the slow one.
stored() {
    mkdir -p results
    "${python3:-python3}" - "$@" <<'END'
import json, sys
hosts, runs = int(sys.argv[1]), int(sys.argv[2])
asked = {key: int(value) for key, value in (word.split("=") for word in sys.argv[3:])}

def write(name, benchmark, on, rows, **further):
    environment = {"mpi": "M-1", "mpi_text": "M 1", "nodes": len(set(on)), "ranks": len(on), "path": "same-numa",
                   "kernel": "other" if set(on) == {asked.get("kernel")} else "usual", "memory": "H-H",
                   "oversubscribed": bool(asked.get("crowded")),
                   "hardware": {"processor": "P"},
                   "rank": [{"rank": i, "host": "h%d" % h, "node": i} for i, h in enumerate(on)]}
    for row in rows:
        row.update(ranks=len(on), verified="pass", suspect=[])
    json.dump({**further, "suite": "Alidade", "schema": 2, "version": "0.1", "benchmark": benchmark, "started": "2026-11-01T00:00:00Z",
               "command": [benchmark, "--json", name], "method": {}, "environment": environment, "rows": rows, "exit": {"code": 0}},
              open("results/%s.json" % name, "w"))

def timed(size, us, unit="us"):
    return {"bytes": size, "datatype": "MPI_CHAR", "value": us if unit == "us" else size / us, "unit": unit, "window": 1,
            "over_iterations": {"median_us": us}, "over_ranks": {"mean_us": us}}

everyone, times = list(range(hosts)), asked.get("percent", 200) / 100
racks = [h // asked["racks"] for h in everyone] if "racks" in asked else []
if racks:
    open("results/racks", "w").write("".join("r%d h%d\n" % (rack, h) for h, rack in enumerate(racks)))

def between(i, k):
    slow = asked.get("link") in (i, k) or asked.get("two") and {i, k} == {1, 2} or \
        racks and racks[i] != racks[k] and asked.get("rack") in (racks[i], racks[k])
    return (times if slow else 1) * (1 + 0.001 * ((i * 5 + k) % 7))

def met(size, rounds, usual):
    of = []
    for i in everyone:
        others = [k for k in everyone if k != i and rounds]
        each = [usual * between(i, k) for k in others]
        us = sorted(each)[(len(each) - 1) // 2] if each else usual / 4 * (times if asked.get("within") == i else 1) * (1 + 0.001 * (i % 5))
        of.append({"host": "h%d" % i, "us": us, "partners": others, "partner_us": each})
    return dict(timed(size, usual), rounds=rounds, row="%d MPI_CHAR rounds=%d" % (size, rounds), hosts=of)

for run in range(runs):
    jitter = 1 + 0.01 * ((run * 7) % runs) / runs
    if asked.get("met"):
        sets = {}
        for h in everyone:
            sets.setdefault("other" if h == asked.get("kernel") else "usual", []).append("h%d" % h)
        write("hosts-%d" % run, "hosts", everyone, [met(size, rounds, us * jitter) for rounds in (0, hosts - 1)
                                                    for size, us in ((8, 2), (1 << 18, 30))],
              hosts=[{"hosts": names, "environment": {"kernel": kernel}} for kernel, names in sets.items()])
    for h in everyone if not asked.get("met") else ():
        here = jitter + 0.001 * ((h * 3 + run) % hosts)
        write("latency-%d-%d" % (h, run), "latency", [h, h], [timed(8, here * (2 if asked.get("latency") == h else 1)), timed(1024, 3 * here)])
        write("bw-%d-%d" % (h, run), "bw", [h, h], [timed(1 << 20, 100 * here * (2 if asked.get("bw") == h else 1), "MB/s")])
    write("noise-%d" % run, "noise", everyone, [{"bytes": None, "value": 1, "unit": "us", "noise": {"ranks": [
        {"rank": h, "host": "h%d" % h, "cpu": 3, "quantum_us": 100, "median_us": 100, "slow": False,
         "lost": 0.001 + 0.0001 * ((h + run) % hosts) + (0.05 if asked.get("noise") == h else 0),
         "periods": [{"period_us": 4000, "lost": 0.03, "tick": True}] +
         ([{"period_us": 10000, "lost": 0.02, "tick": False}] if asked.get("period") in (h, 99) else [])} for h in everyone]}}])
    for name, benchmark, slow in (("matrix", "pair_matrix", {"rank": 1, "partner": None, "above": hosts - 1, "of_pairs": hosts - 1}),
                                  ("pair", "pair_bw", {"rank": 1, "partner": 2, "above": 1, "of_pairs": 1})) if not asked.get("met") else ():
        unit = "us" if name == "matrix" else "mb_per_s"
        write("%s-%d" % (benchmark, run), benchmark, everyone, [dict(timed(8, 5), pairs={
            "paths": [{"path": "inter-node", "pairs": 6, "typical_" + unit: 5}],
            "slow": [dict(slow, host="h1", whole_node=False, ratio=asked.get("percent", 400) / 100)] if run < asked.get(name, 0) else []})])
write("where", "where", everyone, [{"bytes": None, "value": None, "unit": None, "placement": [], "preflight": {
    "memlock": {"value": "small", "why": "a rank cannot lock memory; rank=1; host=h1;", "hosts": ["h%d" % h for h in everyone[1:1 + asked["lock"]]]}
               if asked.get("lock") else {"value": "ok", "why": None, "hosts": []},
    "hwloc": {"value": "no", "why": "hwloc is missing", "hosts": []}}}])
END
}

# pretend_site: fake/, what looks like a build, with launchers in bin/.  own, srun: what becomes of a line (works, singletons,
# core, hosts, fails, hangs).  net: what carries the bytes of bw (fast, slow, weak, unseen, loop, fails).  found, remedy: a
# finding of where.
pretend_site() {
    mkdir -p bin fake/mpi/startup fake/mpi/pt2pt root/sys/class/net/lo/statistics
    echo 0 >root/sys/class/net/lo/statistics/tx_bytes
    printf "flavour='mpich'\nmpirun='%s/bin/launch'\nhave_json='yes'\n" "$PWD" >fake/environment.sh
    # Of other MPIs, which are not there.
    printf '#!/bin/sh\necho "no slots" >&2\nexit 1\n' | tee bin/mpirun bin/mpiexec bin/flux >/dev/null
    cat >bin/srun <<'END'
#!/usr/bin/env bash
case " $* " in
*" --mpi=list "*) printf 'MPI plugin types are...\n\twrong\n\tright\n' ;;
*" --mpi=right "*) FAKE=${srun:-fails} exec launch "$@" ;;
*) echo "srun: error: no such plugin" >&2 && exit 1 ;;
esac
END
    cat >bin/launch <<'END'
#!/usr/bin/env bash
[ "$1" != --version ] || { echo "Alidade's own" && exit; }
hosts=1
while [ "${1%/mpi/*}" = "$1" ]; do
    case $1 in
    -hosts | --nodelist) hosts=2 && shift 2 ;;
    *) shift ;;
    esac
done
HOSTS=$hosts FAKE=${FAKE:-${own:-works}} exec "$@"
END
    cat >fake/mpi/startup/where <<'END'
#!/usr/bin/env bash
hosts=${HOSTS:-1}
case ${FAKE:-works} in
singletons)
    printf 'alidade: error E01: where: the launcher started 2 processes, but MPI sees 1; Nothing was measured.\n    Start the program with its own launcher.\n' >&2
    exit 2
    ;;
core) printf '# alidade: warning W07: where: ranks share cores (ranks=0,1;)\n#   Bind each rank.\n' >&2 ;;
hosts) hosts=2 ranks=2 ;;
fails) [ -z "${HOSTS:-}" ] || { echo "no such plugin" >&2 && exit 1; } ;;
hangs)
    setsid sleep 300 &
    echo $! >child
    exec sleep 300
    ;;
esac
echo "# Alidade 1.0: ranks=${ranks:-$((2 * hosts))}; nodes=$hosts; path=same-numa; mem=H-H; bound=core; mpi=Some-1;"
for ((i = 0; i < hosts; i++)); do
    echo "$i       $i     h$((i + 1))       0      0       0     0     0       eth0 (machine)"
done
[ -z "${found:-}" ] || printf '%s\n#   %s\n' "$found" "$remedy"
END
    cat >fake/mpi/pt2pt/bw <<'END'
#!/usr/bin/env bash
value=23000 device='"cxi0"'
case ${net:-} in
fails) echo "no memory left" >&2 && exit 1 ;;
slow)
    device='"eth0"' value=100
    printf '# alidade: warning W09: bw: the bytes between nodes went over eth0 (share=1.00;), and a faster device is up: cxi0 (share=0.00;)\n#   Choose the device.\n' >&2
    ;;
weak) value=2500 ;;
loop) echo 999999999 >"$ALIDADE_ROOT/sys/class/net/lo/statistics/tx_bytes" ;;
esac
devices="[{\"name\":$device,\"share\":1,\"bytes\":1}]"
[ "${net:-}" != unseen ] && [ "${HOSTS:-1}" -gt 1 ] || devices=null
while [ "$1" != --json ]; do shift; done
cat >"$2" <<JSON
{"suite":"Alidade","schema":2,"benchmark":"bw","method":{},"environment":{"mpi":"Some-1","libraries":[{"name":"libucp","version":"1.13.1"}],
"links":[{"name":"cxi0","mb_per_s":25000},{"name":"cxi1","mb_per_s":25000},{"name":"cxi2","mb_per_s":25000},{"name":"eth0","mb_per_s":125},{"name":"veth1","mb_per_s":null}]},
"rows":[{"benchmark":"bw","ranks":2,"bytes":1048576,"window":16,"iterations":10,"warmup_iterations":1,"value":$value,"unit":"MB/s","devices":$devices}],"exit":{"code":0}}
JSON
END
    cp fake/mpi/pt2pt/bw fake/mpi/pt2pt/latency
    chmod +x bin/* fake/mpi/*/*
}
