/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * persistent.h - persistent collectives: start and wait; with --compute a
 *                computation between them, as non-blocking ones have it (overlap.h).
 */
#ifndef PERSISTENT_H
#define PERSISTENT_H

#include "overlap.h"

extern const struct family persistent_family;
extern const struct report
    report_persistent,       /* as report_collective, or overlap */
    report_persistent_alone; /* the same without sizes and types */

/* --- For families whose settings begin with overlap's ---------------------------- */

#define PERSISTENT_OPTIONS                                                     \
    OVERLAP_TESTS,                                                             \
    {                                                                          \
        0, "compute", "WHAT",                                                  \
            .optional = true, .group = OPTIONS_COLLECTIVE, .common = true,     \
            .help = "compute during the operation; between start and wait, "   \
                    "and print how much of it that hides",                     \
            .fallback = "off; WHAT: cpu", .missing = "cpu",                    \
            .kind = OPTION_CHOICE,                                             \
            .offset = offsetof(struct overlap_settings, target),               \
            .choices = overlap_target_words, .json = "computed_by"             \
    }

/* Hooks of struct family, and of struct report. */
void persistent_refuse(const struct context *c, struct refusal *r);
void persistent_measure(struct measure *m, struct result *result);
void persistent_record(const struct context *c, const struct recorded *what,
                       struct fields *to);
const struct report_column *persistent_columns(const struct bench *b,
                                               const struct settings *s);
void persistent_overall_line(FILE *to, const struct bench_run *r,
                             const struct settings *s);

#define REPORT_PERSISTENT                                                      \
    .unit = "us",                                                              \
    .sample = "start and wait, on every rank, after all ranks were "           \
              "synchronized; with --compute a computation between them",       \
    .printed = "us, mean over iterations, then over ranks",                    \
    .headline = collective_headline, .full = collective_full,                  \
    .columns = persistent_columns, .preamble = persistent_overall_line

#endif
