/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_parse.h - parses a command line given as text, with the options of a
 *                program.
 */
#ifndef UNIT_PARSE_H
#define UNIT_PARSE_H

#include "unit.h"

#include "bench.h"
#include "options/settings_rows.h"

/* The groups of options of programs without a family, as in their
   descriptors. */
enum {
    TAKES_LATENCY = TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK |
                    TAKES_ROTATION | TAKES_TOUCH | TAKES_SIDES,
    TAKES_BW = TAKES_LATENCY | TAKES_WINDOW | TAKES_BUFFERS,
    TAKES_MBW_MR = TAKES_BW | TAKES_PAIRS | TAKES_PAIRING,
    TAKES_ALLREDUCE = TAKES_LATENCY | TAKES_IN_PLACE,
    TAKES_BARRIER = TAKES_LAPS,
    TAKES_INIT = 0,
    TAKES_REDUCE = TAKES_ALLREDUCE | TAKES_ROOT,
    TAKES_ALL = TAKES_RATE - 1
};

enum { UNIT_WORDS = 40 };

struct unit_parsed {
    enum option_outcome outcome;
    struct settings settings; /* must be released */
    int event;
    char why[400];
    char line[400]; /* settings point into it */
};

/* The options of a program that takes these groups, and its settings. */
static inline struct option_set unit_set(unsigned takes,
                                         const struct settings *s)
{
    return (struct option_set){ .program = "program",
                                .about = "about",
                                .words = "SRC DST",
                                .words_help = "buffers",
                                .word_choices = settings_place_words,
                                .notes = "notes",
                                .rows = s->rows,
                                .groups = settings_groups,
                                .takes = takes,
                                .family = s->family,
                                .ignored = settings_ignored,
                                .word = settings_word };
}

/* Words are separated by single blanks; '' is an empty one. */
static inline void unit_parse_of(struct unit_parsed *p, const struct bench *b,
                                 const char *line)
{
    static const struct sizes sizes = { 1, 4 * MiB };
    char name[] = "program", *argv[UNIT_WORDS] = { name }, *rest;
    struct option_set set;
    int argc = 1;

    memset(p, 0, sizeof *p);
    if (strlen(line) >= sizeof p->line)
        abort();
    strcpy(p->line, line);
    for (char *word = strtok_r(p->line, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "''") == 0)
            *word = '\0';
        if (argc == UNIT_WORDS - 1)
            abort();
        argv[argc++] = word;
    }
    p->settings = settings_default(&sizes, bench_swept(b), b->family);
    assert_non_null(p->settings.rows);
    set = unit_set(b->takes, &p->settings);
    p->outcome = option_parse(&set, argc, argv, &p->settings, &p->event, p->why,
                              sizeof p->why);
}

/* The same for a program without a family. */
static inline void unit_parse(struct unit_parsed *p, unsigned takes,
                              const char *line)
{
    unit_parse_of(p, &(struct bench){ .takes = takes }, line);
}

#endif
