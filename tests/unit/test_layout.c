/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who sends what to whom, and which bytes: flows, pairs, counts, datatypes, lattices.
 */
#include "unit_series.h"

#include "collective/collective.h"
#include "data/datatype.c"
#include "data/flow.c"
#include "data/verify.c"
#include "halo/lattice.h"
#include "loop.h"
#include "options/settings_rows.c"
#include "run/measure_rows.c"

/* --- Flow ----------------------------------------------------------------- */

/* Who sends and receives how much, as the root and as another rank; sums over some
   of the ranks; vectors that are dealt out. */

enum { RANKS = 5, ROOT = 3 };

static struct bench_run run_of(int rank, bool in_place, bool rotates)
{
    return (struct bench_run){
        .rank = rank, .nranks = RANKS, .root = ROOT, .in_place = in_place, .root_rotates = rotates
    };
}

/* clang-format off */
/* Blocks of room at the root and elsewhere: without -l, with it, and with it
   where the root rotates. */
static const struct room_row {
    const char *name;
    const struct flow *flow;
    struct {
        size_t send, recv;
    } root[3], other[3];
} room_rows[] = {
    { "reduce", &flow_reduce, { { 1, 1 }, { 0, 1 }, { 1, 1 } }, { { 1, 0 }, { 1, 0 }, { 1, 1 } } },
    { "gather", &flow_gather, { { 1, 5 }, { 0, 5 }, { 1, 5 } }, { { 1, 0 }, { 1, 0 }, { 1, 5 } } },
    { "scatter_v", &flow_scatter_v, { { 5, 1 }, { 5, 0 }, { 5, 1 } }, { { 0, 1 }, { 0, 1 }, { 5, 1 } } },
    { "broadcast", &flow_broadcast, { { 0, 1 }, { 0, 1 }, { 0, 1 } }, { { 0, 1 }, { 0, 1 }, { 0, 1 } } },
    { "exchange_all_w", &flow_exchange_all_w, { { 5, 5 }, { 0, 5 }, { 0, 5 } }, { { 5, 5 }, { 0, 5 }, { 0, 5 } } },
    { "scan", &flow_scan, { { 1, 1 }, { 0, 1 }, { 0, 1 } }, { { 1, 1 }, { 0, 1 }, { 0, 1 } } },
};
/* clang-format on */

TEST_ROWS(room_rows, there_is_room)
{
    for (int i = 0; i < 3; i++)
        for (int rank = 0; rank < RANKS; rank++) {
            const struct bench_run r = run_of(rank, i > 0, i > 1);

            assert_int_equal(flow_room(row->flow, &r, true),
                             rank == ROOT ? row->root[i].send : row->other[i].send);
            assert_int_equal(flow_room(row->flow, &r, false),
                             rank == ROOT ? row->root[i].recv : row->other[i].recv);
        }
}

/* MPI_IN_PLACE stands where MPI wants it, and nowhere else. */
TEST(in_place_is_where_it_belongs)
{
    char send, recv;

    for (int rank = 0; rank < RANKS; rank++) {
        struct bench_run r = run_of(rank, true, false);

        point(&flow_gather, &r, &send, &recv);
        assert_ptr_equal(r.send, rank == ROOT ? MPI_IN_PLACE : &send);
        assert_ptr_equal(r.recv, &recv);
        point(&flow_scatter, &r, &send, &recv);
        assert_ptr_equal(r.send, &send);
        assert_ptr_equal(r.recv, rank == ROOT ? MPI_IN_PLACE : &recv);
        point(&flow_gather_all, &r, &send, &recv);
        assert_ptr_equal(r.send, MPI_IN_PLACE);
        r.in_place = false;
        point(&flow_scatter, &r, &send, &recv);
        assert_ptr_equal(r.recv, &recv);
        point(&flow_reduce, &r, &send, &recv);
        assert_ptr_equal(r.send, &send);
    }
}

/* Each side of a pool has steps of its own. */
TEST(buffers_of_a_pool_lie_apart)
{
    enum { SEND = 8, SEND_STEP = 192, RECV = 100, RECV_STEP = 256 };
    static char memory[4096];
    struct buffer buffer = { .base = memory, .bytes = sizeof memory };
    struct buffer_pool pool = { .flow = &flow_gather,
                                .send.buffer = &buffer,
                                .recv.buffer = &buffer };
    struct bench_run r = run_of(ROOT, false, false);

    r.send = r.recv = memory;
    set_pool(&pool, &r, SEND, RECV);
    assert_int_equal(pool.buffers, (sizeof memory - RECV) / RECV_STEP + 1);
    for (pool.at = 0; pool.at < pool.buffers; pool.at++) {
        go_to(&pool, &r);
        assert_ptr_equal(r.send, memory + SEND_STEP * pool.at);
        assert_ptr_equal(r.recv, memory + RECV_STEP * pool.at);
    }
}

