/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - did every rank receive, in every element, what was sent to it?
 *
 * Used around one iteration of the program's own loop, apart from the timed iterations:
 * verify_fill puts known contents into what will be sent and poison into what will be received
 * and after it; verify_check compares.  Both differ from iteration to iteration (run->checks),
 * so that what an earlier iteration left is wrong.  A buffer into which this rank receives
 * nothing must stay as it was, as must what a derived type leaves out, and what was sent.
 *
 * Moved bytes must arrive as they were sent: each is a hash of sender, receiver, slot, check and
 * position, which every rank can compute, and none is that of the check before.  What a
 * reduction receives is numbers, which its flow tells.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "datatype.h"
#include "flow.h"
#include "loop.h"
#include "memory.h"

struct verify {
    const struct bench_run *run;
    const struct flow *flow;
    const struct memory_kind *send_kind, *recv_kind;
    const struct typemap *pieces; /* what of a block moves */
    enum element element;
    char *send, *recv;   /* the buffers, whatever MPI_IN_PLACE stands for */
    bool distinct_sends; /* every slot of the send window has its memory */
    /* Of every wrong element that this rank finds: where it stands, by bytes (elements of a
       sum) through all blocks, and the two values as text.  NULL: nobody asks. */
    void (*noted)(const struct verify *v, size_t position, const char *expected, const char *got);
};

/* The first thing that is wrong on this rank. */
struct mismatch {
    size_t wrong;   /* elements (bytes, of moved data) found wrong */
    int block;      /* where the first stands */
    int from;       /* rank of the run that sent it; negative: none did alone */
    size_t element; /* within its block */
    bool after;     /* the end of what is received: bytes that must stay */
    bool gap;       /* between the parts that move: such bytes, too */
    bool early;     /* it is no element: the rank went on before `from` had begun */
    bool sent;      /* in what this rank sent, which must stay as well */
    char expected[ELEMENT_DIGITS], got[ELEMENT_DIGITS];
};

void verify_fill(const struct verify *v);

/* true if all is right on this rank; else *first says what is not. */
bool verify_check(const struct verify *v, struct mismatch *first);

/* --- For flows that fill and check themselves ------------------------------- */

/* What stands in bytes that are not written, in this row, on this rank. */
int verify_poison(const struct verify *v);

/* Something is wrong in a block that was received, or was sent: it is noted, and the first that
   is so is kept.  The elements of that type may stand at any address. */
void verify_note(const struct verify *v, struct mismatch *first, bool received, int block,
                 size_t element, enum element type, const void *expected, const void *got);

/* Nothing may have been written into these bytes of received memory, the first
   of which is byte number element of that block. */
void verify_check_untouched(const struct verify *v, const char *from, size_t bytes, int block,
                            size_t element, struct mismatch *first);

/* For operations that combine numbers: those from element number first on, of what the flow
   calls so. */
typedef void verify_numbers(const struct verify *v, void *to, size_t first, size_t n, int what);

/* Fill a block of the row with them; and compare such a block, and the guard after one that was
   received. */
void verify_fill_numbers(const struct verify *v, const struct memory_kind *kind, char *to,
                         verify_numbers *contents, int what);
void verify_check_numbers(const struct verify *v, const char *from, bool received, int block,
                          verify_numbers *contents, int what, struct mismatch *first);

/* Bytes filled or compared at once. */
enum { VERIFY_CHUNK = 16384 };

#endif
