/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu.h - what is asked of a GPU's runtime library, behind one table.
 *
 * The table is there where configure found the library (gpu_cuda.c); the same binary
 * runs on machines without a GPU, where count is 0.
 */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>

enum gpu_memory {
    GPU_DEVICE,  /* on the GPU; the processor must not touch it */
    GPU_MANAGED, /* one address for both, pages go where they are used */
    GPU_PINNED   /* the host's, which the GPU reaches */
};

struct gpu_facts {
    int device; /* its number among the visible */
    int visible;
    char name[80];
    char
        uuid[48]; /* "GPU-...", as other tools print it, less what is a MIG's */
    char pci[20]; /* "0000:41:00.0" */
    int driver, runtime;   /* versions, 1000 * major + 10 * minor */
    size_t cache;          /* bytes of the last one before its memory */
    size_t bytes, free;    /* its memory: all, and what is left */
    bool mig;              /* a part of a GPU */
    char compute_mode[20]; /* whom it serves: "default", "exclusive process" */
};

/* false: error() says why, until the next call. */
struct gpu_runtime {
    const char *name; /* "CUDA" */
    const char *(*error)(void);
    int (*count)(void); /* visible devices */
    bool (*use)(
        int device); /* by this thread, its context made; GPU_ANY: that which
                                is in use */
    void *(*allocate)(enum gpu_memory kind, size_t bytes);
    void (*release)(enum gpu_memory kind, void *memory);
    /* What the runtime itself says of a pointer. */
    bool (*is)(enum gpu_memory kind, const void *memory);
    /* Done when they return.  Either pointer of copy may be of any memory. */
    bool (*copy)(void *to, const void *from, size_t n);
    bool (*set)(void *to, int value, size_t n);
    /* Between the GPU's and pinned memory, and nothing else that costs time. */
    bool (*stage)(void *to, const void *from, size_t n);
    /* The same in order, next to what else is done; each with a ticket, of which
       there are as many as were last asked for. */
    bool (*tickets)(int n);
    bool (*begin_copy)(int ticket, void *to, const void *from, size_t n);
    bool (*end_copy)(int ticket);
    /* Let the GPU write every byte as it is. */
    bool (*touch)(void *memory, size_t n);
    /* Begin so many steps of computation, next to what MPI does to the GPU. */
    bool (*compute)(long steps);
    /* Wait for what compute began; for whatever the GPU has to do. */
    bool (*finish)(void);
    bool (*wait)(void);
    bool (*facts)(struct gpu_facts *facts);
    /* Does this process see the GPU at that PCI address? */
    bool (*sees)(const char *pci);
};

/* NULL: this build has none. */
const struct gpu_runtime *gpu_runtime(void);

/* What this process has taken, from now on; a further thread of it takes the same
   before it calls MPI, as the GPU of a thread is its own. */
void gpu_taken(const struct gpu_facts *facts);
void gpu_join(void);

/* Bytes of the cache of that GPU; 0: none is taken. */
size_t gpu_cache(void);

/* Unless good the job ends with E33, which says what was being done. */
void gpu_must(bool good, const char *what);

#endif
