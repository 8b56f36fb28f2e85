/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * streams.h - windows of messages between threads, and between as many pairs of ranks:
 *             mbw_mr_mt.
 *
 * The parameter of a row is T.
 *   threads    T threads of rank 0 each send windows to a thread of rank P / 2, the other
 *              ranks wait;
 *   processes  ranks 0 to T - 1 send windows to ranks P / 2 to P / 2 + T - 1, one thread
 *              each.  Only rows with 2 T ranks or more exist.
 * So both use the same path where ranks are placed in two equal parts.
 *
 * What keeps messages of different threads apart (--apart):
 *   comm  a communicator for each thread, and one tag;
 *   tag   one communicator, and a tag for each thread;
 *   none  one communicator and one tag: a message may be received by any thread.
 * The communicators are created with info keys that permit a library to give each of
 * them, or each tag, resources of its own.  Acknowledgements have tags of their own in any
 * case: a thread would wait forever for one that another thread has received.
 *
 * The samples of a batch are stretched (threads.c) so that those of a thread add up to the
 * time in which all threads were done.  So the rate is that of all threads together, even
 * if a lock lets one thread after the other run.
 */
#ifndef STREAMS_H
#define STREAMS_H

#include "options/parameter.h"
#include "threads.h"

enum apart { APART_COMM, APART_TAG, APART_NONE };

/* Numbers of the operations of the program. */
enum { STREAMS_THREADS, STREAMS_PROCESSES };

enum {
    STREAMS_ACK = 2000
}; /* tags of acknowledgements are above data's by that */

/* T, for the descriptor. */
#define STREAMS_NUMBERS                                                        \
    {                                                                          \
        .name = "Threads or processes", .key = "threads",                      \
        .option = "num-threads", .letter = 't', .argument = "N[,N...]",        \
        .help = "threads of each of two ranks; and pairs of ranks if there "   \
                "are enough; for each number a section of the table",          \
        .fallback = "1,2,4", .least = 1, .most = THREADS_MOST, .value = {      \
            1,                                                                 \
            2,                                                                 \
            4                                                                  \
        }                                                                      \
    }

/* Tag of the data of this thread. */
static inline int streams_tag(const struct bench_run *r)
{
    return threads_of(r)->apart == APART_TAG ? r->tag : BENCH_TAG;
}

/* Does this rank stream in the row? */
bool streams_takes_part(const struct bench_run *r);

/* A window for each thread or process. */
extern const struct flow flow_streams;

/* Rates of all threads or processes, and the speed-up. */
extern const struct report report_streams;

extern const struct family streams_family;

#endif
