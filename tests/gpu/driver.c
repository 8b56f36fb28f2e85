/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * driver.c - a mock of the CUDA driver's library on top of double.c, so that an Open
 *            MPI that really was built with CUDA runs without a GPU.
 *
 * It has the functions that Open MPI 4.1 calls.  Nothing is shared between processes
 * (CUDA IPC), so that its smcuda must do without
 * (--mca btl_smcuda_use_cuda_ipc 0).
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int context;

static CUresult as_driver(cudaError_t error)
{
    return error == cudaSuccess                 ? CUDA_SUCCESS
           : error == cudaErrorMemoryAllocation ? CUDA_ERROR_OUT_OF_MEMORY
                                                : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCtxGetCurrent(CUcontext *c)
{
    *c = (CUcontext)&context;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext c)
{
    (void)c;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    return as_driver(cudaGetDevice(device));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    (void)device, (void)peer;
    *can = 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return as_driver(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    return as_driver(cudaDeviceSynchronize());
}

CUresult cuStreamDestroy(CUstream stream)
{
    return as_driver(cudaStreamDestroy(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return as_driver(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return as_driver(cudaEventRecord(event, stream));
}

/* Every query reports that the work is complete. */
CUresult cuEventQuery(CUevent event)
{
    return as_driver(cudaEventSynchronize(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    return as_driver(cudaEventSynchronize(event));
}

CUresult cuEventDestroy(CUevent event)
{
    return as_driver(cudaEventDestroy(event));
}

CUresult cuMemHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)memory, (void)bytes, (void)flags;
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *memory)
{
    (void)memory;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes)
{
    return as_driver(cudaMalloc((void **)memory, bytes));
}

CUresult cuMemFree(CUdeviceptr memory)
{
    return as_driver(cudaFree((void *)memory));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return as_driver(cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return as_driver(
        cudaMemcpyAsync((void *)to, (const void *)from, bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr memory)
{
    *base = memory;
    *bytes = 1;
    return CUDA_SUCCESS;
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    (void)handle, (void)event;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    (void)event, (void)handle;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr memory)
{
    (void)handle, (void)memory;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *memory, CUipcMemHandle handle, unsigned flags)
{
    (void)memory, (void)handle, (void)flags;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr memory)
{
    (void)memory;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute what, CUdeviceptr memory)
{
    (void)value, (void)what, (void)memory;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *out, CUpointer_attribute what, CUdeviceptr memory)
{
    struct cudaPointerAttributes a;
    bool known;

    cudaPointerGetAttributes(&a, (const void *)memory);
    known = a.type != cudaMemoryTypeUnregistered;
    switch ((int)what) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)out =
            a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)out = known ? (CUcontext)&context : NULL;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(uint32_t *)out = a.type == cudaMemoryTypeManaged;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        *(unsigned long long *)out = memory >> 21;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* For unknown memory all attributes are 0, and that is no error. */
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *what, void **out,
                                CUdeviceptr memory)
{
    for (unsigned i = 0; i < n; i++) {
        const bool type = what[i] == (CUpointer_attribute)CU_POINTER_ATTRIBUTE_MEMORY_TYPE;

        if (cuPointerGetAttribute(out[i], what[i], memory) != CUDA_SUCCESS && type)
            memset(out[i], 0, sizeof(CUmemorytype));
    }
    return CUDA_SUCCESS;
}
