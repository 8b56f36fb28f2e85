/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * congestion.h - the windows of messages with which congestors load the network, and
 *                how they end.
 *
 * The first congestor looks before each window whether a victim has sent it STOP.  What
 * it finds reaches the others in a reduction that runs at the same time as the window, so
 * that the network is not idle between windows.  So all congestors make the same number
 * of windows, whatever their speed, and no rank is ahead by more than one.
 *
 *   incast    every congestor sends a window to the first one
 *   outcast   the first one sends a window to every other
 *   alltoall  one MPI_Alltoall
 *   put       incast with MPI_Put, and MPI_Win_flush
 *
 * Once the first window has arrived, the first congestor sends GO to the first victim.
 */
#ifndef CONGESTION_H
#define CONGESTION_H

#include <mpi.h>

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "memory/memory.h"

enum { IMPACT_GO = 11, IMPACT_STOP = 12 /* tags of empty messages */ };

struct congestion {
    int kind;       /* enum congestor */
    int window;     /* messages between two ranks */
    size_t message; /* bytes of one */
    struct buffer send, recv;
    MPI_Request *request;
    MPI_Win win;           /* of put */
    double bytes, seconds; /* sent by this rank, and the time it took */
    double mb_per_s;       /* of all together; of the row */
};

/* Requests and window of the congestors.  Collective; EXIT_OK, or the code to leave with, said why. */
enum exit_code congestion_begin(const struct context *c);
void congestion_end(struct congestion *g);

/* Bytes of the buffers of a congestor. */
size_t congestion_bytes(const struct bench_run *r, bool sending);

/* This congestor's part of a batch of the loop: windows, or sleep. */
void congestion_run(struct bench_run *r);

/* What victims and congestors send, and what must arrive.  Either side is filled and verified
   as what it does (data/flow.h): pairs, a ring, a sum over the victims, an incast, an
   outcast, an all-to-all.  In a mismatch, block is the number of the message in what this
   rank receives. */
extern const struct flow flow_impact;

#endif
