/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma_options.h - the options -s and -w of one-sided programs, and their
 *                 values.
 */
#ifndef RMA_OPTIONS_H
#define RMA_OPTIONS_H

#include "family.h"
#include "options/settings.h"

struct bench;

enum rma_sync {
    RMA_LOCK,
    RMA_FLUSH,
    RMA_FLUSH_LOCAL,
    RMA_LOCK_ALL,
    RMA_PSCW,
    RMA_FENCE
};

enum window_kind {
    WINDOW_CREATE,
    WINDOW_ALLOCATE,
    WINDOW_DYNAMIC,
    WINDOW_ALLOCATE_SHARED
};

/* --target: rma.h. */
enum rma_target { TARGET_IN_MPI, TARGET_ASLEEP, TARGET_COMPUTING };

/* Options that only some of the programs take. */
enum {
    TAKES_RMA = TAKES_FAMILY(0),      /* -s */
    TAKES_ACTIVE = TAKES_FAMILY(1),   /* -s for active targets only */
    TAKES_PASSIVE = TAKES_FAMILY(2),  /* -s for passive targets only */
    TAKES_CREATION = TAKES_FAMILY(3), /* no -s: only -w */
};

struct rma_settings {
    int sync;        /* enum rma_sync; -1: the program's default */
    int window_kind; /* enum window_kind; -1: the program's default */
    int target;      /* enum rma_target */
    long target_us;
};

static inline const struct rma_settings *rma_settings(const struct settings *s)
{
    return s->family;
}

extern const struct option_row rma_options[];
extern const struct rma_settings rma_defaults;
extern const struct choice rma_sync_words[], rma_window_words[];

/* The value of -s.  Its default is flush, or pscw if only active targets are possible;
   lock for get_acc_latency with --protocol=omb. */
enum rma_sync rma_sync_of(const struct bench *b, const struct settings *s);

/* Do data only leave, because a flush_local says nothing of their arrival? */
bool rma_is_local(const struct bench *b, const struct settings *s);

/* Must the target take part in the synchronization? */
static inline bool rma_is_active(enum rma_sync sync)
{
    return sync == RMA_PSCW || sync == RMA_FENCE;
}

/* Do both ranks operate, one after the other? */
bool rma_turns(const struct bench *b, const struct settings *s);

/* The value of -w.  Its default is allocate; create for get_acc_latency with
   --protocol=omb.  create replaces allocate where a target's memory is of a type that MPI
   does not allocate, as in OMB. */
enum window_kind rma_window_kind(const struct bench *b,
                                 const struct settings *s);

/* Does MPI allocate the memory of such windows? */
bool rma_allocates(enum window_kind kind);

/* The hook of struct family. */
void rma_refuse(const struct context *c, struct refusal *r);

#endif
