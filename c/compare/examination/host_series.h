/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_series.h - values of one kind, several from each host, and the hosts whose values
 *                 are worse than those of the others.
 *
 * A host is worse if all of this holds:
 *
 * 1. Its median cost is above the median of the other hosts by the margin or, with four
 *    hosts or more that vary more, by four standard deviations of the hosts (estimated as
 *    1.4826 times the median absolute deviation).
 * 2. The exact rank test of shift_test.h, of its values against those of the others, has a
 *    p of at most HOST_SERIES_LEVEL after correction for all hosts of all series (Holm).
 *
 * So one of a hundred lists of equal hosts has a false alarm.  With few values p cannot be
 * that small.  A host then is worse by chance, perhaps, if each of its values is worse than
 * all others and its ratio is at least HOST_SERIES_CHANCE; or if p is at most 5%.
 */
#ifndef HOST_SERIES_H
#define HOST_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum { HOST_NAME = 128, SERIES_LABEL = 160 };
static const double HOST_SERIES_LEVEL = 0.01, HOST_SERIES_CHANCE = 1.5;

enum host_is { HOST_ALIKE, HOST_WORSE_PERHAPS, HOST_WORSE };

struct host_values {
    char host[HOST_NAME];
    double
        *cost; /* a time, or what else is worse where it is greater; above 0 */
    double *figure; /* the same as it is printed */
    size_t n;
    double median; /* of figure */
    double ratio;  /* its median cost to that of the other hosts; 1: none */
    double p;      /* after correction; 1: not tested */
    enum host_is is;
};

struct host_series {
    char label[SERIES_LABEL], unit[8];
    double
        margin; /* smallest relevant difference; 0: the hosts are not compared */
    struct host_values *host;
    size_t hosts;
};

struct host_series_list {
    struct host_series *series; /* in the order in which they were added */
    size_t n;
    size_t tests; /* number of hosts and series that were tested */
};

/* Add a value of that host to the series with that label, which begins with its first. */
void host_series_add(struct host_series_list *list, const char *label,
                     const char *unit, double margin, const char *host,
                     double cost, double figure);

/* Judge all hosts of all series together. */
void host_series_judge(struct host_series_list *list);

/* The number of runs of each host with which a host of the series can be worse for sure, as
   judged with so many tests; 0: no number. */
int host_series_needs(const struct host_series_list *list,
                      const struct host_series *s);

/* The least number of values of a host. */
size_t host_series_has(const struct host_series *s);

/* The median of n values, which are sorted in place; n is not 0. */
double host_series_median(double *value, size_t n);

void host_series_release(struct host_series_list *list);

#endif
