/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu_kernels.h - what runs on the GPU (gpu_kernels.cu); outcomes are cudaError_t, and
   stream is a cudaStream_t. */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Let every multiprocessor of the GPU compute so many dependent steps.  Returns before
   it is done. */
int gpu_kernel_compute(long steps, void *stream);

/* Write n bytes as they are.  Returns before it is done. */
int gpu_kernel_touch(void *memory, size_t n);

/* Last until gate[0], pinned memory of the host, is turn, or for two seconds; gate[1]
   becomes turn when it has begun.  Returns before that. */
int gpu_kernel_gate(volatile int *gate, int turn, void *stream);

#ifdef __cplusplus
}
#endif

#endif
