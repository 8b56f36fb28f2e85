# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# planted.bash - the cases of planted: injected delays, and the required results.
# The short forms inject so much that the disturbances of a busy machine, some ms at
# a time, cannot hide it; the long ones ask for a percent, which needs a quiet one.
# shellcheck disable=SC2034,SC2317  # called by planted, by name; runs reads library

# One row of each type, of the 8 bytes that a delay is planted in.
# shellcheck disable=SC2054  # one word
four=(-m 8:8 -T mpi_char,mpi_int,mpi_float,mpi_double)

# Half a round trip rises by what is planted in both receives, or by half of what
# is planted in one: within 1 %, or one reading of either clock, the harness's and
# the kernel's, at which a planted delay ends.  All rows have 50 us planted
# besides, so that ranks wait alike in all of them.
trips() {
    local rank=$1 share=$2 us cost slack most kernel=30 # ns, of clock_gettime
    for us in $(choose 20000 "1 2 5 10 50 200"); do
        plant recv "$us" FAULT_RANK="$rank" FAULT_BASE_US=50
        # Of a small delay a few ns count.
        runs "$(choose 1 9)" 2 latency "${four[@]}" -i "$(choose 20 1000)" -x "$(choose 2 100)" -z1 --columns min
        cost=$(figure 'environment["clock"]["cost_ns"]')
        slack="($cost + $kernel) / 1000"
        slack="($us * $share / 100 > $slack ? $us * $share / 100 : $slack)"
        most="$us * $share * $(choose 1.3 1) + $slack"
        judge "latency, $us us on $3: rise" \
            "$(choose 'least_rise("columns.min")' 'rise("columns.p1")')" \
            "$us * $share * $(choose 0.85 1) - $slack" "$most"
    done
}

case_both() {
    trips -1 1 "both ranks"
}

case_one() {
    trips 1 0.5 "one rank"
}

# A rank that is late to an operation.
late() {
    local program=$1 ms
    for ms in $(choose 40 "10 20 50"); do
        plant call $((1000 * ms)) FAULT_RANK=3
        runs "$(choose 1 5)" 4 "$program" "${four[@]}" -i "$(choose 10 20)" -x 2 --columns completion
        judge "$program, one is $ms ms late: rise" \
            'least_rise("columns.completion")' \
            "$(choose 500 990) * $ms" "$(choose 10000 1050) * $ms"
    done
}

# So few bytes that nobody waits for the late rank, which has no one below it.
case_bcast() {
    late bcast
    judge "bcast, rank 3 is late: slowest rank" \
        'median(planted("slowest.rank"))' 3 3
    judge "bcast, rank 3 is late: its share" \
        'median(planted("slowest.share"))' 0.9 1
    judge "bcast, rank 3 is late: straggler" \
        'int(all(planted("slowest.straggler")))' 1 1
}

case_allreduce() {
    late allreduce
}

# A rank that is late to leave the harness's own barrier.
case_start() {
    local us
    for us in $(choose 20000 "50 200 1000"); do
        plant start "$us"
        runs "$(choose 1 5)" 2 allreduce -m 8:8 -i "$(choose 20 200)" -x 2 --columns skew
        judge "starts $us us late: skew" 'median(every("columns.skew"))' \
            "$us * $(choose 0.8 0.99)" "$us * $(choose 1.5 1.02)"
        judge "starts $us us late: rank" \
            'median(every("global.last_to_start.rank"))' 1 1
        judge "starts $us us late: straggler" \
            'int(all(every("global.last_to_start.straggler")))' 1 1
    done
}

# The same before a start by the clock moves nothing; where the rank misses the
# moment, the iteration is dropped: one of ten, and others on a busy machine.
case_clock() {
    local iterations us
    iterations=$(choose 1000 200) us=$(choose 2000 200)
    plant start 20
    runs "$(choose 1 5)" 2 allreduce -m 8:8 -i "$iterations" -x 20 --start clock
    judge "20 us late, --start=clock: skew" 'min(every("global.start_skew_us"))' \
        0 "$(choose 15 2)"
    # Where other work keeps both ranks on one core, every iteration begins too late.
    plant start "$us" FAULT_PERIOD=10
    runs "$(choose 1 5)" 2 allreduce -m 8:8 -i "$iterations" -x 20 --start clock
    judge "10th iteration $us us late, --start=clock: dropped" 'min(every("late_iterations"))' \
        "$iterations / 10 - 1" "$(choose 1000 40)"
    judge "10th iteration $us us late, --start=clock: left" 'max(every("iterations"))' \
        "$(choose 0 160)" "$iterations * 0.9 + 1"
    judge "10th iteration $us us late, --start=clock: skew" \
        'min(every("global.start_skew_us"))' 0 "$(choose 15 2)"
}

