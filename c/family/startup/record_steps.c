/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of starting MPI, in a row of the JSON document. */
#include "record/record.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

static json_t *us(double seconds)
{
    return json_real(1e6 * seconds);
}

void *record_steps(const struct result *r)
{
    json_t *steps = json_object();

    for (int i = 0; i < r->nsteps; i++)
        json_object_set_new(steps, r->step[i].name,
                            json_pack("{s:o, s:o, s:o}", "mean_us",
                                      us(r->step[i].mean), "min_us",
                                      us(r->step[i].min), "max_us",
                                      us(r->step[i].max)));
    json_object_set_new(steps, "tick_us", us(r->tick_s));
    return steps;
}
#endif
