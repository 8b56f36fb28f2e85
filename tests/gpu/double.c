/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * double.c - the mock CUDA runtime library, for machines without a GPU; and, by
 *            c/watch/gpu/hip.sed, AMD's.
 *
 * Built under the name of the real one and found before it (LD_LIBRARY_PATH).
 * Device memory is mapped twice: an access to the address given out is a fault,
 * and copies, kernels and the MPI of wrap.awk use the other address.  New device
 * memory holds 0xa5.  Work that CUDA may delay is done when somebody waits for it, so
 * that a missing wait gives wrong data.
 *
 *   DOUBLE_DEVICES  number of GPUs (1); of this library alone: DOUBLE_CUDA_DEVICES
 *   DOUBLE_MASK     set: a process sees only the GPU of its local rank
 *   DOUBLE_NAME     name of all GPUs ("Double")
 *   DOUBLE_MODE     compute mode (0)
 *   DOUBLE_BYTES    most bytes that can be allocated at a time
 *   DOUBLE_FREE     bytes of memory reported as free (1 GiB)
 *   DOUBLE_FAIL     this function fails: "cudaMemcpy"
 *   DOUBLE_KIB_US   a copy takes so much longer for each KiB, in us
 *   DOUBLE_MPI_US   MPI takes so much longer for each device buffer, in us
 *   DOUBLE_ABORT    set: MPI aborts if it gets device memory
 *   DOUBLE_LEFT_US  work that MPI leaves on the device when it returns, in us
 *   DOUBLE_SHORT    so many bytes at the end of each allocation are not the caller's (0)
 *   DOUBLE_REPORT   file, to which .PID is added, for the counts
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 4096, KERNELS = 16, WAITING = 4096 };

struct block {
    char *given, *real; /* equal, except for device memory */
    size_t bytes, mapped;
    enum cudaMemoryType type;
};

