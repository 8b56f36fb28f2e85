/* SPDX-License-Identifier: BSD-3-Clause */
#include "knee.h"

#include <math.h>

struct range {
    double low, high;
};

static struct range range_of(const double *figure, int begin, int end)
{
    struct range r = { figure[begin], figure[begin] };

    for (int i = begin; i < end; i++) {
        r.low = fmin(r.low, figure[i]);
        r.high = fmax(r.high, figure[i]);
    }
    return r;
}

int knee_find(const double *figure, int n, double *ratio)
{
    double most = KNEE_APART;
    int knee = 0;

    for (int k = 1; k < n; k++) {
        const struct range before = range_of(figure, 0, k);
        const struct range after = range_of(figure, k, n);
        const double up = after.low / before.high;
        const double down = before.low / after.high;

        if (fmax(up, down) < most)
            continue;
        most = fmax(up, down);
        *ratio = up > down ? up : 1 / down;
        knee = k;
    }
    return knee;
}
