#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write figures.h: what SciPy says of the series of series.h.

For maintainers; README.md says how.  Nothing here is code of Alidade in
another language: where SciPy has the figure it is its own, elsewhere it is
made from the definition.
"""
import math
import statistics

import numpy
import scipy
from scipy import stats

MASK = (1 << 64) - 1


class Generator:
    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        s = self.state
        s ^= s >> 12
        s ^= (s << 25) & MASK
        s ^= s >> 27
        self.state = s
        return (((s * 0x2545F4914F6CDD1D) & MASK) >> 11) / 9007199254740992.0 \
            + 0.5 / 9007199254740992.0

    def bell(self):
        total = 0.0
        for _ in range(12):
            total += self.uniform()
        return total - 6


def series(kind, n, seed):
    g, out, slow = Generator(seed), [], 0.0
    for _ in range(n):
        if kind == "skewed":
            out.append(1 / (g.uniform() + 0.05))
        elif kind == "ties":
            u = g.uniform()
            out.append(math.floor(8 * u * u) + 1.0)
        elif kind == "bell":
            out.append(20 + g.bell())
        elif kind == "two":
            u = g.uniform()
            out.append((31 if u < 0.6 else 44) + g.bell())
        elif kind == "slow":
            slow = 0.75 * slow + g.bell()
            out.append(20 + slow)
        else:
            out.append(1e9 + g.uniform())
    return out


def mad(values):
    median = statistics.median_low(values)
    distance = [abs(x - median) for x in values]
    if len(values) % 2:
        assert statistics.median_low(distance) == \
            stats.median_abs_deviation(values)
    return statistics.median_low(distance)


def by_lags(x, mean):
    """The sum of all covariances, lag by lag."""
    def covariance(lag):
        return numpy.mean(x[:len(x) - lag] * x[lag:]) - mean ** 2

    total = covariance(0)
    for lag in range(1, len(x) // 4, 2):
        pair = covariance(lag) + covariance(lag + 1)
        if pair <= 0:
            break
        total += 2 * pair
    return total


def by_blocks(rest, length):
    """The same of a first-order process, from means of blocks."""
    n = len(rest) // length
    block = rest[:n * length].reshape(n, length).mean(axis=1)
    variance = numpy.mean(block * block)
    rho = numpy.sum(block[:-1] * block[1:]) / (n - 1) / variance
    own = variance * (1 - rho ** 2)
    rho = (n * rho + 1) / (n - 3)
    if rho <= 0:
        return 0
    rho += rho ** 2 * math.sqrt((1 - rho ** 2) / n)
    return length * own / (1 - rho) ** 2


def integrated(x, mean):
    rest = x - mean
    sums = [by_lags(x, mean)]
    if len(rest) >= 64:
        root = round(len(rest) ** (1 / 3))
        sums += [by_blocks(rest, root + i) for i in range(3)]
    return max(1.0, max(sums) / (numpy.mean(x * x) - mean ** 2))


def tau_of_side(above):
    side = numpy.where(above, -1.0, 1.0)
    mean = side.mean()
    return 1.0 if abs(mean) == 1 else integrated(side, mean)


def tau_of_sides(values):
    """Samples that equal the median, if many, on either side of it."""
    x = numpy.array(values)
    median = statistics.median_low(values)
    tau = tau_of_side(x > median)
    if numpy.sum(x == median) > 1 + len(x) // 100:
        tau = max(tau, tau_of_side(x >= median))
    return tau


def tau_of_ranks(values):
    n = len(values)
    ranks = stats.rankdata(values)
    line = stats.linregress(numpy.arange(n), ranks)
    rest = ranks - line.intercept - line.slope * numpy.arange(n)
    return integrated(rest, 0.0)


def last_against_first(values):
    third = len(values) // 3
    test = stats.mannwhitneyu(values[-third:], values[:third],
                              alternative="two-sided", method="asymptotic")
    return test.statistic, test.pvalue


def rank_rows():
    """Ranks around quantile p, from the quantiles of the binomial."""
    for p in (0.5, 0.1, 0.9, 0.99):
        for n in (6, 7, 8, 12, 17, 25, 36, 37, 64, 70, 99, 150, 250, 368, 400,
                  512, 777, 999, 1000):
            below = int(stats.binom.ppf(0.025, n, p))
            if stats.binom.cdf(below, n, p) <= 0.025:
                below += 1
            lower, upper = below, int(stats.binom.ppf(0.975, n, p)) + 1
            exists = lower >= 1 and upper <= n
            yield n, p, exists, lower, upper


def versions():
    return f"SciPy {scipy.__version__}, NumPy {numpy.__version__}"


def main():
    rows = [(kind, n, 1000 * k + n)
            for k, kind in enumerate(("skewed", "ties", "bell", "two", "slow",
                                      "offset"), 1)
            for n in (10, 61, 203, 1000)]
    made = [series(*row) for row in rows]
    with open("figures.h", "w", encoding="ascii") as out:
        print(f"""/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by figures.py with {versions()}; do not edit. */
/* clang-format off */
#ifndef FIGURES_H
#define FIGURES_H

static const struct figures {{
    const char *name, *kind;
    size_t n;
    uint64_t seed;
    double mean, stddev;
    double mad, tau, rank_tau;
    double u, p; /* scipy.stats.mannwhitneyu(last third, first third) */
}} figures[] = {{""", file=out)
        for (kind, n, seed), v in zip(rows, made):
            u, p = last_against_first(v)
            figures = (math.fsum(v) / n, statistics.stdev(v),
                       mad(v), tau_of_sides(v), tau_of_ranks(v), u, p)
            print(f'    {{ "{n} {kind}", "{kind}", {n}, {seed},\n      ' +
                  ",\n      ".join(", ".join(repr(float(x)) for x in part)
                                   for part in (figures[:3], figures[3:])) +
                  " },", file=out)
        print("""};

/* From scipy.stats.binom. */
static const struct rank_figures {
    size_t n;
    double p;
    bool exists;
    size_t lower, upper;
} rank_figures[] = {""", file=out)
        rows = [f"{{ {n}, {p}, {str(exists).lower()}, {lower}, {upper} }},"
                for n, p, exists, lower, upper in rank_rows()]
        for i in range(0, len(rows), 3):
            print("    " + " ".join(rows[i:i + 3]), file=out)
        print("};\n\n#endif", file=out)


if __name__ == "__main__":
    main()
