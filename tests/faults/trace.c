/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - no fault: writes down which MPI calls a program makes.
 *
 * Each rank writes one file, $FAULT_TRACE.RANK, in MPI_Finalize.  One line a
 * call: its name (PMPI_... if the harness makes it for itself), the bytes this rank
 * sends (0 where it sends none) and the bytes that it receives.  Readings of the clock by the
 * program itself (not by MPI) are listed too: "clock_gettime N" for N readings in a row.  The
 * file $FAULT_TRACE.RANK.resident has the largest number of bytes of memory that
 * the rank used.
 *
 * FAULT_DISTANCES: receives have in place of their 0 bytes sent how far their buffer
 * lies from that of the receive before.
 * FAULT_STAGGER_US: rank r leaves the harness's barrier of the library r times this late.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

struct call {
    const char *name;
    size_t sent, received;
};

static struct {
    struct call *call;
    size_t n, room;
    pthread_mutex_t lock;
} trace = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const char clock_name[] = "clock_gettime";

static void add(const char *name, size_t sent, size_t received)
{
    if (name == clock_name && trace.n > 0 && trace.call[trace.n - 1].name == name) {
        trace.call[trace.n - 1].sent++;
        return;
    }
    if (trace.n == trace.room) {
        trace.room = trace.room * 2 + 1024;
        trace.call = realloc(trace.call, trace.room * sizeof *trace.call);
        if (trace.call == NULL)
            abort();
    }
    trace.call[trace.n++] = (struct call){ name, sent, received };
}

static void note(const char *name, size_t sent, size_t received)
{
    pthread_mutex_lock(&trace.lock);
    add(name, sent, received);
    pthread_mutex_unlock(&trace.lock);
}

static size_t distance(const void *buffer)
{
    static const char *last;
    const char *before = last;

    last = buffer;
    if (getenv("FAULT_DISTANCES") == NULL || before == NULL)
        return 0;
    return (size_t)labs(last - before);
}

static size_t ranks_of(MPI_Comm comm)
{
    int n;

    PMPI_Comm_size(comm, &n);
    return (size_t)n;
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    static int (*next)(clockid_t, struct timespec *);
    Dl_info caller;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != NULL &&
        strcmp(caller.dli_fname, program_invocation_name) == 0)
        note(clock_name, 1, 0);
    return next(id, now);
}

/* $FAULT_TRACE.RANK with this ending; NULL: none is wanted. */
static FILE *open_file(const char *ending)
{
    const char *name = getenv("FAULT_TRACE");
    char path[4096];

    if (name == NULL)
        return NULL;
    snprintf(path, sizeof path, "%s.%d%s", name, fault_rank(), ending);
    return fopen(path, "w");
}

int MPI_Finalize(void)
{
    FILE *file = open_file("");
    struct rusage usage;

    for (size_t i = 0; file != NULL && i < trace.n; i++)
        fprintf(file, "%s %zu %zu\n", trace.call[i].name, trace.call[i].sent,
                trace.call[i].received);
    if (file != NULL)
        fclose(file);
    file = open_file(".resident");
    if (file != NULL && getrusage(RUSAGE_SELF, &usage) == 0)
        fprintf(file, "%zu\n", (size_t)usage.ru_maxrss * 1024);
    if (file != NULL)
        fclose(file);
    return fault_finalize();
}

int MPI_Barrier(MPI_Comm comm)
{
    note("MPI_Barrier", 0, 0);
    return FAULT_BELOW(Barrier)(comm);
}

int PMPI_Barrier(MPI_Comm comm)
{
    const long late = fault_rank() * fault_number("FAULT_STAGGER_US", 0);

    note("PMPI_Barrier", 0, 0);
    const int result = FAULT_BELOW(Barrier)(comm);

    if (late > 0)
        usleep((useconds_t)late);
    return result;
}

/* MPI_NAME and PMPI_NAME with these parameters and arguments; what they send and receive. */
#define TRACED(name, parameters, arguments, sent, received)                                        \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        note("MPI_" #name, sent, received);                                                        \
        return FAULT_BELOW(name) arguments;                                                        \
    }                                                                                              \
    int PMPI_##name parameters                                                                     \
    {                                                                                              \
        note("PMPI_" #name, sent, received);                                                       \
        return FAULT_BELOW(name) arguments;                                                        \
    }

/* clang-format off */
TRACED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
       (b, n, t, to, tag, c), fault_size(n, t), 0)
