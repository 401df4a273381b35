// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level` and `screen`: each pixel on its own. Threads make 32 columns of a
// row each, side by side; then each continues behind the columns of the last
// thread.

#pragma once

#include <cuda_runtime_api.h>

#include "halftone/gpu/common/band_job.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// BandJob::tone has values, and then the screen (screen_words.h). Asynchronous.
cudaError_t LaunchDeciding(const Batch& batch, const Recipe& recipe,
                           cudaStream_t stream);

}  // namespace halftoned::cuda
