#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What the compiler made of the timed loops: they call MPI and the clock, and
# no function of the harness.
# shellcheck disable=SC2154  # variables shared with common.bash

load common

setup() {
    need_objdump
    if "$objdump" -T "$(program latency)" | grep -Eq '__asan_|__ubsan_|__gcov_|__tsan_'; then
        skip "instrumented build"
    fi
    if [[ $(calls_of "$(program latency)" ping_pong) == *bench_repeat* ]]; then
        skip "built without optimisation"
    fi
}

# iterations_pause is called where --buffers or --touch asks for something untimed
# between two iterations, and behind a test of a pointer.
# Names of the functions that a function of an executable calls.
calls_of() {
    "$objdump" -d --no-show-raw-insn "$1" | awk -v start="<$2>:" '
        $2 == start { inside = 1; next }
        inside && NF == 0 { exit }
        inside && ($0 ~ /[ \t](call|callq|bl|blr|brasl|jal|jalr)[ \t]/) {
            name = $NF
            gsub(/[<>]/, "", name)
            sub(/\+0x[0-9a-f]+$/, "", name) # through a pointer in it
            sub(/@plt$/, "", name)
            sub(/@@.*$/, "", name)
            sub(/^[0-9]+\.plt_call\./, "", name)
            sub(/^MPI_.*_c$/, "", name) # for counts beyond an int
            if (name != "")
                print name
        }' | sort -u | tr '\n' ' '
}

