/* SPDX-License-Identifier: BSD-3-Clause */
#include "deal.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "job/progress.h"
#include "job/world.h"

enum { FIELDS = sizeof(struct portion) / sizeof(uint64_t), TAG = 15 };

static void *room_for(size_t n, size_t each)
{
    return world_room(n, each, "the counts of all ranks");
}

/* Rank 0 opens the file, of so many rows of n numbers; on all ranks what to leave with. */
static enum exit_code open_file(const struct context *c, int rows, int n,
                                struct counts_file *file)
{
    const struct counts *counts = &collective_settings(c->settings)->counts;
    const bool reads = c->world->rank == 0;
    FILE *const from = reads ? fopen(counts->path, "r") : NULL;
    int good = from != NULL && counts_begin(file, from, rows, n);

    PMPI_Bcast(&good, 1, MPI_INT, 0, c->world->comm);
    if (good)
        return EXIT_OK;
    world_refuse(c->world, E12_USAGE, c->bench->name,
                 "--counts=file:%.200s: %s", counts->path,
                 from != NULL ? file->why : "it cannot be read");
    if (from != NULL)
        counts_end(file);
    return messages[E12_USAGE].code;
}

/* The line of this rank: rank 0 reads one after the other, and passes them on. */
static enum exit_code read_line(const struct context *c, uint64_t *line)
{
    const int ranks = c->world->size;
    struct counts_file file;
    const enum exit_code code = open_file(c, ranks, ranks, &file);
    uint64_t *other;

    if (code != EXIT_OK)
        return code;
    if (c->world->rank > 0) {
        PMPI_Recv(line, ranks, MPI_UINT64_T, 0, TAG, c->world->comm,
                  MPI_STATUS_IGNORE);
        return EXIT_OK;
    }
    other = room_for((size_t)ranks, sizeof *other);
    counts_next(&file, line);
    for (int i = 1; i < ranks; i++) {
        counts_next(&file, other);
        PMPI_Send(other, ranks, MPI_UINT64_T, i, TAG, c->world->comm);
        progress_moved();
    }
    free(other);
    counts_end(&file);
    return EXIT_OK;
}

/* The weights of what this rank sends to each, and all that they are parts of. */
static enum exit_code weigh_row(const struct context *c, int n,
                                uint64_t *weight, struct portion *whole)
{
    const struct counts *counts = &collective_settings(c->settings)->counts;
    const struct flow *flow = c->bench->flow;
    const struct bench_run *r = c->run;
    uint64_t *line, sum = 0;
    enum exit_code code;

    if (counts->kind != COUNTS_FILE) {
        counts_weights(counts, r->rank, n, weight);
        for (int i = 0; i < n; i++)
            whole->of += weight[i];
        whole->blocks = (uint64_t)n;
        return EXIT_OK;
    }
    line = room_for((size_t)c->world->size, sizeof *line);
    code = read_line(c, line);
    for (int i = 0; i < n && code == EXIT_OK; i++) {
        weight[i] = line[flow->to(r, i)];
        sum += weight[i];
    }
    free(line);
    if (code != EXIT_OK)
        return code;
    /* The whole is that of all pairs that exchange something. */
    uint64_t all[] = { sum, (uint64_t)n };

    PMPI_Exscan(&sum, &whole->before, 1, MPI_UINT64_T, MPI_SUM, c->world->comm);
    if (r->rank == 0) /* where MPI_Exscan leaves it undefined */
        whole->before = 0;
    PMPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_UINT64_T, MPI_SUM, c->world->comm);
    whole->of = all[0];
    whole->blocks = all[1];
    return EXIT_OK;
}

/* A portion for each pair: of what this rank sends, and, told by them, of what others
   send to it. */
static enum exit_code deal_pairs(const struct context *c, deal_tell *tell)
{
    struct bench_run *r = c->run;
    struct collective *o = collective_of(r);
    uint64_t *weight;
    struct portion whole = { 0 };
    enum exit_code code;

    r->out.n = c->bench->flow->sends(r);
    r->in.n = c->bench->flow->receives(r);
    weight = room_for((size_t)r->out.n, sizeof *weight);
    o->out = room_for((size_t)r->out.n, sizeof *o->out);
    o->in = room_for((size_t)r->in.n, sizeof *o->in);
    code = weigh_row(c, r->out.n, weight, &whole);
    counts_portions(weight, r->out.n, whole.before, whole.of, whole.blocks,
                    o->out);
    free(weight);
    if (code == EXIT_OK)
        tell(o->out, FIELDS, MPI_UINT64_T, o->in, FIELDS, MPI_UINT64_T,
             r->comm);
    return code;
}

static struct portion portion_of_rank(const uint64_t *before, int n, int rank)
{
    return (struct portion){ .before = before[rank],
                             .until = before[rank + 1],
                             .of = before[n],
                             .blocks = (uint64_t)n };
}

