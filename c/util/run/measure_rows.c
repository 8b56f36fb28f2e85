/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/gpu.h"
#include "job/progress.h"
#include "start.h"

/* --- Which memory an iteration uses, and which rank is its root: prepare.h --------------- */

enum { LINE = 64 };

/* Whole lines and two more: neighbours share nothing, and no power of two keeps
   hitting the same cache sets. */
static size_t step_of(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE + 2 * LINE;
}

/* Buffers that fit; the last may end where the buffer does.  A side that moves
   nothing sets no limit to others. */
static long buffers_of(const struct buffer_pool_side *side)
{
    if (side->bytes == 0)
        return LONG_MAX;
    if (side->buffer->bytes < side->bytes)
        return 1;
    return (long)((side->buffer->bytes - side->bytes) / side->step) + 1;
}

static void read_received(const struct buffer_pool_side *recv)
{
    if (recv->buffer->kind->gpu) {
        recv->buffer->kind->rewrite(recv->current, recv->bytes);
        return;
    }
    for (size_t i = 0; i < recv->bytes; i += LINE)
        (void)*((const volatile char *)recv->current + i);
}

static void write_to(const struct buffer_pool_side *side)
{
    if (side->bytes > 0)
        side->buffer->kind->rewrite(side->current, side->bytes);
}

/* Managed memory is where it was used last. */
static void bring_back(const struct buffer_pool_side *side)
{
    if (side->bytes > 0 && side->buffer->kind->moves)
        write_to(side);
}

/* Let r->send and r->recv lead to this memory or, for the root as it is now, be MPI_IN_PLACE. */
static void point(const struct flow *flow, struct bench_run *r, void *send, void *recv)
{
    r->send = flow_is_in_place(flow, r) ? MPI_IN_PLACE : send;
    r->recv = r->in_place && flow->rooted && flow->in_place_block == NULL && r->rank == r->root
                  ? MPI_IN_PLACE
                  : recv;
}

static void go_to(struct buffer_pool *pool, struct bench_run *r)
{
    struct buffer_pool_side *send = &pool->send, *recv = &pool->recv;

    if (send->bytes > 0)
        send->current = (char *)send->buffer->base + (size_t)pool->at * send->step;
    if (recv->bytes > 0)
        recv->current = (char *)recv->buffer->base + (size_t)pool->at * recv->step;
    point(pool->flow, r, send->current, recv->current);
}

/* Let this rank be the root from now on. */
static void use_root(struct bench_run *r, int root)
{
    r->root = root;
    point(r->pool->flow, r, r->pool->send.current, r->pool->recv.current);
}

static void between(void *run)
{
    struct bench_run *r = run;
    struct buffer_pool *pool = r->pool;

    if (pool->touch && pool->recv.bytes > 0)
        read_received(&pool->recv);
    /* At the end of a batch no iteration follows. */
    if (r->root_rotates && r->iterations.next + 1 < r->iterations.end)
        use_root(r, (r->root + 1) % r->nranks);
    if (pool->use != BUFFERS_REUSE) {
        pool->at = (pool->at + 1) % pool->buffers;
        go_to(pool, r);
    }
    if (pool->touch)
        write_to(r->send == MPI_IN_PLACE ? &pool->recv : &pool->send);
    bring_back(&pool->send);
    if (!pool->ahead)
        bring_back(&pool->recv);
    if (pool->together)
        bench_sync(r);
}

/* Prepare for a row: r->send and r->recv lie at the beginning of the pools, and send_bytes and
   recv_bytes are what an iteration uses of them.  Where it is to be, MPI_IN_PLACE takes their
   place. */
static void set_pool(struct buffer_pool *pool, struct bench_run *r, size_t send_bytes,
                     size_t recv_bytes)
{
    pool->send.bytes = send_bytes;
    pool->recv.bytes = recv_bytes;
    pool->send.current = r->send;
    pool->recv.current = r->recv;
    pool->send.step = step_of(send_bytes);
    pool->recv.step = step_of(recv_bytes);
    pool->buffers = buffers_of(&pool->send);
    if (buffers_of(&pool->recv) < pool->buffers)
        pool->buffers = buffers_of(&pool->recv);
    pool->at = 0;
    r->pool = pool;
    use_root(r, r->root);
}

