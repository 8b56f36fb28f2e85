/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - a loop run by several threads of each rank of a pair: latency_mt,
 *             mbw_mr_mt.
 *
 * Rank 0 has the senders, rank 1 the receivers.  Every thread works on a run of
 * its own: buffers, samples, loop control; nothing that is written is shared.
 * The threads of a rank are created for each batch of iterations, begin it together,
 * and have ended when threads_run returns.  The main threads decide on batches, as in
 * all programs.
 *
 * Every sender runs the same number of iterations.  If there are at least as many
 * receivers as senders, sender t has its own receivers: those whose number is t
 * modulo the senders.  If there are fewer, all receivers serve all senders.  The
 * messages are divided equally among the receivers in advance, so none waits for
 * a message that never comes.
 *
 * Sample i of a batch is that of sender i modulo the senders: percentiles and
 * means are over the iterations of all threads.  The first sample of each thread is
 * dropped, since other threads are still being created.
 */
#ifndef THREADS_H
#define THREADS_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"

enum { THREADS_MOST = 1024 }; /* of a rank */

struct threads_settings {
    int side[2]; /* threads of the sender and of the receiver */
};

FAMILY_OF(settings, const struct threads_settings, threads_settings)

/* Where a row with threads as its parameter has its base: speed-up is relative to it. */
struct threads_base {
    enum element type;
    size_t bytes;
    double rate; /* messages per second */
};

struct threads {
    int senders, receivers;
    /* Of streams, else 0. */
    bool streams;   /* samples are stretched to the time of all threads */
    int apart;      /* enum apart: what keeps messages of threads apart */
    MPI_Comm *comm; /* one for each thread, or one for all; NULL: run->comm */
    int comms;      /* number of them */
    struct threads_base *base;
    int bases;
    double speed_up; /* of the row; NAN: not known */
};

FAMILY_OF(bench_run, struct threads, threads_of)

/* Run loop in all threads of this rank, for the iterations that r is prepared
   for. */
void threads_run(struct bench_run *r, void (*loop)(struct bench_run *r));

/* A block for each thread. */
extern const struct flow flow_threads;

/* Half a round trip, after lines that count the threads. */
extern const struct report report_threads;

extern const struct family threads_family;

/*
 * Windows of messages between threads, and between as many pairs of ranks:
 * mbw_mr_mt.
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

enum apart { APART_COMM, APART_TAG, APART_NONE };

/* Numbers of the operations of the program. */
enum { STREAMS_THREADS, STREAMS_PROCESSES };

enum { STREAMS_ACK = 2000 }; /* tags of acknowledgements are above data's by that */

/* T, for the descriptor. */
#define STREAMS_NUMBERS                                                                            \
    {                                                                                              \
        .name = "Threads or processes", .key = "threads", .option = "num-threads", .letter = 't',  \
        .argument = "N[,N...]", .value = { 1, 2, 4 }, .least = 1, .most = THREADS_MOST,            \
        .help = "threads of each of two ranks; and pairs of ranks if there "                       \
                "are enough; for each number a section of the table",                              \
        .fallback = "1,2,4"                                                                        \
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
