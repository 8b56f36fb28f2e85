/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry.h - what is known of the calls of one kind, on one rank or on all; the file that says it
 */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * call: its number, of name_of.  step: 0 for 0 bytes, else 1 + the power of two that they reach.
 * ranks, nodes: of the communicator, or 0.  holders: ranks that made such calls.  seconds: all of
 * them together; shortest: of one call; least, most: of one of the holders.
 */
struct entry {
    int call, step, ranks, nodes, holders;
    uint64_t count, bytes;
    double seconds, shortest, least, most;
};

/* Orders for qsort: by call, step, ranks and nodes; and those that took longest first. */
int entry_by_key(const void *one, const void *other);
int entry_by_seconds(const void *one, const void *other);

/* Both are in the order of their keys; to has room for all.  Returns how many there are. */
int entry_merge(struct entry *to, const struct entry *a, int n, const struct entry *b, int m);

/* "0 B", "8 B", "64 KiB": the bytes of a step, in text, which may be returned. */
const char *entry_size(int step, char text[16]);

/*
 * file: its path.  rank: which writes it.  recorded: how many ranks the n entries are of.
 * seconds: of the application, between MPI_Init and MPI_Finalize.  lost: calls that are in no
 * entry.  why: it is not complete; or NULL.
 */
struct record {
    const char *file, *library, *why;
    int rank, ranks, nodes, recorded;
    double seconds;
    uint64_t lost;
    const struct entry *entry;
    int n;
    const char *(*name_of)(int call);
};

/* Write it in place of what is there.  It may be called in the handler of a signal, since it takes
   no memory and no stream.  False: it could not be written, and what was there is. */
bool record_write(const struct record *record);

/* Of one rank, on average, in MPI. */
double record_seconds_in_mpi(const struct record *record);

#endif
