/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include <stddef.h>

#include "world.h"

/* The first code that is not EXIT_OK. */
static enum exit_code first(enum exit_code code, enum exit_code next)
{
    return code == EXIT_OK ? next : code;
}

enum exit_code watch_begin(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->begin != NULL)
            code = first(code, watchers[i]->begin(c));
    return code;
}

enum exit_code watch_open(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    for (int i = 0; watchers[i] != NULL && code == EXIT_OK; i++)
        if (watchers[i]->open != NULL)
            code = world_told(c->world, watchers[i]->open(c));
    return code;
}

void watch_placed(const struct context *c, struct surroundings *around)
{
    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->placed != NULL)
            watchers[i]->placed(c, around);
}

enum exit_code watch_ready(const struct context *c)
{
    enum exit_code code = EXIT_OK;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->ready != NULL)
            code = first(code, watchers[i]->ready(c));
    return world_told(c->world, code);
}

void watch_batch(enum batch_moment moment)
{
    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->batch != NULL)
            watchers[i]->batch(moment);
}

void watch_measured(const struct context *c, const struct result *result)
{
    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->measured != NULL)
            watchers[i]->measured(c, result);
}

enum exit_code watch_end(const struct context *c, const struct ending *ending)
{
    enum exit_code code = ending->code;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->end != NULL)
            code = first(code, watchers[i]->end(c, ending));
    return code;
}

enum exit_code watch_close(const struct context *c, enum exit_code code)
{
    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->close != NULL)
            code = first(code, watchers[i]->close(c, code));
    return code;
}
