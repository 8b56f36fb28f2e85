/* SPDX-License-Identifier: BSD-3-Clause */
#include "slots.h"

#include "base/sizes.h"

/* Bytes of all windows of a rank; and where one slot is asked for, so that small messages
   are verified together. */
#define LIMIT          ((size_t)1 << 30)
#define LIMIT_TO_CHECK ((size_t)1 << 20)

enum slots slots_kind(const struct context *c)
{
    const enum slots kind = (enum slots)c->settings->slots;

    return kind == SLOTS_AUTO && c->bench->takes & TAKES_BUFFERS &&
                   settings_as_omb(c->settings)
               ? SLOTS_SINGLE
               : kind;
}

bool slots_sends_one(const struct context *c)
{
    return c->bench->takes & TAKES_BUFFERS && slots_kind(c) != SLOTS_MULTIPLE;
}

size_t slots_blocks(const struct context *c, int window, bool sending)
{
    const struct flow *flow = c->bench->flow;
    struct bench_run r = *c->run;

    r.window = window;
    const size_t room = flow_room(flow, &r, sending);

    if (flow->elsewhere & (sending ? FLOW_SENDS : FLOW_RECEIVES))
        return 0;
    return sending && room > 0 && slots_sends_one(c) ? 1 : room;
}

size_t slots_limit(const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    size_t windows = flow->elsewhere != 0; /* that of the family */

    if (slots_kind(c) == SLOTS_SINGLE)
        return LIMIT_TO_CHECK;
    /* How many buffers are in use is what such a program measures. */
    if (slots_kind(c) == SLOTS_MULTIPLE || flow->at != NULL)
        return SIZE_MAX;
    for (int sending = 0; sending < 2; sending++)
        windows += slots_blocks(c, 2, sending) - slots_blocks(c, 1, sending);
    return LIMIT / (windows > 0 ? windows : 1);
}

void slots_agree(struct setup *p, const struct context *c)
{
    unsigned long bytes = slots_limit(c);

    PMPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UNSIGNED_LONG, MPI_MIN,
                   c->world->comm);
    p->window_bytes = bytes;
}

int slots_window(const struct setup *p, const struct row *row)
{
    return row->window > 0 ? row->window : p->window;
}

int slots_of(const struct setup *p, int window, size_t bytes)
{
    const size_t most = p->window_bytes == SIZE_MAX
                            ? (size_t)window
                            : p->window_bytes / slot_size(bytes);

    return most < 1 ? 1 : most < (size_t)window ? (int)most : window;
}

void slots_say(const struct setup *p, const struct context *c,
               const struct rows *rows)
{
    size_t least = SIZE_MAX;

    for (int i = 0; i < rows->n && slots_kind(c) != SLOTS_SINGLE; i++) {
        const struct row *row = &rows->row[i];
        const int window = slots_window(p, row);

        if (row->bytes < least && slots_of(p, window, row->bytes) < window)
            least = row->bytes;
    }
    if (least < SIZE_MAX && c->world->rank == 0)
        printf(
            "# Messages of a window share buffers from size=%zu on%s.\n", least,
            c->bench->takes & TAKES_BUFFERS ? "; -b multiple gives each its own"
                                            : "");
}
