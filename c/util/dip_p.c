/* SPDX-License-Identifier: BSD-3-Clause */
#include "dip.h"

#include <math.h>

enum { ROWS = 12, TAILS = 9 };

static const double tail[TAILS] = { 0.5,  0.2,   0.1,   0.05, 0.02,
                                    0.01, 0.005, 0.002, 0.001 };

/* What sqrt(n) dip exceeds with these probabilities.  Our own simulation,
   tests/reference/dip_quantiles.R: 100,000 samples each, 40,000 from n = 1,000
   on. */
static const struct row {
    double n, beyond[TAILS];
} rows[ROWS] = {
    { 4,
      { 0.2500, 0.3162, 0.3762, 0.4156, 0.4490, 0.4642, 0.4749, 0.4839,
        0.4887 } },
    { 7,
      { 0.3119, 0.3619, 0.3824, 0.4236, 0.4635, 0.4868, 0.5064, 0.5263,
        0.5363 } },
    { 10,
      { 0.3089, 0.3756, 0.4122, 0.4412, 0.4777, 0.5043, 0.5263, 0.5544,
        0.5700 } },
    { 15,
      { 0.3238, 0.3860, 0.4267, 0.4595, 0.5003, 0.5268, 0.5508, 0.5806,
        0.6027 } },
    { 20,
      { 0.3282, 0.3953, 0.4347, 0.4708, 0.5108, 0.5387, 0.5641, 0.5937,
        0.6175 } },
    { 30,
      { 0.3367, 0.4053, 0.4462, 0.4825, 0.5261, 0.5573, 0.5849, 0.6160,
        0.6422 } },
    { 50,
      { 0.3460, 0.4156, 0.4593, 0.4973, 0.5416, 0.5722, 0.6009, 0.6388,
        0.6646 } },
    { 100,
      { 0.3549, 0.4270, 0.4711, 0.5117, 0.5577, 0.5901, 0.6223, 0.6611,
        0.6848 } },
    { 200,
      { 0.3615, 0.4350, 0.4804, 0.5203, 0.5686, 0.6023, 0.6358, 0.6792,
        0.7091 } },
    { 500,
      { 0.3680, 0.4439, 0.4901, 0.5317, 0.5818, 0.6153, 0.6503, 0.6919,
        0.7178 } },
    { 1000,
      { 0.3715, 0.4473, 0.4945, 0.5344, 0.5847, 0.6221, 0.6509, 0.6894,
        0.7209 } },
    { 2000,
      { 0.3731, 0.4491, 0.4958, 0.5391, 0.5877, 0.6237, 0.6565, 0.6909,
        0.7275 } },
};

/* Of a row that is the given share of the way from rows[i] to rows[i + 1]. */
static double quantile(size_t i, double share, size_t t)
{
    return rows[i].beyond[t] +
           share * (rows[i + 1].beyond[t] - rows[i].beyond[t]);
}

double dip_p(double dip, double n)
{
    const double scaled = sqrt(n) * dip, most = rows[ROWS - 1].n;
    double share, before, here;
    size_t i = 0, t = 0;

    if (n < rows[0].n)
        return 1;
    while (i + 2 < ROWS && rows[i + 1].n < n)
        i++;
    share = log(fmin(n, most) / rows[i].n) / log(rows[i + 1].n / rows[i].n);
    while (t < TAILS && quantile(i, share, t) <= scaled)
        t++;
    if (t == 0)
        return 1;
    if (t == TAILS)
        return tail[TAILS - 1];
    before = quantile(i, share, t - 1);
    here = quantile(i, share, t);
    return tail[t - 1] *
           pow(tail[t] / tail[t - 1], (scaled - before) / (here - before));
}
