/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup.h - everything that a loop finds ready when it is called: partner,
 *           memory, requests, counts.
 *
 * -b says how many messages of a window have memory of their own, a slot each:
 *
 *   auto      one buffer serves all messages to send.  Each message is received in a slot
 *             of its own, as long as the windows of a rank take 1 GiB at most.
 *   single    one buffer for all, each way, as in OMB
 *   multiple  a slot for each message, each way
 *
 * What finds no room shares the slots in turn.  To be verified a row has only as many messages
 * under way as it has slots.
 */
#ifndef SETUP_H
#define SETUP_H

#include "bench.h"
#include "data/datatype.h"
#include "family.h"
#include "memory/memory.h"
#include "report/rows.h"
#include "sampling/buffer_pool.h"
#include "sampling/start.h"

/* What lasts from the first row to the last. */
struct setup {
    struct bench_run run;
    const struct memory_kind *side[2]; /* memory of the two sides */
    struct buffers buffers;            /* this rank's */
    struct start start;
    struct buffer_pool pool;
    int window;          /* messages in flight; of all rows at most */
    size_t window_bytes; /* of the slots of one window, but one slot at least */
    size_t cache_bytes;  /* of a last-level cache; 0: unknown */
    int cache_ranks;     /* ranks that share one */
    struct typemap_list blocks;  /* -D indx */
    struct typemap pieces;       /* what moves in the row under way */
    struct message_type message; /* its count and type */
};

/* What the command line and the number of ranks say of this rank; c->world has
   them.  No MPI is called.  c->run is of *p. */
void setup_describe(struct setup *p, const struct context *c);

/* What that leaves open: the file of -D, threads, the family's partners. Collective; EXIT_OK, or
   the code to leave with, said why, alike on all ranks. */
enum exit_code setup_partners(struct setup *p, const struct context *c);

/* Bytes that the slots of one window may take on this rank; and let p->window_bytes be
   the least of all ranks, collective. */
size_t slots_limit(const struct context *c);
void slots_agree(struct setup *p, const struct context *c);

/* Below the title, on rank 0: from which size on messages share slots without being told. */
void slots_say(const struct setup *p, const struct context *c,
               const struct rows *rows);

/* Bytes of the buffers of this rank for a row of the given size: of its node's
   memory, and of its GPU's. */
struct memory_need setup_need(const struct setup *p, const struct context *c,
                              size_t bytes);

/* What --mem-limit is compared with: all buffers of this rank; with --protocol=omb, in
   collectives, one message, or one for each rank, as in OMB. */
size_t setup_limited(const struct setup *p, const struct context *c,
                     size_t bytes);

/* The operation and the value of the parameter whose buffers are the largest. */
struct row setup_widest(const struct setup *p, const struct context *c,
                        const struct rows *rows);

/* Let the run have those of the row: what it needs is asked of the run. */
void setup_turn_to(struct setup *p, const struct row *row);

/* Buffers for rows of up to max_bytes.  Collective; EXIT_OK, or the code to
   leave with, said why, alike on all ranks. */
enum exit_code setup_memory(struct setup *p, const struct context *c,
                            size_t max_bytes);

/* Then what else rows need, and how ranks start.  As above. */
enum exit_code setup_loop(struct setup *p, const struct context *c);

/* Set the run up for one row, and end that.  Collective.  At first the window has as many
   messages as slots: MPI forbids two receives under way into one slot, and no one could
   verify them.  Then let it have all its messages. */
void setup_row(struct setup *p, const struct context *c, const struct row *row);
void setup_whole_window(struct setup *p, const struct context *c,
                        const struct row *row);
void setup_row_end(struct setup *p, const struct row *row);

/* What somebody wrote, since the last call, where this rank sends or receives nothing; 0: none. */
unsigned char setup_written_to_nothing(void);

/* Give everything back, whatever of it there is.  Collective. */
void setup_release(struct setup *p, const struct context *c);

#endif