TRACED(Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, to, tag, c, q), fault_size(n, t), 0)
TRACED(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s),
       (b, n, t, from, tag, c, s), 0, fault_size(n, t))
TRACED(Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, from, tag, c, q), distance(b), fault_size(n, t))
TRACED(Sendrecv, (const void *b, int n, MPI_Datatype t, int to, int tag, void *d, int m, MPI_Datatype u, int from, int tag2, MPI_Comm c, MPI_Status *s),
       (b, n, t, to, tag, d, m, u, from, tag2, c, s), fault_size(n, t), fault_size(m, u))
TRACED(Wait, (MPI_Request *q, MPI_Status *s), (q, s), 0, 0)
TRACED(Waitall, (int n, MPI_Request *q, MPI_Status *s), (n, q, s), 0, 0)
TRACED(Test, (MPI_Request *q, int *f, MPI_Status *s), (q, f, s), 0, 0)
TRACED(Start, (MPI_Request *q), (q), 0, 0)
TRACED(Startall, (int n, MPI_Request *q), (n, q), 0, 0)
TRACED(Send_init, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, to, tag, c, q), fault_size(n, t), 0)
TRACED(Recv_init, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, from, tag, c, q), distance(b), fault_size(n, t))
TRACED(Request_free, (MPI_Request *q), (q), 0, 0)
TRACED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c), 0, fault_size(n, t))
TRACED(Reduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
       (b, d, n, t, o, root, c), fault_size(n, t), fault_size(n, t))
TRACED(Allreduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (b, d, n, t, o, c), fault_size(n, t), fault_size(n, t))
TRACED(Ibarrier, (MPI_Comm c, MPI_Request *q), (c, q), 0, 0)
TRACED(Iallreduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *q),
       (b, d, n, t, o, c, q), fault_size(n, t), fault_size(n, t))
TRACED(Scan, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (b, d, n, t, o, c), fault_size(n, t), fault_size(n, t))
TRACED(Exscan, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (b, d, n, t, o, c), fault_size(n, t), fault_size(n, t))
TRACED(Gather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, int root, MPI_Comm c),
       (b, n, t, d, m, u, root, c), fault_size(n, t), fault_rank() == root ? ranks_of(c) * fault_size(m, u) : 0)
TRACED(Gatherv, (const void *b, int n, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, int root, MPI_Comm c),
       (b, n, t, d, m, p, u, root, c), fault_size(n, t), fault_rank() == root ? ranks_of(c) : 0)
TRACED(Scatter, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, int root, MPI_Comm c),
       (b, n, t, d, m, u, root, c), 0, fault_size(m, u))
TRACED(Allgather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, u, c), fault_size(n, t), ranks_of(c) * fault_size(m, u))
TRACED(Allgatherv, (const void *b, int n, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, p, u, c), fault_size(n, t), ranks_of(c) * fault_size(n, t))
TRACED(Alltoall, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, u, c), ranks_of(c) * fault_size(n, t), ranks_of(c) * fault_size(m, u))
TRACED(Neighbor_allgather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, u, c), fault_size(n, t), fault_size(m, u))
TRACED(Ineighbor_allgather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c, MPI_Request *q),
       (b, n, t, d, m, u, c, q), fault_size(n, t), fault_size(m, u))
TRACED(Neighbor_allgatherv, (const void *b, int n, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, p, u, c), fault_size(n, t), fault_size(*m, u))
TRACED(Ineighbor_allgatherv, (const void *b, int n, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, MPI_Comm c, MPI_Request *q),
       (b, n, t, d, m, p, u, c, q), fault_size(n, t), fault_size(*m, u))
TRACED(Neighbor_alltoall, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c),
       (b, n, t, d, m, u, c), fault_size(n, t), fault_size(m, u))
TRACED(Ineighbor_alltoall, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c, MPI_Request *q),
       (b, n, t, d, m, u, c, q), fault_size(n, t), fault_size(m, u))
TRACED(Neighbor_alltoallv, (const void *b, const int *n, const int *o, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, MPI_Comm c),
       (b, n, o, t, d, m, p, u, c), fault_size(*n, t), fault_size(*m, u))
