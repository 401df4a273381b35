// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/text_file.h"
#include "check/checks.h"
#include "check/run_program.h"
#include "config/gpus.h"

namespace halftoned {
namespace {

// Whether a device on the PCI bus is from NVIDIA, for displays or computing.
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

// The worker's findings about the driver, if it may be run.
Findings AskWorker(const std::string& worker, int timeout) {
  if (::geteuid() == 0 && !IsRootsAlone(worker)) return {};
  const Result<Outcome> run = RunProgram({worker, "--version"}, timeout);
  return run.ok() ? DriverFindings(run->out) : Findings();
}

}  // namespace

Findings DriverFindings(const std::string& printed) {
  struct Version {
    int major = 0;
    int minor = 0;
    std::string text() const {
      return std::to_string(major) + "." + std::to_string(minor);
    }
  };
  Version runtime;
  Version driver;
  const size_t line = printed.find('\n');
  if (line == printed.npos ||
      std::sscanf(printed.c_str() + line + 1, "CUDA %d.%d, driver %d.%d",
                  &runtime.major, &runtime.minor, &driver.major,
                  &driver.minor) != 4 ||
      driver.major == 0 || driver.major >= runtime.major) {
    return {};
  }
  return {Wrong(
      "GPUs are not used: NVIDIA's driver supports CUDA " + driver.text() +
          ", and the GPU worker needs CUDA " + runtime.text(),
      "install a driver for CUDA " + std::to_string(runtime.major) +
          ", or a worker built with CUDA " + std::to_string(driver.major))};
}

Findings CheckGpus(const CheckContext& context) {
  const GpuChoice& choice = context.config.daemon.gpus;
  if (!choice.all && choice.uuids.empty()) {
    return {Good("GPUs are disabled (gpus = \"none\")")};
  }
  const std::string worker = GpuWorker(context.places.libexec);
  const bool has_worker = ::access(worker.c_str(), X_OK) == 0;
  const bool has_driver = Exists("/proc/driver/nvidia/version") ||
                          !GpusOf(GpuChoice{}, "/dev").empty();
  if (has_driver && !has_worker) {
    return {Advice("this machine has an NVIDIA GPU, but no GPU worker",
                   HowToInstallOurs("halftoned-cuda",
                                    "cmake/fat-cuda && sudo cmake --install "
                                    "build/cuda-fat"))};
  }
  if (has_driver) {
    Findings findings = AskWorker(worker, context.timeout);
    if (!findings.empty()) return findings;
    return {Good("NVIDIA GPUs have a driver and a worker")};
  }
  if (HasGpu()) {
    return {Advice(
        "this machine has an NVIDIA GPU, but NVIDIA's driver is not loaded",
        HowToInstall("nvidia-driver"))};
  }
  if (!choice.uuids.empty()) {
    return {
        Wrong("halftoned.conf names GPUs, but NVIDIA's driver is not loaded",
              "type: sudoedit " + context.places.configuration)};
  }
  return {Good("this machine has no NVIDIA GPU")};
}

}  // namespace halftoned
