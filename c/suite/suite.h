/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite.h - every program of the suite, in the order of mpi/Makefile.inc, the words that choose
 *           some of them, and a part of the job: one program with its command line.
 *
 * Words: the name of a program, with "osu_" or without; a folder of mpi/; "all"; and
 * "s:GROUP", what the OSU Micro-Benchmarks 8.0b have in a group of that name.
 *
 * All command lines are read before the first program begins, so that a wrong word costs
 * nothing.  A program that cannot run is skipped; its message is kept for the summary.
 */
#ifndef SUITE_H
#define SUITE_H

#include "base/messages.h"
#include "bench.h"
#include "job/world.h"
#include "options/settings.h"
#include "run/run.h"

struct program {
    const char *path; /* "mpi/pt2pt/latency" */
    int (*main)(int argc, char **argv);
    const struct bench *bench; /* what its main handed over */
};

/* The table that the build makes; ends with a NULL path. */
extern struct program programs[];

/* Let each main hand its description over; first of all. */
void programs_load(void);

/* Does the word mean the program, by its own name (exactly) or as one of several? */
bool programs_match(const struct program *p, const char *word, bool *exactly);

/* " (did you mean latency?)" of a word that is no program, or in which folders OMB's are; "":
   nothing is near.  Until the next call. */
const char *programs_question(const char *word);

/* A line for each: name, folder, group, what it measures. */
void programs_list(FILE *to);

/* The file that starts the program alone, near the suite's own; to be freed. */
char *programs_file(const char *suite, const struct program *p);

/*
 * The suite as omb_pt2pt, omb_coll and omb_one_sided of the OSU Micro-Benchmarks
 * 8.0b, which are its names in their layout (--enable-osu-layout).
 *
 * They have the programs of OMB in some folders of mpi/: no other is matched.  Options come
 * first, then "--", then words; without "--" all of them.  Started by such a name: *argc and
 * *argv are as for the suite from then on.
 */
void omb_translate(int *argc, char ***argv);

/* --- A part of the job ------------------------------------------------------------ */

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
    int owns;   /* words of that line after the program */
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
    bool soak_over;           /* before it began: each of its rows is verified once */
    struct verified verified; /* iterations of all rows */
};

/* Between the words of a line. */
#define PART_BLANKS " \t\r\n"

/* It has options of its own: the words of rest, which stays. */
void part_take_line(struct part *part, int line, char *rest);

/* Read the command line of part->program: options, then its own, with the name of the
   program added to folders for its files.  file: that starts it alone; the part frees it. */
void part_read(struct part *part, char *file, int options, char **option);
void part_release(struct part *part);

/* After part_read: its own words are wrong, and not those of all programs. */
bool part_is_wrong(const struct part *part);

/* Run it; collective.  Of --total and --verify=soak it has its share, where it has no such
   option of its own: it is the next of so many programs, gone_s after the first began. */
void part_run(struct part *part, struct world_start *startup, double gone_s, int programs_left);

/* Print its plan, and add its rows to *sum. */
void part_plan(struct part *part, int *sum);

#endif
