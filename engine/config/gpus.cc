// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/gpus.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace halftoned {
namespace {

// nvidia0, nvidia1, …, but not, for example, nvidiactl.
bool IsNodeOfGpu(std::string_view name) {
  constexpr std::string_view kPrefix = "nvidia";
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         name.substr(kPrefix.size()).find_first_not_of("0123456789") ==
             std::string_view::npos;
}

}  // namespace

std::vector<std::string> GpusOf(const GpuChoice& choice,
                                const std::string& devices) {
  if (!choice.all) return choice.uuids;
  std::vector<std::string> gpus;
  std::error_code error;
  for (const auto& node : std::filesystem::directory_iterator(devices, error)) {
    // A node's number might not be the GPU's, but each GPU has one node.
    if (IsNodeOfGpu(node.path().filename().string())) {
      gpus.push_back(std::to_string(gpus.size()));
    }
  }
  return gpus;
}

std::string GpuWorker(const std::string& workers) {
  return workers + "/worker-cuda";
}

std::vector<std::string> ServedGpus(const GpuChoice& choice,
                                    const std::string& workers) {
  // Without a worker, "auto" means no GPUs.
  if (choice.all && ::access(GpuWorker(workers).c_str(), X_OK) != 0) return {};
  return GpusOf(choice, "/dev");
}

}  // namespace halftoned
