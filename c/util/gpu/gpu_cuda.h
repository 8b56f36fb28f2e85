/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu_cuda.h - the table of gpu.h by CUDA's runtime library, where configure found it. */
#ifndef GPU_CUDA_H
#define GPU_CUDA_H

#include "gpu.h"

extern const struct gpu_runtime gpu_cuda;

#endif