static size_t need_of_arrays(const struct bench_run *r, const struct flow *flow)
{
    return flow->arrays != NULL ? flow->arrays->need(r, flow) : 0;
}

static void begin_arrays(struct bench_run *r, const struct flow *flow)
{
    if (flow->arrays != NULL)
        flow->arrays->begin(r, flow);
}

static void fill_arrays(struct bench_run *r, const struct flow *flow)
{
    if (flow->arrays != NULL)
        flow->arrays->fill(r, flow);
}

/* To 5 ranks: equal parts, then one more each to the first. */
TEST(a_vector_is_dealt_out)
{
    struct bench_run r = run_of(RANKS - 1, false, false);

    begin_arrays(&r, &flow_reduce_scatter);
    for (int count = RANKS; count < 4 * RANKS; count++) {
        int sum = 0;

        r.count = count;
        fill_arrays(&r, &flow_reduce_scatter);
        for (int i = 0; i < RANKS; i++) {
            assert_int_equal(r.in.counts[i], count / RANKS + (i < count % RANKS));
            assert_int_equal(r.in.displs[i], sum);
            sum += r.in.counts[i];
        }
        assert_int_equal(sum, count);
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter).first, r.in.displs[RANKS - 1]);
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter_block).first,
                         (RANKS - 1) * (count / RANKS));
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter_block).n, count / RANKS);
        assert_int_equal(layout_own_part(&r, &flow_reduce).n, count);
    }
}

/* A displacement is an int. */
static const struct fit_row {
    const char *name;
    int blocks;
    size_t units; /* the longest blocks that fit */
} fit_rows[] = {
    { "no others", 1, SIZE_MAX },
    { "one other", 2, INT_MAX },
    { "the last of nine begins after eight", 9, INT_MAX / 8 },
};

TEST_ROWS(fit_rows, the_last_block_begins_within_an_int)
{
    const struct bench_run r = { .blocks = row->blocks };

    assert_true(layout_fits(&r, row->units));
    assert_true(row->units == SIZE_MAX || !layout_fits(&r, row->units + 1));
}

/* --- Many ranks ----------------------------------------------------------- */

/* On a million ranks a rank has what its operation needs, and no list of all others
   that MPI does not ask for. */

enum { MILLION = 1000000, SEVENTH = 7 };

/* Bytes of the arrays that MPI is given, for each rank of the job, at the root and
   elsewhere; and no more than so many besides. */
static const struct array_row {
    const char *name;
    const struct flow *flow;
    size_t root, other;
} array_rows[] = {
    { "ping-pong", &flow_ping_pong, 0, 0 },
    { "no data", &flow_none, 0, 0 },
    { "broadcast", &flow_broadcast, 0, 0 },
    { "reduce", &flow_reduce, 0, 0 },
    { "gather", &flow_gather, 0, 0 },
    { "scatter", &flow_scatter, 0, 0 },
    { "gather_all", &flow_gather_all, 0, 0 },
    { "exchange_all", &flow_exchange_all, 0, 0 },
    { "reduce_scatter_block", &flow_reduce_scatter_block, 0, 0 },
    { "reduce_scatter", &flow_reduce_scatter, 8, 8 },
    { "gather_v", &flow_gather_v, 8, 0 },
    { "scatter_v", &flow_scatter_v, 8, 0 },
    { "gather_all_v", &flow_gather_all_v, 8, 8 },
    { "exchange_all_v", &flow_exchange_all_v, 16, 16 },
    { "exchange_all_w", &flow_exchange_all_w, 16 + sizeof(MPI_Datatype),
      16 + sizeof(MPI_Datatype) },
};
static const size_t BESIDES = 64;

TEST_ROWS(array_rows, arrays_are_those_that_mpi_asks_for)
{
    for (int i = 0; i < 2; i++) {
        struct bench_run r = { .rank = i == 0 ? SEVENTH : SEVENTH + 1,
                               .nranks = MILLION,
                               .blocks = MILLION,
                               .root = SEVENTH,
                               .count = 1,
                               .type = MPI_CHAR,
                               .bytes = 1 };
        const size_t all = MILLION * (i == 0 ? row->root : row->other);
        const size_t need = need_of_arrays(&r, row->flow);

        assert_true(need >= all && need <= all + BESIDES);
        begin_arrays(&r, row->flow);
        fill_arrays(&r, row->flow);
        if (row->flow->blocks != BLOCKS_EQUAL) {
            assert_int_equal(r.out.displs[r.out.n - 1], r.out.n - 1);
            assert_int_equal(r.in.displs[r.in.n - 1], r.in.n - 1);
            assert_int_equal(r.in.counts[0], 1);
        }
    }
}