# A rank that is late to the operation takes from the first start to the last end what it takes with
# --arrival=one, where no call is delayed: its start is.
case_arrival() {
    local us columns=(--columns "global,skew")
    for us in $(choose 20000 "200 2000"); do
        plant call "$us"
        runs "$(choose 1 5)" 2 allreduce -m 8:8 -i 200 -x 2 --start=clock "${columns[@]}"
        judge "called $us us late: first start to last end" 'min(every("columns.global"))' \
            "$us" "$us * $(choose 1.5 1.02) + 10"
        plant none 0
        runs "$(choose 1 5)" 2 allreduce -m 8:8 -i 200 -x 2 --arrival="one:1:${us}us" "${columns[@]}"
        judge "arrives $us us late: first start to last end" 'min(every("columns.global"))' \
            "$us" "$us * $(choose 1.5 1.02) + 10"
        judge "arrives $us us late: skew" 'median(every("columns.skew"))' "$us * 0.98" "$us * 1.02"
        judge "arrives $us us late: the others wait" 'min(every("columns.waited_us"))' \
            "$us * 0.49" "$us * $(choose 1 0.55)"
        judge "arrives $us us late: what is left then" 'min(every("columns.latest_us"))' \
            0.01 "$us * $(choose 0.5 0.02) + 10"
    done
}

# Rank 1 leaves MPI_Barrier later than rank 0.
case_stagger() {
    local us
    us=$(choose 40000 500)
    plant stagger "$us"
    runs "$(choose 1 5)" 2 allreduce -m 8:8 -i "$(choose 10 200)" -x 2 --columns median
    judge "MPI_Barrier $us us, --start=dissemination: median" \
        'min(every("columns.median"))' 0 "$us * $(choose 0.4 0.2)"
    plant stagger "$us"
    runs "$(choose 1 5)" 2 allreduce -m 8:8 -i "$(choose 10 200)" -x 2 --columns median \
        --start library
    judge "MPI_Barrier $us us, --start=library: median" \
        'min(every("columns.median"))' "$us * $(choose 0.8 0.99)" "$us * $(choose 2.5 1.1)"
}

# part FIGURE OF MOST: by how much of the others' the planted rows are larger.
part() {
    judge "$1, a part" \
        "least_rise(\"columns.$2\") / min(other(\"columns.$2\"))" "-$3" "$3"
}

# The first calls of each size and type take longer: so long that the mean of a row
# that had them would be twice as large, or in the short form ten times.
case_first() {
    local calls us base
    us=$(choose 1000000 50000) base=$(choose 1000 0)
    for calls in $(choose 1 "1 3"); do
        plant recv "$us" FAULT_FIRST="$calls" FAULT_RANK=-1 FAULT_BASE_US="$base"
        runs "$(choose 1 5)" 2 latency "${four[@]}" --columns median
        judge "first $calls $us us longer: first iteration" \
            'least_rise("warmup.first_iteration_us")' "$us * 1.98" "$us * $(choose 3 2.2)"
        judge "first $calls $us us longer: iterations" 'median(planted("iterations"))' \
            "$(choose 3 200)" 1e9
        part "first $calls $us us longer: mean" latency_us "$(choose 2 0.7)"
        part "first $calls $us us longer: median" median "$(choose 2 0.3)"
    done
    [[ $(choose short long) == long ]] || return 0
    plant recv 1000 FAULT_FIRST=10 FAULT_RANK=-1
    runs 7 2 latency "${four[@]}" -i 1000 -x 9 --columns median
    part "first 10 1 ms longer, -x 9: mean" latency_us 0.5
    part "first 10 1 ms longer, -x 9: median" median 0.3
}

