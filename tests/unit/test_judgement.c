/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs conclude: guidelines, impact, slopes, crossovers, stragglers.
 */
#include "unit_series.h"

#include "guidelines/guidelines.h"
#include "impact/impact.h"
#include "matrix/matrix.h"
#include "queues/queues.h"
#include "report/report.h"
#include "run/prepare.c"
#include "staging/staging.h"

/* --- Judgement ------------------------------------------------------------ */

/* Whether an operation is slower than its mock-ups: exact cases, and how often
   noise alone is taken for it. */

enum { ROUNDS = 200, ROOM = ROUNDS };

static double *times(void)
{
    static double time[ROUNDS_MOST * ROOM];

    return time;
}

static struct judgement judge(int n, int rounds, double margin)
{
    static double room[2 * ROOM];

    return judgement_of(times(), n, rounds, ROOM, 1e-9, margin, room);
}

/* clang-format off */
/* Operations that take so many us, without noise. */
static const struct exact {
    const char *name;
    int n, rounds;
    double us[ROUNDS_MOST];
    double margin;
    int best;
    double ratio;
    enum guideline_verdict is;
} exact[] = {
    { "as fast", 2, 50, { 10, 10 }, 0.05, 1, 1, GUIDELINE_HOLDS },
    { "faster", 3, 50, { 5, 10, 20 }, 0.05, 1, 0.5, GUIDELINE_HOLDS },
    { "slower than the second", 4, 50, { 15, 30, 10, 12 }, 0.05, 2, 1.5, GUIDELINE_VIOLATED },
    { "slower, but within the margin", 2, 50, { 10.4, 10 }, 0.05, 1, 1.04, GUIDELINE_HOLDS },
    { "slower than the margin", 2, 50, { 10.6, 10 }, 0.05, 1, 1.06, GUIDELINE_VIOLATED },
    { "a wider margin", 2, 50, { 15, 10 }, 0.6, 1, 1.5, GUIDELINE_HOLDS },
    { "five rounds have no interval", 2, 5, { 20, 10 }, 0.05, 1, 2, GUIDELINE_UNDECIDED },
    { "no round", 2, 0, { 20, 10 }, 0.05, 1, 0, GUIDELINE_UNDECIDED },
    { "no time passes", 2, 50, { 0, 0 }, 0.05, 1, 1, GUIDELINE_HOLDS },
};
/* clang-format on */

TEST_ROWS(exact, exact_times_have_exact_ratios)
{
    struct judgement j;

    for (int o = 0; o < row->n; o++)
        for (int k = 0; k < row->rounds; k++)
            times()[o * ROOM + k] = 1e-6 * row->us[o];
    j = judge(row->n, row->rounds, row->margin);
    assert_int_equal(j.best, row->best);
    assert_int_equal(j.rounds, row->rounds);
    assert_near(j.ratio[j.best].median, row->ratio, 1e-9);
    assert_int_equal(j.is, row->is);
    if (row->rounds >= 20) {
        assert_near(j.ratio[j.best].low, row->ratio, 1e-9);
        assert_near(j.ratio[j.best].high, row->ratio, 1e-9);
    }
}

/* Times as machines have them: skewed, alike in neighboring rounds, longer at times for
   one operation alone, and all of them on a slope. */
static const struct noisy {
    const char *name;
    int n;
    double native; /* how much longer it takes */
    double spread, rho, slope, margin;
    int least, most; /* of UNIT_TRIALS rows, violated ones */
} noisy[] = {
    { "equal, little noise", 4, 1, 0.05, 0, 0, 0.05, 0, 0 },
    { "equal, much noise", 4, 1, 0.5, 0, 0, 0.05, 0, 3 },
    { "equal, much noise that lasts", 4, 1, 0.5, 0.9, 0, 0.05, 0, 3 },
    { "equal, one mock-up", 2, 1, 0.5, 0.5, 0, 0.05, 0, 3 },
    { "equal, while all slow down threefold", 4, 1, 0.1, 0, 2, 0.05, 0, 0 },
    { "slower by a fifth", 4, 1.2, 0.2, 0.5, 0, 0.05, 100, UNIT_TRIALS },
    { "slower by a fifth, on a slope", 2, 1.2, 0.2, 0, 2, 0.05, 185, UNIT_TRIALS },
    { "slower by 3%", 2, 1.03, 0.05, 0, 0, 0.05, 0, 3 },
};

