/* SPDX-License-Identifier: BSD-3-Clause */
#include "over_ranks.h"

#include <float.h>
#include <string.h>

struct pair { /* MPI_DOUBLE_INT */
    double value;
    int rank;
};

static int rank_in(MPI_Comm comm)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* MPI_MAXLOC would name the lowest rank of equals: here nobody is. */
static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct pair *a = in;
    struct pair *b = inout;

    for (int i = 0; i < *n; i++)
        if (a[i].value > b[i].value) {
            /* Not the whole struct: the library's buffer may end before the padding of the last. */
            b[i].value = a[i].value;
            b[i].rank = a[i].rank;
        } else if (a[i].value == b[i].value) {
            b[i].rank = -1;
        }
}

/* The largest of mine[0..n-1] over the ranks, and whose alone it is, or -1; on rank 0. */
static void largest(MPI_Comm comm, const double *mine, int n, struct pair *result)
{
    const int rank = rank_in(comm);
    struct pair pair[GATHER_CHUNK];
    MPI_Op op;

    memset(pair, 0, sizeof pair);
    for (int i = 0; i < n; i++)
        pair[i] = (struct pair){ mine[i], rank };
    PMPI_Op_create(larger, 1, &op);
    PMPI_Reduce(pair, result, n, MPI_DOUBLE_INT, op, 0, comm);
    PMPI_Op_free(&op);
}

static int chunk_at(long i, long n)
{
    return n - i < GATHER_CHUNK ? (int)(n - i) : GATHER_CHUNK;
}

void over_ranks_slowest(MPI_Comm comm, const double *mine, long n, double *slowest, long *blame)
{
    const bool root = rank_in(comm) == 0;
    struct pair most[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int m = chunk_at(i, n);

        largest(comm, mine + i, m, most);
        for (int k = 0; root && k < m; k++) {
            slowest[i + k] = most[k].value;
            if (most[k].rank >= 0)
                blame[most[k].rank]++;
        }
    }
}

void over_ranks_span(MPI_Comm comm, const double *begun, const double *ended, bool counts, int n,
                     double *completion, double *skew, long *blame)
{
    double start[GATHER_CHUNK], edge[2 * GATHER_CHUNK], most[2 * GATHER_CHUNK];
    struct pair last[GATHER_CHUNK];

    for (int i = 0; i < n; i++) {
        start[i] = counts ? begun[i] : -DBL_MAX;
        /* A maximum of the negative is the minimum. */
        edge[i] = counts ? -begun[i] : -DBL_MAX;
        edge[n + i] = counts ? ended[i] : -DBL_MAX;
    }
    largest(comm, start, n, last);
    PMPI_Reduce(edge, most, 2 * n, MPI_DOUBLE, MPI_MAX, 0, comm);
    for (int i = 0; rank_in(comm) == 0 && i < n; i++) {
        completion[i] = most[n + i] + most[i];
        skew[i] = last[i].value + most[i];
        if (last[i].rank >= 0)
            blame[last[i].rank]++;
    }
}

void over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n)
{
    unsigned char zero[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int m = chunk_at(i, n);

        for (int k = 0; k < m; k++)
            zero[k] = ticks[i + k] == 0;
        PMPI_Allreduce(MPI_IN_PLACE, zero, m, MPI_UNSIGNED_CHAR, MPI_MAX, comm);
        for (int k = 0; k < m; k++)
            if (zero[k])
                ticks[i + k] = 0;
    }
}

struct spread over_ranks_spread(MPI_Comm comm, double mine, int measures)
{
    double sum[2] = { measures ? mine : 0, measures != 0 };
    double edge[2] = { measures ? -mine : -DBL_MAX, measures ? mine : -DBL_MAX };

    PMPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, comm);
    PMPI_Allreduce(MPI_IN_PLACE, edge, 2, MPI_DOUBLE, MPI_MAX, comm);
    return (struct spread){
        .mean = sum[0] / sum[1], .min = -edge[0], .max = edge[1], .ranks = (int)sum[1]
    };
}

struct extreme over_ranks_longest(MPI_Comm comm, double time, int partner)
{
    struct {
        double time;
        int rank;
    } longest = { .time = time }; /* MPI_DOUBLE_INT */

    PMPI_Comm_rank(comm, &longest.rank);
    PMPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    PMPI_Bcast(&partner, 1, MPI_INT, longest.rank, comm);
    return (struct extreme){ longest.time, longest.rank, partner };
}
