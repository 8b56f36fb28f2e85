# SPDX-License-Identifier: BSD-3-Clause
# hip.sed - makes source for HIP, AMD's runtime library, of source for CUDA: the functions have
#           the same names but for the prefix, and for what stands here.
s/CUDART_VERSION/HIP_VERSION/g
s/DEVICE_CUDA/DEVICE_ROCM/g
s/CUDA/HIP/g
s/cuda/hip/g
s/hip_runtime[a-z_]*\.h/hip\/&/
s/include "gpu\.h/include "gpu\/gpu.h/
s/struct hipPointerAttributes/hipPointerAttribute_t/g
s/struct hipDeviceProp/hipDeviceProp_t/g
s/enum hipDeviceAttr/hipDeviceAttribute_t/g
s/hipDevAttr/hipDeviceAttribute/g
s/MultiProcessorCount/MultiprocessorCount/g
s/hipHostAlloc/hipHostMalloc/g
s/hipFreeHost/hipHostFree/g
s/libhip\.so\.1/amdgpu/
s/module.nvidia_peermem/kernel\/mm\/memory_peers\/amdkfd/

# Only AMD's has fine-grained memory.
/define hipMallocFine/c\
#define hipMallocFine(memory, bytes) hipExtMallocWithFlags(memory, bytes, hipDeviceMallocFinegrained)

# Before HIP 6 the type has another name, and that of managed memory is that of the device's.
/#.*include <hip/a\
#if HIP_VERSION < 60000000\
#define type memoryType\
#define hipMemoryTypeManaged hipMemoryTypeUnified\
#endif
s/a\.type == type/(kind == GPU_MANAGED ? a.isManaged : &)/

# Before HIP 6 the properties have no UUID.  It is 16 letters, and of a GPU without one XX.
/int at = .*uuid/,/uuid\.bytes/c\
    hipUUID uuid;\
    if (!good(hipDeviceGetUuid(&uuid, f->device)))\
        return false;\
    snprintf(f->uuid, sizeof f->uuid, "GPU-%.16s%s", uuid.bytes, uuid.bytes[0] == 'X' ? f->pci : "");

# Processes that share a GPU of AMD's run at the same time.
/^static bool take_turns/,/^}/c\
static bool take_turns(int device)\
{\
    return device < 0;\
}
