/* SPDX-License-Identifier: BSD-3-Clause */
#include "doubt.h"

#include <math.h>
#include <stdio.h>

#include "base/simulation.h"

/* --- What cannot be ---------------------------------------------------------------- */

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
    const double sample = r->over_iterations.median * (double)r->stride;
    const double rate = time > 0 ? moved / time : 0;
    unsigned suspect = 0;

    if (r->stepped)
        suspect |= SUSPECT_STEP;
    /* Simulated networks may be free of cost. */
    if (!isfinite(time) || time < 0 || (time == 0 && !SIMULATED))
        return suspect | SUSPECT_NO_NUMBER;
    if (r->over_iterations.n > 0 && sample < 2 * c->resolution_s)
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

/* --- What says little of the machine ------------------------------------------------ */

static const struct {
    const char *word;   /* in the JSON file, and in the line after the table */
    const char *reason; /* the rest of that line */
    const char *advice;
} words[DOUBTS] = {
    [DOUBT_DISTURBED] = { "disturbed", "the kernel took the CPU from a rank",
                          "keep other work off these CPUs and run again, or "
                          "read medians (--columns=median)" },
    [DOUBT_FEW] = { "few iterations",
                    "fewer than 20 were undisturbed before the time was over",
                    "raise --budget" },
    [DOUBT_SPEED] = { "speed changed", "a core changed its speed",
                      "fix the CPU frequency, or let the machine warm up" },
    [DOUBT_TESTS] = { "many tests",
                      "the computation between two calls of MPI_Test is so "
                      "short that the cost of the calls decides Overlap",
                      "lower -t, or leave it out for such sizes" },
};

const char *doubt_word(enum doubt doubt)
{
    return words[doubt].word;
}

unsigned doubt_of(const struct result *r)
{
    const struct disturbance *d = &r->disturbed;
    const struct stats *s = &r->over_iterations;
    unsigned doubts = r->doubts;

    if (d->found > d->left_out &&
        fabs(s->mean - s->median) > DOUBT_MARGIN * s->median)
        doubts |= 1U << DOUBT_DISTURBED;
    if (d->found > 0 && r->stop == STOP_BUDGET && r->iterations < DOUBT_FEWEST)
        doubts |= 1U << DOUBT_FEW;
    if (!SIMULATED && r->steady.speed > 0 &&
        fabs(r->steady.speed - 1) > DOUBT_MARGIN)
        doubts |= 1U << DOUBT_SPEED;
    return doubts;
}

void doubts_add(struct doubts *d, const struct result *r)
{
    const unsigned doubts = doubt_of(r);
    const size_t bytes = r->row->bytes;

    d->rows++;
    for (int i = 0; i < DOUBTS; i++) {
        struct doubted *const of = &d->of[i];

        if ((doubts >> i & 1) == 0)
            continue;
        of->rows++;
        if (of->sizes > DOUBT_NAMED ||
            (of->sizes > 0 && of->size[of->sizes - 1] == bytes))
            continue;
        if (of->sizes++ < DOUBT_NAMED)
            of->size[of->sizes - 1] = bytes;
    }
}

void doubts_print(FILE *to, const struct doubts *d)
{
    for (int i = 0; i < DOUBTS; i++) {
        const struct doubted *const of = &d->of[i];
        const bool sized = of->sizes > 1 || of->size[0] > 0;

        if (of->rows == 0)
            continue;
        fprintf(to, " %s: %d of %d rows", words[i].word, of->rows, d->rows);
        for (int n = 0; sized && n < of->sizes && n < DOUBT_NAMED; n++)
            fprintf(to, "%s %zu", n == 0 ? ", at" : ",", of->size[n]);
        fprintf(to, "%s; %s; %s;", of->sizes > DOUBT_NAMED ? ", ..." : "",
                words[i].reason, words[i].advice);
    }
}