# Every 100th iteration takes longer on one rank; half of it is half a round trip's, and a
# 200th of it the mean's.  Of 1000 ten are the largest; that of the five largest is
# one too.
case_burner() {
    local us
    us=$(choose 100000 2000)
    plant recv "$us" FAULT_PERIOD=100
    runs "$(choose 1 7)" 2 latency "${four[@]}" -i "$(choose 300 1000)" -x 100 -z99.5 \
        --columns median,max
    judge "every 100th $us us longer: rise of the mean" \
        'least_rise("columns.latency_us")' \
        "$us / 200 * $(choose 0.4 0.98)" "$us / 200 * $(choose 40 1.1)"
    judge "every 100th $us us longer: rise of median" \
        'rise("columns.median")' "-$us * $(choose 0.05 0.000025)" "$us * $(choose 0.05 0.000025)"
    judge "every 100th $us us longer: P99.5" 'min(planted("columns.p99.5"))' \
        "$us / 2" "$us / 2 * $(choose 20 1.02)"
    judge "every 100th $us us longer: largest iteration" \
        'min(planted("columns.max"))' "$us / 2" "$us * 5"
    judge "every 100th $us us longer: high outliers" \
        'min(planted("shape.outliers.high"))' "$(choose 3 10)" "$(choose 300 60)"
}

# A receive takes longer each time: half a round trip 0.5 us more in the first iteration of
# a row, and 1 us in the last, or up to 36 ms.
case_drift() {
    plant recv 1 FAULT_GROW_NS="$(choose 400000 1)"
    runs "$(choose 1 7)" 2 latency -m 8:8 -T mpi_char,mpi_int -i "$(choose 180 1000)" -x "$(choose 0 10)" --columns drift
    judge "a delay that grows: drifts" \
        'int(median(every("shape.drift.drifts", 1)))' 1 1
    judge "a delay that grows: last third to first" \
        'median(every("shape.drift.last_to_first", 1))' "$(choose 2.5 1.25)" "$(choose 20 1.5)"
}

# Each entry of a queue costs so many ns, of either rank: half a round trip has the entries of
# one.  Medians of a busy machine are wrong by tens of ms.
case_queues() {
    local fault ns lengths
    lengths=$(choose 0,16 0,16,64,256,1024)
    for fault in posted unexpected reverse; do
        for ns in $(choose 2000000 "20 100 500"); do
            plant "$fault" 0 FAULT_NS="$ns"
            library=matching
            runs "$(choose 1 5)" 2 match_queue -m 8:8 "--$fault=$lengths" \
                -i "$(choose 3 400)" -x "$(choose 1 50)"
            judge "match_queue, $fault: ns for an entry" \
                'median(d["per_entry"][-1]["ns"] for d in documents)' \
                "$ns * $(choose 0.3 0.97)" "$ns * $(choose 4 1) + $(choose 0 40)"
        done
    done
}

# A lock that all threads of a rank need for each message: it is the rate.  Between two windows
# nobody may hold it for a while.  A rate is that of the mean time of the threads: those that
# end early, while others still wait for the lock, raise it.
case_lock() {
    local us row
    for us in $(choose 20000 "20 100 500"); do
        plant lock "$us"
        library=lock
        runs "$(choose 1 5)" 2 mbw_mr_mt -m 8:8 -t 1,2,4 -W "$(choose 2 64)" \
            -i "$(choose 16 200)" -x "$(choose 1 20)"
        for row in 0 1 2; do
            judge "a lock held for $us us, $((1 << row)) threads: messages/s" \
                "max(every(\"columns.messages_per_s\", $row))" \
                "1e6 / $us * $(choose 0.1 0.95)" "1e6 / $us * $(choose 1.5 1.1)"
        done
    done
}

