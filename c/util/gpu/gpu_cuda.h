/* SPDX-License-Identifier: BSD-3-Clause */
/* gpu_cuda.h - the parts of gpu_runtime() where that is CUDA; see gpu.h. */
#ifndef GPU_CUDA_H
#define GPU_CUDA_H

#include <stdbool.h>
#include <stddef.h>

/* Was the outcome, a cudaError_t, a success?  What it was else, error() says. */
bool gpu_cuda_good(int outcome);

bool gpu_cuda_tickets(int n);
bool gpu_cuda_begin_copy(int ticket, void *to, const void *from, size_t n);
bool gpu_cuda_end_copy(int ticket);
bool gpu_cuda_compute(long steps);
bool gpu_cuda_finish(void);

#endif
