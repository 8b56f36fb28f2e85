/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_use.h - this rank and its GPU: chosen before MPI is started, as some libraries
 *             look for one in MPI_Init, and agreed upon by all ranks afterwards.
 */
#ifndef GPU_USE_H
#define GPU_USE_H

#include "gpu.h"
#include "gpu_place.h"
#include "job/world.h"
#include "options/settings.h"

struct gpu_use {
    bool used;   /* for buffers, or to compute */
    bool shared; /* with another rank of the node, on some node */
    int sharers; /* ranks that have this one's GPU, with it */
    int unseen;  /* ranks that do not see the GPU of another of their node */
    struct gpu_facts facts;
    enum message_id
        wrong;     /* found out before MPI; said when all ranks can leave */
    char why[300]; /* empty: nothing */
};

/* Take the GPU that --gpu-map gives this rank, if one is asked for: for buffers, or
   because the program computes there.  What is wrong is said later; now only where no
   other process waits: the code to leave with, else EXIT_OK. */
enum exit_code gpu_use_begin(struct gpu_use *use, const struct settings *s,
                             bool computes, const char *program);

/* With MPI running: has every rank its GPU, and no two of a node the same, unless
   that was asked for?  EXIT_OK, or the code to leave with; said why; alike on all
   ranks. */
enum exit_code gpu_use_agree(struct gpu_use *use, const struct settings *s,
                             const struct world *world, const char *program);

/* What is known of the GPU of a rank. */
struct gpu_rank {
    struct gpu_facts facts;
    int ranks; /* ranks that have this GPU */
    struct gpu_place place;
};

/* What is known of all ranks, by rank, on rank 0, to be freed; NULL elsewhere, and where no
   GPU is used.  Collective. */
struct gpu_rank *gpu_use_collect(const struct gpu_use *use,
                                 const struct world *world);

#endif