/* From here to end_pool every iteration of the row is preceded by what was asked for; at the end
   the first buffer is back.  Collective over comm: all ranks take as many buffers as the one that
   has fewest. */
static void begin_pool(struct bench_run *r, MPI_Comm comm)
{
    struct buffer_pool *pool = r->pool;

    /* Once: in the iterations another rank may be writing there. */
    bring_back(&pool->own);
    if (pool->ahead)
        bring_back(&pool->recv);
    r->iterations.owner = r;
    if (pool->use != BUFFERS_REUSE || pool->touch || r->root_rotates || pool->moves)
        r->iterations.between = between;
    if (r->root_rotates)
        r->root = r->nranks - 1; /* before the first iteration comes 0 */
    /* A sender may have one buffer where its receiver has a window. */
    if (pool->use != BUFFERS_REUSE)
        PMPI_Allreduce(MPI_IN_PLACE, &pool->buffers, 1, MPI_LONG, MPI_MIN, comm);
}

static void end_pool(struct bench_run *r)
{
    r->iterations.between = NULL;
    r->pool->at = 0;
    if (r->root_rotates)
        r->root = 0;
    go_to(r->pool, r);
}

/* --- What a loop finds ready in a row ---------------------------------------------------- */

/* Ranks that send or receive nothing still name a buffer, to MPI_PROC_NULL: a null
   pointer would be an error, or the same buffer for both. */
static char nothing[2][4096];

static void *some(void *base, bool sending)
{
    return base != NULL ? base : nothing[sending];
}

/* What somebody wrote there since the last call; 0: none. */
static unsigned char written_to_nothing(void)
{
    unsigned char found = 0;

    for (size_t i = 0; i < sizeof nothing && found == 0; i++)
        found = (unsigned char)nothing[i % 2][i / 2];
    memset(nothing, 0, sizeof nothing);
    return found;
}

/* Bytes that an iteration uses of a buffer. */
static size_t in_use(const struct setup *p, const struct context *c, bool sending)
{
    const size_t blocks = slots_blocks(c, p->run.window, sending);

    return blocks > 0 ? layout_size(sending ? &p->run.out : &p->run.in, p->run.bytes, blocks,
                                    c->bench->flow->window) -
                            BUFFER_GUARD
                      : 0;
}

/* Who takes part in the row, and with how many messages of how many bytes.  The window has as
   many as there are slots: MPI forbids two receives under way into one slot, and no one could
   verify them. */
static void describe_row(struct setup *p, const struct flow *flow, const struct row *row)
{
    struct bench_run *r = &p->run;

    r->window = r->slots = slots_of(p, row->window, row->bytes);
    r->parameter = row->parameter;
    r->operation = row->operation;
    r->turn = 0;
    r->turn_names = NULL;
    if (row->ranks > 0)
        r->nranks = row->ranks;
    r->turns = flow->turns != NULL ? flow->turns(r) : 1;
    r->bytes = flow->message_bytes != NULL ? flow->message_bytes(r, row->bytes) : row->bytes;
}

/* Collective. */
static void begin_row(struct setup *p, const struct context *c, const struct row *row)
{
    const struct bench *b = c->bench;
    struct bench_run *r = &p->run;

    describe_row(p, b->flow, row);
    p->pieces = typemap_of(&c->settings->derived, &p->blocks, element_size(row->element), r->bytes);
    if (!datatype_message(row->element, &p->pieces, b->flow->sum, &p->message))
        world_no_memory("a datatype"); /* rows_list left no other reason */
    r->count = p->message.count;
    r->type = p->message.type;
    r->recv_count = (bench_count)layout_own_part(r, b->flow).n;
    if (b->flow->arrays != NULL)
        b->flow->arrays->fill(r, b->flow);
    r->send = some(p->buffers.send.base, true);
    r->recv = some(p->buffers.recv.base, false);
    r->recv_stride = b->flow->one_sided && r->as_omb ? r->bytes : slot_size(r->bytes);
    r->send_stride = p->sends_one ? 0 : r->recv_stride;
    if (bench_family(b)->row != NULL)
        b->family->row(c);
    set_pool(&p->pool, r, in_use(p, c, true), in_use(p, c, false));
    if (row->ranks > 0)
        subset_begin(r, c->world, row->ranks);
}