TEST_ROWS(noisy, noise_is_not_taken_for_a_violation)
{
    int violated = 0;

    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < UNIT_TRIALS; i++) {
        double z[ROUNDS_MOST] = { 0 };

        for (int k = 0; k < ROUNDS; k++)
            for (int o = 0; o < row->n; o++) {
                const double slow = 1 + row->slope * k / ROUNDS;
                const double burst = unit_uniform() < 0.02 ? 20 : 1;

                times()[o * ROOM + k] = 1e-5 * slow * burst * (o == 0 ? row->native : 1) *
                                        exp(row->spread * unit_ar1(&z[o], row->rho));
            }
        violated += judge(row->n, ROUNDS, row->margin).is == GUIDELINE_VIOLATED;
    }
    printf("# %s: %d of %d rows violated\n", row->name, violated, UNIT_TRIALS);
    if (violated < row->least || violated > row->most)
        fail_msg("%d, not %d to %d", violated, row->least, row->most);
}

/* Of three mock-ups each interval is wider than that of one, so that all three together are
   as sure. */
TEST(more_mock_ups_have_wider_intervals)
{
    struct guideline_ratio alone, among;

    for (int k = 0; k < ROUNDS; k++)
        for (int o = 0; o < 4; o++)
            times()[o * ROOM + k] = 1e-5 * (o == 0 ? 1 + (k * 7919 % ROUNDS) * 1e-3 : 1);
    alone = judge(2, ROUNDS, 0.05).ratio[1];
    among = judge(4, ROUNDS, 0.05).ratio[1];
    assert_true(alone.has_interval && among.has_interval);
    assert_near(alone.median, among.median, 1e-12);
    assert_true(among.low < alone.low && among.high > alone.high);
}

/* --- Impact --------------------------------------------------------------- */

/* Who congests, and when victims count as slower. */

enum { MOST = 64, SEEDS = 50 };

static const struct dealing {
    const char *name;
    int ranks, size; /* of a unit */
    double share;
    int congest; /* ranks; 0: no such division */
} dealings[] = {
    { "80 % of ten ranks", 10, 1, 0.8, 8 },         { "half of ten ranks", 10, 1, 0.5, 5 },
    { "at least two victims", 4, 1, 0.8, 2 },       { "at least two congestors", 6, 1, 0.01, 2 },
    { "80 % of four nodes", 16, 4, 0.8, 12 },       { "two nodes", 8, 4, 0.8, 4 },
    { "the last unit is smaller", 7, 3, 0.34, -1 }, { "three ranks are too few", 3, 1, 0.8, 0 },
    { "one node cannot be divided", 4, 4, 0.8, 0 },
};

TEST_ROWS(dealings, is_dealt)
{
    int unit[MOST], order[2 * MOST], n = 0;
    bool congests[MOST], again[MOST];

    for (int i = 0; i < row->ranks; i++)
        unit[i] = i / row->size * row->size;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        const int got = sides_deal(unit, row->ranks, row->share, seed, order, congests);

        n = 0;
        assert_int_equal(sides_deal(unit, row->ranks, row->share, seed, order, again), got);
        for (int i = 0; i < row->ranks; i++) {
            n += congests[i];
            assert_int_equal(congests[i], again[i]);
            assert_int_equal(congests[i], congests[unit[i]]);
        }
        if (row->congest >= 0)
            assert_int_equal(got, row->congest);
        if (got > 0) {
            assert_int_equal(n, got);
            assert_in_range(n, SIDES_LEAST, row->ranks - SIDES_LEAST);
        }
    }
}

/* Every rank is a victim under some seed, and congests under another. */
TEST(seeds_differ)
{
    int unit[10], order[20], times[10] = { 0 };
    bool congests[10];

    for (int i = 0; i < 10; i++)
        unit[i] = i;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        sides_deal(unit, 10, 0.5, seed, order, congests);
        for (int i = 0; i < 10; i++)
            times[i] += congests[i];
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(times[i], 10, SEEDS - 10);
}

