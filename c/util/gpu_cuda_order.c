/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU does in order, beside the process: copies, and a computation. */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#ifdef HAVE_CUDA
#    include "gpu_cuda.h"

#    include <cuda_runtime_api.h>
#    include <stdlib.h>

#    include "gpu_kernels.h"

/* What begin_copy needs. */
static struct {
    cudaStream_t stream;
    cudaEvent_t *done; /* one for each ticket */
    int n;
} copies;

bool gpu_cuda_tickets(int n)
{
    for (int i = 0; i < copies.n; i++)
        cudaEventDestroy(copies.done[i]);
    if (copies.n > 0)
        cudaStreamDestroy(copies.stream);
    free(copies.done);
    copies.done = NULL;
    copies.n = 0;
    if (n == 0)
        return true;
    copies.done = malloc((size_t)n * sizeof *copies.done);
    if (copies.done == NULL)
        return gpu_cuda_good(cudaErrorMemoryAllocation);
    if (!gpu_cuda_good(
            cudaStreamCreateWithFlags(&copies.stream, cudaStreamNonBlocking)))
        return false;
    while (copies.n < n && gpu_cuda_good(cudaEventCreateWithFlags(
                               &copies.done[copies.n], cudaEventDisableTiming)))
        copies.n++;
    return copies.n == n;
}

bool gpu_cuda_begin_copy(int ticket, void *to, const void *from, size_t n)
{
    return gpu_cuda_good(cudaMemcpyAsync(to, from, n, cudaMemcpyDefault,
                                         copies.stream)) &&
           gpu_cuda_good(cudaEventRecord(copies.done[ticket], copies.stream));
}

bool gpu_cuda_end_copy(int ticket)
{
    return gpu_cuda_good(cudaEventSynchronize(copies.done[ticket]));
}

/*
 * A stream for the process itself.  The default one would not do: copies that MPI orders
 * in streams of the usual kind wait for what is in that, so that nothing would overlap.
 */
static cudaStream_t own_stream(void)
{
    static cudaStream_t stream;

    if (stream == NULL && !gpu_cuda_good(cudaStreamCreateWithFlags(
                              &stream, cudaStreamNonBlocking)))
        stream = NULL;
    return stream;
}

bool gpu_cuda_compute(long steps)
{
    const cudaStream_t stream = own_stream();

    return stream != NULL && gpu_cuda_good(gpu_kernel_compute(steps, stream));
}

bool gpu_cuda_finish(void)
{
    return gpu_cuda_good(cudaStreamSynchronize(own_stream()));
}

#endif