/* To be measured, the window has all its messages. */
static void use_whole_window(struct setup *p, const struct context *c, const struct row *row)
{
    struct bench_run *r = &p->run;

    r->window = row->window;
    if (c->settings->slots != SLOTS_SINGLE)
        return;
    r->slots = r->window;
    r->recv_stride = 0;
}

static void end_row(struct setup *p, const struct row *row)
{
    p->run.window = p->window;
    if (p->message.derived)
        MPI_Type_free(&p->message.type);
    if (row->ranks > 0 && !subset_waits(&p->run))
        MPI_Comm_free(&p->run.comm);
}

/* --- A row untimed and verified, just before it is measured ------------------------------ */

enum { ROOTS = 8 };

/* The number in the job of a rank of the run, whose communicator may be a group's. */
static int in_job(const struct context *c, int rank)
{
    MPI_Group run, job;
    int found = rank;

    if (rank < 0)
        return rank;
    PMPI_Comm_group(c->run->comm, &run);
    PMPI_Comm_group(c->world->comm, &job);
    PMPI_Group_translate_ranks(run, 1, &rank, job, &found);
    PMPI_Group_free(&run);
    PMPI_Group_free(&job);
    return found;
}

/* The host of a rank, on all, if it matters. */
static void name_host(const struct context *c, int rank, char host[HOST_NAME_MAX + 1])
{
    if (c->placement->nodes < 2 || rank < 0)
        return;
    gethostname(host, HOST_NAME_MAX + 1);
    PMPI_Bcast(host, HOST_NAME_MAX + 1, MPI_CHAR, rank, c->world->comm);
}

/* An iteration was verified.  Of the first that is wrong what the lowest such rank has
   found is kept, on all. */
static void count(const struct context *c, struct verified *to, struct mismatch *mine)
{
    const struct bench_run *r = c->run;
    const struct flow *flow = c->bench->flow;
    const int first = world_first(c->world, mine->wrong > 0);
    int wrong = mine->wrong > 0;

    to->checked++;
    if (first == c->world->size || to->wrong++ > 0)
        return;
    PMPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, c->world->comm);
    if (mine->wrong > 0)
        mine->from = in_job(c, mine->from);
    PMPI_Bcast(mine, sizeof *mine, MPI_BYTE, first, c->world->comm);
    to->iteration = to->checked;
    to->rank = first;
    to->ranks_wrong = wrong;
    to->ranks = c->world->size;
    to->root = c->bench->takes & TAKES_ROOT ? r->root : -1;
    to->operation = r->turn_names != NULL ? r->turn_names[r->turn - 1]
                                          : c->bench->operations[r->operation].name;
    to->counted = flow->counted != NULL ? flow->counted : flow->sum ? "element" : "byte";
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
    return !r->root_rotates ? 1 : r->nranks < ROOTS ? r->nranks : ROOTS;
}

/* Of an operation that synchronizes: it ends on no rank before the last one has begun it. */
static void check_waited(const struct bench_run *r, struct mismatch *mismatch)
{
    struct start *const start = r->start;

    if (r->rank != start->straggler &&
        clock_seconds(clock_now() - start->early) <= start->late_s / 2) {
        mismatch->wrong = 1;
        mismatch->early = true;
        mismatch->from = start->straggler;
    }
    start->straggler = -1;
}

