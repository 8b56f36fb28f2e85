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

#include "base/messages.h"

/* --- "Did you mean?" ----------------------------------------------------------- */

/* The word of a list that a mistyped one was meant to be. */
struct nearest {
    const char *text; /* what was typed, and its length */
    size_t length;
    const char *prefix; /* of the words of the list, as "--" */
    size_t slips;       /* of the nearest yet */
    char question[80];  /* " (did you mean WORD?)", or "" as long as no word is near */
};

/* A word is near if it takes at most one slip for three letters: one that is missing, added,
   wrong, or swapped with the next.  Of equally near ones the first counts. */
void nearest_offer(struct nearest *near, const char *word);

/* --- The words that an option takes -------------------------------------------- */

/* A word, its value, and what it means, for --help.  Without a meaning it
   is another word for a value: accepted, not shown.  Lists end with a NULL word. */
struct choice {
    const char *word;
    int value;
    const char *meaning;
};

/* The choice whose word, up to its colon, is the first n characters of the text, in any case;
   NULL: none. */
const struct choice *choice_of(const struct choice *choices, const char *text, size_t n);

/* The same of words with an argument, "random:SEED": the choice that is alike up to the
   colon; *argument is what follows the text's colon, NULL: it has none. */
const struct choice *choice_before_colon(const struct choice *choices, const char *text,
                                         const char **argument);

/* The word of a value, for example "flush"; NULL: it has none. */
const char *choice_word(const struct choice *choices, int value);

/* Returned by parsers of a text that is none of the choices of their row. */
extern const char choice_none[];

/* --- Rows ---------------------------------------------------------------------- */

enum option_kind {
    OPTION_FLAG,    /* bool, becomes true */
    OPTION_INT,     /* int within [min, max] */
    OPTION_SIDES,   /* int[2], the sender's and the receiver's: S:R, or one number for
                       both; missing: what that leaves the sender */
    OPTION_COUNT,   /* struct sizes_count, its numbers within [min, max] */
    OPTION_SIZE,    /* size_t, K/M/G allowed, within [min, max] */
    OPTION_SECONDS, /* double; us, ms, s, m, h suffixes; at least min */
    OPTION_PERCENT, /* double as a fraction: 1 or 1% is 0.01 */
    OPTION_TEXT,    /* const char *, as given */
    OPTION_CHOICE,  /* int, one of choices, any case */
    OPTION_LIST,    /* some of choices, with commas: add() takes each */
    OPTION_SPECIAL, /* parse decides */
    OPTION_EVENT,   /* ends parsing: help, version, ... */
};

struct fields;
struct settings;

struct option_row {
    int key;              /* short letter; 0: none; events: any number */
    const char *name;     /* long name */
    const char *argument; /* its name in help; NULL: takes none */
    bool optional;        /* value may be missing, and must be attached */
    const char *missing;  /* what is meant then; NULL: parse knows */
    bool common;          /* is in the short help, up to the first ";" of help */
    const char *help;     /* what it does, with the unit of its value */
    const char *fallback; /* the default, as help shows it; NULL: none */
    int group;            /* heading in help: index into settings_groups */
    unsigned takers;      /* bits of programs that take it; 0: all */
    const char *programs; /* those programs in words, for the refusal */
    enum option_kind kind;
    size_t offset;                /* of the field in the settings */
    double min, max;              /* of numbers; max 0: none */
    const struct choice *choices; /* all that it takes, or some examples */
    /* In place of what kind says: NULL, or what is wrong; text is NULL where an optional one is
       missing. */
    const char *(*parse)(void *field, const char *text);
    const char *(*add)(void *base, int value);

    /* Its name in the JSON document's method; NULL: it is not there.  The field is there what
       kind says, a number that is a choice that choice's word, and of other kinds the text as it
       was given; NULL: nothing then.  record writes what these do not tell, from the field. */
    const char *json;
    void (*record)(struct fields to, const char *name, const void *field);

    /* Set by who collects the rows of a program: it takes the option, or accepts it
       without effect; and the settings that offset, parse, add and record are of. */
    bool taken, idle;
    void *base;
    bool named;        /* it is on the command line */
    const char *given; /* its text there, or in the row what holds by default; NULL: none */

    /* Has it no effect together with the others, once all are read?  NULL: it has; and why
       it has not, the end of a sentence. */
    bool (*moot)(const struct settings *s);
    const char *moot_because;
};

/* No two rows of a program have one letter or one name. */
enum { OPTION_ROWS = 128 };

/*
 * Read a command line into settings, or say in *r what is wrong first.  It is read to its end
 * nevertheless, because --json is told of it too.  Where nothing is wrong before an
 * OPTION_EVENT, reading ends there and its key is returned; 0: there was none.
 */
int option_parse(struct settings *s, int argc, char *const *argv, struct refusal *r);

/* Read a time, as "10s", "50ms" or "2m".  NULL, or what is wrong with text. */
const char *option_seconds(const char *text, double *seconds);

/* The next word of a list with commas, of n characters; false: there is none. */
bool option_next(const char **list, const char **word, size_t *n);

/* Read "N,N,...", whole numbers in the order in which they are named, none twice.  NULL, or
   what is wrong with text. */
enum { PARAMETER_MAX = 32 };
const char *option_numbers(const char *list, long values[PARAMETER_MAX], int *n);

static inline bool option_has_letter(const struct option_row *row)
{
    return row->key > 0 && row->key < 256;
}

/* The next row, or the first of all for NULL, that is named and has no effect: idle, or moot.
   NULL: there is none. */
const struct option_row *option_moot(const struct settings *s, const struct option_row *last);

/* "-W" or "--json", as it is best known. */
const char *option_spelling(const struct option_row *row, char out[40]);

#endif
