/* SPDX-License-Identifier: BSD-3-Clause */
#include "geyer.h"

double geyer_covariance(const double *x, size_t n, size_t lag)
{
    double sum = 0;

    for (size_t i = 0; i + lag < n; i++)
        sum += x[i] * x[i + lag];
    return sum / (double)(n - lag);
}

double geyer_tau(const double *x, size_t n)
{
    const double variance = n > 0 ? geyer_covariance(x, n, 0) : 0;
    double tau = 1;

    for (size_t lag = 1; variance > 0 && lag + 1 <= n / 4; lag += 2) {
        const double pair =
            (geyer_covariance(x, n, lag) + geyer_covariance(x, n, lag + 1)) /
            variance;

        if (pair <= 0)
            break;
        tau += 2 * pair;
    }
    return tau;
}
