/* SPDX-License-Identifier: BSD-3-Clause */
#include "staging.h"

#include <stdlib.h>

static int chunks_of(size_t bytes, size_t chunk)
{
    return (int)((bytes + chunk - 1) / chunk);
}

bool staging_begin(struct staging *s, const struct bench_run *r, size_t chunk,
                   size_t max_bytes, const struct buffer *send,
                   const struct buffer *recv)
{
    const struct memory_options plain = { 0 };
    const int chunks = r->window * chunks_of(max_bytes, chunk) + 1;

    *s = (struct staging){ .gpu = gpu_runtime(),
                           .copies = send->kind->gpu,
                           .chunk = chunk };
    s->request = malloc((size_t)chunks * sizeof *s->request);
    return s->request != NULL &&
           (!s->copies ||
            (s->gpu->tickets(chunks) &&
             buffer_allocate(&s->out, &memory_pinned, send->bytes, &plain) &&
             buffer_allocate(&s->in, &memory_pinned, recv->bytes, &plain)));
}

void staging_end(struct staging *s)
{
    free(s->request);
    s->request = NULL;
    if (s->copies)
        s->gpu->tickets(0);
    buffer_release(&s->out);
    buffer_release(&s->in);
}

void staging_failed(void)
{
    gpu_must(false, "staging a message");
}

/* A chunk of a window. */
struct chunk {
    int number;
    int message;  /* of the window */
    size_t at, n; /* its bytes in there */
};

static struct chunk first_chunk(const struct bench_run *r)
{
    const size_t chunk = r->staging->chunk;

    return (struct chunk){ .n = r->bytes < chunk ? r->bytes : chunk };
}

static bool next_chunk(const struct bench_run *r, struct chunk *p)
{
    const size_t chunk = r->staging->chunk;

    p->number++;
    p->at += p->n;
    if (p->at == r->bytes) {
        p->message++;
        p->at = 0;
    }
    p->n = r->bytes - p->at < chunk ? r->bytes - p->at : chunk;
    return p->message < r->window;
}

static void check(bool good)
{
    if (!good)
        staging_failed();
}

static char *slot(const struct buffer *b, size_t stride, const struct chunk *p)
{
    return (char *)b->base + (size_t)p->message * stride + p->at;
}

void staging_send_chunks(struct bench_run *r)
{
    const struct staging *s = r->staging;
    struct chunk p = first_chunk(r);

    if (s->copies)
        do
            check(s->gpu->begin_copy(
                p.number, slot(&s->out, r->send_stride, &p),
                (char *)bench_send_slot(r, p.message) + p.at, p.n));
        while (next_chunk(r, &p));
    p = first_chunk(r);
    do {
        const void *from = (char *)bench_send_slot(r, p.message) + p.at;

        if (s->copies) {
            check(s->gpu->end_copy(p.number));
            from = slot(&s->out, r->send_stride, &p);
        }
        MPI_Isend(from, (int)p.n, MPI_BYTE, r->peer, BENCH_TAG, r->comm,
                  &s->request[p.number]);
    } while (next_chunk(r, &p));
    MPI_Waitall(p.number, s->request, MPI_STATUSES_IGNORE);
}

void staging_recv_chunks(struct bench_run *r)
{
    const struct staging *s = r->staging;
    struct chunk p = first_chunk(r);

    do
        MPI_Irecv((char *)staging_place(r, p.message) + p.at, (int)p.n,
                  MPI_BYTE, r->peer, BENCH_TAG, r->comm, &s->request[p.number]);
    while (next_chunk(r, &p));
    p = first_chunk(r);
    do {
        MPI_Wait(&s->request[p.number], MPI_STATUS_IGNORE);
        if (s->copies)
            check(s->gpu->begin_copy(
                p.number, (char *)bench_recv_slot(r, p.message) + p.at,
                slot(&s->in, r->recv_stride, &p), p.n));
    } while (next_chunk(r, &p));
    if (s->copies)
        check(s->gpu->end_copy(p.number - 1));
}
