/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu_cuda.h - the tables of gpu.h by CUDA's runtime library, and by AMD's (hip.sed),
 *              where configure found them. */
#ifndef GPU_CUDA_H
#define GPU_CUDA_H

#include "memory/gpu.h"

extern const struct gpu_runtime gpu_cuda, gpu_hip;

#endif
