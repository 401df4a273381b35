// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/spread/launch_method.cuh"
#include "halftone/gpu/spread/printer_model.cuh"

namespace halftoned::cuda::spread {

template cudaError_t LaunchMethod<PrinterModel>(const Batch&, const Recipe&,
                                                cudaStream_t);
template cudaError_t ResidentBlocks<PrinterModel>(int*);

}  // namespace halftoned::cuda::spread
