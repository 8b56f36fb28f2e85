/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_features.h - what configure found this MPI able to do, one name each.
 *
 * Programs call the MPI-4 name.  Where only the library's extension exists
 * the name leads there; where nothing exists it leads to a stand-in that is
 * never reached, because the harness leaves with exit code 77 before.
 */
#ifndef MPI_FEATURES_H
#define MPI_FEATURES_H

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif
#include <mpi.h>
#ifdef HAVE_MPI_EXT_H
#    include <mpi-ext.h>
#endif

#if defined(HAVE_MPI_ALLREDUCE_INIT)
#    define FEATURE_PERSISTENT_COLLECTIVES "MPI-4"
#elif defined(HAVE_MPIX_ALLREDUCE_INIT) && defined(HAVE_MPI_EXT_H)
#    define FEATURE_PERSISTENT_COLLECTIVES "MPIX"
#    define MPI_Allreduce_init             MPIX_Allreduce_init
#else
#    define FEATURE_PERSISTENT_COLLECTIVES NULL
static inline int feature_missing(MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return MPI_ERR_OTHER;
}
#    define MPI_Allreduce_init(send, recv, count, type, op, comm, info,        \
                               request)                                        \
        ((void)(send), (void)(recv), (void)(count), (void)(type), (void)(op),  \
         (void)(comm), (void)(info), feature_missing(request))
#endif

#ifdef HAVE_MPI_SESSION_INIT
#    define FEATURE_SESSIONS true
#else
#    define FEATURE_SESSIONS false
typedef int MPI_Session;
#endif

#endif
