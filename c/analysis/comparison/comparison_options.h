/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_options.h - the options that say how variants are compared, and the variants
 *                        that words name.
 */
#ifndef COMPARISON_OPTIONS_H
#define COMPARISON_OPTIONS_H

#include "comparison.h"
#include "comparison_classes.h"
#include "text/tool_options.h"

/* What holds if no option says otherwise. */
#define COMPARISON_DEFAULTS                                                    \
    {                                                                          \
        .margin = 0.03, .sizes = SIZE_LIMITS_DEFAULT, .may = {                 \
            .how = PERMIT_WITH_ALLOW                                           \
        }                                                                      \
    }

/* Rows of options for a struct comparison_options. */
/* clang-format off */
#define COMPARISON_OPTIONS(how)                                                  \
    { "margin", 'm', "PERCENT", "differences below it count as \"same\" [3]",    \
      &(how).margin, tool_option_percent },                                      \
    { "classes", 0, "SIZES", "where size classes end; rows: a class for each\n"  \
      "row [256,8K,128K]", &(how).sizes, comparison_option_classes },            \
    ALLOW_OPTION((how).may, "JSON field that may differ, such as\n"              \
                            "method.start; repeatable"),                         \
    { "look", 0, "N", "interim analysis number N; its significance\n"            \
      "level is 5%/2^N, so all together have 5%", &(how).look,                   \
      comparison_option_look },                                                  \
    { "asked", 0, "PROGRAM", "a benchmark that must have rows; repeatable",      \
      &(how).asked, tool_option_each },                                          \
    { "failed", 0, "\"NAME: WHY\"",                                              \
      "a variant that was left out; repeatable", &(how).left_out,                \
      tool_option_each },                                                        \
    { "remark", 0, "\"NAME: TEXT\"",                                             \
      "what is to be said of a variant; repeatable", &(how).remarks,             \
      tool_option_each }
/* clang-format on */

/* The row of --allow, for a struct may_differ. */
#define ALLOW_OPTION(may, help)                                                \
    {                                                                          \
        "allow", 0, "FIELD", help, &(may), comparison_option_allow             \
    }

/* Readers for the rows. */
bool comparison_option_classes(const struct tool_option *option,
                               const char *text, char why[WHY]);
bool comparison_option_allow(const struct tool_option *option, const char *text,
                             char why[WHY]);
bool comparison_option_look(const struct tool_option *option, const char *text,
                            char why[WHY]);

struct variants {
    struct variant variant[VARIANTS];
    int n;
};

/* Read the variants that words name, as NAME=RESULTS or RESULTS, at least so many.  Words of
   one name make one variant, and a variant is of one MPI, its runs of one thing.  They are
   to be released also if this fails.  False: why[] says what is wrong. */
bool variants_read(struct variants *v, const char *const *word, size_t words,
                   int least, const struct may_differ *may, char why[WHY]);
void variants_release(struct variants *v);

/* The same where all words are results of one variant, which has this name.  What is no result
   is added to unread, unless that is NULL or nothing is a result. */
bool variants_read_one(struct variants *v, struct unread *unread,
                       const char *const *word, size_t words, const char *name,
                       const struct may_differ *may, char why[WHY]);

#endif
