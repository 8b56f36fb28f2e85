/* SPDX-License-Identifier: BSD-3-Clause */
#include "counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/shuffle.h"
#include "bench.h"
#include "job/progress.h"
#include "job/world.h"

enum { RANDOM_MOST = 1 << 20 }; /* weights of random are below */

static const double LARGEST_SEED = 1e9;

const struct choice counts_words[] = {
    { "equal", COUNTS_EQUAL, "all blocks have the size of the row" },
    { "one", COUNTS_ONE, "the last block has all" },
    { "zero:PERCENT", COUNTS_ZERO, "PERCENT of the blocks are empty" },
    { "random:SEED", COUNTS_RANDOM, "random from 0 on, scaled to that mean" },
    { "file:FILE", COUNTS_FILE, "lines of numbers in FILE, one line for each sending rank" },
    { 0 },
};

static const char *parse_number(const char *text, struct counts *counts)
{
    const bool zero = counts->kind == COUNTS_ZERO;
    const char *end;

    counts->number = number_real(text, &end);
    if (zero && *end == '%')
        end++;
    const double x = *end == '\0' && end != text ? counts->number : -1;

    if (zero)
        return x >= 0 && x < 100 ? NULL : "has no percentage from 0 to below 100";
    return x >= 1 && x <= LARGEST_SEED && floor(x) >= x
               ? NULL
               : "has no seed that is a whole number from 1 to 1000000000";
}

const char *counts_parse(void *field, const char *text)
{
    struct counts *counts = field;
    const char *rest;
    const struct choice *word = choice_before_colon(counts_words, text, &rest);

    if (word == NULL || (strchr(word->word, ':') == NULL) != (rest == NULL))
        return choice_none;
    *counts = (struct counts){ .kind = (enum counts_kind)word->value, .path = rest };
    if (counts->kind == COUNTS_FILE)
        return *rest != '\0' ? NULL : "names no file";
    return rest != NULL ? parse_number(rest, counts) : NULL;
}

/* A state of random numbers for that row, not 0, that differs from row to row in many bits. */
static uint64_t state_of(uint64_t seed, int row)
{
    return shuffle_hash((seed << 32) + (uint64_t)row + 0x9e3779b97f4a7c15u) | 1;
}

/* Of n blocks so many per cent are empty, but never all: each of those left is drawn
   with the chance that makes the number come out (Knuth, TAOCP 2, 3.4.2, S). */
static void leave_out(double percent, int n, uint64_t state, uint64_t *weight)
{
    int empty = (int)floor(n * percent / 100 + 0.5);

    if (empty >= n)
        empty = n - 1;
    for (int i = 0; i < n; i++) {
        const bool out = shuffle_next(&state, (unsigned long)(n - i)) < (unsigned long)empty;

        weight[i] = !out;
        empty -= out;
    }
}

void counts_weights(const struct counts *counts, int row, int n, uint64_t *weight)
{
    uint64_t state = state_of((uint64_t)counts->number, row);

    if (counts->kind == COUNTS_ZERO) {
        leave_out(counts->number, n, state_of(0, row), weight);
        return;
    }
    for (int i = 0; i < n; i++)
        weight[i] = counts->kind == COUNTS_RANDOM ? shuffle_next(&state, RANDOM_MOST)
                                                  : counts->kind != COUNTS_ONE || i == n - 1;
}

void counts_portions(const uint64_t *weight, int n, uint64_t before, uint64_t of, uint64_t blocks,
                     struct portion *portion)
{
    for (int i = 0; i < n; i++) {
        portion[i] = (struct portion){
            .before = before, .until = before + weight[i], .of = of, .blocks = blocks
        };
        before += weight[i];
    }
}

/* --- Files ---------------------------------------------------------------------- */

static bool read_number(struct counts_file *f, const char **at, long *n)
{
    const char *end;
    const double x = number_real(*at, &end);

    if (end == *at) {
        snprintf(f->why, sizeof f->why, "line %d is not numbers: '%.40s'", f->number, *at);
        return false;
    }
    if (x < 0) {
        snprintf(f->why, sizeof f->why, "line %d has a negative number: %g", f->number, x);
        return false;
    }
    if (*n < f->n)
        f->value[*n] = x;
    ++*n;
    *at = end + strspn(end, " \t");
    if (**at == ',' || **at == ';')
        ++*at;
    *at += strspn(*at, " \t");
    return true;
}

