/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_features.h - what configure found this MPI able to do, one name each.
 *
 * Programs call the MPI-4 name.  If only an extension of the library exists,
 * the name leads to it.  If nothing exists, the name leads to a function that
 * is never reached, because the harness leaves with exit code 77 before.
 */
#ifndef MPI_FEATURES_H
#define MPI_FEATURES_H

#include "config.h"
#include <mpi.h>
#ifdef HAVE_MPI_EXT_H
#    include <mpi-ext.h>
#endif

/* Libraries have all of them or none: configure looks for one. */
#if defined(HAVE_MPI_ALLREDUCE_INIT)
#    define FEATURE_PERSISTENT_COLLECTIVES "MPI-4"
#else
#    if defined(HAVE_MPIX_ALLREDUCE_INIT) && defined(HAVE_MPI_EXT_H)
#        define FEATURE_PERSISTENT_COLLECTIVES "MPIX"
#        define FEATURE_MPI4(name)             MPIX_##name
#    else
#        include <stdlib.h>
#        define FEATURE_PERSISTENT_COLLECTIVES NULL
#        define feature_absent(...)            abort()
#        define FEATURE_MPI4(name)             feature_absent
#    endif
#    define MPI_Allgather_init            FEATURE_MPI4(Allgather_init)
#    define MPI_Allgatherv_init           FEATURE_MPI4(Allgatherv_init)
#    define MPI_Allreduce_init            FEATURE_MPI4(Allreduce_init)
#    define MPI_Alltoall_init             FEATURE_MPI4(Alltoall_init)
#    define MPI_Alltoallv_init            FEATURE_MPI4(Alltoallv_init)
#    define MPI_Alltoallw_init            FEATURE_MPI4(Alltoallw_init)
#    define MPI_Barrier_init              FEATURE_MPI4(Barrier_init)
#    define MPI_Bcast_init                FEATURE_MPI4(Bcast_init)
#    define MPI_Exscan_init               FEATURE_MPI4(Exscan_init)
#    define MPI_Gather_init               FEATURE_MPI4(Gather_init)
#    define MPI_Gatherv_init              FEATURE_MPI4(Gatherv_init)
#    define MPI_Neighbor_allgather_init   FEATURE_MPI4(Neighbor_allgather_init)
#    define MPI_Neighbor_allgatherv_init  FEATURE_MPI4(Neighbor_allgatherv_init)
#    define MPI_Neighbor_alltoall_init    FEATURE_MPI4(Neighbor_alltoall_init)
#    define MPI_Neighbor_alltoallv_init   FEATURE_MPI4(Neighbor_alltoallv_init)
#    define MPI_Neighbor_alltoallw_init   FEATURE_MPI4(Neighbor_alltoallw_init)
#    define MPI_Reduce_init               FEATURE_MPI4(Reduce_init)
#    define MPI_Reduce_scatter_init       FEATURE_MPI4(Reduce_scatter_init)
#    define MPI_Reduce_scatter_block_init FEATURE_MPI4(Reduce_scatter_block_init)
#    define MPI_Scan_init                 FEATURE_MPI4(Scan_init)
#    define MPI_Scatter_init              FEATURE_MPI4(Scatter_init)
#    define MPI_Scatterv_init             FEATURE_MPI4(Scatterv_init)
#endif

#ifdef HAVE_MPI_SESSION_INIT
#    define FEATURE_SESSIONS true
#else
#    define FEATURE_SESSIONS false
typedef int MPI_Session;
#endif

#ifdef HAVE_MPI_PSEND_INIT
#    define FEATURE_PARTITIONED "MPI-4"
#else
#    define FEATURE_PARTITIONED NULL
#    define MPI_Psend_init(buffer, parts, count, type, peer, tag, comm, info, request)             \
        ((void)(buffer), (void)(parts), (void)(count), (void)(type), (void)(peer), (void)(tag),    \
         (void)(comm), (void)(info), *(request) = MPI_REQUEST_NULL)
#    define MPI_Precv_init            MPI_Psend_init
#    define MPI_Pready(part, request) ((void)(part), (void)(request))
#endif

#endif
