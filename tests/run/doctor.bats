#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# doctor: launchers, programs and limits that are made up; and real ones.
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common
load made_up

doctor=$ALIDADE_SOURCE/scripts/doctor

setup() {
    export ALIDADE_ROOT=$PWD/root PATH=$PWD/bin:$PATH
    pretend_site
    fake=$PWD/fake
}

doctor() { run_to_files "$doctor" -q --json d.json "$@"; }

# is KEY EXPRESSION: what Python says of d, the document.
is() { json=d.json check <<<"assert $1, d"; }

@test "each way in which a line goes wrong has its word; the first that works is the answer" {
    need_json
    cases <<'END'
| own=works doctor $fake | 0 | $ is 'd["line"] == "launch -n 2 -bind-to core" and d["launchers"][0]["result"] == "works"'
| own=singletons doctor $fake | 2 | $ is 'd["line"] is None and d["launchers"][0]["result"] == "singletons" and d["carried"] is None' && What to do: Start the program with its own launcher.
| own=core doctor $fake | 2 | $ is 'd["launchers"][0]["result"] == "badly bound"' && ranks share cores (W07) && What to do: Bind each rank.
| own=hosts doctor $fake | 2 | $ is 'd["launchers"][0]["why"] == "2 ranks on 2 hosts, asked for 2 on 1"'
| own=fails doctor $fake | 2 | $ is 'd["launchers"][0]["why"] == "no such plugin"'
| own=singletons srun=works doctor $fake | 0 | $ is 'd["line"].startswith("srun ") and "--mpi=right" in d["line"]' && $ is '[e["result"] for e in d["launchers"] if e["name"] == "srun --mpi=wrong"] == ["fails"]'
END
}

@test "a line that does not answer is ended after 20 s, with all that it started" {
    local began=$SECONDS
    own=hangs doctor "$fake"
    expect_status 2
    [[ $((SECONDS - began)) -lt 60 ]] || fail "it took $((SECONDS - began)) s"
    expect_out "no answer"
    # One that has ended may wait for its parent.
    ! grep -qs sleep "/proc/$(<child)/cmdline" || fail "a process of it goes on"
}

@test "what carried the bytes decides, and each remedy is that of the program" {
    need_json
    cases <<'END'
| net=fast doctor --hosts localhost,127.0.0.1 $fake | 0 | $ is 'd["carried"]["by"] == ["cxi0"] and d["carried"]["not_used"] == ["cxi1", "cxi2"] and abs(d["carried"]["share_of_rate"] - 0.92) < 1e-9' && Not used: cxi1, cxi2.
| net=slow doctor --hosts localhost,127.0.0.1 $fake | 2 | $ is 'd["carried"]["by"] == ["eth0"]' && faster device is up: cxi0 && What to do: Choose the device.
| net=weak doctor --hosts localhost,127.0.0.1 $fake | 2 | the bytes moved at 10% of the rate of cxi0 && among three hosts or more
| net=unseen doctor --hosts localhost,127.0.0.1 $fake | 2 | the kernel counted no device
| net=loop doctor $fake | 2 | the bytes went over lo (TCP) && OMPI_MCA_btl
| net=fails doctor $fake | 2 | a line works, but bw does not: no memory left
END
}

@test "limits are those of where, on all hosts, and of a root folder that has few processes left" {
    need_json
    found='# vm_read=denied: a rank cannot read; host=h2;' remedy='Use --pid=host.' doctor "$fake"
    expect_status 0
    expect_out "# vm_read=denied: a rank cannot read; host=h2;"
    expect_out "What to do: Use --pid=host."
    refuse_out "pids"
    mkdir -p root/proc/self root/proc/sys/kernel/yama root/sys/fs/cgroup/a/b root/sys/fs/cgroup/pids/v1
    printf '1:pids:/v1\n0::/a/b\n' >root/proc/self/cgroup
    echo max >root/sys/fs/cgroup/a/b/pids.max
    echo 70 >root/sys/fs/cgroup/a/pids.max
    echo 40 >root/sys/fs/cgroup/a/pids.current
    echo 31 >root/sys/fs/cgroup/pids/v1/pids.max
    echo "0 1000 1" >root/proc/self/uid_map
    echo 2 >root/proc/sys/kernel/yama/ptrace_scope
    found='# vm_read=denied: a rank cannot read; host=h2;' remedy='Use --pid=host.' doctor "$fake"
    is '"(this is a user namespace; kernel.yama.ptrace_scope=2)" in d["advice"][0]["what"]'
    is '"30 more processes" in d["advice"][1]["what"] and d["advice"][1]["what"].endswith("by=/sys/fs/cgroup/a/pids.max")'
    # Where no line works the limits of this host are known all the same.
    own=fails found='# shm=small: little; host=h1;' remedy='Enlarge it.' doctor "$fake"
    expect_status 2
    expect_out "# shm=small: little; host=h1;"
}

@test "the page has 40 lines of 80 columns or fewer, whatever is found" {
    own=fails found=$(for i in {1..9}; do printf '# shm=small: %s\n#   %s\n' "$(seq -s ' ' "$i" 60)" "Enlarge it."; done) remedy=last doctor "$fake"
    expect_status 2
    [[ $(wc -l <"$out") -le 40 ]] || fail "more lines"
    awk 'length > 80 { exit 1 }' "$out" || fail "longer lines"
}

@test "bad words are refused in one sentence" {
    cases <<'END'
| doctor --hosts A.invalid $fake | 1 | = doctor: unknown host 'A.invalid'
| doctor -N 3 --hosts localhost $fake | 1 | = doctor: 1 hosts are known, and -N asks for 3: --hosts A,B,...
| doctor -N x $fake | 1 | = doctor: --nodes 'x' is not a number of hosts from 1 to 999999999
| doctor $fake other | 1 | $ [[ $stderr == "doctor: name one build, and not $fake other" ]]
| doctor nowhere | 1 | = doctor: there are no programs in 'nowhere/mpi'; scripts/quickstart builds them
END
}

@test "this machine: a line works, and a rank in a user namespace of its own is told so" {
    need_json
    unset ALIDADE_ROOT
    export LD_PRELOAD=$usual
    doctor "$ALIDADE_BUILD"
    expect_status 0
    is 'd["carried"]["by"] == ["shared memory"] and d["mpi"] and d["line"]'
    unshare --user --map-root-user true || skip "no user namespaces"
    # Neither MPI moves much so, unless it is told.
    mkdir -p apart/mpi/{startup,pt2pt}
    cp "$ALIDADE_BUILD/environment.sh" apart/
    local name
    for name in startup/where pt2pt/bw pt2pt/latency; do
        printf '#!/bin/sh\nexec unshare --user --map-root-user %s "$@"\n' "$ALIDADE_BUILD/mpi/$name" >apart/mpi/$name
        chmod +x apart/mpi/$name
    done
    OMPI_MCA_btl_vader_single_copy_mechanism=none UCX_TLS=self,sysv doctor apart
    expect_out "vm_read=denied"
    expect_out "What to do: MPI then copies twice"
}
