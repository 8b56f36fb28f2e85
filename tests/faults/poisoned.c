/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poisoned.c - asks the address sanitizer of all memory that MPI is told to read or to write.
 *
 * The sanitizer sees what instrumented code does, and an MPI library is none: it writes beyond
 * an array of requests, or reads beyond a buffer, without a report.  So before each call this
 * library asks for every argument: buffers by count and true extent of the type, for each block
 * of a v- or w-collective; arrays of counts, displacements, types, requests and statuses; what
 * one-sided operations read and write; results.  poisoned.awk makes its functions of mpi.h.
 *
 * What is poisoned ends the job with 86, and a line says rank, call, argument and bytes.
 * With the mock of a GPU (tests/gpu/double.c) it is also asked where device memory ends.
 * Where neither is there, it has nobody to ask: the program ends with 87.
 *
 *   POISONED_OUT  folder, in which each process leaves the number of regions it asked for
 */
#include "fault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#ifdef OPEN_MPI
#    include <mpi-ext.h>
#endif

enum { POISONED = 86, BLIND = 87 };

/* Of the sanitizer; and of double.c: the first byte that is not the caller's, or NULL. */
extern void *__asan_region_is_poisoned(void *begin, size_t bytes) __attribute__((weak));
extern void *double_cuda_outside(const void *begin, size_t bytes) __attribute__((weak));
extern void *double_hip_outside(const void *begin, size_t bytes) __attribute__((weak));

static atomic_long asked;

__attribute__((constructor)) static void begin(void)
{
    if (__asan_region_is_poisoned != NULL || double_cuda_outside != NULL ||
        double_hip_outside != NULL)
        return;
    fprintf(stderr, "poisoned: there is no address sanitizer to ask\n");
    _exit(BLIND);
}

__attribute__((destructor)) static void leave_number(void)
{
    const char *folder = getenv("POISONED_OUT");
    char path[4200];
    FILE *to;

    if (folder == NULL || asked == 0)
        return;
    snprintf(path, sizeof path, "%s/%d.%d", folder, fault_rank(), (int)getpid());
    to = fopen(path, "w");
    if (to == NULL)
        return;
    fprintf(to, "%ld\n", asked);
    fclose(to);
}

/* No memory, but a constant: MPI_IN_PLACE, MPI_STATUS_IGNORE, ... */
static bool is_constant(const void *memory)
{
    return (uintptr_t)memory < 4096 || (uintptr_t)memory > UINTPTR_MAX - 4096 ||
           memory == (const void *)MPI_UNWEIGHTED || memory == (const void *)MPI_WEIGHTS_EMPTY;
}

static void *first_bad(const void *memory, size_t bytes)
{
    void *bad = NULL;

    if (__asan_region_is_poisoned != NULL)
        bad = __asan_region_is_poisoned((void *)(uintptr_t)memory, bytes);
    if (bad == NULL && double_cuda_outside != NULL)
        bad = double_cuda_outside(memory, bytes);
    if (bad == NULL && double_hip_outside != NULL)
        bad = double_hip_outside(memory, bytes);
    return bad;
}

static void region(const char *call, const char *argument, const void *memory, size_t bytes)
{
    void *bad;

    if (is_constant(memory) || bytes == 0)
        return;
    atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
    bad = first_bad(memory, bytes);
    if (bad == NULL)
        return;
    fprintf(stderr,
            "poisoned: rank=%d; call=%s; argument=%s; bytes=%zu; first "
            "bad=%zu;\n",
            fault_rank(), call, argument, bytes, (size_t)((char *)bad - (const char *)memory));
    /* Some launchers kill before they have read what was said last. */
    nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
    PMPI_Abort(MPI_COMM_WORLD, POISONED);
    _exit(POISONED);
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint from, extent;

    PMPI_Type_get_extent(type, &from, &extent);
    return extent;
}

static void block(const char *call, const char *argument, const void *memory, MPI_Aint displacement,
                  long long count, MPI_Datatype type)
{
    MPI_Aint from, extent;

    if (is_constant(memory) || count <= 0 || type == MPI_DATATYPE_NULL)
        return;
    PMPI_Type_get_true_extent(type, &from, &extent);
    region(call, argument, (const char *)memory + displacement + from,
           (size_t)((count - 1) * extent_of(type) + extent));
}

static int size_of(MPI_Comm comm)
{
    int size;

    PMPI_Comm_size(comm, &size);
    return size;
}

static int rank_in(MPI_Comm comm)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* Neighbors in a topology. */
static int neighbors_of(MPI_Comm comm, bool sources)
{
    int kind, in = 0, out = 0, weighted;

    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    } else if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &in);
        in = out = 2 * in;
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_in(comm), &in);
        out = in;
    }
    return sources ? in : out;
}

#define NEXT(name, arguments)                                                                      \
    static const char call[] = #name;                                                              \
    static int(*next) arguments;                                                                   \
    if (next == NULL)                                                                              \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

#define SIZE(comm)                 size_of(comm)
#define ROOT(comm, root)           (rank_in(comm) == (root) ? size_of(comm) : 0)
#define SOURCES(comm)              neighbors_of(comm, true)
#define DESTINATIONS(comm)         neighbors_of(comm, false)
#define UNLESS_IN_PLACE(buffer, n) ((const void *)(buffer) == MPI_IN_PLACE ? 0 : (n))

#define ARRAY(name, n)           region(call, #name, name, (size_t)(n) * sizeof *(name))
#define BLOCK(name, count, type) block(call, #name, name, 0, (long long)(count), type)
/* One for each of n, in units of the type; and in bytes, each of a type of its own. */
#define PARTS(name, n, counts, displs, type)                                                       \
    for (int i = 0, end = is_constant(name) ? 0 : (n); i < end; i++)                               \
    block(call, #name, name, (MPI_Aint)(displs)[i] * extent_of(type), (long long)(counts)[i], type)
#define BLOCKS(name, n, counts, displs, types)                                                     \
    for (int i = 0, end = is_constant(name) ? 0 : (n); i < end; i++)                               \
    block(call, #name, name, (MPI_Aint)(displs)[i], (long long)(counts)[i], (types)[i])
/* The parts of all ranks, or this rank's. */
#define DEALT(name, counts, type, all)                                                             \
    long long n_##name = 0;                                                                        \
    for (int i = 0, own = rank_in(comm); i < size_of(comm); i++)                                   \
        n_##name += (all) || i == own ? (counts)[i] : 0;                                           \
    BLOCK(name, n_##name, type)

#include "tests/faults/poisoned_calls.h"