/* What is looked at, as it is in this row. */
static struct verify data_of(struct job *job)
{
    const struct row *row = job->verifying->row;
    const struct context *c = &job->context;
    const struct setup *p = &job->setup;
    /* Ranks beyond the row's, which its flow does not know. */
    const bool idle = row->ranks > 0 && p->run.rank >= row->ranks &&
                      bench_plan(c->bench, c->settings).parameter->kind == PARAMETER_SUBSETS;

    return (struct verify){
        .run = &p->run,
        .flow = idle ? &flow_none : c->bench->flow,
        .send_kind = p->buffers.kind,
        .recv_kind = p->buffers.kind,
        .pieces = &p->pieces,
        .element = row->element,
        .send = p->pool.send.current,
        .recv = p->pool.recv.current,
        .distinct_sends = p->run.send_stride > 0,
        .noted = job->around.noted,
    };
}

static void begin_turn(const struct flow *flow, struct bench_run *r)
{
    if (flow->begin_turn != NULL)
        flow->begin_turn(r);
}

/* Before an iteration. */
static void prepare(struct job *job)
{
    const struct context *c = &job->context;
    struct bench_run *const r = c->run;

    r->checks++;
    begin_turn(c->bench->flow, r);
    if (bench_is_sized(c->bench)) {
        verify_fill(&job->verify);
        make_visible(c);
    }
    if (c->bench->flow->synchronizes && bench_is_verified(c->bench, c->settings)) {
        /* In turn: all ranks or, of many, some that are spread over them. */
        r->start->straggler = (int)((long)(r->turn - 1) * r->nranks / r->turns);
        /* Ranks that share a CPU wait some time slices for it. */
        r->start->late_s = c->placement->oversubscribed ? 30e-3 : 1e-3;
    }
}

/* After it. */
static void look(struct job *job)
{
    const struct context *c = &job->context;
    struct mismatch mismatch = { 0 };

    if (!bench_is_verified(c->bench, c->settings))
        return;
    if (c->bench->flow->synchronizes)
        check_waited(c->run, &mismatch);
    /* What a rank has received is there when its call has returned: no other call of MPI comes
       before the look.  A put is complete at its target only when all ranks are here. */
    if (c->bench->flow->one_sided && !subset_waits(c->run))
        start_batch(c->run);
    make_visible(c);
    if (bench_is_sized(c->bench) && verify_check(&job->verify, &mismatch)) {
        const unsigned char found = written_to_nothing();

        mismatch.wrong = found > 0;
        strcpy(mismatch.expected, "0");
        element_print(ELEMENT_UINT8, &found, mismatch.got);
        mismatch.after = true;
        mismatch.from = -1;
    }
    count(c, &job->verifying->verified, &mismatch);
}

/* Between two starts of what was prepared before both: the second moves data of its own. */
static void start_again(void *owner)
{
    struct job *job = owner;
    const struct iterations *l = &job->setup.run.iterations;

    if (l->next == job->measure.ticks || l->next + 1 == l->end)
        return;
    look(job);
    prepare(job);
}

static void verify_once(struct job *job)
{
    const struct context *c = &job->context;
    struct warmup *warmup = &job->verifying->warmup;
    const bool again = c->bench->loop & STARTS_AGAIN && bench_is_verified(c->bench, c->settings);

    job->verify = data_of(job);
    prepare(job);
    c->run->iterations.between = again ? start_again : NULL;
    c->run->iterations.owner = job;
    const double took = measure_iterations(&job->measure, again ? 2 : 1);

    c->run->iterations.between = NULL;
    if (warmup->first_s == 0)
        warmup->first_s = again ? clock_seconds(job->measure.ticks[1]) : took;
    look(job);
}

/* Does a row with wrong data end the run before it is measured?  Not if its figure is to
   stand next to the verdict, or the user wants to know how often data is wrong. */
static bool verify_ends(const struct context *c, const struct result *result)
{
    return result->verified.wrong > 0 && !c->settings->check && !c->settings->verify.given;
}