TRACED(Ineighbor_alltoallv, (const void *b, const int *n, const int *o, MPI_Datatype t, void *d, const int *m, const int *p, MPI_Datatype u, MPI_Comm c, MPI_Request *q),
       (b, n, o, t, d, m, p, u, c, q), fault_size(*n, t), fault_size(*m, u))
TRACED(Neighbor_alltoallw, (const void *b, const int *n, const MPI_Aint *o, const MPI_Datatype *t, void *d, const int *m, const MPI_Aint *p, const MPI_Datatype *u, MPI_Comm c),
       (b, n, o, t, d, m, p, u, c), fault_size(*n, *t), fault_size(*m, *u))
TRACED(Ineighbor_alltoallw, (const void *b, const int *n, const MPI_Aint *o, const MPI_Datatype *t, void *d, const int *m, const MPI_Aint *p, const MPI_Datatype *u, MPI_Comm c, MPI_Request *q),
       (b, n, o, t, d, m, p, u, c, q), fault_size(*n, *t), fault_size(*m, *u))
TRACED(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d), 0, 0)
TRACED(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *d), (c, color, key, d), 0, 0)
TRACED(Comm_split_type, (MPI_Comm c, int kind, int key, MPI_Info i, MPI_Comm *d), (c, kind, key, i, d), 0, 0)
TRACED(Comm_create_group, (MPI_Comm c, MPI_Group g, int tag, MPI_Comm *d), (c, g, tag, d), 0, 0)
TRACED(Comm_free, (MPI_Comm *c), (c), 0, 0)
TRACED(Put, (const void *b, int n, MPI_Datatype t, int r, MPI_Aint p, int m, MPI_Datatype u, MPI_Win w),
       (b, n, t, r, p, m, u, w), fault_size(n, t), 0)
TRACED(Get, (void *b, int n, MPI_Datatype t, int r, MPI_Aint p, int m, MPI_Datatype u, MPI_Win w),
       (b, n, t, r, p, m, u, w), 0, fault_size(n, t))
TRACED(Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void *b, MPI_Win *w), (n, u, i, c, b, w), 0, 0)
TRACED(Win_free, (MPI_Win *w), (w), 0, 0)
TRACED(Accumulate, (const void *b, int n, MPI_Datatype t, int r, MPI_Aint p, int m, MPI_Datatype u, MPI_Op o, MPI_Win w),
       (b, n, t, r, p, m, u, o, w), fault_size(n, t), 0)
TRACED(Get_accumulate, (const void *b, int n, MPI_Datatype t, void *d, int l, MPI_Datatype v, int r, MPI_Aint p, int m, MPI_Datatype u, MPI_Op o, MPI_Win w),
       (b, n, t, d, l, v, r, p, m, u, o, w), fault_size(n, t), fault_size(l, v))
TRACED(Fetch_and_op, (const void *b, void *d, MPI_Datatype t, int r, MPI_Aint p, MPI_Op o, MPI_Win w),
       (b, d, t, r, p, o, w), fault_size(1, t), fault_size(1, t))
TRACED(Compare_and_swap, (const void *b, const void *c, void *d, MPI_Datatype t, int r, MPI_Aint p, MPI_Win w),
       (b, c, d, t, r, p, w), fault_size(2, t), fault_size(1, t))
TRACED(Win_lock, (int k, int r, int a, MPI_Win w), (k, r, a, w), 0, 0)
TRACED(Win_unlock, (int r, MPI_Win w), (r, w), 0, 0)
TRACED(Win_lock_all, (int a, MPI_Win w), (a, w), 0, 0)
TRACED(Win_unlock_all, (MPI_Win w), (w), 0, 0)
TRACED(Win_flush, (int r, MPI_Win w), (r, w), 0, 0)
TRACED(Win_flush_local, (int r, MPI_Win w), (r, w), 0, 0)
TRACED(Win_fence, (int a, MPI_Win w), (a, w), 0, 0)
TRACED(Win_post, (MPI_Group g, int a, MPI_Win w), (g, a, w), 0, 0)
TRACED(Win_start, (MPI_Group g, int a, MPI_Win w), (g, a, w), 0, 0)
TRACED(Win_complete, (MPI_Win w), (w), 0, 0)
TRACED(Win_wait, (MPI_Win w), (w), 0, 0)
TRACED(Win_sync, (MPI_Win w), (w), 0, 0)
/* clang-format on */
