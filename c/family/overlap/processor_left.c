/* SPDX-License-Identifier: BSD-3-Clause */
#include "processor_left.h"

#include "overlap.h"

/* Parts of a row: its share of the bandwidth without computation, and the
   computation's share of the time. */
enum { OF_FULL, LEFT };

static const double FULL = 0.99; /* of the bandwidth */

/* So many times the bandwidth without computation cannot be: that pass was disturbed. */
static const double DISTURBED = 1.25;

void processor_left_note(const struct overlap_parts *parts,
                         struct result *result)
{
    result->part[OF_FULL] = parts->pure / result->mean;
    result->part[LEFT] = parts->compute / result->mean;
}

static double left_between(const struct result *before,
                           const struct result *after)
{
    const double fall = before->part[OF_FULL] - after->part[OF_FULL];
    const double way = fall > 0 ? (before->part[OF_FULL] - FULL) / fall : 1;

    return before->part[LEFT] +
           (way > 0 ? way : 0) * (after->part[LEFT] - before->part[LEFT]);
}

int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct result *result[PARAMETER_MAX])
{
    int n = 0;

    for (int i = 0; i < rows->n && n < PARAMETER_MAX; i++) {
        const struct row *next = &rows->row[i];
        int at = n;

        if (next->element != like->element || next->bytes != like->bytes ||
            result_mean(&rows->result[i]) <= 0)
            continue;
        for (; at > 0 && result[at - 1]->row->parameter > next->parameter; at--)
            result[at] = result[at - 1];
        result[at] = &rows->result[i];
        n++;
    }
    return n;
}

static void print_left(FILE *to, const struct rows *rows,
                       const struct row *like)
{
    const struct result *last = NULL, *next = NULL, *result[PARAMETER_MAX];
    const int n = rows_by_parameter(rows, like, result);
    bool disturbed = false;

    for (int i = 0; i < n; i++)
        disturbed = disturbed || result[i]->part[OF_FULL] > DISTURBED;
    for (int i = 0; i < n && next == NULL; i++) {
        /* Without any computation the bandwidth is full, whatever noise says. */
        if (result[i]->part[OF_FULL] >= FULL || result[i]->row->parameter == 0)
            last = result[i];
        else if (last != NULL)
            next = result[i];
    }
    fprintf(to, "# CPU left: size=%zu; ", like->bytes);
    if (disturbed)
        fputs("unknown: the pass without computation was disturbed, repeat "
              "the run;\n",
              to);
    else if (last == NULL)
        fputs("unknown: no value of --compute reaches 99% of the bandwidth;\n",
              to);
    else if (next == NULL)
        fprintf(to, "%.0f%% or more;\n", 100 * last->part[LEFT]);
    else
        fprintf(to, "%.0f%% at 99%% of the bandwidth;\n",
                100 * left_between(last, next));
}

enum exit_code processor_left_print(FILE *to, const struct context *c,
                                    const struct rows *rows)
{
    (void)c;
    fputc('\n', to);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].parameter == rows->row[0].parameter &&
            result_mean(&rows->result[i]) > 0)
            print_left(to, rows, &rows->row[i]);
    return EXIT_OK;
}
