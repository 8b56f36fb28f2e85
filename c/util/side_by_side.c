/* SPDX-License-Identifier: BSD-3-Clause */
#include "side_by_side.h"

#include "sweep.h"

enum { SIZE_WIDTH = 14, WIDTH = 14 };

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
    fprintf(to, "# %-*s", SIZE_WIDTH, "Size");
    for (int o = from; o < bench_operations(b); o++)
        fprintf(to, "%*s", WIDTH, b->operations[o].name);
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
        fprintf(to, "# %-*zu", SIZE_WIDTH, first->bytes);
        for (int o = one + difference; o < bench_operations(s->bench); o++) {
            const struct row *row = row_of(s, first, o);

            if (row == NULL)
                fprintf(to, "%*s", WIDTH, "-");
            else
                fprintf(to, "%*.2f", WIDTH,
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