# The instructions of latency's loop, without addresses.
loop_of() {
    awk '$2 == "<ping_pong>:" { inside = 1; next }
         inside && NF == 0 { exit }
         inside { sub(/^[^\t]*\t/, ""); gsub(/[0-9a-f]+ </, "<"); gsub(/0x[0-9a-f]+\(%rip\)|# <.*/, ""); print }'
}

@test "latency: the ping-pong calls MPI_Send and MPI_Recv, and reads the clock" {
    local calls
    calls=$(calls_of "$(program latency)" ping_pong)
    [[ $calls == "MPI_Recv MPI_Send clock_state iterations_pause " ]] || fail "calls: $calls"
}

@test "bw: the stream calls its five MPI functions, and reads the clock" {
    local calls
    # The compiler may leave post_receives(), the program's own, a function.
    calls=$(calls_of "$(program bw)" stream)
    if [[ $calls == *post_receives* ]]; then
        [[ $calls == "MPI_Isend MPI_Recv MPI_Send MPI_Waitall clock_state iterations_pause post_receives " ]] ||
            fail "calls: $calls"
        calls=$(calls_of "$(program bw)" post_receives)
        [[ $calls == "MPI_Irecv " ]] || fail "post_receives calls: $calls"
    else
        [[ $calls == "MPI_Irecv MPI_Isend MPI_Recv MPI_Send MPI_Waitall clock_state iterations_pause " ]] ||
            fail "calls: $calls"
    fi
}

@test "put_latency and get_bw: the operation is a direct call, not through a pointer" {
    local calls name
    for name in put_latency get_bw; do
        # Of put() and get() the compiler may make functions of their own.
        calls=$(calls_of "$(program "$name")" "$name")
        [[ $calls =~ ^((MPI_[A-Z][a-z_]+|clock_state|iterations_pause|target_away|target_call|(put|get)[.a-z0-9]*)\ )+$ ]] ||
            fail "$name calls: $calls"
        [[ $calls == *"MPI_Win_flush MPI_Win_flush_local "* ]] || fail "$name calls: $calls"
    done
}

# What is zeroed by calloc and by memset is not touched: compilers leave the memset out,
# and pages that are not there yet are then found while iterations are timed.
@test "memory of the samples: it is written before anything is timed" {
    local calls
    calls=$(calls_of "$(program latency)" measure_begin)
    [[ $calls != *zeroed* ]] || calls+=$(calls_of "$(program latency)" zeroed)
    [[ $calls == *memory_rewrite* ]] || fail "calls: $calls"
}

# Functions that an object lacks: all may have those of the first line, a program those of each
# line whose names match it too.  What overlaps stands between the start of an operation and its
# wait, as the program is there to measure; what ranks compute between the calls of an
# application is its own; and what goes over a layer below MPI is that layer's.
may_call() {
    cat <<'END'
.* _GLOBAL_OFFSET_TABLE_|__stack_chk_fail|(MPI_|MPIX_|ompi_|report_|flow_).*|clock_state|iterations_pause|bench_main|bench_sync|[a-z_]*_family|threads_run|(partitions_|counts_).*
is|ft (keys_|grid_).*|progress_moved
noise quantum_run|progress_moved
memory_.* memcpy|sched_yield
tcp_.* tcp_(send|recv|wait)
ucx_.* ucx_(send|recv|wait)
random_ring|bisection|pair_matrix|pair_bw|hosts part_times_iteration
pair_matrix round_robin_(rounds|partner)
pair_bw meetings_get
hosts hosts_(meeting|rounds)
match_queue queues_.*
mbw_mr_mt streams_takes_part
put_.*|get_.*|.*acc_latency|fop_latency|cas_latency|hotspot_put|hotspot_get target_(away|call)
completion arrival_.*|sched_yield
bw_fan_(in|out) groups_messages
staged_.* staging_(failed|send_chunks|recv_chunks)
.*_guideline guidelines_.*|memcpy
impact impact_(begin|end)
halo overlap_note|computation_run|memcpy
overlap_bw|host_overhead|progress|i(all|b|ex|gather|neighbor|reduce|sc).*|.*_persistent overlap_note|computation_run
partitioned_latency overlap_note_part|computation_run
END
}

@test "every program: its own code calls MPI, the clock, and bench_sync between iterations" {
    local name objects=() extra
    for name in $(programs); do objects+=("$(program "$name").o"); done
    nm -u "${objects[@]}" >"$BATS_TEST_TMPDIR/undefined"
    extra=$(awk '
        NR == FNR { whose[++n] = "^(" $1 ")$"; names[n] = "^(" $2 ")$"; next }
        /:$/ {
            sub(/\.o:$/, ""); sub(/.*\//, ""); program = $0; programs++
            allowed = names[1]
            for (i = 2; i <= n; i++)
                if (program ~ whose[i])
                    allowed = allowed "|" names[i]
        }
        $1 == "U" && $2 !~ allowed { print program " also uses: " $2 }
        END { if (programs < 100) print "programs: " programs }' <(may_call) "$BATS_TEST_TMPDIR/undefined")
    [[ -z $extra ]] || fail "$extra"
}

@test "the core alone, without any watcher: latency prints its table, and nothing of c/watch is linked" {
    local alone=$ALIDADE_BUILD/tests/run/unwatched watched
    watched=$(cd "$ALIDADE_BUILD" && find c/watch -name '*.o' -exec nm -g --defined-only {} + | awk '$3 != "watchers" && $3 != "watch_options" && $3 != "gpu_runtimes" && NF == 3 { print $3 }' | sort -u)
    [[ $(wc -l <<<"$watched") -gt 20 ]] || fail "which names are those of c/watch?"
    [[ -z $(nm --defined-only "$alone" | awk 'NF == 3 { print $3 }' | sort -u | comm -12 - <(printf '%s\n' "$watched")) ]] || fail "a watcher is linked"
    # The same object file: its loop is the same code.
    "$objdump" -d --no-show-raw-insn "$(program latency)" | loop_of >"$BATS_TEST_TMPDIR/loop"
    [[ $(wc -l <"$BATS_TEST_TMPDIR/loop") -gt 50 ]] || fail "no loop"
    diff "$BATS_TEST_TMPDIR/loop" <("$objdump" -d --no-show-raw-insn "$alone" | loop_of)
    file_of[unwatched]=$alone
    launch 2 unwatched -m 8:16 -i 100 -x 10
    expect_status 0
    [[ $(grep -cE '^(8|16) +[0-9.]+$' "$out") -eq 2 ]] || fail "no table"
}