/* "0-1,2-3,...": looking each rank up in the list would take hours. */
TEST(a_list_of_all_pairs_is_read_once)
{
    enum { ROOM = 16 * MILLION / 2 };
    char *text = malloc(ROOM);
    struct pairing p;
    int at = 0;

    assert_non_null(text);
    for (int i = 0; i < MILLION; i += 2)
        at += snprintf(text + at, (size_t)(ROOM - at), "%s%d-%d", i > 0 ? "," : "", i, i + 1);
    assert_null(pairing_parse(&p, text));
    assert_int_equal(p.n, MILLION / 2);
    assert_int_equal(p.last, MILLION - 1);
    assert_int_equal(pairing_partner(&p, p.n, MILLION - 1).number, MILLION - 2);
    strcpy(text + at, ",999999-1000001");
    assert_string_equal(pairing_parse(&p, text), "names a rank twice");
    free(text);
}

/* --- Counts --------------------------------------------------------------- */

/* --counts: whatever the blocks are, together they are what equal ones are, to the
   last element; and what is in a file stays in proportion. */

enum { BLOCKS = 9 };

static struct counts parsed(const char *text)
{
    struct counts counts;

    assert_null(counts_parse(&counts, text));
    return counts;
}

/* The lengths of n blocks of a row, of messages of count elements. */
static void lengths(const char *text, int row, int n, size_t count, size_t *length)
{
    const struct counts counts = parsed(text);
    uint64_t weight[BLOCKS], of = 0;
    struct portion portion[BLOCKS];

    counts_weights(&counts, row, n, weight);
    for (int i = 0; i < n; i++)
        of += weight[i];
    counts_portions(weight, n, 0, of, (uint64_t)n, portion);
    for (int i = 0; i < n; i++)
        length[i] = layout_portion(&portion[i], count);
}

static const struct sum_row {
    const char *name;
} sum_rows[] = {
    { "equal" },
    { "one" },
    { "zero:0" },
    { "zero:50%" },
    { "zero:99" },
    { "random:1" },
    { "random:1000000000" },
};

TEST_ROWS(sum_rows, the_sum_is_that_of_equal_blocks)
{
    const size_t counts[] = { 0, 1, 7, 1000, (size_t)1 << 30 };

    for (int n = 1; n <= BLOCKS; n++)
        for (size_t i = 0; i < LENGTH(counts); i++)
            for (int rank = 0; rank < n; rank++) {
                size_t length[BLOCKS], again[BLOCKS], sum = 0;

                lengths(row->name, rank, n, counts[i], length);
                lengths(row->name, rank, n, counts[i], again);
                assert_memory_equal(length, again, (size_t)n * sizeof *length);
                for (int k = 0; k < n; k++)
                    sum += length[k];
                assert_int_equal(sum, (size_t)n * counts[i]);
            }
}

static const struct length_row {
    const char *name, *text;
    size_t count, length[4];
} length_rows[] = {
    { "equal blocks", "equal", 5, { 5, 5, 5, 5 } },
    { "the last has all", "one", 3, { 0, 0, 0, 12 } },
};

TEST_ROWS(length_rows, blocks_are_as_long_as_their_weights)
{
    size_t length[BLOCKS];

    lengths(row->text, 0, 4, row->count, length);
    assert_memory_equal(length, row->length, sizeof row->length);
}

/* So many are empty, others in each row, and the rest equal. */
TEST(so_many_blocks_are_empty)
{
    bool differ = false;
    size_t before[BLOCKS] = { 0 };

    for (int rank = 0; rank < 50; rank++) {
        size_t length[BLOCKS];
        int empty = 0;

        lengths("zero:33", rank, BLOCKS, 6, length);
        for (int i = 0; i < BLOCKS; i++) {
            assert_true(length[i] == 0 || length[i] == 9);
            empty += length[i] == 0;
        }
        assert_int_equal(empty, 3);
        differ = differ || (rank > 0 && memcmp(before, length, sizeof length) != 0);
        memcpy(before, length, sizeof length);
    }
    assert_true(differ);
}

/* Uniform: the mean square of blocks between 0 and 2 is 4/3. */
TEST(random_blocks_are_uniform_and_follow_the_seed)
{
    size_t one[BLOCKS], two[BLOCKS];
    double squares = 0;

    for (int rank = 0; rank < 2000; rank++) {
        lengths("random:7", rank, BLOCKS, 1000, one);
        for (int i = 0; i < BLOCKS; i++)
            squares += (double)one[i] * (double)one[i] / 1e6;
    }
    /* Rows are normalized, which narrows them a little. */
    assert_near(squares / (2000 * BLOCKS), 1.31, 0.04);
    lengths("random:8", 0, BLOCKS, 1000, two);
    lengths("random:7", 0, BLOCKS, 1000, one);
    assert_memory_not_equal(one, two, sizeof one);
}