/* The turns of an iteration, one after the other. */
static void verify_turns(struct job *job, struct result *result)
{
    struct bench_run *r = job->context.run;

    for (r->turn = 1; r->turn <= r->turns && !verify_ends(&job->context, result); r->turn++)
        verify_once(job);
    r->turn = 0;
    begin_turn(job->context.bench->flow, r);
}

/* Root of that iteration: some, spread over the ranks, are verified in any case. */
static int root_of(const struct bench_run *r, long iteration)
{
    const int roots = roots_of(r);

    return (int)(iteration < roots ? iteration * r->nranks / roots : iteration % r->nranks);
}

/* How many iterations of a row are verified, where no time says it: those that --verify names; with
   -c alone as many as are timed, as OMB does; else one. */
static long checks_of(const struct context *c, const struct row *row)
{
    const struct settings *s = c->settings;

    if (s->verify.all || (s->check && !s->verify.given))
        return settings_iterations(s, c->bench->counts, row->bytes);
    return s->verify.given ? s->verify.n : 1;
}

/* Shall another iteration of the row be verified, which may take until then? */
static bool goes_on(const struct job *job, const struct result *result, double until_s)
{
    const struct context *c = &job->context;
    int on = clock_seconds(clock_now() - job->rows.begun) < until_s;

    if (!bench_is_verified(c->bench, c->settings) || verify_ends(c, result))
        return false;
    if (c->settings->verify.soak_s <= 0)
        return result->verified.checked < checks_of(c, result->row);
    PMPI_Bcast(&on, 1, MPI_INT, 0, c->world->comm);
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

/*
 * Untimed iterations of the row that is set up, with known contents: one, or as many as
 * --verify and -c ask for.  The first opens connections, so that no first use colours the
 * row; each shows whether every rank receives what was sent to it.  result->verified is
 * complete then, and what is wrong is said (E14).  Collective.
 */
static void verify_row(struct job *job, struct result *result)
{
    const struct context *c = &job->context;
    const double until_s = share_ends(job, result);
    struct bench_run *r = c->run;
    char kinds[16], wrong[RESULT_WRONG_ROOM];

    job->verifying = result;
    progress_phase("verification");
    snprintf(kinds, sizeof kinds, "%s-%s", c->side[0]->letter, c->side[1]->letter);
    /* It is here that MPI is given these buffers for the first time. */
    if (this_gpu.used)
        progress.mem = kinds;
    for (long i = 0; (i < roots_of(r) && !verify_ends(c, result)) || goes_on(job, result, until_s);
         i++) {
        if (r->root_rotates)
            use_root(r, root_of(r, i));
        verify_turns(job, result);
    }
    progress.mem = NULL;
    if (result->verified.wrong > 0)
        world_refuse(c->world, E14_WRONG_DATA, "wrong data; size=%zu; %s", result->row->bytes,
                     result_wrong(result, wrong));
}

/* --- A row measured ---------------------------------------------------------------------- */

/* Do calls of MPI return before the GPU has done what they asked of it?  Then a figure
   is less than the operation takes, and verification, whose copies wait, misses it. */
enum { LOOKS = 5 };

static const double LITTLE = 0.05;     /* of an iteration */
static const double LEAST_LEFT = 5e-6; /* s: what a wait may take longer */
static const double REST = 1e-3;       /* s */

static double wait_for_gpu(void)
{
    const clock_ticks before = clock_now();

    gpu_must(gpu_runtime()->wait(), "waiting after an iteration");
    return clock_seconds(clock_now() - before);
}

/* What a wait takes by itself, as after an iteration: what is needed for it is no longer at
   hand. */
static double wait_in_vain(void)
{
    const clock_ticks before = clock_now();

    while (clock_seconds(clock_now() - before) < REST)
        continue;
    return wait_for_gpu();
}

/* Untimed iterations, each by itself: what the wait after it takes longer than the longest wait
   in vain was left.  Certain: after every iteration it was at least what is named above. */
static struct gpu_pending look_for_pending(struct measure *m, double iteration_s)
{
    double left[LOOKS], found[] = { 0, 1 }; /* left, certain */
    double vain = 0;

    PMPI_Bcast(&iteration_s, 1, MPI_DOUBLE, 0, m->context->world->comm);
    for (int i = 0; i < LOOKS; i++) {
        measure_iterations(m, 1);
        left[i] = wait_for_gpu();
        const double idle = wait_in_vain();
        vain = idle > vain ? idle : vain;
    }
    for (int i = 0; i < LOOKS; i++) {
        left[i] -= vain;
        if (left[i] < vain + LEAST_LEFT || left[i] < LITTLE * iteration_s)
            found[1] = 0;
    }
    const double median = stats_of(left, LOOKS).median;

    found[0] = median > 0 ? median : 0;
    PMPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_MAX, m->context->world->comm);
    return (struct gpu_pending){ .known = true, .left_s = found[0], .certain = found[1] > 0 };
}

