/* SPDX-License-Identifier: BSD-3-Clause */
/* What the settings are before anything is asked for, what lists of values
   become, which wishes exclude each other, and what --list names. */
#include "unit_parse.h"

#include "groups/groups.h"
#include "nas/ft.h"
#include "nas/is.h"
#include "neighbors/neighbors.h"
#include "options/columns.h"
#include "overlap/overlap.h"
#include "partitions/partitions.h"
#include "processes/processes.h"
#include "queues/queues.h"
#include "reuse/reuse.h"
#include "rma/flow_rma.h"
#include "rma/rma.h"
#include "staging/staging.h"
#include "stripes/stripes.h"
#include "threads/streams.h"
#include "threads/threads.h"

static void defaults(void **state)
{
    static const struct sizes sizes = { 3, 77 };
    struct settings s =
        settings_default(&sizes, &(struct parameter){ .name = NULL }, NULL);

    (void)state;
    assert_int_equal(s.sizes.min, 3);
    assert_int_equal(s.sizes.max, 77);
    assert_int_equal(s.laps.steps, 0);
    assert_int_equal(s.warmup.steps, 0);
    assert_int_equal(s.window, 0); /* 64 */
    assert_int_equal(s.buffers, 0);
    assert_int_equal(s.pairs, 0);
    assert_int_equal(s.print_rate, 1);
    assert_int_equal(s.ntypes, 0);
    assert_int_equal(s.start, START_UNSET);
    assert_int_equal(s.clock, CLOCK_AUTO);
    assert_int_equal(s.order, ORDER_UP);
    assert_int_equal(s.use, BUFFERS_REUSE);
    assert_true(s.seed == 0 && s.pool == 0);
    assert_false(s.touch);
    assert_int_equal(s.device, DEVICE_HOST);
    assert_near(s.timeout_s, 60, 0);
    assert_near(s.total_s, 0, 0);
    assert_int_equal(s.memory_limit, 0);
    assert_false(s.full || s.check || s.raw || s.dry_run || s.verify_off ||
                 s.in_place || settings_device_words(&s));
    assert_int_equal(s.npercentiles + s.ncolumns + s.nwords + s.ranks, 0);
    assert_null(s.json);
    assert_null(s.csv);
    assert_null(settings_conflict(&s));
    assert_false(settings_fixed(&s));
    assert_null(s.family);
    settings_release(&s);
}

static void defaults_of_families(void **state)
{
    static const struct bench put = { .takes = TAKES_RMA,
                                      .flow = &flow_put,
                                      .family = &rma_family },
                              both_ways = { .takes = TAKES_ACTIVE,
                                            .family = &rma_family },
                              neighbor = { .family = &neighbors_family };
    struct unit_parsed p;

    (void)state;
    unit_parse_of(&p, &put, "");
    assert_int_equal(rma_sync_of(&put, &p.settings), RMA_FLUSH);
    assert_int_equal(rma_sync_of(&both_ways, &p.settings), RMA_PSCW);
    assert_int_equal(rma_window_kind(&put, &p.settings), WINDOW_ALLOCATE);
    settings_release(&p.settings);
    unit_parse_of(&p, &neighbor, "");
    assert_int_equal(neighbors_settings(&p.settings)->overlap.tests, 0);
    assert_string_equal(neighbors_settings(&p.settings)->topology, "cart:1:1");
    settings_release(&p.settings);
}

/* What one program asked for is no default of the next. */
static void families_defaults_stay(void **state)
{
    static const struct bench put = { .takes = TAKES_RMA,
                                      .flow = &flow_put,
                                      .family = &rma_family };
    struct unit_parsed p;

    (void)state;
    unit_parse_of(&p, &put, "-s lock -w dynamic");
    assert_int_equal(rma_sync_of(&put, &p.settings), RMA_LOCK);
    assert_int_equal(rma_settings(&p.settings)->window_kind, WINDOW_DYNAMIC);
    settings_release(&p.settings);
    unit_parse_of(&p, &put, "");
    assert_int_equal(rma_sync_of(&put, &p.settings), RMA_FLUSH);
    assert_int_equal(rma_window_kind(&put, &p.settings), WINDOW_ALLOCATE);
    settings_release(&p.settings);
}

