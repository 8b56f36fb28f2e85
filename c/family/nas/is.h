/* SPDX-License-Identifier: BSD-3-Clause */
/* is.h - the family of NAS IS: nas.h with the kernel of is_kernel.h. */
#ifndef NAS_IS_H
#define NAS_IS_H

#include "nas.h"

extern const struct family nas_is_family;

/* The parts of the time (nas.h): one for each MPI call. */
enum { IS_ALLREDUCE, IS_ALLTOALL, IS_ALLTOALLV };

#endif
