/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_rows.h"

#include <unistd.h>

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

/* The number in the job of a rank of the run, whose communicator may be a group's. */
static int in_job(const struct context *c, int rank)
{
    MPI_Group run, job;
    int found = rank;

    if (rank < 0)
        return rank;
    MPI_Comm_group(c->run->comm, &run);
    MPI_Comm_group(c->world->comm, &job);
    MPI_Group_translate_ranks(run, 1, &rank, job, &found);
    MPI_Group_free(&run);
    MPI_Group_free(&job);
    return found;
}

/* The host of a rank, on all, if it matters. */
static void name_host(const struct context *c, int rank,
                      char host[HOST_NAME_MAX + 1])
{
    if (c->placement->nodes < 2 || rank < 0)
        return;
    gethostname(host, HOST_NAME_MAX + 1);
    MPI_Bcast(host, HOST_NAME_MAX + 1, MPI_CHAR, rank, c->world->comm);
}

/* An iteration was verified.  Of the first that is wrong what the lowest such rank has
   found is kept, on all. */
static void count(const struct context *c, struct verified *to,
                  struct mismatch *mine)
{
    const struct bench_run *r = c->run;
    const int first = world_first(c->world, mine->wrong > 0);
    int wrong = mine->wrong > 0;

    to->checked++;
    if (first == c->world->size || to->wrong++ > 0)
        return;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, c->world->comm);
    if (mine->wrong > 0)
        mine->from = in_job(c, mine->from);
    MPI_Bcast(mine, sizeof *mine, MPI_BYTE, first, c->world->comm);
    to->iteration = to->checked;
    to->rank = first;
    to->ranks_wrong = wrong;
    to->ranks = c->world->size;
    to->root = c->bench->takes & TAKES_ROOT ? r->root : -1;
    to->operation = r->turn > 0 ? r->turns[r->turn - 1]
                                : c->bench->operations[r->operation].name;
    to->counted = counted(c->bench->flow);
    to->first = *mine;
    name_host(c, first, to->host);
    name_host(c, mine->from, to->from_host);
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

static bool verifies(const struct context *c)
{
    return bench_is_sized(c->bench) && settings_verifies(c->settings);
}

static void verify_once(struct job *job, struct result *result)
{
    const struct row *row = result->row;
    const struct context *c = &job->context;
    const struct setup *p = &job->setup;
    /* Ranks beyond the row's, which its flow does not know. */
    const bool idle =
        row->ranks > 0 && p->run.rank >= row->ranks &&
        bench_plan(c->bench, c->settings).parameter->kind == PARAMETER_SUBSETS;
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
        .log = &job->log,
    };
    struct mismatch mismatch = { 0 };

    job->log.iteration = result->verified.checked;
    job->setup.run.checks++;
    if (bench_is_sized(c->bench)) {
        verify_fill(&verify);
        make_visible(c);
    }
    const double took = measure_once(&job->measure);

    if (result->warmup.first_s == 0)
        result->warmup.first_s = took;
    if (!verifies(c))
        return;
    if (!subset_waits(c->run))
        start_batch(c->run); /* only now is a put complete at its target */
    make_visible(c);
    verify_check(&verify, &mismatch);
    count(c, &result->verified, &mismatch);
}

bool verify_ends(const struct context *c, const struct result *result)
{
    return result->verified.wrong > 0 && !c->settings->check &&
           !c->settings->verify.given;
}

/* The operations of an iteration, one after the other. */
static void verify_turns(struct job *job, struct result *result)
{
    struct bench_run *r = job->context.run;

    r->turn = r->turns != NULL;
    do
        verify_once(job, result);
    while (!verify_ends(&job->context, result) && r->turn > 0 &&
           r->turns[r->turn++] != NULL);
}

/* Root of that iteration: some, spread over the ranks, are verified in any case. */
static int root_of(const struct bench_run *r, long iteration)
{
    const int roots = roots_of(r);

    return (int)(iteration < roots ? iteration * r->nranks / roots
                                   : iteration % r->nranks);
}

/* Shall another iteration of the row be verified, which may take until then? */
static bool goes_on(const struct job *job, const struct result *result,
                    double until_s)
{
    const struct context *c = &job->context;
    int on = clock_seconds(clock_now() - job->rows.begun) < until_s;

    if (!verifies(c) || verify_ends(c, result))
        return false;
    if (c->settings->verify.soak_s <= 0)
        return result->verified.checked < settings_checks(c->settings,
                                                          c->bench->counts,
                                                          result->row->bytes);
    MPI_Bcast(&on, 1, MPI_INT, 0, c->world->comm);
    return on;
}

/* Of a soak: when the row has had its share of the time that is left. */
static double share_ends(const struct job *job, const struct result *result)
{
    const struct rows *rows = &job->rows;
    const double gone_s = clock_seconds(clock_now() - rows->begun);
    const double left_s = job->context.settings->verify.soak_s - gone_s;

    return gone_s + left_s / (double)(rows->result + rows->n - result);
}

void verify_row(struct job *job, struct result *result)
{
    const struct context *c = &job->context;
    const double until_s = share_ends(job, result);
    struct bench_run *r = c->run;
    char kinds[16], wrong[RESULT_WRONG_ROOM];

    watchdog_phase("verification");
    snprintf(kinds, sizeof kinds, "%s-%s", c->side[0]->letter,
             c->side[1]->letter);
    /* It is here that MPI is given these buffers for the first time. */
    if (c->gpu->used)
        crash_on_gpu(kinds);
    setup_row(&job->setup, c, result->row);
    for (long i = 0; (i < roots_of(r) && !verify_ends(c, result)) ||
                     goes_on(job, result, until_s);
         i++) {
        if (r->root_rotates)
            buffer_pool_root(r, root_of(r, i));
        verify_turns(job, result);
    }
    validation_log_row_end(&job->log);
    setup_row_end(&job->setup, result->row);
    crash_on_gpu(NULL);
    if (result->verified.wrong > 0)
        world_refuse(c->world, E14_WRONG_DATA, c->bench->name,
                     "wrong data; size=%zu; %s", result->row->bytes,
                     result_wrong(result, wrong));
}
