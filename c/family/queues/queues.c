/* SPDX-License-Identifier: BSD-3-Clause */
#include "queues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "bench.h"
#include "data/memory.h"
#include "job/world.h"
#include "record/fields.h"
#include "report/result.h"
#include "side_by_side/side_by_side.h"

/* --- Options ------------------------------------------------------------------- */

/* Names of the operations, of the options, and in JSON. */
static const char *const queues_words[QUEUES_KINDS] = { "posted", "unexpected", "in_order",
                                                        "reverse" };

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

static const char *parse_queue(struct queues_settings *s, int queue, const char *text)
{
    long all[QUEUES_KINDS * PARAMETER_MAX];
    const char *why = option_numbers(text, s->list[queue].value, &s->list[queue].n);
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
static void record_queue(struct fields to, const char *name, const void *settings)
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

#define ENTRIES                                                                                    \
    "N[,N...]", .group = OPTIONS_FLIGHT, .common = true, .fallback = "0,16,256,1024 in each",      \
                .kind = OPTION_SPECIAL, .record = record_queue

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
      .help = "what the timed receive names", .fallback = "none", .kind = OPTION_CHOICE,
      .offset = offsetof(struct queues_settings, wildcard), .choices = wildcard_words,
      .json = "wildcard" },
    { 0 },
};
static const struct queues_settings defaults = { .all = QUEUES_ENTRIES };

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->parameter = &queues_settings(s)->all;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const struct queues_settings *own = queues_settings(c->settings);
    const bool any_tag = own->wildcard >= WILDCARD_TAG;

    if (any_tag &&
        (names_none(own) || own->list[QUEUES_UNEXPECTED].n > 0 || own->list[QUEUES_REVERSE].n > 0))
        refusal_because(r, E12_USAGE,
                        "a receive with --wildcard=tag or both would take the "
                        "messages of the queues unexpected and reverse; name "
                        "--posted=N alone");
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    return has_entries(queues_settings(c->settings), row->operation, row->parameter) ? NULL
                                                                                     : row_unasked;
}

/* --- Queues ------------------------------------------------------------------ */

static void receive(struct bench_run *r, int i, int from, MPI_Request *request)
{
    MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, from, QUEUES_TAG + i, r->comm, request);
}

static void send(struct bench_run *r, int i, MPI_Request *request)
{
    MPI_Isend(bench_send_slot(r, i), r->count, r->type, r->peer, QUEUES_TAG + i, r->comm, request);
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
    MPI_Sendrecv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, NULL, 0, MPI_BYTE, r->peer,
                 BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
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
    const bool any_source = wildcard == WILDCARD_SOURCE || wildcard == WILDCARD_BOTH;

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

    m->sent = world_keep(requests(c), sizeof *m->sent, "the requests of a queue");
    m->received = world_keep(requests(c), sizeof *m->received, "the requests of a queue");
    return EXIT_OK;
}

/* --- What an entry costs ------------------------------------------------------------- */