static FILE *opened(const char *text)
{
    FILE *file = tmpfile();

    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    return file;
}

/* The portions of a file's matrix, for messages of count elements. */
static void from_file(const char *file, int rows, int n, size_t count, size_t *length)
{
    uint64_t weight[BLOCKS * BLOCKS], of = 0, before = 0;
    struct portion portion[BLOCKS];
    struct counts_file read;

    if (!counts_begin(&read, opened(file), rows, n))
        fail_msg("%s", read.why);
    for (int row = 0; row < rows; row++)
        counts_next(&read, &weight[row * n]);
    counts_end(&read);
    for (int i = 0; i < rows * n; i++)
        of += weight[i];
    for (int row = 0; row < rows; row++) {
        counts_portions(&weight[row * n], n, before, of, (uint64_t)(rows * n), portion);
        for (int i = 0; i < n; i++) {
            before += weight[row * n + i];
            length[row * n + i] = layout_portion(&portion[i], count);
        }
    }
}

/* With the mean of the file as the size, its numbers are the bytes. */
TEST(a_file_of_bytes_is_exact_at_its_mean)
{
    const size_t matrix[] = { 0, 3, 1000000007, 5, 11, 0, 0, 0, 1000000001 };
    size_t length[9], sum = 0;

    /* 9 * 222222225 - 2000000027 = -2: a little less than the mean. */
    from_file("# bytes\n0,3,1000000007\n\n5 11 0 # zeros\r\n0;0;\t1000000001\n", 3, 3, 222222225,
              length);
    for (int i = 0; i < 9; i++) {
        assert_near((double)length[i], (double)matrix[i], 2);
        sum += length[i];
    }
    assert_int_equal(sum, 9 * (size_t)222222225);
    from_file("1 2 3\n4 5 6\n7 8 9\n", 3, 3, 5, length);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(length[i], i + 1);
}

TEST(shares_of_a_file_are_in_proportion)
{
    size_t length[4];

    from_file("0.125\n.25\n5e-1\n0.125\n", 1, 4, 1000, length);
    assert_int_equal(length[0], 500);
    assert_int_equal(length[1], 1000);
    assert_int_equal(length[2], 2000);
    assert_int_equal(length[3], 500);
    from_file("3,0,1,0", 1, 4, 1, length);
    assert_int_equal(length[0], 3);
    assert_int_equal(length[2], 1);
}

static const struct wrong_row {
    const char *name, *text;
    int rows, n;
    const char *why;
} wrong_rows[] = {
    { "a short line", "1,2\n3\n", 2, 2, "line 2 has 1 numbers; ranks: 2" },
    { "a long line", "1,2,3\n", 2, 2, "line 1 has 3 numbers; ranks: 2" },
    { "a line missing", "1,2\n", 2, 2, "it has 1 lines with numbers; ranks: 2" },
    { "a line too many", "1,2\n1,2\n1,2\n", 2, 2, "it has 3 lines with numbers; ranks: 2" },
    { "a negative number", "1,2\n1,-2\n", 2, 2, "line 2 has a negative number: -2" },
    { "no number", "1,2\n1,b\n", 2, 2, "line 2 is not numbers: 'b'" },
    { "not a number", "nan,2\n1,1\n", 2, 2, "line 1 is not numbers: 'nan,2'" },
    { "infinite", "inf,2\n1,1\n", 2, 2, "line 1 is not numbers: 'inf,2'" },
    { "zeros", "0,0\n0,0\n", 2, 2, "its numbers are all 0, or too large" },
    { "nothing", "# nothing\n", 1, 2, "it has 0 numbers; ranks: 2" },
    { "too many", "1\n2\n3\n", 1, 2, "it has 3 numbers; ranks: 2" },
};

TEST_ROWS(wrong_rows, a_wrong_file_is_refused)
{
    struct counts_file file;

    assert_false(counts_begin(&file, opened(row->text), row->rows, row->n));
    assert_string_equal(file.why, row->why);
    counts_end(&file);
}

static const struct refused_row {
    const char *name;
} refused_rows[] = {
    { "" },        { "on" },       { "one:3" },  { "zero" },     { "zero:" },      { "zero:100" },
    { "zero:-1" }, { "zero:5x" },  { "random" }, { "random:0" }, { "random:1.5" }, { "random:2e9" },
    { "linear" },  { "spread:8" }, { "file" },   { "file:" },
};

TEST_ROWS(refused_rows, a_wrong_text_is_refused)
{
    struct counts counts;

    assert_non_null(counts_parse(&counts, row->name));
}