static const struct time_row {
    const char *line;
    double precision, budget;
    bool fixed;
} time_rows[] = {
    { "", 0.01, 0.05, false },
    { "--precision 0.5%", 0.005, 10, false },
    { "--precision 1%", 0.01, 0.05, false },
    { "--precision 5%", 0.05, 0.05, false },
    { "--budget 2s", 0.01, 2, false },
    { "--precision 0.5% --budget 2s", 0.005, 2, false },
    { "--budget 2s --precision 0.5%", 0.005, 2, false },
    { "--budget 1ms", 0.01, 0.001, false },
    { "-i 5", 0.01, 0.05, true },
    { "-x 5", 0.01, 0.05, true },
    { "-x 0", 0.01, 0.05, true },
};

static void time_is(void **state)
{
    const struct time_row *row = *state;
    struct unit_parsed p;

    unit_parse(&p, TAKES_LATENCY, row->line);
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_near(settings_precision(&p.settings), row->precision, 1e-12);
    assert_near(settings_budget(&p.settings), row->budget, 1e-12);
    assert_int_equal(settings_fixed(&p.settings), row->fixed);
    settings_release(&p.settings);
}

/* What holds of the settings, as far as one option of all programs decides it. */
enum { HOLDS = 21 };
static void what_holds(const struct settings *s, double value[HOLDS])
{
    const double all[HOLDS] = {
        settings_precision(s),
        settings_budget(s),
        settings_time_named(s) != NULL,
        settings_fixed(s),
        settings_as_omb(s),
        settings_keeps_disturbed(s),
        settings_window(s),
        settings_conflict(s) != NULL,
        s->start != START_UNSET && s->start != START_DISSEMINATION,
        s->clock,
        s->timeout_s,
        s->order,
        (double)s->seed,
        s->buffers,
        s->pairing.kind,
        s->print_rate,
        s->root,
        s->device,
        s->gpu_map.policy,
        s->use,
        (double)s->pool,
    };

    memcpy(value, all, sizeof all);
}

/* Defaults with a blank describe what no value says. */
static void a_default_that_is_named_changes_nothing(void **state)
{
    int n = 0;

    (void)state;
    for (const struct option_row *row = settings_rows; row->name; row++) {
        const char *const text = row->fallback != NULL ? row->fallback : " ";
        double with[HOLDS], without[HOLDS];
        struct unit_parsed p;
        char line[80];

        if (strchr(text, ' ') != NULL || (row->takers & TAKES_IDLE))
            continue;
        unit_parse(&p, row->takers, "");
        what_holds(&p.settings, without);
        settings_release(&p.settings);
        snprintf(line, sizeof line, "--%s=%s", row->name, text);
        unit_parse(&p, row->takers, line);
        what_holds(&p.settings, with);
        settings_release(&p.settings);
        for (int i = 0; i < HOLDS; i++)
            if (p.outcome != OPTION_PROCEED || with[i] != without[i])
                fail_msg("%s: %s, value %d", line, p.why, i);
        n++;
    }
    assert_in_range(n, 15, 40);
}

