// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bus from and to a connection's ring, as in a worker: mapped read-only for
// gray, and registered. In pieces of a band of 256 rows of A4, whole and row by
// row (rows that are not a multiple of 16 bytes are padded on the GPU).

#include <cuda_runtime_api.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/cuda/cuda_bench.h"
#include "bench/through_session.h"
#include "tests/halftone/gpu/laid_page.cuh"
#include "wire/ring.h"

namespace halftoned::bench {
namespace {

using testing::Check;

constexpr size_t kRooms = 7;
constexpr size_t kRows = 256;
constexpr size_t kBands = 32 * 28;  // of 32 pages

struct Shape {
  const char* name;
  size_t row, pitch;  // bytes, in the ring and on the GPU
};
constexpr Shape kGray[] = {{"gray, rows of 4960 bytes", 4960, 4960},
                           {"gray, rows of 4958 bytes to 4960", 4958, 4960}};
constexpr Shape kBits[] = {{"bits, whole bands", 624, 624},
                           {"bits, rows of 620 bytes from 624", 620, 624}};

class Bus {
 public:
  Bus() {
    constexpr size_t kGrayRoom = 4960 * kRows, kBitsRoom = 640 * kRows;
    const wire::Ring sizes{kRooms * kGrayRoom, kRooms * kBitsRoom};
    made_ = Must(wire::MakeRing(sizes));
    std::vector<Descriptor> files;
    files.push_back(std::move(made_.gray));
    files.push_back(std::move(made_.bits));
    ring_ = Must(wire::AdoptRing(sizes, files));
    Check(cudaMalloc(&gray_, kGrayRoom), "device");
    Check(cudaMalloc(&bits_, kBitsRoom), "device");
    Check(cudaStreamCreate(&up_), "stream");
    Check(cudaStreamCreate(&down_), "stream");
  }
  ~Bus() {
    cudaStreamDestroy(up_);
    cudaStreamDestroy(down_);
    cudaFree(gray_);
    cudaFree(bits_);
  }

  void Register() {
    Check(cudaHostRegister(ring_.gray.data(), ring_.gray.size(),
                           cudaHostRegisterReadOnly),
          "register read-only memory");
    Check(cudaHostRegister(ring_.bits.data(), ring_.bits.size(), 0),
          "register memory");
  }
  void Unregister() {
    Check(cudaHostUnregister(ring_.gray.data()), "unregister");
    Check(cudaHostUnregister(ring_.bits.data()), "unregister");
  }

  void Up(const Shape& shape, size_t band) {
    const std::byte* from = ring_.gray.data() + band % kRooms * 4960 * kRows;
    Check(
        shape.row == shape.pitch
            ? cudaMemcpyAsync(gray_, from, shape.row * kRows,
                              cudaMemcpyHostToDevice, up_)
            : cudaMemcpy2DAsync(gray_, shape.pitch, from, shape.row, shape.row,
                                kRows, cudaMemcpyHostToDevice, up_),
        "copy up");
  }
  void Down(const Shape& shape, size_t band) {
    std::byte* to = ring_.bits.data() + band % kRooms * 640 * kRows;
    Check(shape.row == shape.pitch
              ? cudaMemcpyAsync(to, bits_, shape.row * kRows,
                                cudaMemcpyDeviceToHost, down_)
              : cudaMemcpy2DAsync(to, shape.row, bits_, shape.pitch, shape.row,
                                  kRows, cudaMemcpyDeviceToHost, down_),
          "copy down");
  }

 private:
  wire::MadeRing made_;
  wire::RingMemory ring_;
  std::byte *gray_ = nullptr, *bits_ = nullptr;
  cudaStream_t up_ = nullptr, down_ = nullptr;
};

template <typename Copy>
void BenchBands(const std::string& name, size_t row, const Copy& copy) {
  const Timing timing = Measure(7, [&] {
    return Milliseconds([&] {
      for (size_t band = 0; band < kBands; ++band) copy(band);
      Check(cudaDeviceSynchronize(), "copies");
    });
  });
  const double bytes = static_cast<double>(row * kRows * kBands);
  Report(name, timing, bytes,
         ", \"gb_per_s\": " + std::to_string(bytes / timing.median_ms / 1e6));
}

}  // namespace

void BenchBus() {
  int read_only = 0;
  Check(cudaDeviceGetAttribute(&read_only,
                               cudaDevAttrHostRegisterReadOnlySupported, 0),
        "attribute");
  std::fprintf(stderr, "read-only registration is %ssupported\n",
               read_only ? "" : "not ");
  Bus bus;
  const double first = Milliseconds([&] { bus.Register(); });
  Report("registering a ring, first", {first, first}, 0);
  bus.Unregister();
  Report("registering a ring and back",
         Measure(9,
                 [&] {
                   return Milliseconds([&] {
                     bus.Register();
                     bus.Unregister();
                   });
                 }),
         0);
  bus.Register();
  for (const Shape& shape : kGray) {
    BenchBands(std::string("up: ") + shape.name, shape.row,
               [&](size_t band) { bus.Up(shape, band); });
  }
  for (const Shape& shape : kBits) {
    BenchBands(std::string("down: ") + shape.name, shape.row,
               [&](size_t band) { bus.Down(shape, band); });
  }
  for (int i = 0; i < 2; ++i) {
    BenchBands(std::string("both ways: ") + kGray[i].name, kGray[i].row,
               [&](size_t band) {
                 bus.Up(kGray[i], band);
                 bus.Down(kBits[i], band);
               });
  }
  bus.Unregister();
}

}  // namespace halftoned::bench
