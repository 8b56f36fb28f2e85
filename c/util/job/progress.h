/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - what this process is doing now: the phase, the row and the iterations
 *              that are under way.
 *
 * The core says it as it goes on.  Messages of errors read it, and so does a watcher that looks
 * whether anything moves, maybe in a signal handler.  Besides it the process has a clock,
 * a world, perhaps a GPU, and the messages that it has printed, each in the file of that name.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "timing/clock.h"

/* Written by the program, read by the handler that interrupts it. */
struct progress {
    char host[HOST_NAME_MAX + 1];
    int rank; /* as the launcher counts, until MPI is there */
    const char *volatile phase;
    /* "D-H": MPI is given GPU memory for the first time; or NULL. */
    const char *volatile mem;
    volatile size_t bytes; /* of the row */
    int row, rows;         /* its number, of so many; 0: there are none */
    const volatile struct iterations *volatile iterations; /* that are under way; or NULL */
    const clock_ticks *volatile first;                     /* of iterations */
    volatile long before, batch; /* iterations: of earlier batches; of this one */
    int sends, receives;         /* messages of an iteration */
    volatile long moves;         /* phases and rows begun */
    /* MPI_Init waits until the launcher has started all ranks; MPI_Finalize for all to end;
       this rank has done its part of a batch, and only the others know whether they make
       progress; the phase shows none. */
    volatile bool starting, ending, waiting, slow;
    volatile pthread_t reporter; /* the thread whose call and stack are told */
    /* What the process that ends the job early writes to stdout; NULL: nothing. */
    const char *volatile last_words;
    /* It has done so: what follows, MPI_Abort too, may call exit. */
    volatile bool spoken;
    /* Watchers' additions, safe in a signal handler; NULL without them: append "call=...;
       stack=...;", and give files of results that are whole their names. */
    void (*volatile append_call)(char *text, size_t room);
    void (*volatile rescue)(void);
};

extern struct progress progress;

/* --- Text put together in a signal handler, where printf is not allowed.  What finds no room is
   cut --- */

static inline void signal_append(char *text, size_t room, const char *more)
{
    size_t n = strlen(text);

    /* Not strncat: GCC 12 with -O2 then takes the end of digits below for unused. */
    while (n + 1 < room && *more != '\0')
        text[n++] = *more++;
    text[n] = '\0';
}

static inline void signal_append_number(char *text, size_t room, long number)
{
    char digits[24] = "";
    int at = sizeof digits - 1;
    unsigned long left = number < 0 ? 0 : (unsigned long)number;

    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    signal_append(text, room, digits + at);
}

static inline void signal_append_field(char *text, size_t room, const char *key, long number)
{
    signal_append(text, room, key);
    signal_append_number(text, room, number);
    signal_append(text, room, "; ");
}

/* --- What is done now --- */

/* The run of a program begins. */
void progress_begin(int rank);

/* Name what is done from now on; phase must be a constant string. */
void progress_phase(const char *phase);

/* The phase is long, but makes progress. */
void progress_moved(void);

/* Name the row and the iterations that are under way from now on; and how many messages, or
   blocks of a collective, an iteration sends and receives on this rank; 0 and 0: not known. */
void progress_row(size_t bytes, const struct iterations *iterations, int sends, int receives);

/* The same iterations are made by these iterations, of a thread. */
void progress_iterations(const struct iterations *iterations);

/* Phases, rows and iterations that began or ended so far. */
long progress_made(void);

/* Append "phase=...; size=...; iterations=...; sent=...; received=...;": what this rank has
   done in this phase of the row; and before it "rank=...; host=...;", after it its call. */
void progress_describe(char *text, size_t room);
void progress_locate(char *text, size_t room);

/* "rank=0; host=...;" of one rank or of several. */
void progress_append_who(char *text, size_t room, const char *who);

/* The process ends the job early: files get their names, and the last words are written. */
void progress_say_last_words(void);

#endif
