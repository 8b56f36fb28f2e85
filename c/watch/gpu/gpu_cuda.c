/* SPDX-License-Identifier: BSD-3-Clause */
/* The CUDA runtime library behind gpu.h; AMD's HIP by hip.sed. */
#include "gpu.h"

#include "config.h"

#ifdef HAVE_CUDA
#    include <cuda_runtime_api.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>

#    define cudaMallocFine(memory, bytes) cudaErrorNotSupported

/* The kernels of gpu_kernels.cu.  They return a cudaError_t before they are done. */
int gpu_cuda_compute(long steps, void *stream); /* in every thread */
int gpu_cuda_touch(void *memory, size_t n);     /* write, without a change */

static cudaError_t last;

/* Was the outcome a success?  What it was else, error() says. */
static bool good(cudaError_t outcome)
{
    last = outcome;
    if (outcome != cudaSuccess)
        cudaGetLastError(); /* or the next call would say it again */
    return outcome == cudaSuccess;
}

/* CUDA calls a driver that is not there too old. */
static const char *error(void)
{
    int driver;

    if (last == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0)
        return "its driver libcuda.so.1 is not found";
    return cudaGetErrorString(last);
}

static int count(void)
{
    int n = 0;

    return good(cudaGetDeviceCount(&n)) ? n : 0;
}

static bool use(int device)
{
    /* The context is made by the first call that needs it. */
    return (device == GPU_ANY || good(cudaSetDevice(device))) && good(cudaFree(NULL));
}

static void *allocate(enum gpu_memory kind, size_t bytes)
{
    void *memory = NULL;
    const cudaError_t outcome =
        kind == GPU_DEVICE    ? cudaMalloc(&memory, bytes)
        : kind == GPU_MANAGED ? cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal)
        : kind == GPU_PINNED  ? cudaHostAlloc(&memory, bytes, cudaHostAllocPortable)
                              : cudaMallocFine(&memory, bytes);

    return good(outcome) ? memory : NULL;
}

static void release(enum gpu_memory kind, void *memory)
{
    if (kind == GPU_PINNED)
        cudaFreeHost(memory);
    else
        cudaFree(memory);
}

static bool is(enum gpu_memory kind, const void *memory)
{
    const enum cudaMemoryType type = kind == GPU_MANAGED  ? cudaMemoryTypeManaged
                                     : kind == GPU_PINNED ? cudaMemoryTypeHost
                                                          : cudaMemoryTypeDevice;
    struct cudaPointerAttributes a;

    return good(cudaPointerGetAttributes(&a, memory)) && a.type == type;
}

/* Copies out of or into pageable memory may return early, and so does what stays on the device. */
static bool copy(void *to, const void *from, size_t n)
{
    return good(cudaMemcpy(to, from, n, cudaMemcpyDefault)) && good(cudaDeviceSynchronize());
}

/* With pinned memory the call returns when the copy is done. */
static bool stage(void *to, const void *from, size_t n)
{
    return good(cudaMemcpy(to, from, n, cudaMemcpyDefault));
}

static bool set(void *to, int value, size_t n)
{
    return good(cudaMemset(to, value, n)) && good(cudaDeviceSynchronize());
}

static bool touch(void *memory, size_t n)
{
    return good((cudaError_t)gpu_cuda_touch(memory, n)) && good(cudaDeviceSynchronize());
}

static bool wait_for_all(void)
{
    return good(cudaDeviceSynchronize());
}

/* Without MPS the kernels and copies of two processes never run at the same time. */
static bool take_turns(int device)
{
    enum { MPS_ENABLED = 133 }; /* cudaDevAttrMpsEnabled in newer headers */
    int mps = 0;

    return !good(cudaDeviceGetAttribute(&mps, (enum cudaDeviceAttr)MPS_ENABLED, device)) ||
           mps == 0;
}

static bool facts(struct gpu_facts *f)
{
    /* The words of other tools, by cudaComputeMode. */
    static const char *const modes[] = { "default", "exclusive", "prohibited",
                                         "exclusive process" };
    struct cudaDeviceProp p;
    int mode, cache;

    if (!good(cudaGetDevice(&f->device)) || !good(cudaGetDeviceProperties(&p, f->device)) ||
        !good(cudaDeviceGetPCIBusId(f->pci, sizeof f->pci, f->device)) ||
        !good(cudaDriverGetVersion(&f->driver)) || !good(cudaRuntimeGetVersion(&f->runtime)) ||
        !good(cudaGetDeviceCount(&f->visible)) || !good(cudaMemGetInfo(&f->free, &f->bytes)) ||
        !good(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, f->device)) ||
        !good(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, f->device)))
        return false;
    f->cache = (size_t)cache;
    snprintf(f->compute_mode, sizeof f->compute_mode, "%s",
             mode >= 0 && mode < 4 ? modes[mode] : "unknown");
    snprintf(f->name, sizeof f->name, "%.79s", p.name);
    f->turns = take_turns(f->device);
    f->mig = strstr(f->name, " MIG ") != NULL;
    int at = snprintf(f->uuid, sizeof f->uuid, "GPU");
    for (int i = 0; i < 16; i++)
        at += snprintf(f->uuid + at, sizeof f->uuid - (size_t)at, "%s%02x",
                       i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                       (unsigned)(unsigned char)p.uuid.bytes[i]);
    return true;
}

static bool sees(const char *pci)
{
    int device;

    return good(cudaDeviceGetByPCIBusId(&device, pci));
}

/* --- In order, next to what else is done: copies, and a computation ------- */

/* What begin_copy needs. */
static struct {
    cudaStream_t stream;
    cudaEvent_t *done; /* one for each ticket */
    int n;
} copies;

static bool tickets(int n)
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
        return good(cudaErrorMemoryAllocation);
    if (!good(cudaStreamCreateWithFlags(&copies.stream, cudaStreamNonBlocking)))
        return false;
    while (copies.n < n &&
           good(cudaEventCreateWithFlags(&copies.done[copies.n], cudaEventDisableTiming)))
        copies.n++;
    return copies.n == n;
}

static bool begin_copy(int ticket, void *to, const void *from, size_t n)
{
    return good(cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, copies.stream)) &&
           good(cudaEventRecord(copies.done[ticket], copies.stream));
}

static bool end_copy(int ticket)
{
    return good(cudaEventSynchronize(copies.done[ticket]));
}

/* Not the default stream: copies that MPI orders in streams of the usual kind wait for
   what is in that, so that nothing would overlap. */
static cudaStream_t own_stream(void)
{
    static cudaStream_t stream;

    if (stream == NULL && !good(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)))
        stream = NULL;
    return stream;
}

static bool compute(long steps)
{
    const cudaStream_t stream = own_stream();

    return stream != NULL && good((cudaError_t)gpu_cuda_compute(steps, stream));
}

static bool finish(void)
{
    return good(cudaStreamSynchronize(own_stream()));
}

const struct gpu_runtime gpu_cuda = {
    .name = "CUDA",
    .device = DEVICE_CUDA,
    .kind = gpu_memory,
    .peermem = "module/nvidia_peermem",
    .error = error,
    .count = count,
    .use = use,
    .allocate = allocate,
    .release = release,
    .is = is,
    .copy = copy,
    .set = set,
    .stage = stage,
    .tickets = tickets,
    .begin_copy = begin_copy,
    .end_copy = end_copy,
    .touch = touch,
    .compute = compute,
    .finish = finish,
    .wait = wait_for_all,
    .facts = facts,
    .sees = sees,
};
#endif
