/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that ran once, in a row of the JSON document. */
#include "record/record.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

static json_t *share_of(const struct share *share)
{
    json_t *object = json_pack("{s:f, s:f, s:i}", "mean_s", share->mean,
                               "max_s", share->max, "slowest", share->slowest);

    if (share->calls > 0)
        json_object_set_new(object, "calls",
                            json_integer((json_int_t)share->calls));
    return object;
}

void *record_whole(const struct whole *w)
{
    json_t *calls = json_object();

    for (int i = 0; i < w->calls; i++)
        json_object_set_new(calls, w->call[i].name, share_of(&w->call[i]));
    return json_pack("{s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:o}", "class",
                     w->class, "size", w->size, "iterations", w->iterations,
                     "operations", w->operations, "run", share_of(&w->run),
                     "communication", share_of(&w->inside), "computation",
                     share_of(&w->outside), "calls", calls);
}
#endif
