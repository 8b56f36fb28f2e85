/* SPDX-License-Identifier: BSD-3-Clause */
#include "side_by_side.h"

#include "run/sweep.h"

enum { SIZE_COLUMN = 14, COLUMN = 14 };

static const double FULL = 0.99; /* of the bandwidth */

/* The row of an operation that differs from that row in nothing else. */
static const struct row *row_of(const struct sweep *s, const struct row *like,
                                int operation)
{
    for (int i = 0; i < s->rows; i++)
        if (s->row[i].operation == operation &&
            s->row[i].element == like->element &&
            s->row[i].level == like->level && s->row[i].bytes == like->bytes &&
            s->row[i].shown > 0)
            return &s->row[i];
    return NULL;
}

static void heading(FILE *to, const struct bench *b, int from)
{
    fprintf(to, "# %-*s", SIZE_COLUMN, "Size");
    for (int o = from; o < bench_operations(b); o++)
        fprintf(to, "%*s", COLUMN, b->operations[o].name);
    fputc('\n', to);
}

/* Figures of the operations, or how much greater they are than the first. */
static void table(FILE *to, const struct sweep *s, bool difference)
{
    const int one = s->row[0].operation;

    heading(to, s->bench, one + difference);
    for (int i = 0; i < s->rows && s->row[i].operation == one; i++) {
        const struct row *first = row_of(s, &s->row[i], one);

        if (first == NULL)
            continue;
        fprintf(to, "# %-*zu", SIZE_COLUMN, first->bytes);
        for (int o = one + difference; o < bench_operations(s->bench); o++) {
            const struct row *row = row_of(s, first, o);

            if (row == NULL)
                fprintf(to, "%*s", COLUMN, "-");
            else
                fprintf(to, "%*.2f", COLUMN,
                        row->shown - (difference ? first->shown : 0));
        }
        fputc('\n', to);
    }
}

void side_by_side(FILE *to, const struct sweep *s)
{
    fprintf(to, "\n# Side by side, in %s:\n", s->bench->report->unit);
    table(to, s, false);
    fprintf(to, "# More than %s:\n",
            s->bench->operations[s->row[0].operation].name);
    table(to, s, true);
}

/* The rows that differ from that one in their level alone, by rising level, in
   whatever order they ran; how many. */
static int by_level(const struct sweep *s, const struct row *like,
                    const struct row *row[LEVELS_MAX])
{
    int n = 0;

    for (int i = 0; i < s->rows && n < LEVELS_MAX; i++) {
        int at = n;

        if (s->row[i].element != like->element ||
            s->row[i].bytes != like->bytes || s->row[i].shown <= 0)
            continue;
        for (; at > 0 && row[at - 1]->level > s->row[i].level; at--)
            row[at] = row[at - 1];
        row[at] = &s->row[i];
        n++;
    }
    return n;
}

static double left_at(const struct row *before, const struct row *after)
{
    const double fall = before->of_full - after->of_full;
    const double way = fall > 0 ? (before->of_full - FULL) / fall : 1;

    return before->left + (way > 0 ? way : 0) * (after->left - before->left);
}

static void print_left(FILE *to, const struct sweep *s, const struct row *like)
{
    const struct row *last = NULL, *next = NULL, *row[LEVELS_MAX];
    const int n = by_level(s, like, row);

    for (int i = 0; i < n && next == NULL; i++) {
        /* Without any computation the bandwidth is full, whatever noise says. */
        if (row[i]->of_full >= FULL || row[i]->level == 0)
            last = row[i];
        else if (last != NULL)
            next = row[i];
    }
    fprintf(to, "# Left of the processor: size=%zu; ", like->bytes);
    if (last == NULL)
        fputs("nothing known: no level reaches 99 percent;\n", to);
    else if (next == NULL)
        fprintf(to, "%.0f percent or more;\n", 100 * last->left);
    else
        fprintf(to, "%.0f percent at 99 percent of the bandwidth;\n",
                100 * left_at(last, next));
}

void side_by_side_left(FILE *to, const struct sweep *s)
{
    fputc('\n', to);
    for (int i = 0; i < s->rows; i++)
        if (s->row[i].level == s->row[0].level && s->row[i].shown > 0)
            print_left(to, s, &s->row[i]);
}