/* The weights of all ranks, the same on nodes of another kind, where powers could be rounded
   differently: rank 0 has them, and tells the others. */
static enum exit_code weigh_ranks(const struct context *c, uint64_t *weight)
{
    const struct counts *counts = &collective_settings(c->settings)->counts;
    const bool leads = c->world->rank == 0;
    const int n = c->world->size;
    struct counts_file file;

    if (counts->kind == COUNTS_FILE) {
        const enum exit_code code = open_file(c, 1, n, &file);

        if (code != EXIT_OK)
            return code;
        if (leads) {
            counts_next(&file, weight);
            counts_end(&file);
        }
    } else if (leads) {
        counts_weights(counts, 0, n, weight);
    }
    PMPI_Bcast(weight, n, MPI_UINT64_T, 0, c->world->comm);
    return EXIT_OK;
}

/* A portion for each rank: of the block that it sends, or that it receives. */
static enum exit_code deal_ranks(const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    const bool sent = flow->blocks == BLOCKS_OF_SENDERS;
    struct bench_run *r = c->run;
    struct collective *o = collective_of(r);
    const int n = c->world->size;
    /* The weights before each rank, and of all. */
    uint64_t *before = room_for((size_t)n + 1, sizeof *before);
    struct layout *const own = sent ? &r->out : &r->in, *const others =
                                                            sent ? &r->in
                                                                 : &r->out;
    struct portion **const of_own = sent ? &o->out : &o->in,
                           **const of_others = sent ? &o->in : &o->out;
    const enum exit_code code = weigh_ranks(c, before + 1);

    for (int i = 0; i < n; i++)
        before[i + 1] += before[i];
    own->n = 1;
    *of_own = room_for(1, sizeof **of_own);
    (*of_own)[0] = portion_of_rank(before, n, r->rank);
    others->n = (int)flow_room(flow, r, !sent);
    *of_others = room_for((size_t)others->n, sizeof **of_others);
    for (int i = 0; i < others->n; i++)
        (*of_others)[i] = portion_of_rank(
            before, n, sent ? flow->from(r, i) : flow->to(r, i));
    free(before);
    return code;
}

/* Length of a block in messages, not rounded. */
static double portion_messages(const struct portion *s)
{
    return s->of == 0 ? 0
                      : (double)s->blocks * (double)(s->until - s->before) /
                            (double)s->of;
}

enum exit_code deal_begin(const struct context *c, deal_tell *tell)
{
    const struct counts *counts = &collective_settings(c->settings)->counts;
    struct bench_run *r = c->run;
    struct collective *o = collective_of(r);
    double out = 0, in = 0;
    enum exit_code code;

    if (counts->kind == COUNTS_EQUAL)
        return EXIT_OK;
    code = c->bench->flow->blocks == BLOCKS_OF_PAIRS ? deal_pairs(c, tell)
                                                     : deal_ranks(c);
    if (code != EXIT_OK)
        return code;
    r->out.portions = o->out;
    r->in.portions = o->in;
    for (int i = 0; i < r->out.n; i++)
        out += portion_messages(&o->out[i]);
    for (int i = 0; i < r->in.n; i++)
        in += portion_messages(&o->in[i]);
    r->fullest = fmax(out, in);
    PMPI_Allreduce(MPI_IN_PLACE, &r->fullest, 1, MPI_DOUBLE, MPI_MAX,
                   c->world->comm);
    return EXIT_OK;
}

void deal_end(const struct context *c)
{
    struct collective *o = collective_of(c->run);

    free(o->out);
    free(o->in);
    o->out = o->in = NULL;
}

/* Bytes that a rank sends to others, or receives from them. */
static double bytes_of(const struct bench_run *r, const struct layout *l,
                       int (*other)(const struct bench_run *, int))
{
    double sum = 0;

    for (int i = 0; i < l->n; i++)
        if (other(r, i) != r->rank)
            sum += (double)layout_bytes(r, l, i);
    return sum;
}

void deal_weigh(const struct context *c, struct busiest *busiest)
{
    const struct bench_run *r = c->run;
    const struct flow *flow = c->bench->flow;
    double sum, most;

    if (flow->blocks == BLOCKS_OF_PAIRS) {
        sum = bytes_of(r, &r->out, flow->to);
        most = fmax(sum, bytes_of(r, &r->in, flow->from));
    } else {
        const bool sent = flow->blocks == BLOCKS_OF_SENDERS;

        sum = most = (double)layout_bytes(r, sent ? &r->out : &r->in, 0);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, c->world->comm);
    busiest->bytes = most;
    busiest->imbalance = sum > 0 ? most / (sum / c->world->size) : NAN;
}
