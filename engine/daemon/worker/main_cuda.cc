// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// worker-cuda: the worker on one GPU. When the GPU cannot be used in this
// process any more, or has given a wrong bit, the process ends at once: its
// clients see that, and go on elsewhere from what they have.

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
#include "halftone/checked.h"
#include "halftone/cuda/engine.h"
#include "halftone/engine.h"

namespace halftoned::daemon {
namespace {

constexpr char kName[] = "worker-cuda";
// Beyond what pages have, for an orderly end.
constexpr std::chrono::seconds kTimeToEnd{2};
// For whom memory is got before he comes.
constexpr size_t kWarmPages = 2;

[[noreturn]] void EndAtOnce(Dying::Cause cause, const std::string& reason) {
  SayLastWords(kName, {cause, reason});
  ::_exit(1);
}

// What a band costs a processor, calls of CUDA and of the system, is more than
// what it costs the GPU.
int LoopsFor(unsigned processors) {
  return std::clamp(static_cast<int>(processors) / 2, 1, 4);
}

// What the runtime reads when it is used first.
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

// Nobody gets a page from a GPU that has not made one rightly here.
Result<void> CheckGpu(CudaDevice& device) {
  HALFTONED_TRY_ASSIGN(const auto session, device.Open(HealthOrder()));
  const Result<void> check = CheckBits(*session);
  if (!check.ok() && check.error().code == ErrorCode::kBug) {
    EndAtOnce(Dying::Cause::kWrongBits, check.error().message);
  }
  return check;
}

// Gets what the first pages need: sheets of A4, at 600 dots an inch, as many as
// there is room for. How much each of them takes.
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
  HALFTONED_TRY(CheckGpu(*device));
  HALFTONED_TRY_ASSIGN(const size_t page_bytes, WarmUp(*device));

  Pool pool(1);
  const EngineList cpu = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* reference,
                       ChooseEngine(cpu, "auto", Recipe::Fine()));
  const CudaEngine gpu(*device);
  const auto on_wrong = [](const std::string& what) {
    EndAtOnce(Dying::Cause::kWrongBits, what);
  };
  EngineList engines;
  engines.push_back(std::make_unique<CheckedEngine>(
      gpu, *reference, CheckedEngine::Options{options.check, on_wrong}));

  Shop shop = ShopOf(options);
  shop.engines = &engines;
  shop.engine = gpu.name();
  shop.band_bytes = CudaDevice::kBandBytes;
  shop.loops = LoopsFor(std::thread::hardware_concurrency());
  shop.device_bytes = [&] { return device->memory_used(); };
  const CudaFacts& facts = device->facts();
  Worker worker(
      std::move(control), shop,
      {.engine = std::string(gpu.name()),
       .threads = pool.threads(),
       .recipe_kinds = KindsServedBy(engines),
       .device = facts.name + ", " + facts.uuid,
       .device_memory = facts.memory_bytes,
       .pages = static_cast<uint32_t>(
           (static_cast<size_t>(options.gpu_memory_mib) << 20) / page_bytes)});
  const Result<void> ran = worker.Run();
  // Before sessions end, which wait for a GPU that may never answer.
  if (!ran.ok()) EndAtOnce(Dying::Cause::kFault, ran.error().message);
  return ran;
}

Result<void> Run(const WorkerOptions& options, Control control) {
  EndWithSupervisor(kName,
                    std::chrono::seconds(options.stop_seconds) + kTimeToEnd);
  // The thread that looks whether bands are done sleeps microseconds.
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  const Result<void> result = Serve(options, std::move(control));
  if (!result.ok()) EndAtOnce(Dying::Cause::kFault, result.error().message);
  return result;
}

}  // namespace
}  // namespace halftoned::daemon

int main(int argc, char* argv[]) {
  return halftoned::daemon::WorkerMain(argc, argv, halftoned::daemon::kName,
                                       halftoned::daemon::Run);
}
