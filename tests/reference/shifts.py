#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write shifts.h: small samples, and what the definitions say of them.

For maintainers; README.md says how.  Every choice of ranks is looked at, in exact
fractions: no recursion, no formula that tests/unit/test_verdict.c could share.
"""
from fractions import Fraction
from itertools import combinations

SAMPLES = [
    # Hollander and Wolfe 1973, page 69; p and interval are in R's manual as well.
    ([0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46],
     [1.15, 0.88, 0.90, 0.74, 1.21]),
    ([1, 2, 3], [4, 5, 6]),
    ([1, 2, 3, 4], [5, 6, 7, 8]),
    ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]),
    ([5, 9, 1], [2]),
    ([1, 1, 1], [1, 1, 1]),
    ([1, 2, 2, 3], [2, 3, 3, 4]),
    ([0.5, 0.7, 0.7, 0.7, 1.9], [0.7, 0.9, 1.9, 2.5, 2.5, 2.5]),
    ([3.1, 2.9, 3.3, 3.0, 2.8, 3.2, 3.05, 2.95], [3.15, 3.4, 3.35, 3.6, 3.45, 3.25, 3.55, 3.02]),
    ([10, 12, 11, 13, 9, 14, 10.5], [20, 12, 11.5, 13.5, 15, 16, 9.5, 18]),
]


def mid_ranks(values):
    ordered = sorted(values)
    return [Fraction(2 * ordered.index(v) + ordered.count(v) + 1, 2) for v in values]


def two_sided(a, b):
    ranks = mid_ranks(a + b)
    observed = sum(ranks[:len(a)])
    below = above = every = 0
    for chosen in combinations(ranks, len(a)):
        total = sum(chosen)
        below += total <= observed
        above += total >= observed
        every += 1
    return min(Fraction(1), 2 * Fraction(min(below, above), every))


def critical(na, nb):
    """The largest k with P(U <= k - 1) <= 1/40."""
    least = na * (na + 1) // 2
    sums = [sum(chosen) - least for chosen in combinations(range(1, na + nb + 1), na)]
    k = 0
    while Fraction(sum(s <= k for s in sums), len(sums)) <= Fraction(1, 40):
        k += 1
    return k


def median(ordered):
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def main():
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("/* Written by shifts.py. */")
    print("static const struct shift_reference {")
    print("    double a[10], b[10];")
    print("    size_t na, nb;")
    print("    double p, shift;")
    print("    int has_interval;")
    print("    double low, high, superiority;")
    print("} shift_references[] = {")
    for a, b in SAMPLES:
        a, b = [[Fraction(str(v)) for v in s] for s in (a, b)]
        differences = sorted(y - x for x in a for y in b)
        k = critical(len(a), len(b))
        low, high = (differences[k - 1], differences[-k]) if k else (0, 0)
        greater = sum(Fraction((d > 0) * 2 + (d == 0), 2) for d in differences)
        print("    { { %s }, { %s }, %d, %d, %.17g, %.17g, %d, %.17g, %.17g, %.17g }," % (
            ", ".join("%.17g" % v for v in a), ", ".join("%.17g" % v for v in b), len(a), len(b),
            two_sided(a, b), median(differences), k > 0, low, high,
            greater / len(differences)))
    print("};")


main()
