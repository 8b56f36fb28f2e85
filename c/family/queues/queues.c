/* SPDX-License-Identifier: BSD-3-Clause */
#include "queues.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "job/world.h"
#include "memory/memory.h"
#include "options/settings.h"
#include "report/rows.h"

/* --- Options ------------------------------------------------------------------- */

const char *const queues_words[QUEUES_KINDS] = { "posted", "unexpected",
                                                 "in_order", "reverse" };

static int compare(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;

    return (x > y) - (x < y);
}

static bool has(const long *value, int n, long wanted)
{
    for (int i = 0; i < n; i++)
        if (value[i] == wanted)
            return true;
    return false;
}

static const char *parse_queue(struct queues_settings *s, int queue,
                               const char *text)
{
    long all[QUEUES_KINDS * PARAMETER_MAX];
    const char *why =
        option_numbers(text, s->list[queue].value, &s->list[queue].n);
    int n = 0;

    for (int q = 0; why == NULL && q < QUEUES_KINDS; q++)
        for (int i = 0; i < s->list[q].n; i++)
            if (!has(all, n, s->list[q].value[i]))
                all[n++] = s->list[q].value[i];
    if (why != NULL)
        return why;
    qsort(all, (size_t)n, sizeof *all, compare);
    if (all[n - 1] > QUEUES_MOST)
        return "has more than 30000 entries";
    if (n > PARAMETER_MAX)
        return "is one number too many: at most 32 are allowed";
    memset(s->all.value, 0, sizeof s->all.value);
    memcpy(s->all.value, all, (size_t)n * sizeof *all);
    return NULL;
}

static const char *parse_posted(void *settings, const char *text)
{
    return parse_queue(settings, QUEUES_POSTED, text);
}

static const char *parse_unexpected(void *settings, const char *text)
{
    return parse_queue(settings, QUEUES_UNEXPECTED, text);
}

static const char *parse_reverse(void *settings, const char *text)
{
    return parse_queue(settings, QUEUES_REVERSE, text);
}

static bool names_none(const struct queues_settings *s)
{
    return s->list[QUEUES_POSTED].n == 0 && s->list[QUEUES_UNEXPECTED].n == 0 &&
           s->list[QUEUES_REVERSE].n == 0;
}

/* Has that queue rows of so many entries?  The order is compared with the reverse. */
static bool has_entries(const struct queues_settings *s, int queue, long n)
{
    if (queue == QUEUES_IN_ORDER)
        queue = QUEUES_REVERSE;
    return names_none(s) || has(s->list[queue].value, s->list[queue].n, n);
}

/* Each queue's numbers, rising. */
static void record_queue(struct fields to, const char *name,
                         const void *settings)
{
    const struct queues_settings *s = settings;
    const struct fields list = fields_list(to, name);
    int queue = 0;

    while (strcmp(name, queues_words[queue]) != 0)
        queue++;
    for (int i = 0; i < PARAMETER_MAX && (i == 0 || s->all.value[i] > 0); i++)
        if (has_entries(s, queue, s->all.value[i]))
            fields_int(list, NULL, s->all.value[i]);
}

static const struct choice wildcard_words[] = {
    { "none", WILDCARD_NONE, "a rank and a tag" },
    { "source", WILDCARD_SOURCE, "MPI_ANY_SOURCE" },
    { "tag", WILDCARD_TAG, "MPI_ANY_TAG" },
    { "both", WILDCARD_BOTH, "both" },
    { 0 },
};

#define ENTRIES                                                                \
    "N[,N...]", .group = OPTIONS_FLIGHT, .common = true,                       \
                .fallback = "0,16,256,1024 in each", .kind = OPTION_SPECIAL,   \
                .record = record_queue

static const struct option_row options[] = {
    { 0, "posted", ENTRIES, .parse = parse_posted, .json = "posted",
      .help = "unmatched receives; posted before the one that matches; "
              "for each number a section of the table" },
    { 0, "unexpected", ENTRIES, .parse = parse_unexpected, .json = "unexpected",
      .help = "unmatched messages; they have arrived; for each "
              "number a section of the table" },
    { 0, "reverse", ENTRIES, .parse = parse_reverse, .json = "reverse",
      .help = "matched in reverse; for each number a section with "
              "one more receive, in order and in reverse" },
    { 0, "wildcard", "WHAT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "what the timed receive names", .fallback = "none",
      .kind = OPTION_CHOICE,
      .offset = offsetof(struct queues_settings, wildcard),
      .choices = wildcard_words, .json = "wildcard" },
    { 0 },
};
static const struct queues_settings defaults = { .all = QUEUES_ENTRIES };

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    (void)b;
    plan->parameter = &queues_settings(s)->all;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const struct queues_settings *own = queues_settings(c->settings);
    const bool any_tag = own->wildcard >= WILDCARD_TAG;

    if (any_tag && (names_none(own) || own->list[QUEUES_UNEXPECTED].n > 0 ||
                    own->list[QUEUES_REVERSE].n > 0))
        refusal_because(r, E12_USAGE,
                        "a receive with --wildcard=tag or both would take the "
                        "messages of the queues unexpected and reverse; name "
                        "--posted=N alone");
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    return has_entries(queues_settings(c->settings), row->operation,
                       row->parameter)
               ? NULL
               : row_unasked;
}

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
    .options = options,
    .defaults = &defaults,
    .settings = sizeof(struct queues_settings),
    .plan = plan,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct queues),
    .describe = describe,
    .memory = memory,
    .ready = ready,
    .end = end,
    .print = queues_print,
    .record = queues_record,
};
