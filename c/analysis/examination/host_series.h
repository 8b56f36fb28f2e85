/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_series.h - values of one kind, several from each host, and the hosts whose values
 *                 are worse than those of the others.
 *
 * A run names a host if its cost is an outlier among those of all hosts in this run
 * (stats_outlier_limit).  A host is worse if RUNS_AGREE runs or more name it, and three
 * quarters of all.  With fewer than HOST_SERIES_HOSTS hosts none is.
 */
#ifndef HOST_SERIES_H
#define HOST_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HOST_NAME = 160, /* two names and "and" */
    SERIES_LABEL = 160,
    HOST_SERIES_HOSTS = 3,
    RUNS_AGREE = 5
};

struct host_values {
    char host[HOST_NAME];
    double
        *cost; /* a time, or what else is worse where it is greater; above 0 */
    double *figure; /* the same as it is printed */
    size_t n;
    double median; /* of figure */
    double ratio;  /* its median cost to the median over hosts; 1: none */
    size_t named;  /* so many of its runs name it */
    bool worse;
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
};

/* Add a value of that host to the series with that label, which begins with its first. */
void host_series_add(struct host_series_list *list, const char *label,
                     const char *unit, double margin, const char *host,
                     double cost, double figure);

/* Judge all hosts of all series. */
void host_series_judge(struct host_series_list *list);

/* How many runs every host of the series has; 0: they are not compared, or too few hosts.
   RUNS_AGREE of them can call a host worse. */
size_t host_series_runs(const struct host_series *s);

/* Do so many runs name the same thing, out of so many, that it is no chance? */
bool runs_agree(size_t named, size_t of);

void host_series_release(struct host_series_list *list);

#endif
