# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# planted.bash - the cases of planted: what is planted, and what must come out.
# shellcheck disable=SC2317  # called by planted, by name

# One row of each type, of the 8 bytes that a delay is planted in.
# shellcheck disable=SC2054  # one word
four=(-m 8:8 -T mpi_char,mpi_int,mpi_float,mpi_double)

# Half a round trip rises by what is planted in both receives, or by half of what
# is planted in one: within 1 %, or one reading of either clock, the harness's and
# the kernel's, at which a planted delay ends.  All rows have 50 us planted
# besides, so that ranks wait alike in all of them.
trips() {
    local rank=$1 share=$2 us cost slack kernel=30 # ns, of clock_gettime
    for us in $(choose "1 5 50" "1 2 5 10 50 200"); do
        plant recv "$us" FAULT_RANK="$rank" FAULT_BASE_US=50
        # Of a small delay a few ns count.
        runs "$(choose $((us > 1 ? 3 : 9)) 9)" 2 latency "${four[@]}" -i 1000 -x 100 -z1
        cost=$(figure 'environment["clock"]["cost_ns"]')
        slack="($cost + $kernel) / 1000"
        slack="($us * $share / 100 > $slack ? $us * $share / 100 : $slack)"
        judge "latency, $us us on $3: rise" 'rise("columns.p1")' \
            "$us * $share - $slack" "$us * $share + $slack"
    done
}

case_both() {
    trips -1 1 "both ranks"
}

case_one() {
    trips 1 0.5 "one rank"
}

# A rank that is late to an operation: so late that the time slices of other
# processes hardly matter, since there may be more ranks than cores.
late() {
    local program=$1 ms
    for ms in $(choose 20 "10 20 50"); do
        plant call $((1000 * ms)) FAULT_RANK=3
        runs "$(choose 2 5)" 4 "$program" "${four[@]}" -i 20 -x 2 --columns completion
        judge "$program, one is $ms ms late: rise" \
            'least_rise("columns.completion")' "990 * $ms" "1050 * $ms"
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

# A rank that leaves the harness's own barrier late.
case_start() {
    local us
    for us in $(choose 200 "50 200 1000"); do
        plant start "$us"
        runs "$(choose 2 5)" 2 allreduce -m 8:8 -i 200 -x 20 --columns skew
        judge "starts $us us late: skew" 'median(every("columns.skew"))' \
            "$us * 0.99" "$us * 1.02"
        judge "starts $us us late: rank" \
            'median(every("global.last_to_start.rank"))' 1 1
        judge "starts $us us late: straggler" \
            'int(all(every("global.last_to_start.straggler")))' 1 1
    done
}

# The same before a start by the clock moves nothing; where the rank misses the
# moment, the lap is dropped: one of ten.
case_clock() {
    plant start 20
    runs "$(choose 2 5)" 2 allreduce -m 8:8 -i 200 -x 20 --start clock
    judge "20 us late, --start=clock: skew" 'min(every("global.start_skew_us"))' \
        0 2
    plant start 200 FAULT_PERIOD=10
    runs "$(choose 2 5)" 2 allreduce -m 8:8 -i 200 -x 20 --start clock
    judge "10th lap 200 us late, --start=clock: dropped" 'min(every("late_laps"))' \
        19 40
    judge "10th lap 200 us late, --start=clock: left" 'max(every("laps"))' 160 181
    judge "10th lap 200 us late, --start=clock: skew" \
        'min(every("global.start_skew_us"))' 0 2
}

# Rank 1 leaves MPI_Barrier 500 us later than rank 0.
case_stagger() {
    plant stagger 500
    runs "$(choose 3 5)" 2 allreduce -m 8:8 -i 200 -x 20 --columns median
    judge "MPI_Barrier 500 us, --start=own: median" \
        'min(every("columns.median"))' 0 100
    plant stagger 500
    runs "$(choose 3 5)" 2 allreduce -m 8:8 -i 200 -x 20 --columns median \
        --start library
    judge "MPI_Barrier 500 us, --start=library: median" \
        'min(every("columns.median"))' 495 550
}

# part FIGURE OF: by how much of the others' the planted rows are larger.
part() {
    judge "$1, a part" \
        "least_rise(\"columns.$2\") / min(other(\"columns.$2\"))" "-$3" "$3"
}

# The first calls of each size and type take longer.  Of the default budget of a
# row 50 ms are all, so that its mean would be twice as large.
case_first() {
    local calls
    for calls in 1 3; do
        plant recv 50000 FAULT_FIRST=$calls FAULT_RANK=-1
        runs "$(choose 2 5)" 2 latency "${four[@]}" --columns median
        judge "first $calls 50 ms longer: the first lap" \
            'least_rise("warmup.first_lap_us")' 99000 110000
        judge "first $calls 50 ms longer: laps" 'median(planted("laps"))' 200 1e9
        part "first $calls 50 ms longer: mean" latency_us 0.7
        part "first $calls 50 ms longer: median" median 0.3
    done
    plant recv 1000 FAULT_FIRST=10 FAULT_RANK=-1
    runs "$(choose 3 7)" 2 latency "${four[@]}" -i 1000 -x 9 --columns median
    part "first 10 1 ms longer, -x 9: mean" latency_us 0.5
    part "first 10 1 ms longer, -x 9: median" median 0.3
}

# Every 100th lap takes 2 ms more on one rank: half a round trip 1 ms, in the
# mean 10 us.  Ten of 1000 are the largest; that of the five largest is one too.
case_burner() {
    plant recv 2000 FAULT_PERIOD=100
    runs "$(choose 3 7)" 2 latency "${four[@]}" -i 1000 -x 100 -z99.5 \
        --columns median,max
    judge "every 100th 2 ms longer: rise of the mean" \
        'least_rise("columns.latency_us")' 9.8 11
    judge "every 100th 2 ms longer: rise of median" \
        'rise("columns.median")' -0.05 0.05
    judge "every 100th 2 ms longer: P99.5" 'min(planted("columns.p99.5"))' 1000 1020
    judge "every 100th 2 ms longer: largest lap" \
        'min(planted("columns.max"))' 1000 1e4
    judge "every 100th 2 ms longer: high outliers" \
        'min(planted("shape.outliers.high"))' 10 60
}

# Half a round trip takes 0.5 us more in the first lap, and 1 us in the last.
case_drift() {
    plant recv 1 FAULT_GROW_NS=1
    runs "$(choose 3 7)" 2 latency "${four[@]}" -i 1000 -x 10 --columns drift
    judge "a delay that grows: drifts" \
        'int(median(planted("shape.drift.drifts")))' 1 1
    judge "a delay that grows: last third to first" \
        'median(every("shape.drift.last_to_first", 1))' 1.25 1.5
}
