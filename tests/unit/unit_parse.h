/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_parse.h - a command line as text, and what the options of a program
 *                make of it.
 */
#ifndef UNIT_PARSE_H
#define UNIT_PARSE_H

#include "unit.h"

#include "options/settings.h"

/* What programs take, as their descriptors say. */
enum {
    TAKES_LATENCY = TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK,
    TAKES_BW = TAKES_LATENCY | TAKES_WINDOW | TAKES_BUFFERS,
    TAKES_MBW_MR = TAKES_BW | TAKES_PAIRS,
    TAKES_ALLREDUCE = TAKES_LATENCY | TAKES_IN_PLACE,
    TAKES_IALLREDUCE = TAKES_ALLREDUCE | TAKES_TESTS,
    TAKES_NEIGHBOR = TAKES_LATENCY | TAKES_TOPOLOGY,
    TAKES_PUT_LATENCY = TAKES_SIZES | TAKES_LAPS | TAKES_CHECK | TAKES_RMA,
    TAKES_BARRIER = TAKES_LAPS,
    TAKES_INIT = 0,
    TAKES_REDUCE = TAKES_ALLREDUCE | TAKES_ROOT,
    TAKES_ALL = (1 << 12) - 1
};

enum { UNIT_WORDS = 40 };

struct unit_parsed {
    enum option_outcome outcome;
    struct settings settings;
    int event;
    char why[400];
    char line[400]; /* settings point into it */
};

/* Words are parted by single blanks; '' is an empty one. */
static inline void unit_parse(struct unit_parsed *p, unsigned takes,
                              const char *line)
{
    static const struct sizes sizes = { 1, 4 * MiB };
    const struct option_set set = {
        .program = "program",
        .about = "about",
        .words = "[SRC DST]",
        .notes = "notes",
        .rows = settings_rows,
        .groups = settings_groups,
        .takes = takes,
        .word = settings_word,
    };
    char name[] = "program", *argv[UNIT_WORDS] = { name }, *rest;
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
    p->settings = settings_default(&sizes, takes);
    p->outcome = option_parse(&set, argc, argv, &p->settings, &p->event, p->why,
                              sizeof p->why);
}

#endif
