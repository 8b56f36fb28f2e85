/* SPDX-License-Identifier: BSD-3-Clause */
/* ft.h - the family of NAS FT: nas.h with the kernel of ft_kernel.h. */
#ifndef NAS_FT_H
#define NAS_FT_H

#include "nas.h"

extern const struct family nas_ft_family;

/* The parts of the time (nas.h): one for each MPI call. */
enum { FT_ALLTOALL, FT_ALLREDUCE };

#endif