/* After the row: how far the clocks have run apart, and whether that is little
   enough next to what was measured by them. */
static void judge_clocks(struct measure *m, struct result *result)
{
    const struct context *c = m->context;
    const struct clock_residual residual = clock_sync_residual(c->sync);
    const double figure_s =
        result->own_headline ? result->headline_s : result->over_iterations.median;

    result->global.synchronised = true;
    result->global.residual_s = residual.worst_s;
    result->global.bound_s = residual.bound_s;
    result->global.trusted = residual.worst_s <= CLOCK_SYNC_TRUSTED * figure_s;
    /* Bad clocks do not tell what begins on one rank and ends on another. */
    if (bench_plan(c->bench, c->settings).starts_by_clock && !result->global.trusted)
        result->headline_s = NAN;
}

/* Measure the row that run is set up for.  Collective; *result is complete on rank 0,
   its sample arrays valid until the next call. */
static void measure_row(struct measure *m, struct result *result)
{
    const struct family *family = m->context->bench->family;

    result->stepped = false;
    /* Where ranks or their threads share CPUs, they take them from each other. */
    result->disturbed =
        (struct disturbance){ .watched = placement_has_cpus(m->context->placement) };
    if (m->context->sync != NULL)
        clock_sync_refresh(m->context->sync);
    begin_pool(m->context->run, m->context->world->comm);
    m->brief = m->context->settings->precision >= USUAL_PRECISION &&
               settings_budget(m->context->settings) <= USUAL_BUDGET_S;
    interference_begin(&m->watch, bench_is_threaded(m->context->bench, m->context->settings));
    if (family != NULL && family->measure != NULL)
        family->measure(m, result);
    else
        measure_pass(m, result, settings_budget(m->context->settings));
    result->steady = interference_end(&m->watch, m->context->world->comm);
    if (settings_on_gpu(m->context->settings))
        result->gpu = look_for_pending(m, result->over_iterations.median);
    end_pool(m->context->run);
    if (m->context->world->rank == 0)
        result->shape = series_shape(&m->series);
    if (m->context->sync != NULL)
        judge_clocks(m, result);
}

/* --- Rows measured and printed ----------------------------------------------------------- */

/* What is known of a row before it is measured, besides its verification. */
static void begin_result(struct job *job, struct result *result)
{
    const struct context *c = &job->context;
    const struct row *row = result->row;

    result->moved =
        c->bench->flow->message_bytes != NULL ? row->bytes : typemap_bytes(&job->setup.pieces);
    result->nodes = c->placement->nodes;
    if (row->ranks > 0) { /* those of the ranks that take part */
        result->nodes = c->placement->node_rank == 0 && !subset_waits(c->run);
        PMPI_Allreduce(MPI_IN_PLACE, &result->nodes, 1, MPI_INT, MPI_SUM, c->world->comm);
    }
    result->family = c->run->family;
    report_figure(c, result);
}

/* What is reduced while it is timed: all there is or, of a row, what its verification
   left.  Zeros stay zeros under every operation, however often a result is an operand
   again.  Others would become infinite, and arithmetic on that takes another time. */
