/* SPDX-License-Identifier: BSD-3-Clause */
/* What all rows come to: comparison.h. */
#include "comparison.h"

#include <limits.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

struct comparison_sum comparison_sum_of(const struct comparison *c)
{
    struct comparison_sum sum = { .needed = judgement_least_launches(
                                      c->rows, c->level) };
    int *further = malloc((c->rows + 1) * sizeof *further);
    size_t n = 0;

    for (size_t i = 0; i < c->rows; i++) {
        const size_t *launches = c->row[i].launches;
        const size_t fewer = launches[launches[1] < launches[0]];

        sum.of[c->row[i].is.verdict]++;
        sum.launches = fewer > sum.launches ? fewer : sum.launches;
        sum.callable +=
            judgement_can_tell(launches[0], launches[1], c->rows, c->level);
        if (further != NULL && c->row[i].is.further != 0)
            further[n++] =
                c->row[i].is.further > 0 ? c->row[i].is.further : INT_MAX;
    }
    if (n > 0) {
        qsort(further, n, sizeof *further, by_number);
        sum.further = further[(n - 1) / 2];
        if (sum.further == INT_MAX)
            sum.further = -1;
    }
    free(further);
    return sum;
}