/* --arrival: how late a rank is in a row of 8 bytes, us, where the operation takes 20 us by itself. */
static const struct late_row {
    const char *name;
    int rank, ranks;
    double us;
} late_rows[] = {
    { "one:3:1ms", 3, 8, 1000 }, { "one:3:1ms", 2, 8, 0 }, { "one:0:2.5us", 0, 2, 2.5 },
    { "up:0.5x", 0, 8, 0 },      { "up:0.5x", 7, 8, 10 },  { "up:3x", 1, 4, 20 },
};

static struct arrival arriving(const char *text)
{
    struct arrival arrival;

    assert_null(lateness_parse(&arrival, text));
    return arrival;
}

TEST_ROWS(late_rows, a_rank_is_as_late_as_the_words_say)
{
    const struct arrival arrival = arriving(row->name);

    assert_near(1e6 * lateness_s(&arrival, 20e-6, 8, row->rank, row->ranks), row->us, 1e-9);
}

TEST(random_moments_are_those_of_seed_row_and_rank)
{
    const struct arrival one = arriving("random:50us"), same = arriving("random:50us:1"),
                         other = arriving("random:50us:2");
    double sum = 0, apart = 0;

    for (int rank = 0; rank < 1000; rank++) {
        const double late = lateness_s(&one, 0, 8, rank, 1000);

        assert_in_range((long)(1e9 * late), 0, 50000);
        assert_near(lateness_s(&same, 0, 8, rank, 1000), late, 0);
        sum += late;
        apart += fabs(lateness_s(&other, 0, 8, rank, 1000) - late) +
                 fabs(lateness_s(&one, 0, 16, rank, 1000) - late);
    }
    assert_near(1e6 * sum / 1000, 25, 2);
    /* Of two that are independent, a third of the range. */
    assert_near(1e6 * apart / 2000, 50.0 / 3, 2);
}

TEST(absorbed_is_the_part_of_the_skew_that_costs_nothing)
{
    assert_near(lateness_absorbed(30, 30, 1000), 0, 0); /* all wait for the last */
    assert_near(lateness_absorbed(30, 11, 100), 0.19, 1e-12);
    assert_near(lateness_absorbed(30, 0, 30), 1, 0);
    assert_near(lateness_absorbed(30, 45, 10), -1.5, 1e-12);
    assert_true(isnan(lateness_absorbed(30, 30, 0)));
    assert_true(isnan(lateness_absorbed(0, 30, 10))); /* not known alone */
}

static const struct unlike_row {
    const char *name;
} unlike_rows[] = {
    { "" },        { "one" },        { "one:3" },        { "one:-1:1us" },   { "one:3:11s" },
    { "up:" },     { "up:2" },       { "up:-1x" },       { "up:1001x" },     { "random" },
    { "random:" }, { "random:11s" }, { "random:1us:0" }, { "random:1us:x" }, { "random:-1us" },
    { "file" },    { "file:" },      { "late:1us" },
};

TEST_ROWS(unlike_rows, a_wrong_arrival_is_refused)
{
    struct arrival arrival;

    assert_non_null(lateness_parse(&arrival, row->name));
}

static const struct beside_row {
    const char *name;
    const struct flow *flow;
    size_t unit; /* of displacements */
} beside_rows[] = {
    { "found by elements", &flow_exchange_all_v, 8 },
    { "found by bytes", &flow_exchange_all_w, 1 },
};

/* Blocks follow each other, and none is longer than the buffer has room for. */
TEST_ROWS(beside_rows, blocks_lie_side_by_side)
{
    struct bench_run r = { .nranks = BLOCKS,
                           .blocks = BLOCKS,
                           .fullest = BLOCKS,
                           .count = 13,
                           .type = MPI_DOUBLE,
                           .bytes = 13 * 8 };
    const struct counts counts = parsed("random:3");
    uint64_t weight[BLOCKS], of = 0;
    struct portion portion[BLOCKS];
    size_t at = 0;

    counts_weights(&counts, 0, BLOCKS, weight);
    for (int i = 0; i < BLOCKS; i++)
        of += weight[i];
    counts_portions(weight, BLOCKS, 0, of, BLOCKS, portion);
    r.in.portions = portion;
    r.in.n = BLOCKS;
    begin_arrays(&r, row->flow);
    fill_arrays(&r, row->flow);
    for (int i = 0; i < BLOCKS; i++) {
        assert_int_equal(layout_at(&r, &r.in, i), at);
        assert_int_equal(r.in.displacements[i], at);
        assert_int_equal(r.in.displs[i], at / row->unit);
        assert_int_equal(layout_bytes(&r, &r.in, i), 8 * r.in.counts[i]);
        assert_int_equal(layout_bytes(&r, &r.out, i), 13 * 8);
        assert_int_equal(layout_at(&r, &r.out, i), 13 * 8 * i);
        at += layout_bytes(&r, &r.in, i);
    }
    assert_int_equal(at, 13 * 8 * BLOCKS);
    assert_true(at <= layout_size(&r.in, 13 * 8, BLOCKS, false));
    assert_true(layout_fits(&r, 1 << 20));
    assert_false(layout_fits(&r, (size_t)1 << 29));
}

