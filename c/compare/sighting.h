/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sighting.h - rows of single launches, brought together.
 */
#ifndef SIGHTING_H
#define SIGHTING_H

#include "comparison.h"

/* A row of one launch; what it points to is the subject's. */
struct sighting {
    const struct document *document;
    const json_t *row;
    char place[COMPARISON_PLACE], key[COMPARISON_KEY];
    double bytes; /* -1: none */
    int subject;  /* number, in the order given */
    size_t order; /* in which they were met */
};

/* All rows that count of n subjects, to be freed: by benchmark, place, size and key, so
   that those of one row stand together, of the first subject first.  NULL: memory is
   short. */
struct sighting *sightings_of(const struct subject *const *subject, int n,
                              const struct allowance *may, size_t *count);

/* The same of an array of subjects. */
struct sighting *sightings_of_all(const struct subject *subject, int n,
                                  const struct allowance *may, size_t *count);

/* Where the row ends that begins at i. */
size_t sightings_end(const struct sighting *seen, size_t i, size_t count);

#endif
