/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_sets.h - the runs of a variant, apart for each set of hosts that they ran
 *               on and each folder that was named: a median over several nodes,
 *               or over today and last week, would hide a bad node.
 */
#ifndef HOST_SETS_H
#define HOST_SETS_H

#include "variant.h"

struct host_set {
    char *hosts; /* names in alphabetical order, with commas */
    int nhosts;
    size_t size;        /* number of nhosts among those that occur */
    size_t alike;       /* the next set of the same hosts, in a ring of them */
    const char *folder; /* NULL: the files were named */
    struct variant of; /* its runs; they belong to the variant that was split */
};

struct host_sets {
    struct host_set
        *set; /* in the order in which their first runs were found */
    size_t n;
    size_t sizes; /* different numbers of hosts */
};

/* Split s, which must live longer. */
void host_sets_make(struct host_sets *h, const struct variant *s);
void host_sets_release(struct host_sets *h);

/* The hosts and the folder for a line: "n7", or "n7 and 3 more in results-4". */
const char *host_set_words(const struct host_set *set, char text[120]);

#endif
