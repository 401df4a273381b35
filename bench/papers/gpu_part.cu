// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods for a GPU, with and without the CPU's help, transfers, and our
// CUDA engine. Timed by events, from device memory to device memory; sessions
// are timed by the host's clock, from pinned memory to pinned memory.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "bench/cuda/event.h"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"
#include "bench/papers/papers_bench.h"
#include "bench/through_session.h"
#include "halftone/gpu/host/device.h"
#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {
namespace {

using papers::DeviceArray;
using papers::DevicePicture;
using papers::GpuMethod;
using papers::KnightMethod;
using papers::Picture;
using testing::Arena;
using testing::Check;
using testing::GrayPage;

void BenchMethod(const Subject& subject, GpuMethod& method,
                 const Picture& picture) {
  Event begin, arranged, done, restored;
  std::vector<double> run_ms;
  const int runs = RunsFor(subject.size);
  const Timing whole = Measure(
      runs,
      [&] {
        begin.Record();
        method.Arrange(picture);
        arranged.Record();
        method.Run(picture);
        done.Record();
        method.Restore(picture);
        restored.Record();
        restored.Wait();
        run_ms.push_back(done.Since(arranged));
        return restored.Since(begin);
      },
      1);
  run_ms.erase(run_ms.begin());
  const Timing run = TimingOf(run_ms);
  Report(subject, whole, &run);
}

void BenchMethods(const Size& size, const DevicePicture& picture) {
  for (const papers::ListedGpuMethod& listed : papers::GpuMethods()) {
    const auto method = listed.make(size.width, size.rows);
    BenchMethod({listed.group, listed.name, size}, *method, picture.get());
  }
}

void BenchShares(const Size& size) {
  const GrayPage gray = NoiseOf(size);
  const DevicePicture picture(gray);
  const auto method = papers::MakeKnight(true, size.width, size.rows);
  const auto bench = [&](const char* name, KnightMethod::Share share) {
    method->set_share(share);
    BenchMethod({"CPU and GPU", name, size, 1, share.labels, share.columns},
                *method, picture.get());
  };
  constexpr int kLabels[] = {0, 32, 64, 128, 256, 512, 1024, 2048, 4096};
  for (int labels : kLabels) {
    if (labels < size.width) bench("hand-over", {labels, 0});
  }
  for (int columns : {16, 256, 2048}) {
    for (int labels : kLabels) {
      if (std::max(labels, columns) < size.width) {
        bench("hybrid", {labels, columns});
      }
    }
  }
}

void BenchTransfers(const Size& size) {
  const size_t bytes =
      static_cast<size_t>(size.width) * static_cast<size_t>(size.rows);
  void* host;
  Check(cudaMallocHost(&host, bytes), "pinned memory");
  std::memset(host, 77, bytes);
  DeviceArray<uint8_t> there(bytes);
  const auto time = [&](const char* name, void* to, const void* from) {
    Report({"transfer, a byte a pixel", name, size}, Measure(7, [&] {
             return GpuMilliseconds([&] {
               Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault),
                     "copy");
             });
           }));
  };
  time("host to GPU", there.get(), host);
  time("GPU to host", host, there.get());
  cudaFreeHost(host);
}

void BenchOurKernel(const Size& size, const GrayPage& gray) {
  Arena arena(3 * gray.samples.size() + (size_t{64} << 20));
  auto* called_off = arena.Take<uint32_t>(1);
  Check(cudaMemset(called_off, 0, sizeof(uint32_t)), "word");
  const auto laid = testing::LayOut(arena, gray, Recipe::FloydSteinberg(), {},
                                    {size.rows}, called_off);
  cuda::Batch batch{};
  batch.jobs_count = 1;
  batch.jobs[0] = laid.jobs.front();
  batch.strips =
      cuda::HandedRows(Recipe::FloydSteinberg(), size.width).strips(size.rows);
  batch.ticket = arena.Take<uint32_t>(1);
  Report(
      {"ours, GPU", "cuda, kernel", size}, Measure(15, [&] {
        testing::Refresh(laid, nullptr);
        Check(cudaMemsetAsync(batch.ticket, cuda::kFreshByte, sizeof(uint32_t)),
              "ticket");
        return GpuMilliseconds([&] {
          Check(cuda::Launch(batch, Recipe::FloydSteinberg(), nullptr),
                "launch");
        });
      }));
}

void BenchOurSession(const Size& size, CudaDevice& device) {
  const auto run = [&](bool fill) {
    const auto session = Must(device.Open(
        {*Page::Make(size.width, 8), Recipe::FloydSteinberg(), {}, 1024}));
    RunNoise(*session, size.rows, fill);
  };
  run(true);
  Report({"ours, GPU", "cuda, session, transfers included", size},
         Measure(15, [&] { return Milliseconds([&] { run(false); }); }));
}

}  // namespace

std::string GpuName() {
  cudaDeviceProp gpu;
  if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess) return "";
  return gpu.name;
}

void BenchGpu(const std::vector<int>& squares) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);  // see device.h
  const auto device = Must(OpenCudaDevice(0));
  for (int side : squares) {
    const Size size{side * 1024, side * 1024};
    const GrayPage gray = NoiseOf(size);
    BenchMethods(size, DevicePicture(gray));
    BenchTransfers(size);
    BenchOurKernel(size, gray);
    BenchOurSession(size, *device);
  }
}

void SweepGpu() {
  for (const Size& size : kSharedSizes) BenchShares(size);
}

}  // namespace halftoned::bench
