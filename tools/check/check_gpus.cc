// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/text_file.h"
#include "check/checks.h"
#include "config/gpus.h"

namespace halftoned {
namespace {

// Whether a device on the PCI bus is NVIDIA's and for displays or computing.
bool HasGpu() {
  std::error_code error;
  for (const auto& device :
       std::filesystem::directory_iterator("/sys/bus/pci/devices", error)) {
    const auto vendor = ReadTextFile(device.path().string() + "/vendor");
    const auto kind = ReadTextFile(device.path().string() + "/class");
    if (vendor.ok() && kind.ok() && vendor->starts_with("0x10de") &&
        kind->starts_with("0x03")) {
      return true;
    }
  }
  return false;
}

}  // namespace

Findings CheckGpus(const CheckContext& context) {
  const GpuChoice& choice = context.config.daemon.gpus;
  if (!choice.all && choice.uuids.empty()) {
    return {Good("GPUs are not to be used (gpus = \"none\")")};
  }
  const std::string worker = GpuWorker(context.places.libexec);
  const bool has_worker = ::access(worker.c_str(), X_OK) == 0;
  const bool has_driver = Exists("/proc/driver/nvidia/version") ||
                          !GpusOf(GpuChoice{}, "/dev").empty();
  if (has_driver && !has_worker) {
    return {Advice("there is an NVIDIA GPU, but no worker that would use it",
                   HowToInstall("halftoned-cuda") +
                       ", or, where the sources are: cmake/fat-cuda && sudo "
                       "cmake --install build/cuda-fat")};
  }
  if (has_driver) return {Good("NVIDIA GPUs have a driver and a worker")};
  if (HasGpu()) {
    return {Advice("there is an NVIDIA GPU, but NVIDIA's driver is not loaded",
                   HowToInstall("nvidia-driver"))};
  }
  if (!choice.uuids.empty()) {
    return {
        Wrong("halftoned.conf names GPUs, but NVIDIA's driver is not loaded",
              "type: sudoedit " + context.places.configuration)};
  }
  return {Good("there is no NVIDIA GPU")};
}

}  // namespace halftoned
