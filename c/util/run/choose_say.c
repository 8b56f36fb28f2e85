/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that there are not: choose.h. */
#include <limits.h>

#include "choose.h"
#include "base/buffer_size.h"

enum exit_code choose_say_left_out(const struct sweep *s,
                                   const struct demand *w, int fitting)
{
    const struct settings *set = s->settings;
    const bool gpu = fitting < w->n && w->gpu_fits[fitting] == 0;
    const char *whose = gpu ? "rank" : "node";
    char need[32], free_bytes[32], limit[64] = "";
    double needed;

    if (fitting == w->n)
        return EXIT_OK;
    if (s->world->rank == 0) {
        needed = gpu ? w->gpu_need[fitting] : w->need[fitting];
        size_words(needed, need);
        size_words(gpu ? w->gpu_available : w->available, free_bytes);
        if (set->memory_limit > 0)
            snprintf(limit, sizeof limit, " mem-limit per rank=%zu;",
                     set->memory_limit);
        if (fitting == 0)
            message_print(E10_NOTHING_FITS, s->bench->name,
                          "no size fits%s: size=%zu; needs=%s per %s; "
                          "available=%s;%s",
                          gpu ? " a GPU" : "", w->bytes[0], need, whose,
                          free_bytes, limit);
        else
            message_print(W11_ROWS_LEFT_OUT, s->bench->name,
                          "large sizes are left out: last=%zu; next=%zu; "
                          "needs=%s; per %s available=%s;%s",
                          w->bytes[fitting - 1], w->bytes[fitting], need,
                          gpu ? "rank, on its GPU," : "node", free_bytes,
                          limit);
    }
    return fitting == 0 ? messages[E10_NOTHING_FITS].code : EXIT_OK;
}

void choose_say_impossible(const struct sweep *s, const struct left_out *out)
{
    const char *name = s->bench->name;
    const struct sizes *sizes = &s->settings->sizes;

    if (s->rows > 0 && out->uncountable > 0)
        message_print(W13_UNCOUNTABLE, name,
                      "sizes left out=%d; largest measured=%zu; an MPI "
                      "count holds=%d;",
                      out->uncountable, sweep_largest(s), INT_MAX);
    if (s->rows > 0 && out->scarce > 0)
        message_print(W24_TOO_FEW_ELEMENTS, name,
                      "sizes left out=%d; with less than one element for each "
                      "of ranks=%d;",
                      out->scarce, s->world->size);
    if (s->rows > 0 && out->empty > 0)
        message_print(W27_NOTHING_MOVES, name,
                      "sizes left out=%d; -D has no block that ends within "
                      "them",
                      out->empty);
    if (s->rows > 0)
        return;
    if (out->uncountable > 0)
        message_print(E11_TOO_LARGE, name,
                      "size=%zu; has more elements than an MPI count holds "
                      "(%d;)",
                      sizes->min, INT_MAX);
    else if (out->empty > 0)
        message_print(E19_EMPTY, name,
                      "-D has no block that ends within %zu bytes", sizes->max);
    else
        message_print(E19_EMPTY, name,
                      "no size from %zu to %zu bytes is a whole number of "
                      "elements of the type%s",
                      sizes->min, sizes->max,
                      out->scarce > 0 ? " with at least one for each rank"
                      : s->bench->takes & TAKES_PARTITIONS
                          ? " in each partition"
                          : "");
}
