#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# -D: derived types move what they name, their gaps stay as they were.
# shellcheck disable=SC2030,SC2031  # each test exports for itself
# shellcheck disable=SC2034,SC2154  # variables shared with common.bash

load common

brief=(-i 5 -x 1)

setup() {
    blocks=$BATS_TEST_TMPDIR/blocks
    printf '# three blocks\n1,2\n\n4 , 1   # a comment\r\n6,2' >"$blocks"
}

# Strides of every program are in corpus.bats.
@test "all blocks of a file move, and what is contiguous (OMB 34)" {
    local name kind
    for name in latency bw alltoall; do
        for kind in cont "indx:$blocks"; do
            later "$name.${kind%:*}" 2 "$name" -D "$kind" -T mpi_char,mpi_int -c -m 32:128:4 "${brief[@]}"
        done
    done
    all_good 'expect_all_pass 4' '[[ $name != *.indx || $(column 4) == "5 5 20 20" ]]'
}

@test "columns stand where OMB has them; the size is the extent" {
    launch 2 latency -D vect:8:4 -m 8:32 -c -z50 "${brief[@]}"
    expect_status 0
    expect_quiet W22
    expect_out $'\n# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)     Transmit Size\n'
    expect_sizes 8 16 32
    [[ $(column 5) == "4 8 16" ]] || fail "not half of it moves"
    grep -Eq '^8 .{26}              Pass.{18}                 4$' "$out" || fail "not 18 wide"
}

@test "in place, windows, roots: gaps of the only buffer are gaps too" {
    cases <<'END'
| launch 3 alltoall -D vect:8:4 -l -c -m 16:64 "${brief[@]}" | 0 | $ expect_quiet
| launch 3 allgather -D vect:8:4 -l -c -m 16:64 "${brief[@]}" | 0 |
| launch 2 bw -D vect:8:4 -W 3 -b multiple -c -m 16:64 "${brief[@]}" | 0 |
| launch 2 bibw -D vect:2:1 -W 3 -b single -c -m 1:1M "${brief[@]}" | 0 | $ expect_quiet W31
END
}

@test "MPI's own size of the type is the Transmit Size" {
    export FAULT_TRACE=$BATS_TEST_TMPDIR/trace
    preload=(trace)
    launch 2 latency -D vect:8:4 -m 64:64 "${brief[@]}"
    expect_status 0
    grep -qx 'MPI_Send 32 0' "$FAULT_TRACE.0" || fail "not 32 bytes by MPI"
    launch 2 latency -D "indx:$blocks" -m 64:64 "${brief[@]}"
    grep -qx 'MPI_Send 5 0' "$FAULT_TRACE.0" || fail "not 5 bytes by MPI"
    [[ $(column 3) == 5 ]] || fail "Transmit Size is not 5"
}

@test "wrong data within a block, in a gap, after the end" {
    export FAULT_RANK=1
    preload=(plant) impatient=yes
    # Byte 500 of 1000 that move is the fifth of a stride.
    cases <<'END'
| FAULT=byte launch 2 latency -D vect:8:4 -m 2000:2000 "${brief[@]}" | 3 | $ expect_err "rank=1; block=0; byte=500 (in a gap); " && wrong on this rank=1;
| FAULT=behind launch 2 latency -D vect:8:4 -m 2000:2000 "${brief[@]}" | 3 | $ expect_err "byte=1000; "
END
    # The second of a window's two messages.
    cases <<'END'
| FAULT=byte FAULT_NTH=2 launch 2 bw -W 2 -D vect:8:4 -m 2000:2000 "${brief[@]}" | 3 | $ expect_err "block=1; byte=500 (in a gap); "
| FAULT=dropped launch 2 bcast -D vect:8:4 -m 2000:2000 "${brief[@]}" | 3 | $ expect_err "rank=1; block=0; byte=0; "
END
    # One byte that never comes.
    export FAULT_BYTES=1
    FAULT=dropped launch 2 latency -D vect:8:1 -m 8:8 "${brief[@]}"
    expect_status 3
    expect_err "byte=0; "
}

@test "sizes without a block are left out and counted, or refused" {
    launch 2 latency -D vect:8:4 -m 1:16 "${brief[@]}"
    expect_status 0
    expect_quiet W31
    [[ $(messages "warning W31") -eq 1 ]] || fail "W31 not once"
    expect_err "rows left out=3; size=1,2,4; no stride or block of -D fits in them"
    expect_sizes 8 16
    cases <<'END'
| launch 2 latency -D vect:8:4 -m 1:4 "${brief[@]}" | 2 | $ expect_error E19 && $ expect_no_out
| launch 2 latency -D cont -m 0:2 -c "${brief[@]}" | 0 | $ expect_sizes 0 1 2
END
}

@test "files that make no sense: one sentence for the job" {
    local text
    impatient=yes
    for text in 'line 2 is not:0,1\n1;2\n' 'line 2 begins before:2,2\n1,1\n' \
        'no blocks:# nothing\n' 'line 1 is not:0,0\n'; do
        # shellcheck disable=SC2059  # the text is a format
        printf "${text#*:}" >"$blocks"
        launch 2 latency -D "indx:$blocks" -m 8:8 "${brief[@]}"
        echo "$text"
        expect_status 1
        expect_error E12
        expect_no_out
        expect_err "${text%%:*}"
    done
    cases <<'END'
| launch 2 latency -D "indx:$blocks.missing" -m 8:8 "${brief[@]}" | 1 | $ expect_error E12 && cannot be read
| launch 2 latency -D "indx:/" -m 8:8 "${brief[@]}" | 1 | $ expect_error E12
END
}

@test "kinds that make no sense, programs that cannot: before MPI" {
    refusals <<'END'
1 E12 latency -D vect:0:1
1 E12 latency -D vect:8:0
1 E12 latency -D vect:4:8
1 E12 latency -D vect:8
1 E12 latency -D vector
1 E12 latency -D indx:
1 E12 latency -D indx
1 E43 allreduce -D cont|of use in: programs that move data without reducing them
1 E43 put_latency -D cont
END
}

@test "JSON: what moves, and bandwidths of it" {
    need_json
    launch 2 bw -D vect:8:2 -W 2 -m 64:64 "${brief[@]}" --json "$BATS_TEST_TMPDIR/x.json"
    expect_status 0
    "$python3" - "$BATS_TEST_TMPDIR/x.json" "$result_schema" <<'END'
import json, sys
d, schema = (json.load(open(path)) for path in sys.argv[1:])
row = d["rows"][0]
assert d["method"]["derived"] == "vect:8:2", d["method"]
assert row["bytes"] == 64 and row["columns"]["transmit_bytes"] == 16, row
assert abs(row["value"] * row["over_ranks"]["mean_us"] / (2 * 16) - 1) < 1e-6, row
try:
    import jsonschema
except ImportError:
    sys.exit(0)
jsonschema.validate(d, schema)
END
}