static void clear_operands(const struct setup *p, const struct context *c, bool of_row)
{
    const struct buffer_pool_side *side[] = { &p->pool.send, &p->pool.recv };

    for (int i = 0; i < 2 && c->bench->flow->sum; i++) {
        const struct buffer *all = side[i]->buffer;

        if (of_row && side[i]->bytes > 0)
            all->kind->set(side[i]->current, 0, side[i]->bytes);
        else if (!of_row && all->base != NULL)
            all->kind->set(all->base, 0, all->bytes);
    }
}

/* EXIT_OK, or the code to leave with in the end, if the row's data is wrong. */
static enum exit_code measure_one(struct job *job, struct result *result)
{
    const struct context *c = &job->context;

    begin_row(&job->setup, c, result->row);
    verify_row(job, result);
    if (!verify_ends(c, result)) {
        clear_operands(&job->setup, c, true);
        use_whole_window(&job->setup, c, result->row);
        progress_phase("measuring");
        begin_result(job, result);
        watch_batch(BATCH_ROW);
        measure_row(&job->measure, result);
        output_row(c, result);
        watch_measured(c, result);
        result->series = NULL; /* the next row needs its memory */
    }
    end_row(&job->setup, result->row);
    return result->verified.wrong > 0 ? messages[E14_WRONG_DATA].code : EXIT_OK;
}

/* Is there time for another row, as rank 0 sees it? */
static bool has_time(const struct context *c, const struct rows *rows)
{
    const double most_s = c->settings->total_s;
    int past = most_s > 0 && clock_seconds(clock_now() - rows->begun) > most_s;

    if (most_s > 0)
        PMPI_Bcast(&past, 1, MPI_INT, 0, c->world->comm);
    return !past;
}

/* The rows from number first to last - 1, which stand under one heading.  The first of all
   is measured whatever --total says. */
static enum exit_code measure_block(struct job *job, int first, int last)
{
    struct rows *rows = &job->rows;
    const struct context *c = &job->context;
    enum exit_code code = EXIT_OK, one;
    int i = first;

    for (; i < last && (code == EXIT_OK || c->settings->verify.given); i++) {
        if (i > 0 && !has_time(c, rows)) {
            rows->left_out = rows->n - i;
            break;
        }
        if (i == first)
            output_heading(c, &rows->row[first]);
        progress.row = i + 1;
        one = measure_one(job, &rows->result[i]);
        code = one != EXIT_OK ? one : code;
    }
    if (code != EXIT_OK && !c->settings->verify.given)
        rows->n = i; /* the table ends with the row that failed */
    if (i > first)
        output_block(c, rows, first, i);
    return code;
}

/* Below the title, on rank 0: from which size on messages share slots without being told. */
static void say_shared(const struct setup *p, const struct context *c, const struct rows *rows)
{
    size_t least = SIZE_MAX;

    for (int i = 0; i < rows->n && c->settings->slots != SLOTS_SINGLE; i++) {
        const struct row *row = &rows->row[i];

        if (row->bytes < least && slots_of(p, row->window, row->bytes) < row->window)
            least = row->bytes;
    }
    if (least < SIZE_MAX && c->world->rank == 0)
        printf("# Messages of a window share buffers from size=%zu on%s.\n", least,
               c->bench->takes & TAKES_BUFFERS ? "; -b multiple gives each its own" : "");
}

enum exit_code measure_rows(struct job *job)
{
    struct rows *rows = &job->rows;
    const struct context *c = &job->context;
    enum exit_code code = EXIT_OK, one;

    say_shared(&job->setup, c, rows);
    clear_operands(&job->setup, c, false);
    rows->begun = clock_now();
    progress.rows = rows->n;
    for (int i = 0, last; i < rows->n && rows->left_out == 0; i = last) {
        last = rows_block_end(rows, i);
        one = measure_block(job, i, last);
        code = one != EXIT_OK ? one : code;
    }
    return output_after(c, rows, code);
}