/* What a list option collects, in order. */
static const struct list_row {
    const char *line;
    enum { PERCENTILES, TYPES, COLUMNS } list;
    int n;
    double expected[16];
} list_rows[] = {
    { "-z", PERCENTILES, 3, { 50, 90, 99 } },
    { "-z50,99", PERCENTILES, 2, { 50, 99 } },
    { "-z99.9", PERCENTILES, 1, { 99.9 } },
    { "-z0,100", PERCENTILES, 2, { 0, 100 } },
    { "-z99,50,", PERCENTILES, 2, { 99, 50 } },
    { "-z1 -z2,3", PERCENTILES, 2, { 2, 3 } },
    { "--tail-lat", PERCENTILES, 3, { 50, 90, 99 } },
    { "--tail-lat=95", PERCENTILES, 1, { 95 } },
    { "-z -i 5", PERCENTILES, 3, { 50, 90, 99 } },
    { "-z1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
      PERCENTILES,
      16,
      { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
    { "-T mpi_char", TYPES, 1, { ELEMENT_CHAR } },
    { "-T MPI_INT", TYPES, 1, { ELEMENT_INT } },
    { "-T mpi_Float", TYPES, 1, { ELEMENT_FLOAT } },
    { "-T mpi_double,mpi_int64", TYPES, 2, { ELEMENT_DOUBLE, ELEMENT_INT64 } },
    { "-T MPI_INT64_T", TYPES, 1, { ELEMENT_INT64 } },
    { "-T mpi_float -T mpi_int", TYPES, 2, { ELEMENT_FLOAT, ELEMENT_INT } },
    { "-T mpi_int,mpi_int", TYPES, 1, { ELEMENT_INT } },
    { "-T ALL",
      TYPES,
      5,
      { ELEMENT_CHAR, ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_DOUBLE,
        ELEMENT_INT64 } },
    { "-T mpi_float,all",
      TYPES,
      5,
      { ELEMENT_FLOAT, ELEMENT_CHAR, ELEMENT_INT, ELEMENT_DOUBLE,
        ELEMENT_INT64 } },
    { "--columns median", COLUMNS, 1, { EXTRA_MEDIAN } },
    { "--columns stop,median,ci_low",
      COLUMNS,
      3,
      { EXTRA_STOP, EXTRA_MEDIAN, EXTRA_CI_LOW } },
    { "--columns min --columns max", COLUMNS, 2, { EXTRA_MIN, EXTRA_MAX } },
    { "--columns outliers,drift,slowest_rank",
      COLUMNS,
      3,
      { EXTRA_OUTLIERS, EXTRA_DRIFT, EXTRA_SLOWEST } },
    { "--columns global,skew,late,residual,speed",
      COLUMNS,
      5,
      { EXTRA_GLOBAL, EXTRA_SKEW, EXTRA_LATE, EXTRA_RESIDUAL, EXTRA_SPEED } },
};

static void leads_to_list(void **state)
{
    const struct list_row *row = *state;
    struct unit_parsed p;
    const struct settings *s = &p.settings;

    unit_parse(&p, TAKES_LATENCY, row->line);
    assert_string_equal(p.why, "");
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_int_equal(s->npercentiles, row->list == PERCENTILES ? row->n : 0);
    assert_int_equal(s->ntypes, row->list == TYPES ? row->n : 0);
    assert_int_equal(s->ncolumns, row->list == COLUMNS ? row->n : 0);
    for (int i = 0; i < row->n; i++)
        switch (row->list) {
        case PERCENTILES:
            assert_near(s->percentiles[i], row->expected[i], 1e-12);
            break;
        case TYPES:
            assert_int_equal(s->types[i], row->expected[i]);
            break;
        case COLUMNS:
            assert_int_equal(s->columns[i], row->expected[i]);
        }
    settings_release(&p.settings);
}

/* NULL: all fits together. */
static const struct conflict_row {
    const char *line;
    const char *why;
} conflict_rows[] = {
    { "", NULL },
    { "-c --no-verify", "-c and --no-verify exclude each other" },
    { "-c", NULL },
    { "--no-verify", NULL },
    { "--raw", "--raw requires --json FILE" },
    { "--raw --csv a", "--raw requires --json FILE" },
    { "--raw --json a", NULL },
    { "--ranks 4", "--ranks requires --dry-run" },
    { "--ranks 4 --dry-run", NULL },
};

static void conflict_is(void **state)
{
    const struct conflict_row *row = *state;
    struct unit_parsed p;
    const char *why;

    unit_parse(&p, TAKES_LATENCY, row->line);
    assert_int_equal(p.outcome, OPTION_PROCEED);
    why = settings_conflict(&p.settings);
    if (row->why == NULL)
        assert_null(why);
    else
        assert_string_equal(why, row->why);
    settings_release(&p.settings);
}

static void words_of_values(void **state)
{
    (void)state;
    assert_string_equal(choice_word(rma_sync_words, RMA_LOCK), "lock");
    assert_string_equal(choice_word(rma_sync_words, RMA_FENCE), "fence");
    assert_string_equal(choice_word(rma_window_words, WINDOW_DYNAMIC),
                        "dynamic");
    assert_string_equal(choice_word(settings_start_words, START_LIBRARY),
                        "library");
    assert_string_equal(choice_word(settings_start_words, START_CLOCK),
                        "clock");
    assert_string_equal(choice_word(settings_clock_words, CLOCK_TSC), "tsc");
    assert_string_equal(choice_word(settings_order_words, ORDER_RANDOM),
                        "random");
    assert_string_equal(choice_word(settings_use_words, BUFFERS_ROTATE),
                        "rotate");
    assert_string_equal(choice_word(settings_start_words, START_DISSEMINATION),
                        "dissemination");
    assert_null(choice_word(settings_start_words, 99));
}

/* All that is taken of the core's options, and those of a family. */
static const struct list_of {
    const char *name;
    const struct family *family;
    int least, most; /* lines */
    unsigned takes;
} lists[] = {
    { "the core's", NULL, 30, 90, TAKES_ALL },
    { "groups", &groups_family, 0, 0, 0 },
    { "is", &nas_is_family, 5, 5, 0 },
    { "ft", &nas_ft_family, 5, 5, 0 },
    { "neighbors", &neighbors_family, 0, 0, 0 },
    { "ineighbor", &ineighbor_family, 3, 3, 0 },
    { "overlap", &overlap_family, 3, 3, 0 },
    { "partitions", &partitions_family, 3, 3, 0 },
    { "processes", &processes_family, 0, 0, 0 },
    { "queues", &queues_family, 4, 4, 0 },
    { "reuse", &reuse_family, 2, 2, 0 },
    { "rma", &rma_family, 11, 11, TAKES_RMA },
    { "rma, active", &rma_family, 6, 6, TAKES_ACTIVE },
    { "rma, passive", &rma_family, 8, 8, TAKES_PASSIVE },
    { "staging", &staging_family, 0, 0, 0 },
    { "streams", &streams_family, 3, 3, 0 },
    { "stripes", &stripes_family, 0, 0, 0 },
    { "threads", &threads_family, 0, 0, 0 },
};

enum { ALWAYS = 6 + 4 + 7 }; /* of --accelerator, --gpu-map and SRC DST */

/* Whatever --list names is accepted when it is typed back. */
static void what_list_names_is_accepted(void **state)
{
    const struct list_of *row = *state;
    const struct bench b = { .takes = row->takes, .family = row->family };
    const int always = row->family != NULL ? ALWAYS : 0;
    struct unit_parsed of;
    struct option_set set;
    struct unit_text text;
    char *list, *rest;
    int lines = 0;

    unit_parse_of(&of, &b, "");
    set = unit_set(b.takes, &of.settings);
    unit_text_open(&text);
    settings_list(&(struct settings){ 0 }, &set, text.to);
    list = unit_text_close(&text);
    for (char *line = strtok_r(list, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        struct unit_parsed p;
        char *meaning = strstr(line, "  ");

        assert_non_null(meaning);
        *meaning = '\0';
        if (strpbrk(line, ":,") != NULL) /* a form, as random:SEED */
            continue;
        unit_parse_of(&p, &b, line);
        assert_string_equal(p.why, "");
        settings_release(&p.settings);
        lines++;
    }
    assert_in_range(lines, always + row->least, always + row->most);
    free(list);
    settings_release(&of.settings);
}

/* A program is offered only what it takes. */
static void list_leaves_out_what_is_not_taken(void **state)
{
    struct unit_parsed of;
    struct option_set set;
    struct unit_text text;
    char *list, *rest;

    (void)state;
    unit_parse(&of, TAKES_INIT, "");
    set = unit_set(TAKES_INIT, &of.settings);
    unit_text_open(&text);
    settings_list(&(struct settings){ 0 }, &set, text.to);
    list = unit_text_close(&text);
    for (char *line = strtok_r(list, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        assert_true(strncmp(line, "--accelerator=", 14) == 0 ||
                    strncmp(line, "--gpu-map=", 10) == 0 || line[0] != '-');
    free(list);
    settings_release(&of.settings);
}

static void values_of_a_parameter_have_limits(void **state)
{
    const struct parameter p = { .name = "Depth",
                                 .option = "depth",
                                 .least = 2,
                                 .most = 8,
                                 .value = { 2, 4 } };
    struct settings s = { .nparameters = 1 };
    long value[PARAMETER_MAX];
    char why[200];

    (void)state;
    for (long n = 1; n <= 9; n++) {
        s.parameter[0] = n;
        assert_int_equal(parameter_values(&p, &s, 2, value, why, sizeof why),
                         n >= 2 && n <= 8 ? 1 : -1);
    }
    assert_string_equal(why, "--depth 9 is too large; the most is 8");
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, defaults);
    UNIT_ADD(&list, defaults_of_families);
    UNIT_ADD(&list, families_defaults_stay);
    UNIT_ADD_ROWS(&list, time_rows, time_is);
    UNIT_ADD(&list, a_default_that_is_named_changes_nothing);
    UNIT_ADD_ROWS(&list, list_rows, leads_to_list);
    UNIT_ADD_ROWS(&list, conflict_rows, conflict_is);
    UNIT_ADD(&list, words_of_values);
    UNIT_ADD(&list, values_of_a_parameter_have_limits);
    UNIT_ADD_ROWS(&list, lists, what_list_names_is_accepted);
    UNIT_ADD(&list, list_leaves_out_what_is_not_taken);
    return unit_run("settings", &list);
}
