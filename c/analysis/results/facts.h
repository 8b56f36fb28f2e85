/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h - what results say of where and how they were measured: for people, side by side.
 */
#ifndef FACTS_H
#define FACTS_H

#include "variant.h"

struct fact {
    const char *label, *path[3]; /* where it is in a result file */
    enum {
        FACT_HOSTS = 1, /* hosts of one job should not differ in it */
        FACT_FREE = 2,  /* runs may, and nobody has to know */
        FACT_DATA = 4   /* only programs whose messages have data have it */
    } kind;
};

extern const struct fact facts[];
extern const size_t facts_of_runs; /* their number */

/* As a run says it, or "" if it does not; to be freed. */
char *fact_of_run(const struct result_file *f, const struct fact *fact);

/* As those runs of a variant say that do; "..." after it where they differ; to be freed. */
char *fact_of_variant(const struct variant *s, const struct fact *fact);

#endif
