#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# examine: the parts are run within the time, and what they say is judged and reported.  Which
# hosts differ is in answers/examine*.txt; no test decides by the times of this machine.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common
load made_up

setup() {
    json=$BATS_TEST_TMPDIR/x.json
}

examine() {
    need_build
    run_to_files "$ALIDADE_SOURCE/scripts/examine" --build "$ALIDADE_BUILD" "$@"
}

first() { head -n 1 "$out"; }

@test "JSON: findings and parts without results, as doc/examine.schema.json has them" {
    need_json
    "$python3" -c 'import jsonschema' || skip "python3 has no jsonschema"
    stored 4 6
    printf '%s\t%s\t%s\t%s\n' where 139 'it crashed' 'mpirun where' barrier 1 'E01: no' 'mpirun barrier' >left
    run_to_files "${judge[@]}" examine --left-out left --json "$json" results
    expect_status 2
    check "$ALIDADE_SOURCE/doc/examine.schema.json" <<'END'
import jsonschema
schema = json.load(open(sys.argv[2]))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
assert d["findings"] and len(d["not_measured"]) == 2, d
assert not [error.message for error in kind(schema).iter_errors(d)]
d["findings"][0]["kind"] = "no kind"
assert list(kind(schema).iter_errors(d))
END
}

@test "the plan, and what a sure finding takes" {
    local srun='examine --print --launcher srun --ranks-per-node 2'
    # Nothing is started, and so the hosts need not be known here.  Two ranks of each host measure all in one job.
    cases <<END
| $srun --bind none h0 h1 h2 h3 -- --mpi=pmix | 0 | = examine: five rounds on 4 hosts, which a sure finding takes, need about 75 of 300 s && $ [[ \$(sed 's/.*\/\(.*\)-[0-9]*: .*/\1/' "\$out" | LC_ALL=C sort | uniq -c | xargs) == "1 allreduce -m 8:64K 1 alltoall -m 8:4K 1 barrier 4 hosts --sizes=8,256K --rounds=0,3 1 hosts -m 8:256K --rounds=0,3 5 noise --budget 8s 1 where 5 noise-2-per-host" ]] && runs/noise-2-per-host-5: srun -N 4 -n 8 --ntasks-per-node=2 --cpu-bind=none --nodelist h0\\,h1\\,h2\\,h3 --mpi=pmix $ALIDADE_BUILD/mpi/suite --from=
| $srun,4,8 h{0..99} | 0 | five rounds on 100 hosts && $ [[ \$(grep -c -e 'srun -N 100 -n 200 .*/hosts-2-.*lines' "\$out") -eq 5 ]] && $ [[ \$(grep -c -e '-n 800 .*/noise-8-.*lines' "\$out") -eq 5 ]] && $ [[ \$(grep -c 'srun -N' "\$out") -eq 12 ]] && collectives-2-per-host-1 && collectives-4-per-host-1 && --sizes=8,256K --rounds=0,16
| examine --print --time 1m --launcher mpirun --ranks-per-node 2 h0 h1 h2 h3 | 0 | five rounds on 4 hosts, which a sure finding takes, need about 45 of 60 s
| examine --print --time 20 --launcher mpirun --ranks-per-node 2 h0 h1 h2 h3 | 0 | = examine: 20 s (--time) are perhaps too few to find anything: five rounds on 4 hosts take about 40 s
| examine --print --ranks-per-node 2 h0 h1 h2 h3 -- --mpi=pmix | 0 | runs/noise-2-per-host-1: srun -N 4 && ! mpirun
printf '#!/bin/sh\n' >srun; chmod +x srun | PATH=\$PWD:\$PATH examine --print --ranks-per-node 2 h0 h1 h2 h3 | 0 | --launcher srun prints that && ! srun -N
| $srun h0 h1 | 0 | = examine: nothing can be found with fewer than three hosts: values are listed
END
}

@test "hosts of a job and in the notation of Slurm come from scontrol, or the examination ends" {
    local srun='examine --print --launcher srun --ranks-per-node 2'
    mkdir bin
    printf '#!/bin/sh\n[ "$3" = "h[0-2]" ] && printf "h0\\nh1\\nh2\\n" || { echo "scontrol: error: no" >&2; exit 1; }\n' >bin/scontrol
    chmod +x bin/scontrol
    export PATH=$PWD/bin:$PATH
    cases <<END
| $srun 'h[0-2]' h7 | 0 | --nodelist h0\,h1\,h2\,h7 
| SLURM_JOB_NODELIST='h[0-2]' $srun | 0 | --nodelist h0\,h1\,h2  && hosts -m 8:256K --rounds=0,3
| SLURM_JOB_NODELIST='h[0-3]' $srun | 1 | = examine: cannot read the hosts of this job: scontrol show hostnames h[0-3]: scontrol: error: no
| $srun 'h[0-3]' | 1 | ~ ^examine: cannot read the hosts 'h\[0-3\]': 
END
}

