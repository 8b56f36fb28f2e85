/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part.h - a part of the job: one program with its command line, from the reading of
 *          that line to its outcome.
 *
 * All command lines are read before the first program begins, so that a wrong word costs
 * nothing.  A program that cannot run is skipped; its message is kept for the summary.
 */
#ifndef SUITE_PART_H
#define SUITE_PART_H

#include "base/messages.h"
#include "job/startup.h"
#include "options/settings.h"
#include "programs.h"
#include "run/run.h"

enum part_state {
    PART_WAITS,
    PART_RAN,
    PART_SKIPPED,
    PART_FAILED,
    PART_SAID /* what was asked for instead: --help, --list, ... */
};

/* Times that all programs share, where a line has none of its own. */
enum { PART_TOTAL, PART_SOAK, PART_TIMES };

struct part {
    const struct program *program;
    char *file; /* that starts the program alone */
    int line;   /* of --from's file; 0: a word names the program */
    char *text; /* that line; its words after the program */
    int owns;
    char **own;
    bool has_time[PART_TIMES]; /* --total, --verify is among them */
    int argc;                  /* the command line as it would be alone */
    char **argv;               /* its first word is file */
    struct settings settings;
    enum part_state state;
    enum exit_code code;
    struct refusal said;
    char why[400]; /* it was skipped, or failed; "" */
    double seconds;
    bool soak_over; /* before it began: each of its rows is verified once */
    struct verified verified; /* iterations of all rows */
};

/* A clock that is the job's own: each program chooses its. */
double part_now_s(void);

/* Between the words of a line. */
#define PART_BLANKS " \t\r\n"

/* It has options of its own: the words of rest, which is in the text of the line.  The
   part frees that. */
void part_take_line(struct part *part, int line, char *text, char *rest);

/* Read the command line of part->program: options, then its own, with the name of the
   program added to folders for its files.  file: that starts it alone; the part frees it. */
void part_read(struct part *part, char *file, int options, char **option);
void part_release(struct part *part);

/* After part_read: its own words are wrong, and not those of all programs. */
bool part_is_wrong(const struct part *part);

/* Run it; collective.  Of --total and --verify=soak it has its share, where it has no such
   option of its own: it is the next of so many programs, gone_s after the first began. */
void part_run(struct part *part, struct startup *startup, double gone_s,
              int programs_left);

/* Print its plan, and add its rows to *sum. */
void part_plan(struct part *part, int *sum);

#endif