/* --- The judgement --------------------------------------------------------------- */

static const struct load {
    const char *name;
    double times;    /* what load does to a block */
    double drift;    /* from one block to the next */
    int least, most; /* rows that are judged to be slower or faster, of 1,000 */
    double tail;     /* P99 is judged, which varies by such a factor; 0: median */
} loads[] = {
    /* Expected are 2 of 2^8, 7.8 of 1,000; and fewer than 2 % of them. */
    { "A/A: none", 1, 0, 0, 19 },
    { "A/A with a drift of 0.5 % a block", 1, 0.005, 0, 19 },
    { "A/A: none, P99 that varies by a factor of 3", 1, 0, 0, 19, 3 },
    { "P99 a hundred times as long", 100, 0, 950, 1000, 3 },
    { "30 % longer", 1.3, 0, 990, 1000 },
    { "as long again, with a drift", 2, 0.005, 1000, 1000 },
    { "shorter by a third", 0.67, 0, 990, 1000 },
};

/* Blocks with noise of 3 % that neighbors share in part, and of a log-normal shape. */
static bool differs(const struct load *load)
{
    struct impact_pair pair[IMPACT_PAIRS];
    double noise = unit_normal(), at = 0;

    for (int i = 0; i < IMPACT_PAIRS; i++)
        for (int j = 0; j < 2; j++) {
            const bool loaded = (i + j) % 2 == 0;
            struct block *b = loaded ? &pair[i].loaded : &pair[i].alone;

            b->median_s = 1e-6 * exp(0.03 * unit_ar1(&noise, 0.6)) * (1 + load->drift * at++) *
                          (loaded ? load->times : 1);
            b->p99_s = load->tail > 0 ? b->median_s * pow(load->tail, unit_normal()) : 0;
        }
    const struct impact_ratio r = impact_judge(pair, load->tail > 0);

    assert_true(r.known);
    assert_int_equal(impact_judge(pair, true).known, load->tail > 0);
    assert_true(r.low <= r.times && r.times <= r.high);
    return r.low > 1 || r.high < 1;
}

TEST_ROWS(loads, is_judged)
{
    int count = 0;

    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 1000; i++)
        count += differs(row);
    printf("# %s: %d of 1000\n", row->name, count);
    assert_in_range(count, row->least, row->most);
}

/* The impact is the median of ratios, and its interval ends at the outermost. */
TEST(is_the_median_of_ratios)
{
    struct impact_pair pair[IMPACT_PAIRS];
    struct impact_ratio r;

    for (int i = 0; i < IMPACT_PAIRS; i++)
        pair[i] = (struct impact_pair){ { 1 + i, 2 }, { (1 + i) * (3 + i), 2 } };
    r = impact_judge(pair, false);
    assert_near(r.low, 3, 1e-12);
    assert_near(r.high, 10, 1e-12);
    assert_in_range((long)r.times, 6, 7);
    r = impact_judge(pair, true);
    assert_true(r.known && r.times == 1 && r.low == 1 && r.high == 1);
    pair[3].alone.median_s = 0;
    assert_false(impact_judge(pair, false).known);
}

/* --- Slope ---------------------------------------------------------------- */

/* What an entry of a queue costs: the slope of points with intervals. */

enum { POINTS = 5 };

