/* SPDX-License-Identifier: BSD-3-Clause */
/* ft.h - the family of NAS FT: nas.h with the kernel of ft_kernel.h. */
#ifndef NAS_FT_H
#define NAS_FT_H

#include "nas.h"

extern const struct family nas_ft_family;

/* Which call is which part (call_times.h). */
enum { FT_ALLTOALL, FT_ALLREDUCE };

#endif
