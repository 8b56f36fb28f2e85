/* SPDX-License-Identifier: BSD-3-Clause */
#include "slope.h"

#include <math.h>

#include "stats/stats.h"

/* P(|T| <= t). */
static double student_within(double t, size_t freedom)
{
    const double angle = atan(t / sqrt((double)freedom));
    const double c2 = cos(angle) * cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? cos(angle) : 1, sum = term;

    if (freedom == 1)
        return 2 * angle / M_PI;
    for (size_t k = odd ? 3 : 2; k + 2 <= freedom; k += 2) {
        term *= c2 * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double slope_student(double tail, size_t freedom)
{
    double low = 0, high = 1;

    while ((1 - student_within(high, freedom)) / 2 > tail && high < 1e12)
        high *= 2;
    for (int i = 0; i < 80; i++) {
        const double t = (low + high) / 2;

        if ((1 - student_within(t, freedom)) / 2 > tail)
            low = t;
        else
            high = t;
    }
    return high;
}

/* The largest error that is known; 1: none is, and all points count alike. */
static double largest_error(const struct slope_point *point, int n)
{
    double largest = 0;

    for (int i = 0; i < n; i++)
        largest = fmax(largest, point[i].error);
    return largest > 0 ? largest : 1;
}

static double weight(const struct slope_point *point, double largest)
{
    const double error = point->error > 0 ? point->error : largest;

    return 1 / (error * error);
}

bool slope_of(const struct slope_point *point, int n, struct slope *slope)
{
    const double largest = largest_error(point, n);
    double w = 0, x = 0, y = 0, xx = 0, xy = 0, rest = 0;
    bool known = false;

    for (int i = 0; i < n; i++) {
        const double one = weight(&point[i], largest);

        known |= point[i].error > 0;
        w += one;
        x += one * point[i].x;
        y += one * point[i].y;
    }
    x /= w;
    y /= w;
    for (int i = 0; i < n; i++) {
        const double dx = point[i].x - x;

        xx += weight(&point[i], largest) * dx * dx;
        xy += weight(&point[i], largest) * dx * (point[i].y - y);
    }
    if (n < 2 || !(xx > 0))
        return false;
    slope->value = xy / xx;
    for (int i = 0; i < n; i++) {
        const double far = point[i].y - y - slope->value * (point[i].x - x);

        rest += weight(&point[i], largest) * far * far;
    }
    slope->half_width = known ? 1 / sqrt(xx) : 0;
    if (n > 2)
        slope->half_width =
            fmax(slope->half_width, slope_student(0.025, (size_t)n - 2) *
                                        sqrt(rest / (n - 2) / xx));
    return true;
}
