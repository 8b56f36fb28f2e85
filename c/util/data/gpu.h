/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu.h - the functions of a GPU's runtime library, behind one table.
 *
 * A table exists if configure found its library: gpu_cuda.c is CUDA's, and by hip.sed
 * AMD's.  The same binary runs on machines without a GPU, where count is 0.
 */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "options/settings.h"

enum gpu_memory {
    GPU_DEVICE,  /* on the GPU; the CPU must not touch it */
    GPU_FINE,    /* the same, coherent while a kernel runs; AMD's only */
    GPU_MANAGED, /* one address for both; pages move to their user */
    GPU_PINNED   /* host memory that the GPU reaches */
};

struct memory_kind;

struct gpu_facts {
    int device; /* its number among the visible GPUs */
    int visible;
    char name[80];
    char uuid[48];         /* "GPU-...", as other tools print it, but of a MIG */
    char pci[20];          /* "0000:41:00.0" */
    int driver, runtime;   /* versions, as its library counts */
    size_t cache;          /* bytes of its last-level cache */
    size_t bytes, free;    /* bytes of its memory: all, and free */
    bool mig;              /* it is a part of a GPU */
    bool turns;            /* processes that share it take turns */
    char compute_mode[20]; /* "default", "exclusive process", ... */
};

/* false: error() says why, until the next call. */
struct gpu_runtime {
    const char *name;                      /* "CUDA" */
    enum device device;                    /* its word of -d */
    const struct memory_kind *const *kind; /* of its types of memory */
    const char *peermem;                   /* of the kernel's files: network devices reach the
                            GPU's memory */
    const char *(*error)(void);
    int (*count)(void); /* number of visible devices */
    /* By this thread, its context made; GPU_ANY: that which is in use. */
    bool (*use)(int device);
    void *(*allocate)(enum gpu_memory kind, size_t bytes);
    void (*release)(enum gpu_memory kind, void *memory);
    /* Does the runtime say that the pointer is of this kind? */
    bool (*is)(enum gpu_memory kind, const void *memory);
    /* These are complete when they return.  copy accepts memory of any kind. */
    bool (*copy)(void *to, const void *from, size_t n);
    bool (*set)(void *to, int value, size_t n);
    /* Copy between GPU and pinned memory, with no other cost. */
    bool (*stage)(void *to, const void *from, size_t n);
    /* The same in the background and in order.  Each copy has a ticket; there
       are as many tickets as were last asked for. */
    bool (*tickets)(int n);
    bool (*begin_copy)(int ticket, void *to, const void *from, size_t n);
    bool (*end_copy)(int ticket);
    /* Let the GPU write every byte without a change. */
    bool (*touch)(void *memory, size_t n);
    /* Begin so many steps of computation, concurrent with MPI's use of the GPU. */
    bool (*compute)(long steps);
    /* Wait for the computation; wait for all work of the GPU. */
    bool (*finish)(void);
    bool (*wait)(void);
    bool (*facts)(struct gpu_facts *facts);
    /* Does this process see the GPU at that PCI address? */
    bool (*sees)(const char *pci);
};

/* Those that configure found; the list ends with NULL: c/watch/watchers.c. */
extern const struct gpu_runtime *const gpu_runtimes[];

/* That which this process uses; NULL: this build has none. */
const struct gpu_runtime *gpu_runtime(void);

/* Use that of a word of -d from now on; where it names none: the first that sees a
   GPU.  Without it gpu_runtime stays as it is. */
void gpu_choose(enum device device);

/* The GPU of this process, which a watcher takes (watch/gpu). */
extern struct gpu_use {
    bool used;              /* for buffers, or to compute */
    bool shared;            /* ranks of some node share a GPU, */
    bool turns;             /* and take turns on it */
    int sharers;            /* number of ranks that use this rank's GPU */
    int unseen;             /* number of ranks that do not see all GPUs of their node */
    struct gpu_facts facts; /* zeros: it has none */
} this_gpu;

/* A further thread calls this before it calls MPI, since each thread has its own current GPU. */
void gpu_join(void);

/* Unless good, end the job with E33, which names what was being done: after a
   failure of its GPU a job has nothing more to measure. */
void gpu_must(bool good, const char *what);

#endif