# A message takes so long, in MPI_Wait or from MPI_Isend on, of which a computation of half that
# time hides nothing or all of itself.  In the short form a machine that stops for a third of a
# second moves the percentage by 20, since it is that of 15 iterations of 100 ms each.
case_progress() {
    local us fault from to
    for us in $(choose 100000 "1000 10000"); do
        for fault in late early; do
            from=$(choose 26 47) to=$(choose 95 53)
            if [[ $fault == late ]]; then
                from=$(choose -400 -3) to=$(choose 25 3)
            fi
            plant "$fault" "$us"
            library=progress
            runs "$(choose 1 5)" 2 progress -m 8:8 --compute $((us / 2)) -i "$(choose 15 50)" -x 2
            judge "progress, $us us, $fault: percent" 'median(every("overlap.overlap_percent"))' \
                "$from" "$to"
            judge "progress, $us us, $fault: without computation" \
                'min(every("overlap.pure_us"))' "$us * 0.99" "$us * $(choose 20 1.05) + 100"
        done
    done
}

# Operations that need the target's CPU wait for its next call of MPI; in MPICH, which may need
# it as well, for one more.
case_away() {
    local us how
    export FAULT_FILE=$BATS_TEST_TMPDIR/shared
    for us in $(choose 20000 "500 5000"); do
        for how in asleep computing; do
            plant away 0
            library=away
            runs "$(choose 1 5)" 2 put_latency -m 8:8 "--target=$how:$us" -i "$(choose 4 100)" -x 2
            judge "put_latency, target $how for $us us: us" \
                'min(every("columns.latency_us"))' \
                "$us * $(choose 0.5 0.9)" "$us * $(choose 20 2.2) + 100"
            judge "put_latency, target in MPI: us" \
                'min(every("columns.in_mpi_us"))' 0 "$us * $(choose 0.5 0.1)"
        done
    done
}

# Of five ranks in a ring the two next to the late one wait for it, and nobody else:
# the mean over ranks rises by two fifths of what the largest rises by.
case_halo() {
    local ms
    ms=$(choose 100 20)
    plant start $((1000 * ms))
    runs "$(choose 1 5)" 5 halo --grid=5x1 --faces --exchange=subarray,persistent -m 8:8 \
        -i "$(choose 10 50)" -x 2
    judge "halo, one is $ms ms late: most, ms" \
        'median(every("over_ranks.max_us")) / 1000' "$(choose 0.5 0.9) * $ms" "$(choose 3 1.2) * $ms"
    judge "halo, one is $ms ms late: ranks that wait" \
        '5 * median([(mean - least) / (most - least) for mean, least, most in zip(every("over_ranks.mean_us"), every("over_ranks.min_us"), every("over_ranks.max_us"))])' \
        "$(choose 1.5 1.9)" "$(choose 2.5 2.1)"
}

# One collective of all takes so much longer: the operation itself, or half of a mock-up.
case_guideline() {
    local ms
    ms=$(choose 100 10)
    plant MPI_Allreduce $((1000 * ms))
    library=named
    runs "$(choose 1 5)" 2 allreduce_guideline -m 8:8 -i "$(choose 24 60)" -x 2
    judge "MPI_Allreduce $ms ms longer: operation, ms" \
        'median(every("columns.native_us")) / 1000' "$ms" "$(choose 3 1.05) * $ms"
    judge "MPI_Allreduce $ms ms longer: mock-ups, ms" \
        'max(every("columns.mockup_1_us") + every("columns.mockup_2_us")) / 1000' \
        0 "$(choose 0.7 0.1) * $ms"
    judge "MPI_Allreduce $ms ms longer: over the fastest mock-up" \
        'min(every("columns.ratio"))' "$(choose 1.4 9)" 1e9
    # Next to other load iterations in turn are alike, and 24 may be too few for a verdict.
    if [[ $(choose short long) == long ]]; then
        judge "MPI_Allreduce $ms ms longer: violated" \
            'int(all(verdict == "violated" for verdict in every("guideline.verdict")))' 1 1
    else
        judge "MPI_Allreduce $ms ms longer: holds" 'every("guideline.verdict").count("holds")' 0 0
    fi
    plant MPI_Reduce $((1000 * ms))
    library=named
    runs "$(choose 1 5)" 2 allreduce_guideline -m 8:8 -i "$(choose 24 60)" -x 2
    judge "MPI_Reduce $ms ms longer: reduce+bcast, ms" \
        'median(every("columns.mockup_1_us")) / 1000' "$ms" "$(choose 3 1.05) * $ms"
    judge "MPI_Reduce $ms ms longer: operation, ms" \
        'max(every("columns.native_us")) / 1000' 0 "$(choose 0.7 0.1) * $ms"
}
