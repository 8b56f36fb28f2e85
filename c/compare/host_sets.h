/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_sets.h - the runs of a subject, apart for each set of hosts that they
 *               ran on: a median over runs of several nodes would hide a bad one.
 */
#ifndef HOST_SETS_H
#define HOST_SETS_H

#include "subject.h"

struct host_set {
    char *hosts;       /* names in alphabetical order, with commas */
    struct subject of; /* its runs; they belong to the subject that was split */
};

struct host_sets {
    struct host_set
        *set; /* in the order in which their first runs were found */
    size_t n;
};

/* Split s, which must live longer. */
void host_sets_make(struct host_sets *h, const struct subject *s);
void host_sets_release(struct host_sets *h);

/* The hosts for a line: "n7", or "n7 and 3 more". */
const char *host_set_words(const struct host_set *set, char text[80]);

#endif