/* The next line that has numbers: add how many to *n.  false: there is none, or it is wrong. */
static bool read_line(struct counts_file *f, long *n)
{
    const char *at;

    do {
        if (getline(&f->line, &f->room, f->from) < 0)
            return false;
        f->number++;
        f->line[strcspn(f->line, "#\r\n")] = '\0';
        at = f->line + strspn(f->line, " \t");
    } while (*at == '\0');
    while (*at != '\0')
        if (!read_number(f, &at, n))
            return false;
    return true;
}

/* The next row into value: a line of n numbers, or, if it is the only row, all lines.
   false: there is none, or it is wrong. */
static bool read_row(struct counts_file *f)
{
    long n = 0;
    bool more;

    do
        more = read_line(f, &n);
    while (more && f->rows == 1);
    if (f->why[0] != '\0' || (!more && f->rows > 1))
        return false;
    if (n == f->n)
        return true;
    if (f->rows == 1)
        snprintf(f->why, sizeof f->why, "it has %ld numbers; ranks: %d", n, f->n);
    else
        snprintf(f->why, sizeof f->why, "line %d has %ld numbers; ranks: %d", f->number, n, f->n);
    return false;
}

bool counts_begin(struct counts_file *f, FILE *from, int rows, int n)
{
    int seen = 0;

    *f = (struct counts_file){ .from = from, .rows = rows, .n = n, .whole = true };
    f->value = calloc((size_t)n, sizeof *f->value);
    if (f->value == NULL)
        snprintf(f->why, sizeof f->why, "there is no memory for its numbers");
    while (f->why[0] == '\0' && (seen == 0 || rows > 1) && read_row(f)) {
        seen++;
        for (int i = 0; i < n; i++) {
            f->sum += f->value[i];
            f->whole = f->whole && floor(f->value[i]) >= f->value[i];
        }
    }
    if (f->why[0] == '\0' && seen != rows)
        snprintf(f->why, sizeof f->why, "it has %d lines with numbers; ranks: %d", seen, rows);
    else if (f->why[0] == '\0' && !(f->sum > 0 && isfinite(f->sum)))
        snprintf(f->why, sizeof f->why, "its numbers are all 0, or too large");
    f->whole = f->whole && f->sum < (double)PORTION_WEIGHTS;
    if (fseek(from, 0, SEEK_SET) != 0 && f->why[0] == '\0')
        snprintf(f->why, sizeof f->why, "it is read twice, which a pipe cannot be");
    f->number = 0;
    return f->why[0] == '\0';
}

void counts_next(struct counts_file *f, uint64_t *weight)
{
    const double parts = (double)(PORTION_WEIGHTS / 2);

    read_row(f);
    for (int i = 0; i < f->n; i++)
        weight[i] =
            f->whole ? (uint64_t)f->value[i] : (uint64_t)(f->value[i] / f->sum * parts + 0.5);
}

void counts_end(struct counts_file *f)
{
    fclose(f->from);
    free(f->value);
    free(f->line);
}

/* --- Told to all ranks ----------------------------------------------------------- */

enum { FIELDS = sizeof(struct portion) / sizeof(uint64_t), TAG = 15 };

static const char what[] = "the counts of all ranks";

enum exit_code counts_open(const char *option, const char *path, const struct context *c, int rows,
                           int n, struct counts_file *file)
{
    const bool reads = c->world->rank == 0;
    FILE *const from = reads ? fopen(path, "r") : NULL;
    int good = from != NULL && counts_begin(file, from, rows, n);

    PMPI_Bcast(&good, 1, MPI_INT, 0, c->world->comm);
    if (good)
        return EXIT_OK;
    world_refuse(c->world, E12_USAGE, "%s=file:%.200s: %s", option, path,
                 from != NULL ? file->why : "it cannot be read");
    if (from != NULL)
        counts_end(file);
    return messages[E12_USAGE].code;
}

