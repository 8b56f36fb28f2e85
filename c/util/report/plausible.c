/* SPDX-License-Identifier: BSD-3-Clause */
#include "plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/simulation.h"

/* Clocks of links and cores are not exact, and turbo comes and goes. */
static const double ALLOWANCE = 1.25;

static const struct {
    unsigned bit;
    const char *words;
} reasons[] = {
    { SUSPECT_NO_NUMBER, "not a positive number" },
    { SUSPECT_CLOCK, "shorter than the clock can resolve" },
    { SUSPECT_LINK, "faster than the links between the nodes" },
    { SUSPECT_MEMORY, "faster than the ranks can copy" },
    { SUSPECT_UNFINISHED, "finished before the GPU was done" },
    { SUSPECT_STEP, "measured while the clock stepped" },
};

unsigned plausible_check(const struct result *r, const struct clock_facts *c,
                         const struct plausible_limits *limits)
{
    const double time = r->is_rate ? r->mean : r->mean * r->scale;
    const double moved = r->is_rate ? r->payload : (double)r->moved;
    const double sample = r->over_laps.median * (double)r->stride;
    const double rate = time > 0 ? moved / time : 0;
    unsigned suspect = 0;

    if (r->stepped)
        suspect |= SUSPECT_STEP;
    /* Simulated networks may be free of cost. */
    if (!isfinite(time) || time < 0 || (time == 0 && !SIMULATED))
        return suspect | SUSPECT_NO_NUMBER;
    if (r->over_laps.n > 0 && sample < 2 * c->resolution_s)
        suspect |= SUSPECT_CLOCK;
    if (limits->link > 0 && rate > ALLOWANCE * limits->link)
        suspect |= SUSPECT_LINK;
    if (limits->copy > 0 && rate > ALLOWANCE * limits->copy)
        suspect |= SUSPECT_MEMORY;
    if (r->gpu.certain)
        suspect |= SUSPECT_UNFINISHED;
    return suspect;
}

double plausible_share(const struct result *r,
                       const struct plausible_limits *limits)
{
    return r->is_rate && limits->best > 0
               ? 1e6 * result_headline(r) / limits->best
               : NAN;
}

const char *plausible_words(unsigned suspect, char *text, size_t room)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((suspect & reasons[i].bit) != 0 && n < room)
            n += (size_t)snprintf(text + n, room - n, "%s%s", n > 0 ? ", " : "",
                                  reasons[i].words);
    return text;
}

bool plausible_is_nonsense(unsigned suspect)
{
    return (suspect & SUSPECT_NO_NUMBER) != 0;
}
