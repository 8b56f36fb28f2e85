/* SPDX-License-Identifier: BSD-3-Clause */
#include "staging.h"

#include <limits.h>
#include <math.h>

#include "base/sizes.h"
#include "bench.h"
#include "job/world.h"
#include "side_by_side/side_by_side.h"

static double median_of(const struct result *r)
{
    return r->over_iterations.median;
}

/* The half-width of its interval; without one all of it is in doubt. */
static double error_of(const struct result *r)
{
    return median_of(r) *
           (r->over_iterations.has_interval ? stats_half_width(&r->over_iterations) : 1);
}

/* The fastest row of that size among the operations from first to last; NULL:
   none. */
static const struct result *best(const struct rows *rows, size_t bytes, int first, int last)
{
    const struct result *found = NULL;

    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        const struct result *r = &rows->result[i];

        if (row->bytes == bytes && row->operation >= first && row->operation <= last &&
            median_of(r) > 0 && (found == NULL || median_of(r) < median_of(found)))
            found = r;
    }
    return found;
}

/* Do the medians differ by more than their half-widths together? */
static bool differ(const struct result *a, const struct result *b)
{
    return fabs(median_of(a) - median_of(b)) > error_of(a) + error_of(b);
}

/* The row of the direct transfer of the next larger size, whatever the order of
   the rows. */
static const struct row *next(const struct rows *rows, const struct row *last)
{
    const struct row *found = NULL;

    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];

        if (row->operation == 0 && (last == NULL || row->bytes > last->bytes) &&
            (found == NULL || row->bytes < found->bytes))
            found = row;
    }
    return found;
}

bool crossover_find(const struct rows *rows, struct crossover *c)
{
    size_t before = 0;
    bool any = false;

    *c = (struct crossover){ .bytes = 0 };
    for (const struct row *row = next(rows, NULL); row != NULL; row = next(rows, row)) {
        const struct result *mpi = best(rows, row->bytes, 0, 0);
        const struct result *hand = best(rows, row->bytes, 1, INT_MAX);

        if (mpi == NULL || hand == NULL)
            continue;
        any = true;
        if (!differ(mpi, hand))
            continue;
        const bool direct = median_of(mpi) < median_of(hand);
        if (c->decided > 0 && direct != c->direct) {
            c->bytes = row->bytes;
            c->until = before;
            c->changes++;
        }
        before = row->bytes;
        c->direct = direct;
        c->decided++;
    }
    return any;
}

static const char *faster(bool direct)
{
    return direct ? "direct transfers are faster" : "staged copies are faster";
}

void crossover_print(FILE *to, const struct crossover *c)
{
    fputs("# crossover: ", to);
    if (c->decided == 0)
        fputs("none; at no size do they differ by more than their intervals;\n", to);
    else if (c->changes == 0)
        fprintf(to, "none; %s at every size that decides;\n", faster(c->direct));
    else if (c->changes == 1)
        fprintf(to, "size=%zu; %s from here on, %s up to size=%zu;\n", c->bytes, faster(c->direct),
                c->direct ? "staged copies" : "direct transfers", c->until);
    else
        fprintf(to,
                "size=%zu; %s from here on; below, the faster one changes "
                "(%d changes);\n",
                c->bytes, faster(c->direct), c->changes);
}

/* Write it as the object "crossover". */
static void crossover_record(struct fields to, const struct crossover *c)
{
    const struct fields object = fields_object(to, "crossover");

    fields_known_int(object, "bytes", c->changes > 0, (long long)c->bytes);
    fields_text(object, "better_from_there",
                c->decided == 0 ? NULL
                : c->direct     ? "direct"
                                : "staged");
    fields_int(object, "changes", c->changes);
    fields_int(object, "sizes_that_decide", c->decided);
}

static const char staging[] = "staging a message";

void staging_failed(void)
{
    gpu_must(false, staging);
}

/* A chunk of a window. */
struct chunk {
    int number;
    int message;  /* its number in the window */
    size_t at, n; /* its position in the message, and its length */
};

static struct chunk first_chunk(const struct bench_run *r)
{
    const size_t chunk = staging_of(r)->chunk;

    return (struct chunk){ .n = r->bytes < chunk ? r->bytes : chunk };
}

static bool next_chunk(const struct bench_run *r, struct chunk *p)
{
    const size_t chunk = staging_of(r)->chunk;

    p->number++;
    p->at += p->n;
    if (p->at == r->bytes) {
        p->message++;
        p->at = 0;
    }
    p->n = r->bytes - p->at < chunk ? r->bytes - p->at : chunk;
    return p->message < r->window;
}

static char *copy_of(const struct bench_run *r, const struct buffer *b, const struct chunk *p)
{
    return (char *)b->base + bench_slot(r, p->message) * r->recv_stride + p->at;
}

