// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// worker-cuda: the worker on one GPU. If this process can no longer use the
// GPU, or the GPU has computed a wrong bit, the process exits immediately: its
// clients notice, and continue elsewhere.

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/health_page.h"
#include "daemon/worker/recipe_kinds.h"
#include "daemon/worker/worker.h"
#include "daemon/worker/worker_main.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/gpu/host/cuda_engine.h"
#include "halftone/gpu/host/gpu.h"
#include "halftone/run/checked.h"

namespace halftoned::daemon {
namespace {

constexpr char kName[] = "worker-cuda";
// For an orderly exit, in addition to the time for open pages.
constexpr std::chrono::seconds kTimeToEnd{2};
// Pages for which memory is allocated in advance.
constexpr size_t kWarmPages = 2;
// A ring of bands that suit a GPU, which is pinned.
constexpr size_t kRingBytes =
    (wire::kBandsInFlight + 1) *
    (CudaDevice::kBandBytes + CudaDevice::kBandBytes / 8);

[[noreturn]] void EndAtOnce(Dying::Cause cause, const std::string& reason) {
  SayLastWords(kName, {cause, reason});
  ::_exit(1);
}

// A band takes more processor time, for calls of CUDA and of the system, than
// GPU time.
int LoopsFor(unsigned processors) {
  return std::clamp(static_cast<int>(processors) / 2, 1, 4);
}

// Sets what the CUDA runtime reads on its first call.
void ChooseGpu(const std::string& gpu) {
  ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  ::setenv("CUDA_VISIBLE_DEVICES", gpu.c_str(), 1);
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
}

Result<std::unique_ptr<CudaDevice>> OpenGpu(const WorkerOptions& options) {
  ChooseGpu(options.gpu);
  CudaOptions cuda;
  cuda.limits.device_bytes = static_cast<size_t>(options.gpu_memory_mib) << 20;
  cuda.limits.pinned_bytes = static_cast<size_t>(options.memory_mib) << 20;
  cuda.on_death = [](const CudaDeath& death) {
    EndAtOnce(death.is_absent ? Dying::Cause::kAbsent : Dying::Cause::kFault,
              death.reason);
  };
  return OpenCudaDevice(0, std::move(cuda));
}

// A GPU serves no client before it has made the health page correctly with each
// of the page's recipes that it serves.
Result<void> CheckGpu(const CudaEngine& gpu) {
  for (const Recipe& recipe : HealthRecipes()) {
    if (!gpu.Serves(recipe).ok()) continue;
    const Result<void> check = CheckBits(gpu, recipe);
    if (!check.ok() && check.error().code == ErrorCode::kBug) {
      EndAtOnce(Dying::Cause::kWrongBits, check.error().message);
    }
    HALFTONED_TRY(check);
  }
  return {};
}

// Allocates memory for the first pages: A4 at 600 dpi, as many as fit. Returns
// the bytes for each.
Result<size_t> WarmUp(CudaDevice& device) {
  const Page page = *Page::Make(4960, 8);
  PageOrder order{page, Recipe::FloydSteinberg(), std::nullopt,
                  SuitableRowsPerBand(page, CudaDevice::kBandBytes)};
  order.memory = [] { return BandMemory(); };
  std::vector<std::unique_ptr<Session>> sessions;
  while (sessions.size() < kWarmPages) {
    auto session = device.Open(order);
    if (!session.ok() && sessions.empty()) return session.error();
    if (!session.ok()) break;
    sessions.push_back(std::move(*session));
  }
  return device.memory_used() / sessions.size();
}

Result<void> Serve(const WorkerOptions& options, Control control) {
  HALFTONED_TRY_ASSIGN(const auto device, OpenGpu(options));
  const CudaEngine gpu(*device);
  HALFTONED_TRY(CheckGpu(gpu));
  HALFTONED_TRY_ASSIGN(const size_t page_bytes, WarmUp(*device));

  Pool pool(1);
  const EngineList cpu = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* reference,
                       ChooseEngine(cpu, "auto", Recipe::Fine()));
  const auto on_wrong = [](const std::string& what) {
    EndAtOnce(Dying::Cause::kWrongBits, what);
  };
  EngineList engines;
  engines.push_back(std::make_unique<CheckedEngine>(
      gpu, *reference, CheckedEngine::Options{options.check, on_wrong}));

  const Accounts::Bytes all{
      .memory = static_cast<size_t>(options.memory_mib) << 20,
      .device = static_cast<size_t>(options.gpu_memory_mib) << 20};
  const auto pages = static_cast<uint32_t>(std::max<size_t>(
      std::min(all.memory / kRingBytes, all.device / page_bytes), 1));
  Shop shop = ShopOf(options);
  // Each connection's share is enough for a page.
  shop.accounts.SetLimits({.all = all,
                           .connections = std::clamp(
                               static_cast<int>(pages / 2), 1, options.jobs)});
  shop.engines = &engines;
  shop.engine = gpu.name();
  shop.band_bytes = CudaDevice::kBandBytes;
  shop.loops = LoopsFor(std::thread::hardware_concurrency());
  shop.device_bytes = [&] { return device->memory_used(); };
  const CudaFacts& facts = device->facts();
  Worker worker(std::move(control), shop,
                {.engine = std::string(gpu.name()),
                 .threads = pool.threads(),
                 .recipe_kinds = KindsServedBy(engines),
                 .device = facts.name + ", " + facts.uuid,
                 .device_memory = facts.memory_bytes,
                 .pages = pages});
  const Result<void> ran = worker.Run();
  // Before the destructors of sessions wait for a GPU that may never answer.
  if (!ran.ok()) EndAtOnce(Dying::Cause::kFault, ran.error().message);
  return ran;
}

Result<void> Run(const WorkerOptions& options, Control control) {
  EndWithSupervisor(kName,
                    std::chrono::seconds(options.stop_seconds) + kTimeToEnd);
  // The thread that polls for finished bands sleeps for microseconds.
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  const Result<void> result = Serve(options, std::move(control));
  if (!result.ok()) EndAtOnce(Dying::Cause::kFault, result.error().message);
  return result;
}

std::string VersionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

// `halftone check` reads it.
std::string VersionsOfCuda() {
  const cuda::gpu::Versions versions = cuda::gpu::VersionsHere();
  return "CUDA " + VersionText(versions.runtime) + ", driver " +
         VersionText(versions.driver);
}

}  // namespace
}  // namespace halftoned::daemon

int main(int argc, char* argv[]) {
  return halftoned::daemon::WorkerMain(
      argc, argv, halftoned::daemon::kName, halftoned::daemon::Role::kGpuWorker,
      halftoned::daemon::Run, halftoned::daemon::VersionsOfCuda);
}