/* clang-format off */
static const struct line {
    const char *name;
    struct slope_point point[POINTS];
    int n;
    bool found;
    double value, half_width;
} lines[] = {
    { "a line of known points has their own uncertainty",
      { { 0, 1, 0.1 }, { 2, 2, 0.1 }, { 4, 3, 0.1 } }, 3, true, 0.5, 0.035355339059327376 },
    { "the order of the points does not count", { { 4, 3, 0.1 }, { 0, 1, 0.1 }, { 2, 2, 0.1 } }, 3,
      true, 0.5, 0.035355339059327376 },
    /* Residuals 0.5, -1, 0.5: 1.5 / 1 / 8, times t of one degree. */
    { "what is no line is wide", { { 0, 1, 0.01 }, { 2, 1, 0.01 }, { 4, 4, 0.01 } }, 3, true, 0.75,
      5.50194804360672 },
    { "points without an interval have what they scatter",
      { { 0, 1, 0 }, { 2, 1, 0 }, { 4, 4, 0 } }, 3, true, 0.75, 5.50194804360672 },
    { "an exact line without intervals", { { 0, 1, 0 }, { 2, 2, 0 } }, 2, true, 0.5, 0 },
    /* Weights 100, 1, 100: the point between is 200 / 201 above the line. */
    { "a point counts by its interval", { { 0, 0, 0.1 }, { 1, 2, 1 }, { 2, 2, 0.1 } }, 3, true, 1,
      0.8962265804862579 },
    /* As the row above, where an error of 1 was known. */
    { "a point without an interval counts as little as the worst",
      { { 0, 0, 0.1 }, { 1, 2, 0 }, { 2, 2, 0.1 }, { 1, 2, 1 } }, 4, true, 1, 0.30273358964788094 },
    { "one point has no slope", { { 3, 1, 0.1 } }, 1, false, 0, 0 },
    { "nor have several at one place", { { 3, 1, 0.1 }, { 3, 2, 0.1 } }, 2, false, 0, 0 },
};
/* clang-format on */

TEST_ROWS(lines, has_its_slope)
{
    struct slope slope;

    assert_int_equal(slope_of(row->point, row->n, &slope), row->found);
    if (!row->found)
        return;
    assert_near(slope.value, row->value, 1e-12);
    assert_near(slope.half_width, row->half_width, 1e-12);
}

/* As in printed tables; the last by the expansion of Cornish and Fisher. */
TEST(t_is_that_of_the_tables)
{
    static const struct {
        double tail, t;
        size_t freedom;
    } row[] = { { 0.025, 12.706204736, 1 },  { 0.025, 4.3026527297, 2 }, { 0.025, 2.3646242516, 7 },
                { 0.025, 2.0422724563, 30 }, { 0.005, 3.3553873313, 8 }, { 0.25, 0.7175581961, 6 },
                { 0.1, 1.2819750, 2000 } };

    for (size_t i = 0; i < LENGTH(row); i++)
        assert_near(slope_student(row[i].tail, row[i].freedom), row[i].t, 1e-7 * row[i].t);
}

/* --- Crossover ------------------------------------------------------------ */

/* From which size on MPI's own path is better than copies by hand, or worse. */

enum { SIZES = 5 };

/* Figures of 1, 2, 4, ... bytes, by MPI, staged, and in chunks; 0: no row. */
/* clang-format off */
static const struct planted {
    const char *name;
    const struct report *report;
    double figure[3][SIZES];
    double error; /* of each, relative */
    struct crossover found;
    const char *line;
} cases[] = {
    { "direct is better from 4 on", &report_half_round_trip,
      { { 5, 6, 7, 8, 9 }, { 3, 5, 8, 9, 10 } }, 0, { 4, 1, true, 5, 2 },
      "# crossover: size=4; direct transfers are faster from here on, staged copies up to size=2;"
      "\n" },
    { "direct is better up to 2", &report_half_round_trip,
      { { 1, 2, 9, 12, 20 }, { 4, 5, 6, 7, 8 } }, 0, { 4, 1, false, 5, 2 },
      "# crossover: size=4; staged copies are faster from here on, direct transfers up to size=2;"
      "\n" },
    { "only chunks are better than MPI", &report_half_round_trip,
      { { 1, 2, 3, 4, 5 }, { 4, 5, 6, 7, 8 }, { 0, 0, 0, 3, 4 } }, 0, { 8, 1, false, 5, 4 },
      "# crossover: size=8; staged copies are faster from here on, direct transfers up to size=4;"
      "\n" },
    { "rates are better when larger", &report_bandwidth, { { 5, 6, 7, 8, 9 }, { 3, 5, 8, 9, 10 } },
      0, { 4, 1, false, 5, 2 },
      "# crossover: size=4; staged copies are faster from here on, direct transfers up to size=2;"
      "\n" },
    { "direct is better everywhere", &report_half_round_trip,
      { { 1, 2, 3, 4, 5 }, { 4, 5, 6, 7, 8 } }, 0, { 0, 0, true, 5 },
      "# crossover: none; direct transfers are faster at every size that decides;\n" },
    { "now one, now the other", &report_half_round_trip, { { 1, 5, 2, 4, 5 }, { 4, 1, 6, 7, 8 } },
      0, { 4, 2, true, 5, 2 },
      "# crossover: size=4; direct transfers are faster from here on; below, "
      "the faster one changes (2 changes);\n" },
    { "a size that was not measured does not count", &report_half_round_trip,
      { { 1, 5, 2, 4, 5 }, { 4, 0, 6, 7, 8 } }, 0, { 0, 0, true, 4 },
      "# crossover: none; direct transfers are faster at every size that decides;\n" },
    { "what the intervals hold does not decide", &report_half_round_trip,
      { { 1, 2.1, 1.9, 2.1, 5 }, { 3, 2, 2, 2, 3 } }, 0.05, { 16, 1, false, 2, 1 },
      "# crossover: size=16; staged copies are faster from here on, direct transfers up to size=1;"
      "\n" },
    { "nothing decides", &report_half_round_trip, { { 1, 2, 3, 4, 5 }, { 1.05, 2.1, 2.9, 3.9, 5 } },
      0.05, { 0, 0, false, 0 },
      "# crossover: none; at no size do they differ by more than their intervals;\n" },
};
/* clang-format on */

