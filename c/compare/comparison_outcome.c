/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row, and neighbouring rows, come to in words: comparison.h. */
#include "comparison.h"

#include <string.h>

const char *comparison_outcome(const struct comparison_row *row, double margin)
{
    const struct judgement *j = &row->is;

    if (j->verdict != JUDGED_UNDECIDED)
        return judged_word(j->verdict);
    if (row->again == COMPARISON_NOT_AGAIN)
        return "slower once, not again";
    if (j->has_interval && j->low > 1 + margin)
        return "by itself slower";
    if (j->has_interval && j->high < 1 / (1 + margin))
        return "by itself faster";
    return "open";
}

bool comparison_columns_disagree(const struct comparison_row *row)
{
    static const double printed = 0.0005; /* three decimals */
    const bool rate = strcmp(row->unit, "MB/s") == 0;
    const double times = row->figure[!rate] / row->figure[rate];

    return row->is.has_interval &&
           (times < row->is.low - printed || times > row->is.high + printed);
}

static bool is_of_one_table(const struct comparison_row *a,
                            const struct comparison_row *b)
{
    return strcmp(a->benchmark, b->benchmark) == 0 &&
           strcmp(a->place, b->place) == 0;
}

size_t comparison_table_end(const struct comparison *c, size_t first)
{
    size_t end = first;

    while (end < c->rows && is_of_one_table(&c->row[first], &c->row[end]))
        end++;
    return end;
}

/* "8", "8 to 64", or "all rows" where they have no size */
static void print_sizes(FILE *to, const struct comparison_row *first,
                        const struct comparison_row *last)
{
    if (first->bytes < 0)
        fputs("all rows", to);
    else if (first->bytes == last->bytes)
        fprintf(to, "%.0f", first->bytes);
    else
        fprintf(to, "%.0f to %.0f", first->bytes, last->bytes);
}

void comparison_print_outcomes(FILE *to, const struct comparison *c,
                               size_t first, size_t end)
{
    for (size_t i = first, next; i < end; i = next) {
        const char *outcome = comparison_outcome(&c->row[i], c->margin);

        for (next = i + 1; next < end; next++)
            if (strcmp(comparison_outcome(&c->row[next], c->margin), outcome) !=
                0)
                break;
        fputs(i > first ? ", " : "", to);
        print_sizes(to, &c->row[i], &c->row[next - 1]);
        fprintf(to, " %s", outcome);
    }
}
