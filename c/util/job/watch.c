/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include "world.h"

/* The watchers that have something to do at that moment. */
#define EACH(w, moment)                                                                            \
    for (const struct watcher *const *w = watchers; *w != NULL; w++)                               \
        if ((*w)->moment != NULL)

/* The first code that is not EXIT_OK. */
static enum exit_code first(enum exit_code code, enum exit_code next)
{
    return code == EXIT_OK ? next : code;
}

enum exit_code watch_begin(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    EACH (w, begin)
        code = first(code, (*w)->begin(c));
    return code;
}

enum exit_code watch_open(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    EACH (w, open)
        if (code == EXIT_OK)
            code = world_told(c->world, (*w)->open(c));
    return code;
}

void watch_placed(const struct context *c, struct surroundings *around)
{
    EACH (w, placed)
        (*w)->placed(c, around);
}

enum exit_code watch_ready(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    EACH (w, ready)
        code = first(code, (*w)->ready(c));
    return world_told(c->world, code);
}

void watch_batch(enum batch_moment moment)
{
    EACH (w, batch)
        (*w)->batch(moment);
}

void watch_measured(const struct context *c, const struct result *result)
{
    EACH (w, measured)
        (*w)->measured(c, result);
}

enum exit_code watch_end(const struct context *c, const struct ending *ending)
{
    enum exit_code code = ending->code;

    EACH (w, end)
        code = first(code, (*w)->end(c, ending));
    return code;
}

enum exit_code watch_close(const struct context *c, enum exit_code code)
{
    EACH (w, close)
        code = first(code, (*w)->close(c, code));
    return code;
}
