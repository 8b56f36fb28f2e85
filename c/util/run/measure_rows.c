/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/progress.h"
#include "job/world.h"
#include "machine/placement.h"
#include "memory/gpu.h"
#include "sampling/start.h"
#include "watch.h"

/* --- What a loop finds ready in a row --------------------------------------------------------- */

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

    r->window = r->slots = slots_of(p, slots_window(p, row), row->bytes);
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
    layout_fill(r, b->flow);
    r->send = some(p->buffers.send.base, true);
    r->recv = some(p->buffers.recv.base, false);
    r->recv_stride = b->flow->one_sided && r->as_omb ? r->bytes : slot_size(r->bytes);
    r->send_stride = slots_sends_one(c) ? 0 : r->recv_stride;
    if (bench_family(b)->row != NULL)
        b->family->row(c);
    buffer_pool_row(&p->pool, r, in_use(p, c, true), in_use(p, c, false));
    if (row->ranks > 0)
        subset_begin(r, c->world, row->ranks);
}

/* To be measured, the window has all its messages. */
static void use_whole_window(struct setup *p, const struct context *c, const struct row *row)
{
    struct bench_run *r = &p->run;

    r->window = slots_window(p, row);
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

/* --- A row untimed and verified, just before it is measured --------------------------------- */

enum { ROOTS = 8 };

/* What the number of a mismatch counts. */
static const char *counted(const struct flow *flow)
{
    return flow->counted != NULL ? flow->counted : flow->sum ? "element" : "byte";
}

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

/* Who comes late in this turn: all ranks or, of many, some that are spread over them. */
static int straggler_of(const struct bench_run *r)
{
    return (int)((long)(r->turn - 1) * r->nranks / r->turns);
}

/* How late, in s.  Ranks that share a CPU wait some time slices for it. */
static double lateness(const struct context *c)
{
    return c->placement->oversubscribed ? 30e-3 : 1e-3;
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

    job->setup.run.checks++;
    begin_turn(c->bench->flow, c->run);
    if (bench_is_sized(c->bench)) {
        verify_fill(&job->verify);
        make_visible(c);
    }
    if (c->bench->flow->synchronizes && bench_is_verified(c->bench, c->settings)) {
        c->run->start->straggler = straggler_of(c->run);
        c->run->start->late_s = lateness(c);
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
            buffer_pool_root(r, root_of(r, i));
        verify_turns(job, result);
    }
    progress.mem = NULL;
    if (result->verified.wrong > 0)
        world_refuse(c->world, E14_WRONG_DATA, "wrong data; size=%zu; %s", result->row->bytes,
                     result_wrong(result, wrong));
}

/* --- Rows measured and printed -------------------------------------------------------------- */

/* Nodes of the ranks that take part in the row. */
static int count_nodes(const struct context *c)
{
    int nodes = c->placement->node_rank == 0 && !subset_waits(c->run);

    PMPI_Allreduce(MPI_IN_PLACE, &nodes, 1, MPI_INT, MPI_SUM, c->world->comm);
    return nodes;
}

/* What is known of a row before it is measured, besides its verification. */
static void begin_result(struct job *job, struct result *result)
{
    const struct context *c = &job->context;
    const struct row *row = result->row;

    result->moved =
        c->bench->flow->message_bytes != NULL ? row->bytes : typemap_bytes(&job->setup.pieces);
    result->nodes = row->ranks > 0 ? count_nodes(c) : c->placement->nodes;
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
        const int window = slots_window(p, row);

        if (row->bytes < least && slots_of(p, window, row->bytes) < window)
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
