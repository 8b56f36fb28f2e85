/* SPDX-License-Identifier: BSD-3-Clause */
#include "application_run.h"

#include "application.h"
#include "sampling/over_ranks.h"
#include "base/buffer_size.h"
#include "job/watchdog.h"

/* Is there room on every node for its ranks? */
static enum exit_code check_memory(const struct sweep *s)
{
    const struct application *a = s->bench->application;
    const enum nas_class class = application_class(a, s->settings->class);
    const double own = (double)a->bytes(class, s->world->size);
    const double limit = (double)s->settings->memory_limit;
    double need = own, least = (double)s->placement.available;
    int fits;

    MPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_SUM,
                  s->placement.node);
    fits = need <= MEMORY_PERCENT / 100.0 * (double)s->placement.available &&
           (limit <= 0 || own <= limit);
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, s->world->comm);
    MPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_MAX, s->world->comm);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, s->world->comm);
    if (fits)
        return EXIT_OK;
    if (s->world->rank == 0) {
        char needed[32], available[32], most[64] = "";

        size_words(need, needed);
        size_words(least, available);
        if (limit > 0)
            snprintf(most, sizeof most, " mem-limit per rank=%zu;",
                     s->settings->memory_limit);
        message_print(E10_NOTHING_FITS, s->bench->name,
                      "class=%s; needs=%s per node; available=%s;%s",
                      application_class_name(class), needed, available, most);
    }
    return messages[E10_NOTHING_FITS].code;
}

/* Memory, and everything else that a run needs. */
static enum exit_code prepare(struct sweep *s)
{
    const struct application *a = s->bench->application;
    struct bench_run *r = &s->prepared.run;
    enum exit_code code;
    bool good;

    watchdog_phase("memory");
    code = check_memory(s);
    if (code != EXIT_OK)
        return code;
    r->application = &s->prepared.application;
    r->application->class = application_class(a, s->settings->class);
    good = prepare_buffers(&s->prepared, s->bench, s->settings, s->world, NULL,
                           s->measure.clock.resolution_s, 0) &&
           measure_begin(&s->measure) && a->begin(r);
    code = world_agree(s->world,
                       good ? EXIT_OK : messages[E20_OUT_OF_MEMORY].code);
    if (code != EXIT_OK && s->world->rank == 0)
        message_print(E20_OUT_OF_MEMORY, s->bench->name,
                      "memory for class %s was refused",
                      application_class_name(r->application->class));
    return code;
}

/* One lap of so many iterations; seconds on this rank. */
static double run(struct sweep *s, int iterations)
{
    struct application_run *a = s->prepared.run.application;

    a->iterations = iterations;
    a->parts = (struct parts){ 0 };
    a->keys.passed = 0;
    measure_once(&s->measure);
    return clock_seconds(s->measure.ticks[1]);
}

static struct share share_of(const struct sweep *s, const char *name,
                             long calls, double mine)
{
    struct {
        double seconds;
        int rank;
    } most = { mine, s->world->rank };
    struct share share = { .name = name, .calls = calls };

    MPI_Allreduce(&mine, &share.mean, 1, MPI_DOUBLE, MPI_SUM, s->world->comm);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC,
                  s->world->comm);
    share.mean /= s->world->size;
    share.max = most.seconds;
    share.slowest = most.rank;
    return share;
}

/* Where the time of the run went. */
static void divide(const struct sweep *s, double seconds, struct whole *w)
{
    const struct application *a = s->bench->application;
    const struct parts *p = &s->prepared.run.application->parts;
    double inside = 0;

    for (int i = 0; i < PARTS_MAX && a->calls[i] != NULL; i++) {
        const double part = clock_seconds(p->spent[i]);

        w->call[w->calls++] = share_of(s, a->calls[i], p->calls[i], part);
        inside += part;
    }
    w->run = share_of(s, "run", 0, seconds);
    w->inside = share_of(s, "communication", 0, inside);
    w->outside = share_of(s, "computation", 0, seconds - inside);
}

static void show(struct sweep *s, struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    report_cells(&s->table, result, cells);
    report_heading(stdout, s->bench, &s->table, ELEMENT_CHAR, NULL, 0, 0);
    table_print_row(stdout, s->table.column, cells, s->table.n, false, 0);
    report_shares(stdout, result->whole);
    record_row(&s->record, &s->context, &s->table, result, cells);
}

static enum exit_code measure(struct sweep *s)
{
    const struct application *a = s->bench->application;
    struct bench_run *r = &s->prepared.run;
    const enum nas_class class = r->application->class;
    char why[300], size[100];
    struct whole whole = { .class = application_class_name(class),
                           .size = size,
                           .iterations = a->iterations(class),
                           .operations = a->operations(class) };
    struct result result = { .nodes = s->placement.nodes,
                             .laps = 1,
                             .stride = 1,
                             .precise = true,
                             .scale = s->bench->report->scale,
                             .whole = &whole };
    double seconds;

    a->describe(class, size, sizeof size);
    if (s->world->rank == 0) {
        printf("# %s\n", s->identity);
        report_title(stdout, s->bench, r, s->settings);
        printf("# class=%s; %s iterations=%d;\n", whole.class, size,
               whole.iterations);
        fflush(stdout);
    }
    s->measure.loop = s->bench->run;
    watchdog_phase("first iteration");
    result.warmup.first_s = run(s, 1);
    result.warmup.laps = 1;
    watchdog_phase("measuring");
    seconds = run(s, whole.iterations);
    watchdog_phase("verification");
    divide(s, seconds, &whole);
    result.verdict =
        a->verify(r, why, sizeof why) ? VERDICT_PASS : VERDICT_FAIL;

    const struct spread spread = over_ranks_spread(s->world->comm, seconds, 1);
    result.mean = spread.mean;
    result.mean_min = spread.min;
    result.mean_max = spread.max;
    result.ranks = spread.ranks;
    result.elapsed_s = spread.max;
    if (s->world->rank == 0)
        show(s, &result);
    if (result.verdict == VERDICT_PASS)
        return EXIT_OK;
    if (s->world->rank == 0)
        message_print(E14_WRONG_DATA, s->bench->name,
                      "wrong data; class=%s; %s", whole.class, why);
    return messages[E14_WRONG_DATA].code;
}

enum exit_code whole_run(struct sweep *s)
{
    enum exit_code code = prepare(s);

    if (code == EXIT_OK)
        code = measure(s);
    if (s->prepared.run.application != NULL)
        s->bench->application->end(&s->prepared.run);
    return code;
}
