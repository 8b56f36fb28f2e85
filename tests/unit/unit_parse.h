/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_parse.h - parses a command line given as text, with the options of a program. */
#ifndef UNIT_PARSE_H
#define UNIT_PARSE_H

#include "unit.h"

#include "bench.h"
#include "options/settings.h"

enum { UNIT_WORDS = 40 };

struct unit_parsed {
    struct settings settings; /* must be released */
    int event;
    struct refusal refusal;
    char line[400]; /* settings point into it */
    char *argv[UNIT_WORDS];
    int argc;
};

/* Words are separated by single blanks; '' is an empty one. */
static inline void unit_parse_of(struct unit_parsed *p, const struct bench *b, const char *line)
{
    static char name[] = "program";
    char *rest;

    memset(p, 0, sizeof *p);
    if (strlen(line) >= sizeof p->line)
        abort();
    strcpy(p->line, line);
    p->argv[p->argc++] = name;
    for (char *word = strtok_r(p->line, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "''") == 0)
            *word = '\0';
        if (p->argc == UNIT_WORDS - 1)
            abort();
        p->argv[p->argc++] = word;
    }
    settings_begin(&p->settings, b);
    assert_non_null(p->settings.rows);
    report_column_words(b, p->settings.column_words);
    p->event = option_parse(&p->settings, p->argc, p->argv, &p->refusal);
}

#endif
