/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include "bench.h"
#include "job/world.h"
#include "memory/memory.h"
#include "report/report_kinds.h"

/* --- What moves -------------------------------------------------------------- */

static int one_of_each_other(const struct bench_run *r)
{
    return r->nranks - 1;
}

static int in_order_without_own(const struct bench_run *r, int i)
{
    return i < r->rank ? i : i + 1;
}

const struct flow flow_every_pair = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = one_of_each_other,
    .from = in_order_without_own,
};

/* --- What is printed --------------------------------------------------------- */

static void half_of_each(const struct context *c, struct result *result)
{
    result->scale = 0.5 / (c->run->nranks - 1);
}

const struct report report_pair_matrix = {
    .unit = "us",
    .sample = "a round trip with each other rank, on every rank, added up",
    .printed = "half of one, in us, mean over partners, iterations and ranks",
    .figure = half_of_each,
    .headline = report_latency_columns,
    .full = report_collective_full,
};

/* --- The family ---------------------------------------------------------------- */

enum exit_code matrix_begin(const struct context *c, int partners,
                            struct matrix_unit unit)
{
    struct matrix *m = matrix_of(c->run);
    const bool good = pair_times_begin(&m->times, partners);

    m->report.unit = unit;
    return world_agree_memory(c->world, c->bench->name, good,
                              "buffers or samples");
}

void matrix_memory(const struct context *c, struct buffers *b)
{
    const int meet = matrix_of(c->run)->meetings.n; /* 0: all ranks */
    const int partners = meet > 0 ? meet : c->world->size;

    buffers_add(b, NULL, &memory_host, pair_times_need(partners));
    if (c->world->rank == 0)
        buffers_add(b, NULL, &memory_host, all_pairs_need(partners));
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    (void)b;
    matrix_of(c->run)->comm = c->run->comm;
    return matrix_begin(c, c->world->size, (struct matrix_unit){ .part = 0.5 });
}

void matrix_forget(struct bench_run *r, bool before, bool batch)
{
    pair_times_forget(&matrix_of(r)->times, before, batch);
}

void matrix_measured(const struct context *c, struct row *row,
                     struct result *result)
{
    struct matrix *m = matrix_of(c->run);

    (void)row;
    matrix_report_row(&m->report, c, m->comm, &m->times, result);
}

void matrix_after(FILE *to, const struct context *c, const struct rows *rows)
{
    (void)rows;
    matrix_report_print(&matrix_of(c->run)->report, to,
                        c->placement->oversubscribed);
}

void matrix_record_row(const struct context *c, const struct result *result,
                       struct fields *to)
{
    (void)result;
    matrix_report_record(&matrix_of(c->run)->report, c->settings->raw, *to);
}

void matrix_end(const struct context *c)
{
    struct matrix *m = matrix_of(c->run);

    matrix_report_end(&m->report);
    pair_times_end(&m->times);
}

const struct family matrix_family = {
    .name = "matrix",
    .state = sizeof(struct matrix),
    .memory = matrix_memory,
    .ready = ready,
    .forget = matrix_forget,
    .measured = matrix_measured,
    .after = matrix_after,
    .record_row = matrix_record_row,
    .end = matrix_end,
};
