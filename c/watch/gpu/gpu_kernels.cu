// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

enum { THREADS = 256, BLOCKS = 1024 };

extern "C" __global__ void alidade_cuda_touch(volatile unsigned char *memory, unsigned long n)
{
    const unsigned long step = (unsigned long)gridDim.x * blockDim.x;

    for (unsigned long i = (unsigned long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        memory[i] = memory[i];
}

extern "C" int gpu_cuda_touch(void *memory, size_t n)
{
    const size_t blocks = (n + THREADS - 1) / THREADS;

    if (n == 0)
        return cudaSuccess;
    alidade_cuda_touch<<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS>>>(
        (volatile unsigned char *)memory, n);
    return cudaGetLastError();
}

// A chain of dependent multiplications in every thread, as on the processor: its time
// is steps times a constant, and it touches no memory that the operation could want.
extern "C" __global__ void alidade_cuda_compute(float *sink, long steps)
{
    float x = 1.0f + threadIdx.x * 1e-7f;

    for (long i = 0; i < steps; i++)
        x = fmaf(x, 0.9999999f, 1e-9f);
    if (x == 0) // never, but the compiler does not know
        *sink = x;
}

extern "C" int gpu_cuda_compute(long steps, void *stream)
{
    static int blocks;
    int device = 0;

    if (blocks == 0) {
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
        blocks += blocks == 0;
    }
    alidade_cuda_compute<<<blocks, THREADS, 0, (cudaStream_t)stream>>>(NULL, steps);
    return cudaGetLastError();
}