/* A memset, a copy or a kernel that has not run yet. */
struct work {
    char *at;
    const char *from; /* source of a copy */
    int value;        /* -1: leave every byte as it is */
    size_t bytes;
    double until; /* earliest time at which it is complete */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block blocks[BLOCKS];
static struct work waiting[WAITING]; /* a ring */
static long begun, done;
static struct {
    const void *stub;
    const char *name;
} kernels[KERNELS];
static int nkernels;
static bool used;                 /* a process may have two such libraries */
static __thread int current = -1; /* the device of a thread is its own; none yet */
static struct {
    long given, freed, in, out, across, sets, launches, waits, translated, later, strange;
} counted;
static cudaError_t last;
static double busy_until; /* computing, */
static double copying_until;

static cudaError_t outcome(cudaError_t error)
{
    if (error != cudaSuccess)
        last = error;
    return error;
}

static bool fails(const char *function)
{
    const char *name = getenv("DOUBLE_FAIL");

    return name != NULL && strcmp(name, function) == 0;
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? atoi(text) : otherwise;
}

/* The number of devices that a process sees. */
static int devices(void)
{
    return getenv("DOUBLE_MASK") != NULL
               ? 1
               : number("DOUBLE_CUDA_DEVICES", number("DOUBLE_DEVICES", 1));
}

/* The number of a visible device in the machine. */
static int physical(int device)
{
    return getenv("DOUBLE_MASK") == NULL
               ? device
               : number("OMPI_COMM_WORLD_LOCAL_RANK", number("MPI_LOCALRANKID", 0));
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Until a time that is far away the process sleeps, except for the last
   millisecond: the other ranks may need its CPU. */
static void wait_until(double until)
{
    const double asleep = until - seconds() - 1e-3;

    if (asleep > 1e-3)
        nanosleep(&(struct timespec){ (time_t)asleep, (long)(1e9 * (asleep - (time_t)asleep)) },
                  NULL);
    while (seconds() < until)
        continue;
}

static void spend(const char *name, double times)
{
    const char *us = getenv(name);

    if (us != NULL)
        wait_until(seconds() + 1e-6 * atof(us) * times);
}

static struct block *find(const void *memory)
{
    const char *at = memory;

    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].given != NULL && at >= blocks[i].given &&
            at < blocks[i].given + blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

/* The address at which the bytes of a given address really are. */
static char *real(const void *memory)
{
    const struct block *b = find(memory);

    return b == NULL ? (char *)memory : b->real + ((const char *)memory - b->given);
}

static void begin(struct work w);

/* An MPI that returns before the device is done. */
static void leave(void)
{
    const char *us = getenv("DOUBLE_LEFT_US");
    static char nothing[1];

    if (us != NULL)
        begin((struct work){ .at = nothing, .value = -1, .until = seconds() + 1e-6 * atof(us) });
}

/* Used by the MPI library. */
void *double_cuda_translate(const void *memory);
void *double_cuda_translate(const void *memory)
{
    char *at;

    pthread_mutex_lock(&lock);
    at = real(memory);
    counted.translated += at != memory;
    counted.strange += at != memory && current < 0;
    pthread_mutex_unlock(&lock);
    if (at != memory) {
        if (getenv("DOUBLE_ABORT") != NULL)
            abort();
        spend("DOUBLE_MPI_US", 1);
        leave();
    }
    return at;
}

/* Asked by tests/faults/poisoned.c: the first byte of a region that is not the caller's. */
void *double_cuda_outside(const void *memory, size_t bytes);
void *double_cuda_outside(const void *memory, size_t bytes)
{
    const int spare = number("DOUBLE_SHORT", 0);
    const struct block *b;
    char *end = NULL;

    pthread_mutex_lock(&lock);
    b = find(memory);
    if (b != NULL)
        end = b->given + b->bytes - spare;
    pthread_mutex_unlock(&lock);
    return end != NULL && (const char *)memory + bytes > end ? end : NULL;
}

static size_t pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (bytes + page) / page * page;
}

static cudaError_t give(void **memory, size_t bytes, enum cudaMemoryType type)
{
    const bool device = type == cudaMemoryTypeDevice;
    const char *most = getenv("DOUBLE_BYTES");
    struct block b = { .bytes = bytes, .mapped = pages(bytes), .type = type };
    const int file = memfd_create("double", 0);
    int i = 0;

    if ((most != NULL && bytes > strtoull(most, NULL, 0)) || file < 0 ||
        ftruncate(file, (off_t)b.mapped) != 0) {
        close(file);
        return outcome(cudaErrorMemoryAllocation);
    }
    b.real = mmap(NULL, b.mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    b.given = device ? mmap(NULL, b.mapped, PROT_NONE, MAP_SHARED, file, 0) : b.real;
    close(file);
    if (b.real == MAP_FAILED || b.given == MAP_FAILED)
        return outcome(cudaErrorMemoryAllocation);
    if (device)
        memset(b.real, 0xa5, b.mapped);
    pthread_mutex_lock(&lock);
    while (i < BLOCKS && blocks[i].given != NULL)
        i++;
    if (i == BLOCKS)
        abort();
    blocks[i] = b;
    counted.given++;
    pthread_mutex_unlock(&lock);
    *memory = b.given;
    return cudaSuccess;
}

/* Complete the first n pieces of work that were begun, and no others. */
static void catch_up_to(long n)
{
    for (; done < n; done++) {
        const struct work *w = &waiting[done % WAITING];

        if (w->until > 0)
            wait_until(w->until);
        if (w->from != NULL)
            memmove(real(w->at), real(w->from), w->bytes);
        else if (w->value >= 0)
            memset(real(w->at), w->value, w->bytes);
    }
}

static void catch_up(void)
{
    if (busy_until > 0)
        wait_until(busy_until);
    catch_up_to(begun);
}

static void begin(struct work w)
{
    pthread_mutex_lock(&lock);
    if (begun - done == WAITING)
        catch_up();
    waiting[begun++ % WAITING] = w;
    pthread_mutex_unlock(&lock);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return give(memory, bytes, cudaMemoryTypeDevice);
}

#ifdef HIP_VERSION
hipError_t hipExtMallocWithFlags(void **memory, size_t bytes, unsigned flags)
{
    if (flags != hipDeviceMallocFinegrained)
        return outcome(hipErrorInvalidValue);
    return give(memory, bytes, hipMemoryTypeDevice);
}

/* As one of the real library: letters, without a zero at the end. */
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device)
{
    char text[17];

    snprintf(text, sizeof text, "%016x", (unsigned)physical(device));
    memcpy(uuid->bytes, text, sizeof uuid->bytes);
    return hipSuccess;
}
#endif

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return give(memory, bytes, cudaMemoryTypeManaged);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return give(memory, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaFree(void *memory)
{
    struct block *b;

    used = true;
    if (memory == NULL)
        return cudaSuccess;
    pthread_mutex_lock(&lock);
    catch_up();
    b = find(memory);
    if (b != NULL && b->given == memory) {
        munmap(b->given, b->mapped);
        if (b->real != b->given)
            munmap(b->real, b->mapped);
        b->given = NULL;
        counted.freed++;
    }
    pthread_mutex_unlock(&lock);
    return outcome(b != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

static bool on_device(const void *memory)
{
    const struct block *b = find(memory);

    return b != NULL && b->type == cudaMemoryTypeDevice;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    bool into, out;

    if (kind != cudaMemcpyDefault)
        return outcome(cudaErrorInvalidMemcpyDirection);
    if (fails("cudaMemcpy"))
        return outcome(cudaErrorIllegalAddress);
    pthread_mutex_lock(&lock);
    catch_up();
    into = on_device(to);
    out = on_device(from);
    memmove(real(to), real(from), bytes);
    counted.in += into && !out;
    counted.out += out && !into;
    counted.across += into && out;
    pthread_mutex_unlock(&lock);
    spend("DOUBLE_KIB_US", (double)bytes / 1024);
    return cudaSuccess;
}

/* The copies of a stream follow each other, while the process continues. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const char *us = getenv("DOUBLE_KIB_US");
    const double now = seconds();

    if (kind != cudaMemcpyDefault || stream == NULL)
        return outcome(cudaErrorInvalidValue);
    if (fails("cudaMemcpyAsync"))
        return outcome(cudaErrorIllegalAddress);
    if (us != NULL)
        copying_until =
            (copying_until > now ? copying_until : now) + 1e-6 * atof(us) * (double)bytes / 1024;
    begin((struct work){
        .at = to, .from = from, .bytes = bytes, .until = us != NULL ? copying_until : 0 });
    counted.later++;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = (cudaStream_t)&waiting;
    counted.given++;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaDeviceSynchronize();
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    (void)stream;
    counted.freed++;
    return cudaSuccess;
}

/* An event is the number of pieces of work begun so far. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(long));
    counted.given++;
    return outcome(*event != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    counted.freed++;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    *(long *)(void *)event = begun;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    catch_up_to(*(long *)(void *)event);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    const char *text = getenv("DOUBLE_FREE");

    *total = (size_t)1 << 30;
    *free_bytes = text != NULL ? strtoull(text, NULL, 0) : *total;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pci)
{
    char text[20];

    for (*device = 0; *device < devices(); ++*device) {
        cudaDeviceGetPCIBusId(text, sizeof text, *device);
        if (strcmp(text, pci) == 0)
            return cudaSuccess;
    }
    return outcome(cudaErrorInvalidDevice);
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    begin((struct work){ .at = memory, .value = value & 0xff, .bytes = bytes });
    counted.sets++;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    pthread_mutex_lock(&lock);
    catch_up();
    counted.waits++;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = devices();
    return outcome(*n > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= devices())
        return outcome(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current < 0 ? 0 : current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    const char *name = getenv("DOUBLE_NAME");

    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", name != NULL ? name : "Double");
#ifndef HIP_VERSION
    p->uuid.bytes[0] = (char)physical(device);
#else
    (void)device;
#endif
    p->totalGlobalMem = (size_t)1 << 30;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int room, int device)
{
    snprintf(text, (size_t)room, "0000:%02x:00.0", physical(device) + 1);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *memory)
{
    const struct block *b = find(memory);

    memset(a, 0, sizeof *a);
    if (b != NULL)
        a->type = b->type;
#ifdef HIP_VERSION
    a->isManaged = b != NULL && b->type == hipMemoryTypeManaged;
#endif
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last;

    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorIllegalAddress:
        return "an illegal memory access was encountered";
    default:
        return "some error";
    }
}

/* --- What nvcc's or hipcc's object calls --------------------------------------------- */

void **__cudaRegisterFatBinary(void *binary);
void **__cudaRegisterFatBinary(void *binary)
{
    static void *handle;

    handle = binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *function, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *size);
void __cudaRegisterFunction(void **handle, const char *stub, char *function, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *size)
{
    (void)handle, (void)function, (void)threads, (void)tid, (void)bid;
    (void)block, (void)grid, (void)size;
    if (nkernels == KERNELS)
        abort();
    kernels[nkernels].stub = stub;
    kernels[nkernels++].name = name;
}

static struct {
    dim3 grid, block;
} configuration;

cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    (void)shared, (void)stream;
    configuration.grid = grid;
    configuration.block = block;
    return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       cudaStream_t *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       cudaStream_t *stream)
{
    *grid = configuration.grid;
    *block = configuration.block;
    *shared = 0;
    *stream = NULL;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    *value = attribute == cudaDevAttrComputeMode         ? number("DOUBLE_MODE", 0)
             : (int)attribute == 133 /* ...MpsEnabled */ ? number("DOUBLE_MPS", 1)
                                                         : 4;
    return cudaSuccess;
}

/* A step takes 1 ns, after all steps begun before. */
static void compute(long steps)
{
    const double now = seconds();

    busy_until = (busy_until > now ? busy_until : now) + 1e-9 * (double)steps;
}

/* One kernel leaves bytes as they are, the other computes. */
cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    (void)grid, (void)block, (void)shared, (void)stream;
    if (fails("cudaLaunchKernel"))
        return outcome(cudaErrorIllegalAddress);
    for (int i = 0; i < nkernels; i++) {
        if (kernels[i].stub != stub)
            continue;
        counted.launches++;
        if (strcmp(kernels[i].name, "alidade_cuda_touch") == 0)
            begin((struct work){
                .at = *(char **)arguments[0], .value = -1, .bytes = *(size_t *)arguments[1] });
        else
            compute(*(long *)arguments[1]);
        return cudaSuccess;
    }
    return outcome(cudaErrorInvalidDeviceFunction);
}

#ifndef HIP_VERSION
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    *kernel = (cudaKernel_t)(void *)(size_t)stub;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
#endif

__attribute__((destructor)) static void report(void)
{
    const char *name = getenv("DOUBLE_REPORT");
    char path[4200];
    FILE *to;

    if (name == NULL || !used)
        return;
    snprintf(path, sizeof path, "%s.%d", name, (int)getpid());
    to = fopen(path, "w");
    if (to == NULL)
        return;
    fprintf(to,
            "given=%ld freed=%ld in=%ld out=%ld across=%ld sets=%ld "
            "launches=%ld waits=%ld later=%ld strange=%ld translated=%ld\n",
            counted.given, counted.freed, counted.in, counted.out, counted.across, counted.sets,
            counted.launches, counted.waits, counted.later, counted.strange, counted.translated);
    fclose(to);
}
