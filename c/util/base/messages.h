/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - the catalogue of all messages that a program prints on stderr.
 *
 * Every message has a number that users can search for, a row in catalogue.def, and its cause in
 * doc/messages.c, of which doc/messages.md is made.  The lines of a warning begin with "# ",
 * because batch systems merge them into the table.  An error ends the run and has no such mark:
 * scripts that look for the reason of a failure drop comments.  Numbers in warnings are written
 * as key=value; because known readers of the table would take a bare number for a result.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdio.h>

/* Exit codes of every program, the same on all ranks. */
enum exit_code {
    EXIT_OK = 0,
    EXIT_USAGE = 1,       /* options or files that make no sense */
    EXIT_RUN = 2,         /* no common job, MPI error, hang, empty table */
    EXIT_WRONG_DATA = 3,  /* verification failed */
    EXIT_CANNOT_RUN = 77, /* wrong number of ranks, or a missing feature */
};

/* E01_NOT_ONE_JOB, ... */
enum message_id {
#define MESSAGE(number, what, code, advice) number##_##what,
#include "catalogue.def"
#undef MESSAGE
    MESSAGE_COUNT
};

struct message {
    const char *number;  /* "E02", "W08" */
    enum exit_code code; /* of an error: the exit code; of a warning: EXIT_OK */
    const char *advice;  /* the remedy, printed on the second line */
};

extern const struct message messages[MESSAGE_COUNT];

/* What messages call this process: the program that is told of, or "suite". */
extern const char *message_program;

/*
 * Print "alidade: error E02: PROGRAM: " or "# alidade: warning W05: PROGRAM: ", the text made
 * from format, and the advice on a second line to stderr.  One write does it, so that lines of
 * several ranks do not mix.  Returns the exit code that belongs to the message.
 */
enum exit_code message_print(enum message_id id, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Was an error printed, or kept, in this process? */
extern bool message_printed;

/* --- A reason that is kept, until who asked says it --------------------------------- */

/* Why something cannot be done; why[0] is '\0' where it can. */
struct refusal {
    enum message_id id;
    char why[1500]; /* has room for an example's command line */
};

/* Refuse it, unless it was refused before: the first reason holds. */
void refusal_because(struct refusal *r, enum message_id id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print it, if this rank speaks.  Returns the exit code; EXIT_OK where nothing is refused. */
enum exit_code refusal_print(const struct refusal *r, bool speaks);

/* Set, the first error is noted there, and those that only say that a program does not run
   (exit codes 1 and 77) are not printed: who set it says them.  NULL: all are printed. */
extern struct refusal *message_kept;

/* An exit code in words: "ok", "wrong data", ... */
const char *message_reason(enum exit_code code);

#endif
