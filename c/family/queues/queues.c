/* SPDX-License-Identifier: BSD-3-Clause */
#include "queues.h"

#include <stdlib.h>

#include "bench.h"
#include "job/world.h"
#include "memory/memory.h"

/* --- Queues ------------------------------------------------------------------ */

static void receive(struct bench_run *r, int i, int from, MPI_Request *request)
{
    MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, from, QUEUES_TAG + i,
              r->comm, request);
}

static void send(struct bench_run *r, int i, MPI_Request *request)
{
    MPI_Isend(bench_send_slot(r, i), r->count, r->type, r->peer, QUEUES_TAG + i,
              r->comm, request);
}

static void receive_entries(struct bench_run *r)
{
    for (int i = 1; i <= r->parameter; i++)
        receive(r, i, r->peer, &queues_of(r)->received[i]);
}

static void send_entries(struct bench_run *r)
{
    for (int i = 1; i <= r->parameter; i++)
        send(r, i, &queues_of(r)->sent[i]);
}

void queues_fill(struct bench_run *r)
{
    if (r->operation == QUEUES_POSTED)
        receive_entries(r);
    else if (r->operation == QUEUES_UNEXPECTED)
        send_entries(r);
    /* MPI delivers messages of a rank in their order: once this one is here, so are
       all unexpected ones. */
    MPI_Sendrecv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, NULL, 0, MPI_BYTE,
                 r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
}

void queues_drain(struct bench_run *r)
{
    struct queues *m = queues_of(r);
    const int n = (int)r->parameter;

    if (r->operation == QUEUES_POSTED)
        send_entries(r);
    else if (r->operation == QUEUES_UNEXPECTED)
        receive_entries(r);
    else
        return;
    MPI_Waitall(n, m->received + 1, MPI_STATUSES_IGNORE);
    MPI_Waitall(n, m->sent + 1, MPI_STATUSES_IGNORE);
}

void queues_post_all(struct bench_run *r)
{
    struct queues *m = queues_of(r);

    for (int i = 0; i <= r->parameter; i++)
        receive(r, i, m->from, &m->received[i]);
}

void queues_send_all(struct bench_run *r)
{
    const bool reverse = r->operation == QUEUES_REVERSE;
    const int n = (int)r->parameter;

    for (int i = 0; i <= n; i++)
        send(r, reverse ? n - i : i, &queues_of(r)->sent[i]);
}

void queues_wait_all(struct bench_run *r, MPI_Request *request)
{
    MPI_Waitall((int)r->parameter + 1, request, MPI_STATUSES_IGNORE);
}

static int one_and_entries(const struct bench_run *r)
{
    return (int)r->parameter + 1;
}

static int slot(const struct bench_run *r, int i)
{
    (void)r;
    return i;
}

const struct flow flow_queues = {
    .sides = SIDES_BY_SENDER,
    .sends = one_and_entries,
    .to = flow_peer,
    .receives = one_and_entries,
    .from = flow_peer,
    .slot = slot,
    .window = true,
};

/* --- State --------------------------------------------------------------------- */

static void describe(const struct context *c)
{
    const int wildcard = queues_settings(c->settings)->wildcard;
    const bool any_source =
        wildcard == WILDCARD_SOURCE || wildcard == WILDCARD_BOTH;

    *queues_of(c->run) = (struct queues){
        .from = any_source ? MPI_ANY_SOURCE : c->run->peer,
        .tag = wildcard >= WILDCARD_TAG ? MPI_ANY_TAG : BENCH_TAG,
    };
}

/* Requests of the longest queue; run->parameter is its length. */
static size_t requests(const struct context *c)
{
    return (size_t)c->run->parameter + 1;
}

static void memory(const struct context *c, struct buffers *b)
{
    buffers_add(b, NULL, &memory_host, 2 * requests(c) * sizeof(MPI_Request));
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct queues *m = queues_of(c->run);

    (void)b;
    m->sent = malloc(requests(c) * sizeof *m->sent);
    m->received = malloc(requests(c) * sizeof *m->received);
    return world_agree_memory(c->world, c->bench->name,
                              m->sent != NULL && m->received != NULL,
                              "the requests of a queue");
}

static void end(const struct context *c)
{
    free(queues_of(c->run)->sent);
    free(queues_of(c->run)->received);
}

const struct family queues_family = {
    .name = "queues",
    .options = queues_options,
    .defaults = &queues_defaults,
    .settings = sizeof(struct queues_settings),
    .plan = queues_plan,
    .refuse = queues_refuse,
    .has_row = queues_has_row,
    .state = sizeof(struct queues),
    .describe = describe,
    .memory = memory,
    .ready = ready,
    .end = end,
    .print = queues_print,
    .record = queues_record,
};
