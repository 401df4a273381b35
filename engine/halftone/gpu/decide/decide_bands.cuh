// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level` and `screen`: each pixel for itself. A thread makes 32 columns of
// a row, and then those that are as many times 32 columns further on as there
// are threads.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// BandJob::tone has values, and then the screen (screen_words.h). Asynchronous.
cudaError_t LaunchDeciding(const Batch& batch, const Recipe& recipe,
                           cudaStream_t stream);

}  // namespace halftoned::cuda