/* --- Typemap -------------------------------------------------------------- */

/* Which bytes move: specs, files, and the cover of gaps against a map of single
   bytes. */

enum { MOST = 4096 };

/* 1 for every byte that moves, found block by block. */
static size_t map_of(const struct typemap *p, unsigned char map[MOST])
{
    size_t moved = 0;

    memset(map, 0, MOST);
    for (size_t i = 0; i < p->n; i++) {
        const struct piece piece = piece_at(p, i);

        for (size_t j = 0; j < piece.length * p->unit; j++)
            map[piece.at * p->unit + j]++;
    }
    for (size_t i = 0; i < MOST; i++) {
        assert_true(map[i] <= 1);
        moved += map[i];
    }
    return moved;
}

static void covers_what_does_not_move(const struct typemap *p)
{
    static const size_t chunks[] = { 1, 7, 64, MOST };
    const size_t bytes = p->elements * p->unit;
    unsigned char map[MOST], chunk[MOST];

    assert_int_equal(typemap_bytes(p), map_of(p, map));
    for (size_t c = 0; c < LENGTH(chunks); c++)
        for (size_t done = 0; done < bytes; done += chunks[c]) {
            const size_t left = bytes - done;
            const size_t n = left < chunks[c] ? left : chunks[c];

            memset(chunk, 1, sizeof chunk);
            cover_gaps(p, chunk, done, n, 0);
            assert_memory_equal(chunk, map + done, n);
            assert_true(n == MOST || chunk[n] == 1); /* no more than n */
        }
}

static struct typemap of(const char *text, const struct typemap_list *list, size_t unit,
                         size_t bytes)
{
    struct settings s;

    assert_null(parse_derived(&s.derived, text));
    return typemap_of(&s.derived, list, unit, bytes);
}

TEST(specs_are_read)
{
    static const char *const wrong[] =
        LIST("", "con", "vect:", "vect:8", "vect:0:1", "vect:8:0", "vect:1:2", "vect:8:-1",
             "vect:8:4x", "vect:-8:-9", "vect:3000000000:1", "indx", "indx:", "vect:8:4:1");
    struct settings s;

    for (size_t i = 0; i < LENGTH(wrong); i++)
        assert_non_null(parse_derived(&s.derived, wrong[i]));
    assert_null(parse_derived(&s.derived, "VECT"));
    assert_int_equal(s.derived.stride, 8);
    assert_int_equal(s.derived.block, 4);
    assert_null(parse_derived(&s.derived, "indx:a:b"));
    assert_string_equal(s.derived.path, "a:b");
}

TEST(strides_and_whole_messages)
{
    static const size_t sizes[] = { 0, 4, 8, 24, 28, 32, 1000, 1024, MOST };
    struct typemap_spec none = { .kind = TYPEMAP_WHOLE };

    for (size_t i = 0; i < LENGTH(sizes); i++) {
        struct typemap p = typemap_of(&none, NULL, 4, sizes[i]);

        assert_int_equal(typemap_bytes(&p), sizes[i]);
        covers_what_does_not_move(&p);
        p = of("cont", NULL, 4, sizes[i]);
        assert_int_equal(typemap_bytes(&p), sizes[i]);
        p = of("vect:7:3", NULL, 4, sizes[i]);
        assert_int_equal(p.n, sizes[i] / 28);
        covers_what_does_not_move(&p);
        p = of("vect:3:3", NULL, 1, sizes[i]);
        covers_what_does_not_move(&p);
    }
}

TEST(a_file_to_its_last_block)
{
    char text[] = "# blocks\n0,2\n\n 2 , 1 # touching\r\n10,5\n20,4";
    struct typemap_list list;
    char why[100];

    assert_true(read_blocks(text, &list, why, sizeof why));
    assert_int_equal(list.n, 4);
    struct typemap p = of("indx:x", &list, 8, 8 * 24);
    assert_int_equal(p.n, 4);
    assert_int_equal(typemap_bytes(&p), 8 * 12);
    covers_what_does_not_move(&p);
    p = of("indx:x", &list, 8, 8 * 23);
    assert_int_equal(p.n, 3);
    covers_what_does_not_move(&p);
    p = of("indx:x", &list, 8, 8);
    assert_int_equal(p.n, 0);
    covers_what_does_not_move(&p);
    free(list.piece);
}

