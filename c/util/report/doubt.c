/* SPDX-License-Identifier: BSD-3-Clause */
#include "doubt.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *word;   /* in the JSON file */
    const char *reason; /* in the line after the table */
    const char *advice;
} words[DOUBTS] = {
    [DOUBT_DISTURBED] = { "disturbed", "the kernel took the CPU from a rank",
                          "keep other work off these CPUs and run again, or "
                          "read medians (--columns=median)" },
    [DOUBT_FEW] = { "few iterations", "fewer than 20 iterations",
                    "raise --budget" },
    [DOUBT_SPEED] = { "speed changed", "a core changed its speed",
                      "fix the CPU frequency, or let the machine warm up" },
};

const char *doubt_word(enum doubt doubt)
{
    return words[doubt].word;
}

unsigned doubt_of(const struct result *r)
{
    const struct disturbance *d = &r->disturbed;
    const struct stats *s = &r->over_laps;
    unsigned doubts = 0;

    if (d->found > d->left_out &&
        fabs(s->mean - s->median) > DOUBT_MARGIN * s->median)
        doubts |= 1U << DOUBT_DISTURBED;
    if (d->found > 0 && r->stop == STOP_BUDGET && r->laps < DOUBT_FEWEST)
        doubts |= 1U << DOUBT_FEW;
    if (r->steady.speed > 0 && fabs(r->steady.speed - 1) > DOUBT_MARGIN)
        doubts |= 1U << DOUBT_SPEED;
    return doubts;
}

void doubts_add(struct doubts *d, const struct result *r)
{
    const unsigned doubts = doubt_of(r);

    d->rows++;
    for (int i = 0; i < DOUBTS; i++)
        d->of[i] += (doubts >> i & 1) != 0;
    if (doubts != 0 && d->doubtful++ < DOUBT_NAMED)
        d->size[d->doubtful - 1] = r->row->bytes;
}

void doubts_print(FILE *to, const struct doubts *d)
{
    if (d->doubtful == 0)
        return;
    fprintf(to, "# disturbed: %d of %d rows", d->doubtful, d->rows);
    for (int i = 0; i < d->doubtful && i < DOUBT_NAMED && d->size[0] > 0; i++)
        fprintf(to, "%s %zu", i == 0 ? ", at" : ",", d->size[i]);
    fputs(d->doubtful > DOUBT_NAMED && d->size[0] > 0 ? ", ...;" : ";", to);
    for (int i = 0; i < DOUBTS; i++) {
        if (d->of[i] == 0)
            continue;
        fprintf(to, " %s", words[i].reason);
        if (d->of[i] < d->doubtful)
            fprintf(to, " (%d)", d->of[i]);
        fputc(';', to);
    }
    for (int i = 0; i < DOUBTS; i++)
        if (d->of[i] > 0)
            fprintf(to, " %s;", words[i].advice);
    fputc('\n', to);
}
