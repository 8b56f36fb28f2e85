/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plausible.h - figures that cannot be: marked, never silently printed.
 */
#ifndef PLAUSIBLE_H
#define PLAUSIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"
#include "timing/clock.h"

/* What the job can move at most, in bytes per second; 0: unknown. */
struct plausible_limits {
    double copy; /* all ranks together, within their caches */
    double link; /* all links of all nodes; 0 if data stays within a node */
    double best; /* what a bandwidth of the program is a share of */
};

/*
 * Reasons to doubt a row, bits of enum suspect (result.h):
 *   a figure that is no number, or not positive;
 *   samples shorter than the clock can tell apart;
 *   data that moved faster than the links between the nodes;
 *   or than all ranks together can copy within their caches;
 *   calls that returned before the GPU had done what they asked of it.
 */
unsigned plausible_check(const struct result *r, const struct clock_facts *c,
                         const struct plausible_limits *limits);

/* The printed bandwidth divided by limits->best; NAN: unknown, or no bandwidth. */
double plausible_share(const struct result *r,
                       const struct plausible_limits *limits);

/* The reasons in words, separated by ", ". */
const char *plausible_words(unsigned suspect, char *text, size_t room);

/* Is it so wrong that the figure must not stand in the table? */
bool plausible_is_nonsense(unsigned suspect);

#endif
