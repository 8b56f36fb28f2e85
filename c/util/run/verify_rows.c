/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_rows.h"

#include "data/verify.h"
#include "gpu/gpu_use.h"
#include "job/crash.h"
#include "job/watchdog.h"
#include "job/world.h"
#include "sampling/start.h"

enum { ROOTS = 8 };

/* What the number of a mismatch counts. */
static const char *counted(const struct flow *flow)
{
    return flow->counted != NULL ? flow->counted
           : flow->sum           ? "element"
                                 : "byte";
}

/* What the lowest rank that is wrong has found, said by rank 0. */
static bool report_mismatch(const struct context *c, const struct row *row,
                            struct mismatch *mine)
{
    const int first = world_first(c->world, mine->wrong > 0);
    int wrong = mine->wrong > 0;
    const char *operation =
        c->run->turn > 0 ? c->run->turns[c->run->turn - 1] : NULL;
    char turn[64] = "", root[32] = "";

    if (first == c->world->size)
        return false;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, c->world->comm);
    MPI_Bcast(mine, sizeof *mine, MPI_BYTE, first, c->world->comm);
    if (operation != NULL)
        snprintf(turn, sizeof turn, "operation=%s; ", operation);
    if (c->bench->takes & TAKES_ROOT)
        snprintf(root, sizeof root, "root=%d; ", c->run->root);
    world_refuse(c->world, E14_WRONG_DATA, c->bench->name,
                 "wrong data; size=%zu; type=%s; %s%srank=%d; block=%d; "
                 "%s=%zu%s; expected=%.12g; got=%.12g; wrong on this rank=%zu; "
                 "ranks wrong=%d of %d;",
                 row->bytes, element_name(row->element), turn, root, first,
                 mine->block, counted(c->bench->flow), mine->element,
                 mine->after ? " (after the end)"
                 : mine->gap ? " (in a gap)"
                             : "",
                 mine->expected, mine->got, mine->wrong, wrong, c->world->size);
    return true;
}

/* What other ranks wrote need not be what this one sees yet. */
static void make_visible(const struct context *c)
{
    if (c->bench->flow->make_visible != NULL)
        c->bench->flow->make_visible(c->run);
}

/* Roots that a row is verified with: of many ranks a few, spread over them. */
static int roots_of(const struct bench_run *r)
{
    if (!r->root_rotates)
        return 1;
    return r->nranks < ROOTS ? r->nranks : ROOTS;
}

static void verify_once(struct job *job, struct result *result, int number)
{
    const struct row *row = result->row;
    const struct context *c = &job->context;
    const struct setup *p = &job->setup;
    /* Ranks beyond the row's, which its flow does not know. */
    const bool idle =
        row->ranks > 0 && p->run.rank >= row->ranks &&
        bench_plan(c->bench, c->settings).parameter->kind == PARAMETER_SUBSETS;
    const bool verifies = bench_is_sized(c->bench) && !c->settings->verify_off;
    const struct verify verify = {
        .run = &p->run,
        .flow = idle ? &flow_none : c->bench->flow,
        .send_kind = p->buffers.kind,
        .recv_kind = p->buffers.kind,
        .pieces = &p->pieces,
        .element = row->element,
        .send = p->pool.send.place,
        .recv = p->pool.recv.place,
        .distinct_sends = p->run.send_stride > 0,
        .salt = number,
        .log = &job->log,
    };
    struct mismatch mismatch = { 0 };

    if (bench_is_sized(c->bench)) {
        verify_fill(&verify);
        make_visible(c);
    }
    const double took = measure_once(&job->measure);

    if (p->run.turn <= 1)
        result->warmup.first_s = took;
    if (!verifies)
        return;
    if (!subset_waits(c->run))
        start_batch(c->run); /* only now is a put complete at its target */
    make_visible(c);
    verify_check(&verify, &mismatch);
    validation_log_row_end(&job->log);
    result->verdict =
        report_mismatch(c, row, &mismatch) ? VERDICT_FAIL : VERDICT_PASS;
}

/* The operations of an iteration, one after the other. */
static void verify_turns(struct job *job, struct result *result, int number)
{
    struct bench_run *r = job->context.run;

    r->turn = r->turns != NULL;
    do
        verify_once(job, result, number);
    while (result->verdict != VERDICT_FAIL && r->turn > 0 &&
           r->turns[r->turn++] != NULL);
}

static void verify_row(struct job *job, struct result *result, int number)
{
    struct bench_run *r = job->context.run;

    setup_row(&job->setup, &job->context, result->row);
    for (int k = 0; k < roots_of(r) && result->verdict != VERDICT_FAIL; k++) {
        if (r->root_rotates)
            buffer_pool_root(r, (int)((long)k * r->nranks / roots_of(r)));
        verify_turns(job, result, number);
    }
    setup_row_end(&job->setup, result->row);
}

enum exit_code verify_rows(struct job *job)
{
    struct rows *rows = &job->rows;
    const struct context *c = &job->context;
    enum exit_code code = EXIT_OK;
    char kinds[16];

    watchdog_phase("verification");
    snprintf(kinds, sizeof kinds, "%s-%s", c->side[0]->letter,
             c->side[1]->letter);
    /* It is here that MPI is given these buffers for the first time. */
    if (c->gpu->used)
        crash_on_gpu(kinds);
    for (int i = 0; i < rows->n && code == EXIT_OK; i++) {
        verify_row(job, &rows->result[i], i);
        if (rows->result[i].verdict != VERDICT_FAIL)
            continue;
        if (!c->settings->check)
            code = messages[E14_WRONG_DATA].code;
        rows->n = i + 1; /* -c: the table ends with the row that failed */
    }
    crash_on_gpu(NULL);
    return code;
}
