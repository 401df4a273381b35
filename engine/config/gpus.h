// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds GPUs without asking their driver; only workers do that.

#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace halftoned {

// Identifies each chosen GPU for its worker: by UUID, or by number.
// devices: the folder with a device node for each, /dev.
std::vector<std::string> GpusOf(const GpuChoice& choice,
                                const std::string& devices);

// The same; but if `choice` is all GPUs, none without a worker for GPUs.
std::vector<std::string> ServedGpus(const GpuChoice& choice,
                                    const std::string& workers);
// The path of the worker for GPUs in the folder `workers`.
std::string GpuWorker(const std::string& workers);

}  // namespace halftoned
