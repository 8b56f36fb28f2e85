/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prepare.h - everything a loop finds ready when it is called: partner,
 *             buffers, requests, window, neighbourhood, counts.
 */
#ifndef PREPARE_H
#define PREPARE_H

#include "nas/application.h"
#include "bench.h"
#include "processes/processes.h"
#include "groups/groups.h"
#include "data/layout.h"
#include "matrix/pair_times.h"
#include "memory/memory.h"
#include "overlap/overlap.h"
#include "partitions/partitions.h"
#include "machine/placement.h"
#include "reuse/reuse.h"
#include "rma/rma.h"
#include "sampling/buffer_pool.h"
#include "staging/staging.h"
#include "sampling/start.h"
#include "threads/threads.h"
#include "neighbors/topology.h"
#include "transport/transport.h"
#include "data/datatype.h"
#include "job/world.h"

/* What lasts from the first row to the last. */
struct prepared {
    struct bench_run run;
    const struct memory_kind *side[2],
        *kind; /* of both sides; of this rank's */
    struct buffer send, recv;
    struct buffer window; /* of RMA, unless MPI allocates it */
    struct start start;
    struct topology topology;
    struct groups groups;
    struct partitions partitions;
    struct threads threads;
    struct processes children;
    struct layout layout;
    struct rma rma;
    struct overlap overlap;
    struct reuse reuse;
    struct staging staging;
    struct matrix matrix;
    struct buffer_pool rotation;
    struct application_run application;
    int cache_ranks;                   /* ranks that share a last-level cache */
    const struct transport *transport; /* connected, or trying to be */
    struct typemap_list blocks;         /* -D indx */
    struct typemap pieces;              /* what moves in the row under way */
    struct message_type message;       /* its count and type */
};

/* What the command line and the number of ranks say of a run: no MPI is called. */
void prepare_describe(struct prepared *p, const struct bench *b,
                      const struct settings *s, const struct world *world);

/* Partner, neighbourhood and window length: what buffer sizes depend on.
   EXIT_OK, or the code to leave with; said why; alike on all ranks. */
enum exit_code prepare_partners(struct prepared *p, const struct bench *b,
                                const struct settings *s,
                                const struct world *world);

/* Do all ranks share memory, where that is needed?  As above. */
enum exit_code prepare_check_nodes(const struct bench *b,
                                   const struct settings *s,
                                   const struct world *world,
                                   const struct placement *placement);

/* Bytes of the buffers of this rank for a row of the given size: of its node's
   memory, and of its GPU's. */
struct prepare_need {
    size_t host, gpu;
};
struct prepare_need prepare_need(const struct prepared *p,
                                 const struct bench *b,
                                 const struct settings *s, size_t bytes);

/* Blocks of the send buffer: none where the RMA window is it, one where one serves
   the whole window of messages; and of the receive buffer. */
size_t prepare_send_blocks(const struct prepared *p, const struct bench *b,
                           const struct settings *s);
size_t prepare_recv_blocks(const struct prepared *p, const struct bench *b);

/* Blocks, and bytes, of an RMA window: alike on all ranks, though only one may use
   it. */
size_t prepare_window_blocks(const struct prepared *p, const struct bench *b);
size_t prepare_window_bytes(const struct prepared *p, const struct bench *b,
                            size_t bytes);

/* Blocks that a v- or w-collective can have on any rank. */
int prepare_blocks(const struct prepared *p);

/* Let memory be asked for that the level needs which needs most. */
void prepare_widest(struct prepared *p, const struct bench *b,
                    const long level[], int n);

/* Buffers for rows up to max_bytes, of the kind that is this rank's.  EXIT_OK, or
   the code to leave with; said why; alike on all ranks. */
enum exit_code prepare_memory(struct prepared *p, const struct bench *b,
                              const struct settings *s,
                              const struct world *world, size_t max_bytes);

/* Then what else rows need, RMA windows, and how ranks start; false: out of memory
   on some rank.  sync and resolution_s: as start_begin's. */
bool prepare_buffers(struct prepared *p, const struct bench *b,
                     const struct settings *s, const struct world *world,
                     const struct clock_sync *sync, double resolution_s,
                     size_t max_bytes);

/* Then, below MPI: connect the ranks.  EXIT_OK, or the code to leave with; said
   why; alike on all ranks. */
enum exit_code prepare_transport(struct prepared *p, const struct bench *b,
                                 const struct world *world, bool one_node);

/* Set the run up for one row; false: this row cannot be expressed. */
bool prepare_row(struct prepared *p, const struct bench *b,
                 const struct settings *s, enum element element, size_t bytes);
void prepare_row_end(struct prepared *p);

/* Give everything back, whatever of it there is.  Collective. */
void prepare_release(struct prepared *p);

#endif
