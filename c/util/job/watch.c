/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include <stddef.h>

#include "world.h"

bool watch_instead(const struct bench *b, struct settings *s,
                   enum exit_code *code)
{
    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->instead != NULL && watchers[i]->instead(b, s, code))
            return true;
    return false;
}

enum exit_code watch_begin(const struct context *c)
{
    enum exit_code code = EXIT_OK, one;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->begin != NULL) {
            one = watchers[i]->begin(c);
            code = code == EXIT_OK ? one : code;
        }
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
    enum exit_code code = EXIT_OK, one;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->ready != NULL) {
            one = watchers[i]->ready(c);
            code = code == EXIT_OK ? one : code;
        }
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
    enum exit_code code = ending->code, one;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->end != NULL) {
            one = watchers[i]->end(c, ending);
            code = code == EXIT_OK ? one : code;
        }
    return code;
}

enum exit_code watch_close(const struct context *c, enum exit_code code)
{
    enum exit_code one;

    for (int i = 0; watchers[i] != NULL; i++)
        if (watchers[i]->close != NULL) {
            one = watchers[i]->close(c, code);
            code = code == EXIT_OK ? one : code;
        }
    return code;
}
