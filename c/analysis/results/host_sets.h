/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_sets.h - the runs of a variant, apart for each set of hosts that they ran on: a
 *               median over several nodes would hide a bad one.
 */
#ifndef HOST_SETS_H
#define HOST_SETS_H

#include "variant.h"

struct host_sets {
    struct variant
        *set;   /* their files belong to the variant that was split; a name is
                            "n7", or "n7 and 3 more" */
    int *hosts; /* how many there are in each */
    int n;
};

/* Split s, which must live longer.  Sets are in alphabetical order. */
void host_sets_make(struct host_sets *h, const struct variant *s);
void host_sets_release(struct host_sets *h);

#endif
