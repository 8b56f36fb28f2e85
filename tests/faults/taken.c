/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taken.c - no fault: which of Open MPI's algorithms is taken.
 *
 *   FAULT_TRACE  file that gets a line for each call of rank 0 on MPI_COMM_WORLD:
 *                the operation and the bytes of a block
 *
 * Of each operation for which tune writes rules, one algorithm is watched, which
 * tuned does not take of itself for few ranks and small messages.
 */
#include <stdio.h>
#include <string.h>

#include "fault.h"

#ifdef OPEN_MPI
static void note(const char *function, MPI_Comm comm, int count, MPI_Datatype type)
{
    const char *path = getenv("FAULT_TRACE");
    FILE *to;

    if (comm != MPI_COMM_WORLD || fault_rank() != 0 || path == NULL)
        return;
    to = fopen(path, "a");
    if (to == NULL)
        abort();
    function += strlen("ompi_coll_base_");
    fprintf(to, "%.*s %zu\n", (int)strcspn(function, "_"), function, fault_size(count, type));
    fclose(to);
}

/* Take the place of the function of an algorithm, and call it. */
#    define WATCH(function, parameters, count, type, ...)                                          \
        int function parameters;                                                                   \
        int function parameters                                                                    \
        {                                                                                          \
            int(*next) parameters;                                                                 \
                                                                                                   \
            *(void **)&next = dlsym(RTLD_NEXT, __func__);                                          \
            note(__func__, comm, count, type);                                                     \
            return next(__VA_ARGS__);                                                              \
        }

#    define BLOCKS                                                                                 \
        (const void *send, int n, MPI_Datatype of, void *receive, int m, MPI_Datatype to,          \
         MPI_Comm comm, void *module)
WATCH(ompi_coll_base_allgather_intra_basic_linear, BLOCKS, m, to, send, n, of, receive, m, to, comm,
      module)
WATCH(ompi_coll_base_alltoall_intra_bruck, BLOCKS, m, to, send, n, of, receive, m, to, comm, module)
WATCH(ompi_coll_base_gather_intra_linear_sync,
      (const void *send, int n, MPI_Datatype of, void *receive, int m, MPI_Datatype to, int root,
       MPI_Comm comm, void *module, int segment),
      m, to, send, n, of, receive, m, to, root, comm, module, segment)
WATCH(ompi_coll_base_scatter_intra_linear_nb,
      (const void *send, int n, MPI_Datatype of, void *receive, int m, MPI_Datatype to, int root,
       MPI_Comm comm, void *module, int most),
      n, of, send, n, of, receive, m, to, root, comm, module, most)

WATCH(ompi_coll_base_bcast_intra_knomial,
      (void *buffer, int n, MPI_Datatype of, int root, MPI_Comm comm, void *module,
       unsigned segment, int radix),
      n, of, buffer, n, of, root, comm, module, segment, radix)
WATCH(ompi_coll_base_reduce_intra_in_order_binary,
      (const void *send, void *receive, int n, MPI_Datatype of, MPI_Op op, int root, MPI_Comm comm,
       void *module, unsigned segment, int most),
      n, of, send, receive, n, of, op, root, comm, module, segment, most)
WATCH(ompi_coll_base_allreduce_intra_nonoverlapping,
      (const void *send, void *receive, int n, MPI_Datatype of, MPI_Op op, MPI_Comm comm,
       void *module),
      n, of, send, receive, n, of, op, comm, module)
#endif