/* Rows as they run: blocks, sizes in any order. */
static struct rows rows_of(const struct planted *p, bool up)
{
    struct rows rows = { .row = NULL };
    struct stats iterations[3 * SIZES];

    for (int o = 0; o < 3; o++)
        for (int i = 0; i < SIZES; i++) {
            const int k = up ? i : SIZES - 1 - i;

            const double figure = p->figure[o][k];
            const double time = figure == 0 ? 0 : p->report->is_rate ? 1 / figure : figure;

            rows_add(&rows, &(struct row){ .operation = o, .bytes = (size_t)1 << k });
            iterations[rows.n - 1] = (struct stats){ .median = time,
                                                     .has_interval = true,
                                                     .ci_low = (1 - p->error) * time,
                                                     .ci_high = (1 + p->error) * time };
        }
    rows_complete(&rows);
    for (int i = 0; i < rows.n; i++)
        rows.result[i].over_iterations = iterations[i];
    return rows;
}

TEST_ROWS(cases, crossover_is)
{
    for (int up = 0; up < 2; up++) {
        struct rows rows = rows_of(row, up);
        struct crossover found;
        struct unit_text text;

        assert_true(crossover_find(&rows, &found));
        assert_int_equal(found.bytes, row->found.bytes);
        assert_int_equal(found.changes, row->found.changes);
        assert_int_equal(found.direct, row->found.direct);
        unit_text_open(&text);
        crossover_print(text.to, &found);
        unit_text_is(&text, row->line);
    }
}

TEST(without_rows_there_is_none)
{
    static const struct planted none = { .report = &report_half_round_trip };
    struct crossover found;
    struct rows rows = rows_of(&none, true);

    assert_false(crossover_find(&rows, &found));
}

/* --- Stragglers ----------------------------------------------------------- */

/* Slow ranks, nodes and pairs among times that are made here. */

enum { LARGEST = 40, NEAR = SAME_NUMA, BETWEEN = INTER_NODE };

static const unsigned JOBS = 200;
static const double NOISE = 0.03, BASE = 2e-6;

/* The pairs of so many ranks; so many ranks are a node. */
static struct {
    int ranks, of_node;
    int node[LARGEST];
    double time[LARGEST * LARGEST];
    unsigned char path[LARGEST * LARGEST];
} job;

