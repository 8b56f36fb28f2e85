/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu_kernels.h - the kernels that run on the GPU (gpu_kernels.cu).  Results
   are of type cudaError_t or hipError_t, and stream is of that runtime too. */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Let every multiprocessor of the GPU compute so many dependent steps.  Returns
   before they are done. */
int gpu_cuda_compute(long steps, void *stream);
int gpu_hip_compute(long steps, void *stream);

/* Write n bytes without a change.  Returns before it is done. */
int gpu_cuda_touch(void *memory, size_t n);
int gpu_hip_touch(void *memory, size_t n);

#ifdef __cplusplus
}
#endif

#endif