void staging_send_chunks(struct bench_run *r)
{
    const struct staging *s = staging_of(r);
    struct chunk p = first_chunk(r);

    if (s->copies)
        do
            gpu_must(s->gpu->begin_copy(p.number, copy_of(r, &s->out, &p),
                                        (char *)bench_send_slot(r, p.message) + p.at, p.n),
                     staging);
        while (next_chunk(r, &p));
    p = first_chunk(r);
    do {
        const void *from = (char *)bench_send_slot(r, p.message) + p.at;

        if (s->copies) {
            gpu_must(s->gpu->end_copy(p.number), staging);
            from = copy_of(r, &s->out, &p);
        }
        MPI_Isend(from, (int)p.n, MPI_BYTE, r->peer, BENCH_TAG, r->comm, &s->request[p.number]);
    } while (next_chunk(r, &p));
    MPI_Waitall(p.number, s->request, MPI_STATUSES_IGNORE);
}

void staging_recv_chunks(struct bench_run *r)
{
    const struct staging *s = staging_of(r);
    struct chunk p = first_chunk(r);

    do
        MPI_Irecv((char *)staging_place(r, p.message) + p.at, (int)p.n, MPI_BYTE, r->peer,
                  BENCH_TAG, r->comm, &s->request[p.number]);
    while (next_chunk(r, &p));
    p = first_chunk(r);
    do {
        MPI_Wait(&s->request[p.number], MPI_STATUS_IGNORE);
        if (s->copies)
            gpu_must(s->gpu->begin_copy(p.number, (char *)bench_recv_slot(r, p.message) + p.at,
                                        copy_of(r, &s->in, &p), p.n),
                     staging);
    } while (next_chunk(r, &p));
    if (s->copies)
        gpu_must(s->gpu->end_copy(p.number - 1), staging);
}

struct staging_settings {
    size_t chunk;
};

static size_t chunk_of(const struct settings *s)
{
    return ((const struct staging_settings *)s->family)->chunk;
}

static const struct option_row options[] = {
    { 0, "chunk", "SIZE", .group = OPTIONS_FLIGHT, .common = true,
      .help = "chunk size of the pipelined mode; larger messages are copied "
              "and sent in chunks, which overlap",
      .fallback = "256K", .kind = OPTION_SIZE, .min = 1024, .max = 1 << 30,
      .offset = offsetof(struct staging_settings, chunk), .json = "chunk_bytes" },
    { 0 },
};
static const struct staging_settings defaults = { .chunk = 256 * KiB };

/* Of all messages of a window. */
static size_t chunks_of(const struct context *c, size_t bytes)
{
    const size_t chunk = chunk_of(c->settings);

    return size_product((size_t)c->run->window, bytes / chunk + (bytes % chunk > 0));
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    enum { PIPELINED = 2 };

    if (row->operation != PIPELINED)
        return NULL;
    return row->bytes <= chunk_of(c->settings)
               ? "only a message longer than --chunk is cut into chunks"
           : chunks_of(c, row->bytes) >= INT_MAX ? "a window has more chunks than can be counted"
                                                 : NULL;
}

/* The host keeps a copy of each buffer of a GPU. */
static void add_copies(const struct context *c, struct buffers *b)
{
    struct staging *s = staging_of(c->run);

    buffers_add(b, NULL, &memory_host, size_product(chunks_of(c, b->bytes), sizeof(MPI_Request)));
    if (!b->kind->gpu)
        return;
    buffers_add(b, &s->out, memory_kind_of(MEMORY_PINNED), b->send.bytes);
    buffers_add(b, &s->in, memory_kind_of(MEMORY_PINNED), b->recv.bytes);
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct staging *s = staging_of(c->run);
    const size_t all = chunks_of(c, b->bytes);
    const int chunks = all < INT_MAX ? (int)all + 1 : INT_MAX;

    s->gpu = gpu_runtime();
    s->copies = b->kind->gpu;
    s->chunk = chunk_of(c->settings);
    s->request = world_keep((size_t)chunks, sizeof *s->request, "requests");
    return world_agree_memory(c->world, !s->copies || s->gpu->tickets(chunks),
                              "buffers or samples");
}

static void end(const struct context *c)
{
    const struct staging *s = staging_of(c->run);

    if (s->copies)
        s->gpu->tickets(0);
}

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
{
    struct crossover found;

    side_by_side(to, c, rows, 0);
    if (crossover_find(rows, &found))
        crossover_print(to, &found);
    if (!settings_device_words(c->settings))
        fputs("# host memory was measured, no GPU; for transfers between GPUs "
              "add D D\n",
              to);
    return EXIT_OK;
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    struct crossover found;

    if (what->rows != NULL && crossover_find(what->rows, &found))
        crossover_record(*to, &found);
}

const struct family staging_family = {
    .name = "staging",
    .example.options = "-d cuda D D",
    FAMILY_OPTIONS(options, defaults),
    .lacks_row = lacks_row,
    .state = sizeof(struct staging),
    .memory = add_copies,
    .ready = ready,
    .end = end,
    .print = print,
    .record = record,
};