static void plant(int ranks, int of_node, unsigned seed)
{
    job.ranks = ranks;
    job.of_node = of_node;
    unit_state = 0x9E3779B97F4A7C15ULL * (seed + 1);
    for (int i = 0; i < ranks; i++) {
        job.node[i] = i / of_node;
        for (int j = 0; j < ranks; j++) {
            const bool near = i / of_node == j / of_node;

            job.path[i * ranks + j] = near ? NEAR : BETWEEN;
            job.time[i * ranks + j] =
                (near ? BASE : 5 * BASE) * (1 + NOISE * series_bell(&unit_state));
        }
        job.time[i * ranks + i] = NAN; /* never read */
    }
}

static void slow_pair(int i, int j, double times)
{
    job.time[i * job.ranks + j] *= times;
    job.time[j * job.ranks + i] *= times;
}

/* The pairs of a rank with all others; over this kind of path. */
static void slow_rank(int rank, int path, double times)
{
    for (int j = 0; j < job.ranks; j++)
        if (j != rank && job.path[rank * job.ranks + j] == path)
            slow_pair(rank, j, times);
}

static struct stragglers judged(void)
{
    const struct all_pairs all = {
        .ranks = job.ranks, .time = job.time, .path = job.path, .node = job.node
    };
    struct stragglers p;

    stragglers_find(&all, &p);
    return p;
}

TEST(among_equals_nobody_is_slow)
{
    static const int ranks[] = { 3, 4, 5, 8, 16, 33 };

    for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++)
        for (unsigned seed = 0; seed < JOBS; seed++) {
            plant(ranks[n], LARGEST, seed);
            assert_int_equal(judged().found, 0);
            plant(ranks[n], 4, seed);
            assert_int_equal(judged().found, 0);
        }
}

TEST(what_is_usual_is_told_by_path)
{
    plant(16, 4, 0);
    const struct stragglers p = judged();

    assert_int_equal(p.path[NEAR].pairs, 24);
    assert_int_equal(p.path[BETWEEN].pairs, 96);
    assert_int_equal(p.path[1].pairs, 0);
    assert_int_equal(p.path[2].pairs, 0);
    assert_true(fabs(p.path[NEAR].usual / BASE - 1) < 0.03);
    assert_true(fabs(p.path[BETWEEN].usual / (5 * BASE) - 1) < 0.03);
    assert_true(p.path[NEAR].slow >= 1.1 && p.path[NEAR].slow < 1.3);
}

/* The only one found. */
static struct straggler only(void)
{
    const struct stragglers p = judged();

    assert_int_equal(p.found, 1);
    assert_int_equal(p.left_over, 0);
    return p.slow[0];
}

enum slow { SLOW_RANK, SLOW_NODE, SLOW_PAIR };

/* One is slow in each of many jobs, and it alone is named: a small difference too, if
   many pairs show it.  Partners have one slow pair each, and are not to blame. */
static const struct slow_row {
    const char *name;
    int ranks, of_node;
    enum slow what;
    int rank, partner, node; /* node: its ranks, if it is named */
    int path, pairs;         /* pairs: that are judged */
    double times;
} slow_rows[] = {
    { "a rank of 3", 3, LARGEST, SLOW_RANK, 1, -1, 0, NEAR, 2, 2 },
    { "a rank of 4", 4, LARGEST, SLOW_RANK, 3, -1, 0, NEAR, 3, 2 },
    { "a rank of 8", 8, LARGEST, SLOW_RANK, 0, -1, 0, NEAR, 7, 2 },
    { "a rank of 33", 33, LARGEST, SLOW_RANK, 32, -1, 0, NEAR, 32, 2 },
    { "slow by a fifth", 33, LARGEST, SLOW_RANK, 7, -1, 0, NEAR, 32, 1.2 },
    { "a node, once", 16, 4, SLOW_NODE, 4, -1, 4, BETWEEN, 12, 1.5 },
    { "a rank is not its node", 16, 4, SLOW_RANK, 5, -1, 0, BETWEEN, 12, 2 },
    { "one of a node of one", 4, 1, SLOW_RANK, 2, -1, 0, BETWEEN, 3, 2 },
    { "a pair of 3 ranks", 3, LARGEST, SLOW_PAIR, 1, 2, 0, NEAR, 1, 2.5 },
    { "a pair of 4 ranks", 4, LARGEST, SLOW_PAIR, 1, 2, 0, NEAR, 1, 2.5 },
    { "a pair of 33 ranks", 33, LARGEST, SLOW_PAIR, 1, 2, 0, NEAR, 1, 2.5 },
};

