/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool_options.h - the options of a tool, a row each: what parses them and the help are made
 *                  from the same rows.
 */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include "document.h"
#include "text.h"

struct tool_option {
    const char *name;     /* without dashes; NULL ends a list */
    char letter;          /* its short form; 0: none */
    const char *argument; /* as the help names it: FILE for one that is
                             written; NULL: a bool, which becomes true */
    const char *help;     /* lines of the second column */
    void *to;             /* a bool, a const char *, or what read takes */
    /* Takes the text; NULL: it is kept as it is.  False: why[] says what is wrong. */
    bool (*read)(const struct tool_option *option, const char *text,
                 char why[WHY]);
};

/* Readers: of a percentage into a double, 5 for 0.05; of one more text into struct texts,
   which may be given several times. */
bool tool_option_percent(const struct tool_option *option, const char *text,
                         char why[WHY]);
bool tool_option_each(const struct tool_option *option, const char *text,
                      char why[WHY]);

struct texts {
    const char **text;
    size_t n;
};

/* A question that the tool answers: the word after its name, and its help. */
struct tool_verb {
    const char *name;
    const char *usage;   /* what follows the name */
    const char *purpose; /* one sentence or more before the options */
    const char *closing; /* examples and exit codes */
    const struct tool_option *option;
    /* Answer, given the words that are no options: the exit code. */
    int (*run)(const char *const *word, size_t n);
};

/* Every verb has --markdown and --html; of the answer, which has all that they say, text is
   printed, with begin before each line but rows of tables.  False: why[] says which file could
   not be written. */
bool tool_answer(const struct document *text, const char *begin,
                 const struct document *all, char why[WHY]);

/* Parse what follows the verb, and run it: the exit code of the tool.  Wrong options are
   refused with code 1; --help and --version print and end with 0. */
int tool_run(const struct tool_verb *verb, int argc, char **argv);

/* Print a sentence about the verb that runs to stderr, and return EXIT_FAILURE. */
int tool_refuses(const char *why);

/* Print "alidade-analysis (Alidade) VERSION", and leave. */
_Noreturn void tool_version(void);

#endif