TEST(files_that_make_no_sense)
{
    static const char *const wrong[] =
        LIST("", "# none\n", "0,2\n1,2", "5,1\n0,1", "0 2", "0,0", "-1,2", "0,2,3", "0,3000000000",
             "a,b", "0,1\n300000000000000000,1");

    for (size_t i = 0; i < LENGTH(wrong); i++) {
        struct typemap_list list;
        char why[100] = "", text[100];

        snprintf(text, sizeof text, "%s", wrong[i]);
        assert_false(read_blocks(text, &list, why, sizeof why));
        assert_true(why[0] != '\0');
        free(list.piece);
    }
}

/* --- Lattice -------------------------------------------------------------- */

/* Grids of ranks: what a rank sends to a side is what the halo there must hold,
   down to the corners, on grids of every small extent. */

static const struct parse_row {
    const char *name;
    int axes, extent[LATTICE_AXES]; /* axes 0: refused */
} parse_rows[] = {
    { "2", 2, { 1, 0, 0 } },   { "3", 3, { 0, 0, 0 } },     { "4x2", 2, { 1, 4, 2 } },
    { "1x5", 2, { 1, 1, 5 } }, { "2x3x4", 3, { 2, 3, 4 } }, { "", 0, { 0 } },
    { "1", 0, { 0 } },         { "4", 0, { 0 } },           { "12", 0, { 0 } },
    { "2x", 0, { 0 } },        { "x2", 0, { 0 } },          { "0x2", 0, { 0 } },
    { "-1x2", 0, { 0 } },      { "2x3z", 0, { 0 } },        { "2x 3", 0, { 0 } },
    { "2x2x2x2", 0, { 0 } },   { "2x2x", 0, { 0 } },        { "9999999999x2", 0, { 0 } },
};

TEST_ROWS(parse_rows, grids_are_read)
{
    struct lattice g = { .axes = 0 };
    const char *why = lattice_parse(&g, row->name);

    assert_int_equal(why == NULL, row->axes > 0);
    if (why != NULL)
        return;
    assert_int_equal(g.axes, row->axes);
    assert_memory_equal(g.extent, row->extent, sizeof g.extent);
}

/* The cell of the whole grid that entry i of an axis stands for. */
static int whole(const struct lattice *g, const struct block *b, int axis, int i)
{
    const int all = g->extent[axis] * b->cells[axis];

    return (g->coordinate[axis] * b->cells[axis] + i - b->halo[axis] + all) % all;
}

/* Entry for entry, what the rank on that side sends back is what belongs here. */
static void check_side(const struct lattice *g, const struct block *b, const int step[LATTICE_AXES])
{
    const int back[] = { -step[0], -step[1], -step[2] };
    const int rank = lattice_neighbor(g, step);
    const struct box here = lattice_halo(b, step);
    const struct box there = lattice_sent(b, back);
    struct lattice other = *g;

    if (rank < 0)
        return;
    lattice_locate(&other, rank);
    assert_memory_equal(here.length, there.length, sizeof here.length);
    for (int axis = 0; axis < LATTICE_AXES; axis++) {
        assert_in_range(here.at[axis] + here.length[axis], 1, lattice_entries(b, axis));
        for (int i = 0; i < here.length[axis]; i++)
            assert_int_equal(whole(g, b, axis, here.at[axis] + i),
                             whole(&other, b, axis, there.at[axis] + i));
    }
}

static void check_rank(const struct lattice *g, const struct block *b, long with[LATTICE_SIDES])
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(g->axes, false, step);
    size_t cells = 1;

    for (int i = 0; i < LATTICE_AXES; i++)
        cells *= (size_t)b->cells[i];
    for (int i = 0; i < n; i++) {
        const struct box box = lattice_halo(b, step[i]);

        check_side(g, b, step[i]);
        with[i] += lattice_neighbor(g, step[i]) >= 0;
        cells += lattice_cells(&box);
    }
    /* The sides and the own cells are the whole array. */
    assert_int_equal(cells, lattice_all_entries(b));
}

static void check_grid(struct lattice g, const struct block *b)
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(g.axes, false, step);
    long with[LATTICE_SIDES] = { 0 };

    for (int rank = 0; rank < lattice_ranks(&g); rank++) {
        lattice_locate(&g, rank);
        assert_int_equal(lattice_neighbor(&g, (int[]){ 0, 0, 0 }), rank);
        check_rank(&g, b, with);
    }
    for (int i = 0; i < n; i++)
        assert_int_equal(with[i], lattice_ranks_with(&g, step[i]));
}