TEST_ROWS(slow_rows, the_slow_one_is_named)
{
    for (unsigned seed = 0; seed < JOBS; seed++) {
        plant(row->ranks, row->of_node, seed);
        if (row->what == SLOW_PAIR)
            slow_pair(row->partner, row->rank, row->times);
        for (int i = 0; row->what == SLOW_NODE && i < row->node; i++)
            slow_rank(row->rank + i, row->path, row->times);
        if (row->what == SLOW_RANK)
            slow_rank(row->rank, row->path, row->times);
        const struct straggler slow = only();

        assert_int_equal(slow.rank, row->rank);
        assert_int_equal(slow.partner, row->partner);
        assert_int_equal(slow.node, row->node);
        assert_int_equal(slow.path, row->path);
        assert_int_equal(slow.pairs, row->pairs);
        assert_true(fabs(slow.times / row->times - 1) < 0.12);
        if (row->what == SLOW_RANK && row->times == 2)
            assert_int_equal(slow.above, row->pairs);
    }
}

/* Two sockets: pairs across them take longer, and all do. */
TEST(two_sockets_make_nobody_slow)
{
    for (int ranks = 4; ranks <= 16; ranks++) /* as many, or more of one */
        for (unsigned seed = 0; seed < JOBS; seed++) {
            plant(ranks, LARGEST, seed);
            for (int i = 0; i < ranks; i++)
                for (int j = 0; j < ranks; j++)
                    if (i / 3 % 2 != j / 3 % 2) {
                        job.path[i * ranks + j] = SAME_NODE;
                        job.time[i * ranks + j] *= 2;
                    }
            assert_int_equal(judged().found, 0);
        }
}

TEST(a_clock_at_rest_makes_nobody_slow)
{
    plant(4, LARGEST, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            job.time[4 * i + j] = 0;
    const struct stragglers p = judged();

    assert_int_equal(p.found, 0);
    assert_int_equal(p.path[NEAR].pairs, 6);
}

/* Neither of two is slower than the other, nor are two of two pairs. */
TEST(of_one_pair_a_rank_is_not_judged)
{
    plant(2, LARGEST, 0);
    assert_int_equal(judged().found, 0);
    plant(4, 2, 0);
    slow_pair(2, 3, 1.3);
    assert_int_equal(judged().found, 0);
    /* The pair is far slower than any other. */
    slow_pair(2, 3, 3);
    const struct straggler slow = only();

    assert_int_equal(slow.rank, 2);
    assert_int_equal(slow.partner, 3);
}

TEST(the_worst_are_kept_ranks_first)
{
    plant(40, LARGEST, 0);
    for (int i = 0; i < 18; i += 2)
        slow_rank(i, NEAR, 2 + i);
    for (int i = 20; i < 38; i += 2)
        slow_pair(i, i + 1, 3 + i);
    const struct stragglers p = judged();

    assert_int_equal(p.found, STRAGGLERS_KEPT);
    assert_int_equal(p.left_over, 9 + 9 - STRAGGLERS_KEPT);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(p.slow[i].partner, -1);
        assert_int_equal(p.slow[i].rank, 16 - 2 * i);
    }
    for (int i = 9; i < STRAGGLERS_KEPT; i++)
        assert_int_equal(p.slow[i].rank, 36 - 2 * (i - 9));
    /* More ranks than there is room for. */
    plant(40, LARGEST, 0);
    for (int i = 0; i < 17; i++)
        slow_rank(i, NEAR, 2 + i);
    slow_pair(30, 31, 90);
    const struct stragglers q = judged();

    assert_int_equal(q.found, STRAGGLERS_KEPT);
    assert_int_equal(q.left_over, 17 + 1 - STRAGGLERS_KEPT);
    assert_int_equal(q.slow[0].rank, 16);
    assert_int_equal(q.slow[STRAGGLERS_KEPT - 1].rank, 1);
}
