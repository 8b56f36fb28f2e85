/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large_counts.h - messages of more elements than an int counts.
 *
 * Programs call MPI_Send and its kin with r->count.  Where the library has
 * MPI-4's large counts those names lead to MPI_Send as long as the count fits
 * into an int, and to MPI_Send_c beyond: one comparison with the same outcome in
 * a whole row.  Where it has none, r->count is an int, and a larger message
 * becomes one element of a derived type (datatype.h).
 */
#ifndef LARGE_COUNTS_H
#define LARGE_COUNTS_H

#include "config.h"
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>

#ifndef HAVE_MPI_SEND_C
enum { LARGE_COUNTS = false };
typedef int bench_count;
#else
enum { LARGE_COUNTS = true };
typedef MPI_Count bench_count;

/* One macro for each position of the counts among the arguments. */
#    define LARGE_2(call, a, n, ...)                                           \
        ((n) > INT_MAX ? call##_c(a, n, __VA_ARGS__)                           \
                       : call(a, (int)(n), __VA_ARGS__))
#    define LARGE_3(call, a, b, n, ...)                                        \
        ((n) > INT_MAX ? call##_c(a, b, n, __VA_ARGS__)                        \
                       : call(a, b, (int)(n), __VA_ARGS__))
#    define LARGE_2_5(call, a, n, b, c, m, ...)                                \
        ((n) > INT_MAX || (m) > INT_MAX                                        \
             ? call##_c(a, n, b, c, m, __VA_ARGS__)                            \
             : call(a, (int)(n), b, c, (int)(m), __VA_ARGS__))
#    define LARGE_2_6(call, a, n, b, c, d, m, ...)                             \
        ((n) > INT_MAX ? call##_c(a, n, b, c, d, m, __VA_ARGS__)               \
                       : call(a, (int)(n), b, c, d, (int)(m), __VA_ARGS__))
#    define LARGE_2_5_9(call, a, n, b, c, m, d, e, f, k, ...)                  \
        ((n) > INT_MAX ? call##_c(a, n, b, c, m, d, e, f, k, __VA_ARGS__)      \
                       : call(a, (int)(n), b, c, (int)(m), d, e, f, (int)(k),  \
                              __VA_ARGS__))

#    define MPI_Send(...)           LARGE_2(MPI_Send, __VA_ARGS__)
#    define MPI_Recv(...)           LARGE_2(MPI_Recv, __VA_ARGS__)
#    define MPI_Isend(...)          LARGE_2(MPI_Isend, __VA_ARGS__)
#    define MPI_Irecv(...)          LARGE_2(MPI_Irecv, __VA_ARGS__)
#    define MPI_Send_init(...)      LARGE_2(MPI_Send_init, __VA_ARGS__)
#    define MPI_Recv_init(...)      LARGE_2(MPI_Recv_init, __VA_ARGS__)
#    define MPI_Bcast(...)          LARGE_2(MPI_Bcast, __VA_ARGS__)
#    define MPI_Ibcast(...)         LARGE_2(MPI_Ibcast, __VA_ARGS__)
#    define MPI_Bcast_init(...)     LARGE_2(MPI_Bcast_init, __VA_ARGS__)
#    define MPI_Allreduce(...)      LARGE_3(MPI_Allreduce, __VA_ARGS__)
#    define MPI_Iallreduce(...)     LARGE_3(MPI_Iallreduce, __VA_ARGS__)
#    define MPI_Allreduce_init(...) LARGE_3(MPI_Allreduce_init, __VA_ARGS__)
#    define MPI_Reduce(...)         LARGE_3(MPI_Reduce, __VA_ARGS__)
#    define MPI_Ireduce(...)        LARGE_3(MPI_Ireduce, __VA_ARGS__)
#    define MPI_Reduce_init(...)    LARGE_3(MPI_Reduce_init, __VA_ARGS__)
#    define MPI_Scan(...)           LARGE_3(MPI_Scan, __VA_ARGS__)
#    define MPI_Iscan(...)          LARGE_3(MPI_Iscan, __VA_ARGS__)
#    define MPI_Scan_init(...)      LARGE_3(MPI_Scan_init, __VA_ARGS__)
#    define MPI_Exscan(...)         LARGE_3(MPI_Exscan, __VA_ARGS__)
#    define MPI_Iexscan(...)        LARGE_3(MPI_Iexscan, __VA_ARGS__)
#    define MPI_Exscan_init(...)    LARGE_3(MPI_Exscan_init, __VA_ARGS__)
#    define MPI_Reduce_scatter_block(...)                                      \
        LARGE_3(MPI_Reduce_scatter_block, __VA_ARGS__)
