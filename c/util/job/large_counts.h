/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large_counts.h - messages of more elements than an int counts.
 *
 * Programs call MPI_Send and its kin with r->count.  Where the library has MPI-4's large counts
 * those names lead to MPI_Send as long as the count fits into an int, and to MPI_Send_c beyond:
 * one comparison with the same outcome in a whole row.  Where it has none, r->count is an int,
 * and a larger message becomes one element of a derived type (datatype.h).
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

/* By where the counts stand among the arguments. */
#    define AT_2(call, a, n, ...)                                                                  \
        ((n) > INT_MAX ? MPI_##call##_c(a, n, __VA_ARGS__) : MPI_##call(a, (int)(n), __VA_ARGS__))
#    define AT_3(call, a, b, n, ...)                                                               \
        ((n) > INT_MAX ? MPI_##call##_c(a, b, n, __VA_ARGS__)                                      \
                       : MPI_##call(a, b, (int)(n), __VA_ARGS__))
#    define AT_2_5(call, a, n, b, c, m, ...)                                                       \
        ((n) > INT_MAX || (m) > INT_MAX ? MPI_##call##_c(a, n, b, c, m, __VA_ARGS__)               \
                                        : MPI_##call(a, (int)(n), b, c, (int)(m), __VA_ARGS__))
#    define AT_2_6(call, a, n, b, c, d, m, ...)                                                    \
        ((n) > INT_MAX ? MPI_##call##_c(a, n, b, c, d, m, __VA_ARGS__)                             \
                       : MPI_##call(a, (int)(n), b, c, d, (int)(m), __VA_ARGS__))
#    define AT_2_5_9(call, a, n, b, c, m, d, e, f, k, ...)                                         \
        ((n) > INT_MAX ? MPI_##call##_c(a, n, b, c, m, d, e, f, k, __VA_ARGS__)                    \
                       : MPI_##call(a, (int)(n), b, c, (int)(m), d, e, f, (int)(k), __VA_ARGS__))

#    define MPI_Send(...)                      AT_2(Send, __VA_ARGS__)
#    define MPI_Recv(...)                      AT_2(Recv, __VA_ARGS__)
#    define MPI_Isend(...)                     AT_2(Isend, __VA_ARGS__)
#    define MPI_Irecv(...)                     AT_2(Irecv, __VA_ARGS__)
#    define MPI_Send_init(...)                 AT_2(Send_init, __VA_ARGS__)
#    define MPI_Recv_init(...)                 AT_2(Recv_init, __VA_ARGS__)
#    define MPI_Bcast(...)                     AT_2(Bcast, __VA_ARGS__)
#    define MPI_Ibcast(...)                    AT_2(Ibcast, __VA_ARGS__)
#    define MPI_Bcast_init(...)                AT_2(Bcast_init, __VA_ARGS__)
#    define MPI_Allreduce(...)                 AT_3(Allreduce, __VA_ARGS__)
#    define MPI_Iallreduce(...)                AT_3(Iallreduce, __VA_ARGS__)
#    define MPI_Allreduce_init(...)            AT_3(Allreduce_init, __VA_ARGS__)
#    define MPI_Reduce(...)                    AT_3(Reduce, __VA_ARGS__)
#    define MPI_Ireduce(...)                   AT_3(Ireduce, __VA_ARGS__)
#    define MPI_Reduce_init(...)               AT_3(Reduce_init, __VA_ARGS__)
#    define MPI_Reduce_local(...)              AT_3(Reduce_local, __VA_ARGS__)
#    define MPI_Scan(...)                      AT_3(Scan, __VA_ARGS__)
#    define MPI_Iscan(...)                     AT_3(Iscan, __VA_ARGS__)
#    define MPI_Scan_init(...)                 AT_3(Scan_init, __VA_ARGS__)
#    define MPI_Exscan(...)                    AT_3(Exscan, __VA_ARGS__)
#    define MPI_Iexscan(...)                   AT_3(Iexscan, __VA_ARGS__)
#    define MPI_Exscan_init(...)               AT_3(Exscan_init, __VA_ARGS__)
#    define MPI_Reduce_scatter_block(...)      AT_3(Reduce_scatter_block, __VA_ARGS__)
#    define MPI_Ireduce_scatter_block(...)     AT_3(Ireduce_scatter_block, __VA_ARGS__)
#    define MPI_Reduce_scatter_block_init(...) AT_3(Reduce_scatter_block_init, __VA_ARGS__)
#    define MPI_Gather(...)                    AT_2_5(Gather, __VA_ARGS__)
#    define MPI_Igather(...)                   AT_2_5(Igather, __VA_ARGS__)
#    define MPI_Gather_init(...)               AT_2_5(Gather_init, __VA_ARGS__)
#    define MPI_Scatter(...)                   AT_2_5(Scatter, __VA_ARGS__)
#    define MPI_Iscatter(...)                  AT_2_5(Iscatter, __VA_ARGS__)
#    define MPI_Scatter_init(...)              AT_2_5(Scatter_init, __VA_ARGS__)
#    define MPI_Allgather(...)                 AT_2_5(Allgather, __VA_ARGS__)
#    define MPI_Iallgather(...)                AT_2_5(Iallgather, __VA_ARGS__)
#    define MPI_Allgather_init(...)            AT_2_5(Allgather_init, __VA_ARGS__)
#    define MPI_Alltoall(...)                  AT_2_5(Alltoall, __VA_ARGS__)
#    define MPI_Ialltoall(...)                 AT_2_5(Ialltoall, __VA_ARGS__)
#    define MPI_Alltoall_init(...)             AT_2_5(Alltoall_init, __VA_ARGS__)
#    define MPI_Neighbor_allgather(...)        AT_2_5(Neighbor_allgather, __VA_ARGS__)
#    define MPI_Ineighbor_allgather(...)       AT_2_5(Ineighbor_allgather, __VA_ARGS__)
#    define MPI_Neighbor_allgather_init(...)   AT_2_5(Neighbor_allgather_init, __VA_ARGS__)
#    define MPI_Neighbor_alltoall(...)         AT_2_5(Neighbor_alltoall, __VA_ARGS__)
#    define MPI_Ineighbor_alltoall(...)        AT_2_5(Ineighbor_alltoall, __VA_ARGS__)
#    define MPI_Neighbor_alltoall_init(...)    AT_2_5(Neighbor_alltoall_init, __VA_ARGS__)
#    define MPI_Put(...)                       AT_2_6(Put, __VA_ARGS__)
#    define MPI_Get(...)                       AT_2_6(Get, __VA_ARGS__)
#    define MPI_Accumulate(...)                AT_2_6(Accumulate, __VA_ARGS__)
#    define MPI_Get_accumulate(...)            AT_2_5_9(Get_accumulate, __VA_ARGS__)
#endif

#endif