@test "this machine alone: a page within the time; to resume keeps the runs that are there" {
    need_json
    local begun time
    # A busy machine may measure nothing within the first time.
    for time in 8 40 120; do
        rm -rf runs
        begun=$SECONDS limit=$((time + 120))
        examine --time "$time" --ranks-per-node 2 --bind none --results runs --json "$json" --output page.html
        ((SECONDS - begun <= time + 30)) || fail "it took $((SECONDS - begun)) s"
        [[ $status -eq 1 ]] || break
    done
    [[ $status -eq 3 || $status -eq 2 ]] || fail "status $status"
    grep -q '<h1>Examination of ' page.html || fail "no page"
    # On a busy machine some parts have no time: each is measured or listed.
    check <<'END'
assert len(d["hosts"]) == 1 and d["runs"] >= 1, d
said = " ".join([value["what"] for value in d["values"]] + [part["part"] for part in d["not_measured"]])
for part in ("hosts", "noise", "barrier", "allreduce", "alltoall"):
    assert part in said, (part, said)
assert all(part["reason"] for part in d["not_measured"]), d
END
    # On a busy machine the second call may add runs that the first had no time for.
    foreign_load runs/runs/*.json
    find runs/runs -name '*.json' -printf '%p %T@ %s\n' | sort >before
    [[ -s before ]] || fail "no run was stored"
    sleep 0.1
    examine --time 1 --ranks-per-node 2 --bind none --results runs --output page.html
    expect_out "Other processes used the CPUs of ranks (W40) in "
    grep -q '(W40) in [1-9][0-9]* of' page.html || fail "W40 is not on the page"
    [[ $status -eq 3 || $status -eq 2 ]] || fail "status $status"
    find runs/runs -name '*.json' -printf '%p %T@ %s\n' | sort >after
    [[ -z $(comm -23 before after) ]] || fail "a run was made again: $(comm -23 before after)"
    examine --time 1 --ranks-per-node 2 --bind core --results runs
    expect_status 1
    expect_err "has results of another command"
}

@test "an interrupted examination ends its program, keeps the runs and reports on them" {
    need_build
    need_json
    interrupt '[[ -s runs/runs/.noise-2-per-host-1/hosts.json && -e runs/runs/.noise-2-per-host-1/noise.json.part ]]' "$ALIDADE_SOURCE/scripts/examine" --build "$ALIDADE_BUILD" \
        --time 60 --ranks-per-node 2 --bind none --results runs --output page.html
    grep -q 'examine: interrupted; finished runs are kept; to continue, repeat the command with --results ' e || fail "$(<e)"
    [[ -s page.html ]] || fail "no page"
    grep -q '^what was still to come: the examination was interrupted' o || fail "nothing says that it is not all: $(<o)"
    # The launcher ends after its ranks.
    for _ in $(seq 200); do
        pgrep -g "$pid" >/dev/null || break
        sleep 0.1
    done
    ! pgrep -g "$pid" >/dev/null || fail "left: $(pgrep -ag "$pid")"
}

@test "what makes no sense is refused in a sentence" {
    local words
    printf 'r0 h5\n' >other
    printf 'r0 h0\nr1 h0\n' >twice
    while read -r words; do
        # shellcheck disable=SC2086  # words
        examine $words
        expect_status 1
        [[ $(grep -c . "$err") -eq 1 ]] || fail "$words: not one line"
        [[ $stderr == "examine: "* ]] || fail "$words: $stderr"
    done <<'END'
--time
--time soon
--time 0
--bind socket
--ranks-per-node 1,x
--nothing
h0 h0
h0,h1
--output /none/x.html
no-such-host.invalid
--racks nowhere h0 h1
--racks other h0 h1
--racks twice h0 h1
END
}

@test "racks: by a file, by topology.conf, or by Slurm; hosts are in their order" {
    mkdir bin
    printf '#!/bin/sh\necho "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=h3,h0"; echo "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=h1,h0"; echo "No more h1"; echo "SwitchName=top Level=1 LinkSpeed=1 Nodes=h0,h1,h3 Switches=s[1-2]"\n' >bin/scontrol
    chmod +x bin/scontrol
    printf '# racks\nr1 h2\nr0 h0 h3\nr2 h9\n' >file
    printf 'SwitchName=a Nodes=h1,h3\nSwitchName=b Nodes=h0,h2\nSwitchName=c Switches=a,b\n' >topology.conf
    local srun='examine --print --launcher srun --ranks-per-node 2 h0 h1 h2 h3'
    cases <<END
| $srun --racks $PWD/file | 0 | --nodelist h2\,h0\,h3\,h1 
| $srun --racks $PWD/topology.conf | 0 | --nodelist h1\,h3\,h0\,h2 
| PATH=$PWD/bin:\$PATH SLURM_JOB_ID=1 $srun | 0 | --nodelist h0\,h3\,h1\,h2 
| PATH=$PWD/bin:\$PATH $srun | 0 | --nodelist h0\,h1\,h2\,h3 
END
}

# Hosts are processes of this one here.
@test "a host that fails or hangs with any partner is named, and the others are measured" {
    need_json
    local start time times
    # shellcheck disable=SC2016  # expanded there
    start_of '$n'
    mkdir bin
    cat >bin/srun <<END
#!/bin/bash
while [[ \$1 == -* ]]; do
    case \$1 in -n) n=\$2 && shift ;; -N) each=\$2 && shift ;; --nodelist) on=\$2 && shift ;; esac
    shift
done
if [[ ,\$on, == *,h1,* && \$on == *,* ]]; then
    [[ \$HOW == fails ]] || exec sleep 1000
    echo "srun: error: h1 is down" >&2
    exit 1
fi
export on each=\$((n / each))
[[ \$HOW != slow || \$(readlink /proc/\$\$/fd/1) != */trials/* ]] || { sleep 3 && exit; }
exec ${start[*]} bash -c 'IFS=, read -ra hosts <<<"\$on" && export ALIDADE_NODE_ID=\${hosts[\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} / each]} && exec "\$@"' x "\$@"
END
    chmod +x bin/srun
    export PATH=$PWD/bin:$PATH HOW
    # Of what fails at once nothing takes time but what is measured after it.  A busy machine may need more.
    while read -r HOW times; do
        for time in $times; do
            rm -rf "$HOW"
            limit=$((2 * time + 120))
            examine --launcher srun --time "$time" --bind none --ranks-per-node 1 --results "$HOW" --json "$json" h0 h1 h2
            [[ $status -ne 2 ]] || break
        done
        expect_status 2
        [[ $(first) == "Odd: h1, of "* ]] || fail "$HOW: another answer: $(first)"
        [[ $stdout =~ (^|$'\n')"h1: hosts (2 per host) on h1, h"[02]" failed: " ]] || fail "$HOW: another finding: $stdout"
        check <<'END'
one, = [one for one in d["findings"] if one["host"]]
assert one["kind"] == "failed" and one["host"] == "h1" and " h1 " in one["again"], one
assert "h1" in d["hosts"] and d["values"], d
END
    done <<'END'
fails 25 100
hangs 60 180 480
END
    grep -q 'nodes=2;' fails/runs/hosts-2-per-host-1.txt || fail "not the other two"
    # Where those that pass take most of the time of a trial, that time says nothing of a host.
    HOW=slow
    examine --launcher srun --time 26 --bind none --ranks-per-node 1 --results slow h0 h1 h2
    [[ $status -ne 2 && $stdout != *"Odd: "* ]] || fail "a short time makes a host odd"
}

# Of four hosts one has a slow link: it is named on the first screen, and no other for sure.
# A period of noise is not asked about: all hosts share the CPUs.
@test "four hosts, one with a slow link" {
    [[ -n ${ALIDADE_LONG:-} ]] || skip "in the long form"
    need_build
    need_json
    local lab=$ALIDADE_SOURCE/tests/lab/lab options how
    ALIDADE_LAB=$(mktemp -d)/lab
    export ALIDADE_LAB
    "$lab" check 4 3>&- >why 2>&1 || skip "$(<why)"
    "$lab" up 4 3>&-
    "$lab" exec h2 tc qdisc replace dev eth0 root tbf rate 100mbit burst 32kb limit 16mb
    if [[ $flavour == openmpi ]]; then
        options=(--mca plm_rsh_agent "$ALIDADE_SOURCE/tests/lab/rsh" --mca pml ob1 --mca btl "tcp,vader,self"
            --mca btl_tcp_if_include eth0 --mca mpi_yield_when_idle 1)
    else
        options=(-launcher ssh -launcher-exec "$ALIDADE_SOURCE/tests/lab/rsh" -genv LD_PRELOAD "$usual")
    fi
    limit=240
    unset OMPI_MCA_pml OMPI_MCA_btl UCX_TLS
    run_to_files "$lab" exec h0 "$ALIDADE_SOURCE/scripts/examine" --build "$ALIDADE_BUILD" --bind none --time 120 \
        --ranks-per-node 1 --results "$BATS_TEST_TMPDIR/runs" --json "$json" h0 h1 h2 h3 -- "${options[@]}"
    "$lab" down
    rmdir "$(dirname "$ALIDADE_LAB")"
    head -n 12 "$out" | sed 's/^/# /' >&3
    expect_status 2
    [[ $(first) == "Odd: h2, of 4 hosts."* ]] || fail "another answer"
    check <<'END'
sure = [one for one in d["findings"] if one["runs"] and one["host"]]
assert {one["host"] for one in sure} == {"h2"} and all(one["partner"] is None for one in sure), sure
assert sure[0]["kind"] == "network" and sure[0]["benchmark"] == "hosts", sure
END
}
