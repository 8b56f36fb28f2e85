/* SPDX-License-Identifier: BSD-3-Clause */
#include "reuse.h"

#include "loop.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* of_window: messages under way that need a buffer each. */
static struct reuse_side side_of(const struct bench_run *r, int of_window)
{
    const int level = (int)r->level;

    if (!r->reuse->percent)
        return (struct reuse_side){ .in_turn = larger(level, of_window) };
    return (struct reuse_side){
        .in_turn = level < 100 ? larger(REUSE_POOL, of_window) : 0,
        .again = level > 0 ? of_window : 0,
        .percent = level,
    };
}

void reuse_begin(struct reuse *reuse, const struct bench_run *r)
{
    reuse->send = side_of(r, 1);
    reuse->recv = side_of(r, r->window);
}

int reuse_sends(const struct bench_run *r)
{
    const struct reuse_side side = side_of(r, 1);

    return side.in_turn + side.again;
}

int reuse_receives(const struct bench_run *r)
{
    const struct reuse_side side = side_of(r, r->window);

    return side.in_turn + side.again;
}

int reuse_cycle(const struct bench_run *r)
{
    const struct reuse_side side = side_of(r, r->window);
    int messages = 0;

    if (side.percent < 100)
        messages = side.in_turn * 100 / (100 - side.percent);
    if (side.percent > 0)
        messages = larger(messages, side.again * 100 / side.percent);
    return messages / r->window + 2;
}
