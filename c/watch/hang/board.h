/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * board.h - memory of the ranks of a node, in which each says where it is when nothing
 *           moves: one of them can then name those that differ.
 *
 *   who                              writes                  so that
 *   a rank in which nothing moves    asked, for all          the others say where they are
 *   each rank that sees that         its seat, then said     there is something to read
 *   who has waited for all seats     reads, the first alone  one rank prints, by board_next
 *   that rank                        read                    all may end the job
 *
 * Nobody waits for ever: a seat that stays empty, as of a rank that a debugger holds, is
 * printed as silent when the time of board_reads is over.
 *
 * Signal handlers call board_post and the functions below it, so they neither allocate
 * nor print by stdio, and MPI is not called.
 */
#ifndef BOARD_H
#define BOARD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Share it, once in a process.  Where the ranks cannot, or until then, each has its own.
   rank: in the job.  Collective over the ranks of the node. */
void board_begin(MPI_Comm node, int rank);

/* This rank gives up, and asks the others. */
void board_ask(void);

/* Is this rank asked, and has not answered?  Say where it is. */
bool board_is_asked(void);
void board_post(int rank, const char *state);

/* Wait until all have said it, at most so long.  Is this the first rank that has waited, which
   reads it?  The others return when it has been read. */
bool board_reads(unsigned seconds);

/* Ranks that say the same, as "0-22,24": those that fewest say first.  After so many states
   all the rest together.  NULL: no more.  *who is cut to its room. */
const char *board_next(char *who, size_t room);
void board_read(void);

#endif