/* P(|T| <= t). */
static double student_within(double t, size_t freedom)
{
    const double angle = atan(t / sqrt((double)freedom));
    const double c2 = cos(angle) * cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? cos(angle) : 1, sum = term;

    if (freedom == 1)
        return 2 * angle / M_PI;
    for (size_t k = odd ? 3 : 2; k + 2 <= freedom; k += 2) {
        term *= c2 * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double slope_student(double tail, size_t freedom)
{
    double low = 0, high = 1;

    while ((1 - student_within(high, freedom)) / 2 > tail && high < 1e12)
        high *= 2;
    for (int i = 0; i < 80; i++) {
        const double t = (low + high) / 2;

        if ((1 - student_within(t, freedom)) / 2 > tail)
            low = t;
        else
            high = t;
    }
    return high;
}

/* The largest error that is known; 1: none is, and all points count alike. */
static double largest_error(const struct slope_point *point, int n)
{
    double largest = 0;

    for (int i = 0; i < n; i++)
        largest = fmax(largest, point[i].error);
    return largest > 0 ? largest : 1;
}

static double weight(const struct slope_point *point, double largest)
{
    const double error = point->error > 0 ? point->error : largest;

    return 1 / (error * error);
}

bool slope_of(const struct slope_point *point, int n, struct slope *slope)
{
    const double largest = largest_error(point, n);
    double w = 0, x = 0, y = 0, xx = 0, xy = 0, rest = 0;
    bool known = false;

    for (int i = 0; i < n; i++) {
        const double one = weight(&point[i], largest);

        known |= point[i].error > 0;
        w += one;
        x += one * point[i].x;
        y += one * point[i].y;
    }
    x /= w;
    y /= w;
    for (int i = 0; i < n; i++) {
        const double dx = point[i].x - x;

        xx += weight(&point[i], largest) * dx * dx;
        xy += weight(&point[i], largest) * dx * (point[i].y - y);
    }
    if (n < 2 || !(xx > 0))
        return false;
    slope->value = xy / xx;
    for (int i = 0; i < n; i++) {
        const double far = point[i].y - y - slope->value * (point[i].x - x);

        rest += weight(&point[i], largest) * far * far;
    }
    slope->half_width = known ? 1 / sqrt(xx) : 0;
    if (n > 2)
        slope->half_width = fmax(slope->half_width,
                                 slope_student(0.025, (size_t)n - 2) * sqrt(rest / (n - 2) / xx));
    return true;
}

/* The slope of medians over the entries that a message is compared with: N; in
   reverse N / 2 on average, and the time is that beyond the same messages in order, as N + 1
   messages share a round trip. */

/* A round trip has two messages, in reverse two of each entry. */
static void time_of_message(const struct context *c, struct result *result)
{
    const bool all = c->run->operation >= QUEUES_IN_ORDER;

    result->scale = all ? 0.5 / (double)(result->row->parameter + 1) : 0.5;
}

static const struct report_column columns[] = {
    { { "latency_us", "Per Message(us)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_queues = {
    .unit = "us",
    .sample = "one round trip, of one message or of all of a queue (in_order, "
              "reverse), seen by rank 0",
    .printed = "half of it, in us, for a message, mean over iterations; and "
               "after the table ns for each entry of the queue",
    .figure = time_of_message,
    .headline = columns,
};

/* The time of a message, in ns, and the half-width of its interval. */
static double time_in_ns(const struct result *r)
{
    return 1e9 * r->over_iterations.median * r->scale;
}

static double error_in_ns(const struct result *r)
{
    return r->over_iterations.has_interval ? stats_half_width(&r->over_iterations) * time_in_ns(r)
                                           : 0;
}

/* In ns, over the entries that a message is compared with. */
static struct slope_point point_of(const struct result *r, const struct result *order)
{
    if (r->row->operation != QUEUES_REVERSE)
        return (struct slope_point){ (double)r->row->parameter, time_in_ns(r), error_in_ns(r) };
    return (struct slope_point){
        (double)r->row->parameter / 2,
        time_in_ns(r) - time_in_ns(order),
        hypot(error_in_ns(r), error_in_ns(order)),
    };
}

/* The cost of an entry, of the rows that differ from that one in the parameter
   alone. */
static bool cost_of(const struct rows *rows, const struct row *like, struct slope *cost)
{
    const struct result *result[PARAMETER_MAX];
    struct slope_point point[PARAMETER_MAX];
    const int all = rows_by_parameter(rows, like, result);
    int n = 0;

    for (int i = 0; i < all && like->operation != QUEUES_IN_ORDER; i++) {
        const struct result *order = result_beside(rows, result[i]->row, QUEUES_IN_ORDER);

        if (order != NULL || like->operation != QUEUES_REVERSE)
            point[n++] = point_of(result[i], order);
    }
    return slope_of(point, n, cost);
}

/* Is that row the first one of its queue, type and size? */
static bool is_first(const struct rows *rows, const struct row *row)
{
    for (const struct row *before = rows->row; before < row; before++)
        if (before->operation == row->operation && before->element == row->element &&
            before->bytes == row->bytes)
            return false;
    return true;
}

static enum exit_code queues_print(FILE *to, const struct context *c, const struct rows *rows)
{
    const char *gap = "\n";
    struct slope cost;

    for (const struct row *row = rows->row; row < rows->row + rows->n; row++) {
        if (!is_first(rows, row) || !cost_of(rows, row, &cost))
            continue;
        fprintf(to, "%s# Per entry: queue=%s; ", gap, queues_words[row->operation]);
        gap = "";
        if (c->settings->ntypes > 1)
            fprintf(to, "type=%s; ", element_name(row->element));
        fprintf(to, "size=%zu; %.2f ns, %.2f to %.2f;\n", row->bytes, cost.value,
                cost.value - cost.half_width, cost.value + cost.half_width);
    }
    return EXIT_OK;
}

static void queues_record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct rows *rows = what->rows;
    struct slope cost;

    if (rows == NULL)
        return;
    const struct fields list = fields_list(*to, "per_entry");

    for (const struct row *row = rows->row; row < rows->row + rows->n; row++)
        if (is_first(rows, row) && cost_of(rows, row, &cost)) {
            const struct fields one = fields_object(list, NULL);

            fields_text(one, "operation", queues_words[row->operation]);
            fields_text(one, "datatype", element_name(row->element));
            fields_int(one, "bytes", (long long)row->bytes);
            fields_real(one, "ns", cost.value);
            fields_real(one, "low_ns", cost.value - cost.half_width);
            fields_real(one, "high_ns", cost.value + cost.half_width);
        }
}

const struct family queues_family = {
    .name = "queues",
    FAMILY_OPTIONS(options, defaults),
    .plan = plan,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct queues),
    .describe = describe,
    .memory = memory,
    .ready = ready,
    .print = queues_print,
    .record = queues_record,
};