/* The line of this rank: rank 0 reads one after the other, and passes them on. */
static enum exit_code read_own_row(const struct counts *counts, const struct context *c,
                                   uint64_t *row)
{
    const int ranks = c->world->size;
    struct counts_file file;
    const enum exit_code code = counts_open("--counts", counts->path, c, ranks, ranks, &file);
    uint64_t *other;

    if (code != EXIT_OK)
        return code;
    if (c->world->rank > 0) {
        PMPI_Recv(row, ranks, MPI_UINT64_T, 0, TAG, c->world->comm, MPI_STATUS_IGNORE);
        return EXIT_OK;
    }
    other = world_room((size_t)ranks, sizeof *other, what);
    counts_next(&file, row);
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
static enum exit_code weigh_row(const struct counts *counts, const struct context *c, int n,
                                uint64_t *weight, struct portion *whole)
{
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
    line = world_room((size_t)c->world->size, sizeof *line, what);
    code = read_own_row(counts, c, line);
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

static struct portion *portions_for(struct layout *l, int blocks)
{
    struct portion *const all = world_keep((size_t)blocks, sizeof *all, what);

    l->n = blocks;
    l->portions = all;
    return all;
}

/* A portion for each pair: of what this rank sends, and, told by them, of what others
   send to it. */
static enum exit_code deal_pairs(const struct counts *counts, const struct context *c,
                                 counts_tell *tell)
{
    struct bench_run *r = c->run;
    struct portion *const out = portions_for(&r->out, c->bench->flow->sends(r));
    struct portion *const in = portions_for(&r->in, c->bench->flow->receives(r));
    uint64_t *weight = world_room((size_t)r->out.n, sizeof *weight, what);
    struct portion whole = { 0 };
    const enum exit_code code = weigh_row(counts, c, r->out.n, weight, &whole);

    counts_portions(weight, r->out.n, whole.before, whole.of, whole.blocks, out);
    free(weight);
    if (code == EXIT_OK)
        tell(out, FIELDS, MPI_UINT64_T, in, FIELDS, MPI_UINT64_T, r->comm);
    return code;
}

static struct portion portion_of_rank(const uint64_t *before, int n, int rank)
{
    return (struct portion){
        .before = before[rank], .until = before[rank + 1], .of = before[n], .blocks = (uint64_t)n
    };
}

/* The weights of all ranks, the same on nodes of another kind, where powers could be rounded
   differently: rank 0 has them, and tells the others. */
static enum exit_code weigh_ranks(const struct counts *counts, const struct context *c,
                                  uint64_t *weight)
{
    const bool leads = c->world->rank == 0;
    const int n = c->world->size;
    struct counts_file file;

    if (counts->kind == COUNTS_FILE) {
        const enum exit_code code = counts_open("--counts", counts->path, c, 1, n, &file);

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
static enum exit_code deal_ranks(const struct counts *counts, const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    const bool sent = flow->blocks == BLOCKS_OF_SENDERS;
    struct bench_run *r = c->run;
    const int n = c->world->size;
    /* The weights before each rank, and of all. */
    uint64_t *before = world_room((size_t)n + 1, sizeof *before, what);
    struct layout *const others = sent ? &r->in : &r->out;
    struct portion *const own = portions_for(sent ? &r->out : &r->in, 1);
    struct portion *const of_others = portions_for(others, (int)flow_room(flow, r, !sent));
    const enum exit_code code = weigh_ranks(counts, c, before + 1);

    for (int i = 0; i < n; i++)
        before[i + 1] += before[i];
    *own = portion_of_rank(before, n, r->rank);
    for (int i = 0; i < others->n; i++)
        of_others[i] = portion_of_rank(before, n, sent ? flow->from(r, i) : flow->to(r, i));
    free(before);
    return code;
}

/* Length of a block in messages, not rounded. */
static double portion_messages(const struct portion *s)
{
    return s->of == 0 ? 0 : (double)s->blocks * (double)(s->until - s->before) / (double)s->of;
}

enum exit_code counts_deal(const struct counts *counts, const struct context *c, counts_tell *tell)
{
    struct bench_run *r = c->run;
    double out = 0, in = 0;
    enum exit_code code;

    if (counts->kind == COUNTS_EQUAL)
        return EXIT_OK;
    code = c->bench->flow->blocks == BLOCKS_OF_PAIRS ? deal_pairs(counts, c, tell)
                                                     : deal_ranks(counts, c);
    if (code != EXIT_OK)
        return code;
    for (int i = 0; i < r->out.n; i++)
        out += portion_messages(&r->out.portions[i]);
    for (int i = 0; i < r->in.n; i++)
        in += portion_messages(&r->in.portions[i]);
    r->fullest = fmax(out, in);
    PMPI_Allreduce(MPI_IN_PLACE, &r->fullest, 1, MPI_DOUBLE, MPI_MAX, c->world->comm);
    return EXIT_OK;
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

void counts_weigh(const struct context *c, struct busiest *busiest)
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
