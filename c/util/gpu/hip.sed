# SPDX-License-Identifier: BSD-3-Clause
# hip.sed - makes source for HIP, AMD's runtime library, of source for CUDA: its functions have
#           the same names but for the prefix, and these.  What else differs stands in the
#           source between #ifdef HIP_VERSION and #endif.
s/CUDART_VERSION/HIP_VERSION/g
s/DEVICE_CUDA/DEVICE_ROCM/g
s/CUDA/HIP/g
s/cuda/hip/g
s/hip_runtime[a-z_]*\.h/hip\/&/
s/include "gpu/include "gpu\/gpu/
s/struct hipPointerAttributes/hipPointerAttribute_t/g
s/struct hipDeviceProp/hipDeviceProp_t/g
s/enum hipDeviceAttr/hipDeviceAttribute_t/g
s/hipDevAttr/hipDeviceAttribute/g
s/MultiProcessorCount/MultiprocessorCount/g
s/hipHostAlloc/hipHostMalloc/g
s/hipFreeHost/hipHostFree/g
/#.*include <hip/a\
#if HIP_VERSION < 60000000\
#define type memoryType\
#define hipMemoryTypeManaged hipMemoryTypeUnified\
#endif