#    define MPI_Ireduce_scatter_block(...)                                     \
        LARGE_3(MPI_Ireduce_scatter_block, __VA_ARGS__)
#    define MPI_Reduce_scatter_block_init(...)                                 \
        LARGE_3(MPI_Reduce_scatter_block_init, __VA_ARGS__)
#    define MPI_Gather(...)         LARGE_2_5(MPI_Gather, __VA_ARGS__)
#    define MPI_Igather(...)        LARGE_2_5(MPI_Igather, __VA_ARGS__)
#    define MPI_Gather_init(...)    LARGE_2_5(MPI_Gather_init, __VA_ARGS__)
#    define MPI_Scatter(...)        LARGE_2_5(MPI_Scatter, __VA_ARGS__)
#    define MPI_Iscatter(...)       LARGE_2_5(MPI_Iscatter, __VA_ARGS__)
#    define MPI_Scatter_init(...)   LARGE_2_5(MPI_Scatter_init, __VA_ARGS__)
#    define MPI_Allgather(...)      LARGE_2_5(MPI_Allgather, __VA_ARGS__)
#    define MPI_Iallgather(...)     LARGE_2_5(MPI_Iallgather, __VA_ARGS__)
#    define MPI_Allgather_init(...) LARGE_2_5(MPI_Allgather_init, __VA_ARGS__)
#    define MPI_Alltoall(...)       LARGE_2_5(MPI_Alltoall, __VA_ARGS__)
#    define MPI_Ialltoall(...)      LARGE_2_5(MPI_Ialltoall, __VA_ARGS__)
#    define MPI_Alltoall_init(...)  LARGE_2_5(MPI_Alltoall_init, __VA_ARGS__)
#    define MPI_Neighbor_allgather(...)                                        \
        LARGE_2_5(MPI_Neighbor_allgather, __VA_ARGS__)
#    define MPI_Ineighbor_allgather(...)                                       \
        LARGE_2_5(MPI_Ineighbor_allgather, __VA_ARGS__)
#    define MPI_Neighbor_allgather_init(...)                                   \
        LARGE_2_5(MPI_Neighbor_allgather_init, __VA_ARGS__)
#    define MPI_Neighbor_alltoall(...)                                         \
        LARGE_2_5(MPI_Neighbor_alltoall, __VA_ARGS__)
#    define MPI_Ineighbor_alltoall(...)                                        \
        LARGE_2_5(MPI_Ineighbor_alltoall, __VA_ARGS__)
#    define MPI_Neighbor_alltoall_init(...)                                    \
        LARGE_2_5(MPI_Neighbor_alltoall_init, __VA_ARGS__)
#    define MPI_Put(...)            LARGE_2_6(MPI_Put, __VA_ARGS__)
#    define MPI_Get(...)            LARGE_2_6(MPI_Get, __VA_ARGS__)
#    define MPI_Accumulate(...)     LARGE_2_6(MPI_Accumulate, __VA_ARGS__)
#    define MPI_Get_accumulate(...) LARGE_2_5_9(MPI_Get_accumulate, __VA_ARGS__)
#endif

#endif
