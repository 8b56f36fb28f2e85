/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option.h - command lines from rows: one row gives the parser, the help, and
 *            the refusal where a program does not take it.
 *
 * Words are read as getopt_long reads them: letters in groups, long names by a
 * unique beginning, words that are no option anywhere.  Rows name the field they
 * set by its offset, so no value is global.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/fields.h"
#include "choice.h"

enum option_kind {
    OPTION_FLAG,    /* bool, becomes true */
    OPTION_INT,     /* int within [min, max] */
    OPTION_COUNT,   /* struct sizes_count, its numbers within [min, max] */
    OPTION_SIZE,    /* size_t, K/M/G allowed, within [min, max] */
    OPTION_SECONDS, /* double; us, ms, s, m, h suffixes; at least min */
    OPTION_PERCENT, /* double as a fraction: 1 or 1% is 0.01 */
    OPTION_TEXT,    /* const char *, as given */
    OPTION_CHOICE,  /* int, one of choices, any case */
    OPTION_LIST,    /* some of choices, with commas: add() takes each */
    OPTION_SPECIAL, /* parse() decides */
    OPTION_EVENT,   /* ends parsing: help, version, ... */
};

struct settings;

struct option_row {
    int key;              /* short letter; 0: none; events: any number */
    const char *name;     /* long name */
    const char *argument; /* its name in help; NULL: takes none */
    bool optional;        /* value may be missing, and must be attached */
    const char *missing;  /* what is meant then; NULL: parse knows */
    bool common;      /* is in the short help, up to the first ";" of help */
    const char *help; /* what it does, with the unit of its value */
    const char *fallback; /* the default, as help shows it; NULL: none */
    int group;            /* heading in help: index into option_set.groups */
    unsigned takers;      /* bits of programs that take it; 0: all */
    const char *programs; /* those programs in words, for the refusal */
    enum option_kind kind;
    size_t offset;                /* of the field in the settings */
    double min, max;              /* of numbers; max 0: none */
    const struct choice *choices; /* all that it takes, or some examples */
    /* Of the field: NULL, or what is wrong; text is NULL where an optional one is missing */
    const char *(*parse)(void *field, const char *text);
    const char *(*add)(void *settings, int value);

    /* Its name in the JSON document's method; NULL: it is not there.  Numbers are
       numbers there, choices their words, and others the text as it was given, or
       absent; NULL: nothing then.  record writes what these do not tell, from the field. */
    const char *json, *absent;
    void (*record)(struct fields to, const char *name, const void *field);

    /* Set by who collects the rows of a program: it takes the option, or accepts it
       without effect; offset, parse and record are of the family's settings. */
    bool taken, idle, of_family;
    bool named;        /* it is on the command line */
    const char *given; /* its text there; NULL: none */

    /* Has it no effect together with the others, once all are read?  NULL: it has; and why
       it has not, the end of a sentence. */
    bool (*moot)(const struct settings *s);
    const char *moot_because;
};

enum { OPTION_EXAMPLES = 3, EXAMPLE_ROOM = 400 };

/* A program's view of its rows; no two have one letter or one name. */
struct option_set {
    const char *about;   /* a sentence, without capital and full stop */
    const char *details; /* what is measured, in lines; NULL: nothing */
    const char *usage;   /* the first line of help */
    char (*examples)[EXAMPLE_ROOM]; /* command lines */
    const char *words; /* those that are no option; NULL: it takes none */
    const char *words_help;
    const struct choice *word_choices;
    const char *notes;         /* the end of the long help */
    struct option_row *rows;   /* ends with a NULL name */
    const char *const *groups; /* headings, by option_row.group */
    void *family;              /* its family's settings, or NULL */
    /* A word that is no option; NULL, or what is wrong. */
    const char *(*word)(void *settings, const char *text);
};

enum option_outcome {
    OPTION_PROCEED, /* settings are filled */
    OPTION_STOP,    /* an OPTION_EVENT row was met; its key is in *event */
    OPTION_REFUSED, /* why[] says what is wrong, in one sentence */
};

enum option_outcome option_parse(const struct option_set *set, int argc,
                                 char *const *argv, void *settings, int *event,
                                 char *why, size_t room);

/* Read a time, as "10s", "50ms" or "2m".  NULL, or what is wrong with text. */
const char *option_seconds(const char *text, double *seconds);

static inline bool option_has_letter(const struct option_row *row)
{
    return row->key > 0 && row->key < 256;
}

/* The next row, or the first of all for NULL, that is named and has no effect: idle, or moot.
   NULL: there is none. */
const struct option_row *option_moot(const struct option_row *rows,
                                     const struct option_row *last,
                                     const struct settings *s);

/* "-W" or "--json", as it is best known. */
const char *option_spelling(const struct option_row *row, char out[40]);

/* What was given, or holds by default, of the rows that the program takes and that
   have a name in JSON. */
void option_record(const struct option_row *rows, const void *settings,
                   const void *family, struct fields to);

#endif
