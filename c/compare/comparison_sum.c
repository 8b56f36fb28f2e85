/* SPDX-License-Identifier: BSD-3-Clause */
/* What all rows come to: comparison.h. */
#include "comparison.h"

#include <stdint.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

struct comparison_sum comparison_sum_of(const struct comparison *c)
{
    struct comparison_sum sum = { .launches = SIZE_MAX,
                                  .needed = judgement_least_launches(
                                      c->rows, c->level) };
    int *further = malloc((c->rows + 1) * sizeof *further);
    int n = 0;

    for (size_t i = 0; i < c->rows; i++) {
        const size_t *launches = c->row[i].launches;

        sum.of[c->row[i].is.verdict]++;
        for (int k = 0; k < 2; k++)
            if (launches[k] < sum.launches)
                sum.launches = launches[k];
        if (further != NULL && c->row[i].is.further > 0)
            further[n++] = c->row[i].is.further;
    }
    if (n > 0) {
        qsort(further, (size_t)n, sizeof *further, by_number);
        sum.further = further[n / 2];
    }
    free(further);
    return sum;
}
