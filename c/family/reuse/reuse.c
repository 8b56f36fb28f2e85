/* SPDX-License-Identifier: BSD-3-Clause */
#include "reuse.h"

#include "bench.h"

enum { POOL = 512 }; /* buffers that the scheme percent uses in turn */

enum scheme { SCHEME_FIFO, SCHEME_PERCENT };

struct reuse_settings {
    int scheme;
};

static bool is_percent(const struct settings *s)
{
    const struct reuse_settings *reuse = s->family;

    return reuse->scheme == SCHEME_PERCENT;
}

static const struct choice scheme_words[] = {
    { "fifo", SCHEME_FIFO, "--reuse buffers in turn" },
    { "percent", SCHEME_PERCENT,
      "one buffer for --reuse percent of the messages, 512 in turn for the "
      "rest" },
    { 0 },
};
static const struct option_row options[] = {
    { 0, "scheme", "HOW", .group = OPTIONS_FLIGHT, .common = true, .help = "how buffers are reused",
      .fallback = "fifo", .kind = OPTION_CHOICE, .offset = offsetof(struct reuse_settings, scheme),
      .choices = scheme_words },
    { 0 },
};
static const struct reuse_settings defaults = { .scheme = SCHEME_FIFO };

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    static const struct parameter percent = {
        .name = "Reuse in percent",
        .key = "reuse_percent",
        .option = "reuse",
        .kind = PARAMETER_NUMBER,
        .least = 0,
        .most = 100,
        .value = { 0, 25, 50, 75, 90, 100 },
    };

    if (is_percent(s))
        plan->parameter = &percent;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* of_window is the number of messages under way that need a buffer each. */
static struct reuse_side side_of(const struct bench_run *r, int of_window)
{
    const int n = (int)r->parameter;

    if (!reuse_of(r)->percent)
        return (struct reuse_side){ .in_turn = larger(n, of_window) };
    return (struct reuse_side){
        .in_turn = n < 100 ? larger(POOL, of_window) : 0,
        .again = n > 0 ? of_window : 0,
        .percent = n,
    };
}

static void describe(const struct context *c)
{
    reuse_of(c->run)->percent = is_percent(c->settings);
}

/* Begin a row with the first buffer. */
static void begin_row(const struct context *c)
{
    struct reuse *reuse = reuse_of(c->run);

    reuse->send = side_of(c->run, 1);
    reuse->recv = side_of(c->run, c->run->window);
    reuse->before = c->run->checks;
}

/* Iterations until each buffer was used once: each is verified by itself. */
static int all_buffers(const struct bench_run *r)
{
    const struct reuse_side side = side_of(r, r->window);
    int sent = 0;

    if (side.percent < 100)
        sent = side.in_turn * 100 / (100 - side.percent);
    if (side.percent > 0)
        sent = larger(sent, side.again * 100 / side.percent);
    return (sent + r->window - 1) / r->window;
}

/* The buffer of message number m of a row, as reuse_next finds it. */
static int buffer_of(const struct reuse_side *side, long m)
{
    const long again = m * side->percent / 100;

    if ((m + 1) * side->percent / 100 > again)
        return side->in_turn + (int)(again % side->again);
    return (int)((m - again) % side->in_turn);
}

/* The message of a verified iteration. */
static long message(const struct bench_run *r, int i)
{
    return (long)(r->checks - reuse_of(r)->before - 1) * r->window + i;
}

static int at(const struct bench_run *r, bool receiving, int i)
{
    const struct reuse *reuse = reuse_of(r);

    return r->turn > 0 ? buffer_of(receiving ? &reuse->recv : &reuse->send, message(r, i)) : i;
}

/* Messages from one buffer are the same. */
static int slot(const struct bench_run *r, int i)
{
    return at(r, false, i);
}

/* --- What is sent where ---------------------------------------------------- */

/* All buffers or, of a verified iteration, a window of messages. */
static int blocks(const struct bench_run *r, int of_window)
{
    const struct reuse_side side = side_of(r, of_window);

    return r->turn > 0 ? r->window : side.in_turn + side.again;
}

static int sends(const struct bench_run *r)
{
    return blocks(r, 1);
}

static int receives(const struct bench_run *r)
{
    return blocks(r, r->window);
}

static int sends_of_sender(const struct bench_run *r)
{
    return r->sender ? sends(r) : 0;
}

static int receives_of_receiver(const struct bench_run *r)
{
    return r->sender ? 0 : receives(r);
}

/* However many buffers they use. */
static int one_window(const struct bench_run *r)
{
    return r->window;
}

const struct flow flow_reuse_ping_pong = {
    .sides = SIDES_BY_SENDER,
    .sends = sends,
    .to = flow_peer,
    .receives = receives,
    .from = flow_peer,
    .slot = slot,
    .at = at,
    .window = true,
    .turns = all_buffers,
};
const struct flow flow_reuse_stream = {
    .sides = SIDES_BY_SENDER,
    .sends = sends_of_sender,
    .to = flow_peer,
    .receives = receives_of_receiver,
    .from = flow_peer,
    .slot = slot,
    .at = at,
    .requests = one_window,
    .window = true,
    .turns = all_buffers,
};

const struct family reuse_family = {
    .name = "reuse",
    FAMILY_OPTIONS(options, defaults),
    .plan = plan,
    .state = sizeof(struct reuse),
    .describe = describe,
    .row = begin_row,
};