TEST(halos_hold_what_neighbors_send)
{
    for (int i = 0; i < 2 * 2 * 4 * 4 * 4; i++) {
        const bool open = i & 1, flat = i & 2;
        const int axes = flat ? 2 : 3;
        const struct lattice g = { .axes = axes,
                                   .extent = { flat ? 1 : 1 + i / 4 % 4, 1 + i / 16 % 4,
                                               1 + i / 64 % 4 },
                                   .bounded = open };

        for (int width = 1; width <= 3; width++) {
            const struct block b = lattice_block(axes, 3, width);

            check_grid(g, &b);
        }
    }
}

TEST(sides_have_numbers)
{
    int step[LATTICE_SIDES][LATTICE_AXES];

    assert_int_equal(lattice_sides(2, true, step), 4);
    assert_int_equal(lattice_sides(3, true, step), 6);
    assert_int_equal(lattice_sides(2, false, step), 8);
    assert_int_equal(lattice_number(2, step[0]), 0);
    assert_int_equal(lattice_number(2, step[7]), 8);
    assert_int_equal(lattice_number(2, (int[]){ 0, 0, 0 }), 4);
    assert_int_equal(lattice_sides(3, false, step), 26);
    for (int i = 0; i < 26; i++)
        assert_int_equal(lattice_number(3, step[i]), i + (i >= 13));
}

TEST(edges_follow_from_sizes)
{
    assert_int_equal(lattice_edge(2, 8), 1);
    assert_int_equal(lattice_edge(2, 1000), 125);
    assert_int_equal(lattice_edge(3, 8), 1);
    assert_int_equal(lattice_edge(3, 31), 1);
    assert_int_equal(lattice_edge(3, 32), 2);
    assert_int_equal(lattice_edge(3, 0), 0);
    /* What no memory holds does not look small. */
    for (int axes = 2; axes <= 3; axes++) {
        const struct block b = lattice_block(axes, lattice_edge(axes, SIZE_MAX), 1);

        assert_int_equal(b.cells[2], LATTICE_EDGE_MOST);
        assert_true(lattice_all_entries(&b) > (size_t)1 << 57);
    }
    for (long edge = 1; edge < 3000; edge++) {
        const size_t bytes = lattice_layer(3, edge);

        assert_int_equal(lattice_edge(3, bytes), edge);
        assert_int_equal(lattice_edge(3, bytes - 1), edge - 1);
    }
}

/* --- Pairing -------------------------------------------------------------- */

/* Which ranks are partners: every --pairs. */

static const struct pairing_row {
    const char *name, *text;
    int pairs;
    int partner[6]; /* of ranks 0 to 5; -1: none */
    unsigned first; /* bits */
} pairing_rows[] = {
    { "auto", "auto", 3, { 3, 4, 5, 0, 1, 2 }, 0x07 },
    { "auto, one pair", "auto", 1, { 1, 0, -1, -1, -1, -1 }, 0x01 },
    { "auto, two pairs", "AUTO", 2, { 2, 3, 0, 1, -1, -1 }, 0x03 },
    { "cyclic", "cyclic", 3, { 1, 0, 3, 2, 5, 4 }, 0x15 },
    { "cyclic, one pair", "cyclic", 1, { 1, 0, -1, -1, -1, -1 }, 0x01 },
    { "a list", "5-0,1-4", 2, { 5, 4, -1, -1, 1, 0 }, 0x22 },
    { "a list of one", "2-3", 1, { -1, -1, 3, 2, -1, -1 }, 0x04 },
};

TEST_ROWS(pairing_rows, partners_are_as_the_words_say)
{
    struct pairing p;

    assert_null(pairing_parse(&p, row->text));
    for (int i = 0; i < 6; i++) {
        const struct partner partner = pairing_partner(&p, row->pairs, i);

        assert_int_equal(partner.number, row->partner[i]);
        assert_int_equal(partner.first, row->first >> i & 1);
    }
    if (p.kind == PAIRING_LIST)
        assert_int_equal(p.n, row->pairs);
}

TEST(other_words_are_refused)
{
    static const char *const texts[] = {
        "",        "inter",   "1",     "0-",
        "-1",      "0-1,",    ",0-1",  "0-0",
        "0-1,1-2", "0-1 2-3", "0--1",  "0-1,,2-3",
        "0:1",     "0-1;2-3", "0x0-1", "0-99999999999999999999",
    };
    struct pairing p;

    for (size_t i = 0; i < LENGTH(texts); i++)
        if (pairing_parse(&p, texts[i]) == NULL)
            fail_msg("accepted: %s", texts[i]);
    assert_string_equal(pairing_parse(&p, "0-1,2-0"), "names a rank twice");
    assert_null(pairing_parse(&p, "0-7,3-1"));
    assert_int_equal(p.last, 7);
}
