// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers' methods for the GPU against the definition, bit for bit.

#include <gtest/gtest.h>

#include "bench/papers/methods/check_picture.h"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"

namespace halftoned::papers {
namespace {

using testing::Content;
using testing::GrayPage;

// What the method makes of it.
std::vector<uint8_t> PixelsBy(const DevicePicture& picture, GpuMethod& method) {
  const Picture& on_gpu = picture.get();
  std::vector<uint8_t> pixels(picture.bytes());
  Must(cudaMemset(on_gpu.pixels, 77, pixels.size()), "poison");
  method.Arrange(on_gpu);
  method.Run(on_gpu);
  method.Restore(on_gpu);
  Must(cudaMemcpy(pixels.data(), on_gpu.pixels, pixels.size(),
                  cudaMemcpyDeviceToHost),
       "pixels");
  return pixels;
}

class PapersOnGpu : public ::testing::Test {
 protected:
  void Expect(const GrayPage& gray, GpuMethod& method,
              const std::string& what) {
    ExpectSame(PixelsByDefinition(gray), PixelsBy(DevicePicture(gray), method),
               gray.page.width(), what + ", seed " + std::to_string(seed_));
  }

  const uint64_t seed_ = testing::FreshSeed();
  testing::Random random_{seed_};
};

TEST_F(PapersOnGpu, EveryMethodGivesTheBitsOfTheDefinition) {
  for (const ListedGpuMethod& listed : GpuMethods()) {
    for (int width : {1, 2, 3, 31, 32, 33, 64, 95, 130, 517}) {
      for (int rows : {1, 2, 31, 32, 33, 65, 130, 300}) {
        const auto method = listed.make(width, rows);
        const auto content = testing::kContents[random_() % 5];
        Expect(GrayOf(width, rows, content, random_), *method,
               listed.group + ", " + listed.name);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(PapersOnGpu, EveryMethodMayBeUsedAgain) {
  for (const ListedGpuMethod& listed : GpuMethods()) {
    const auto method = listed.make(300, 200);
    for (int i = 0; i < 5; ++i) {
      Expect(GrayOf(300, 200, Content::kNoise, random_), *method,
             listed.group + ", " + listed.name + ", again");
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(PapersOnGpu, EveryMethodGivesTheBitsOfTheDefinitionOnLargePages) {
  const GrayPage gray = GrayOf(4099, 3001, Content::kNoise, random_);
  const std::vector<uint8_t> expected = PixelsByDefinition(gray);
  DevicePicture picture(gray);
  for (const ListedGpuMethod& listed : GpuMethods()) {
    const auto method = listed.make(4099, 3001);
    for (int i = 0; i < 3; ++i) {
      ExpectSame(expected, PixelsBy(picture, *method), 4099,
                 listed.group + ", " + listed.name);
      if (HasFatalFailure()) return;
    }
  }
}

// Far more strips than the GPU has room for at once.
TEST_F(PapersOnGpu, SlantedScanLinesFollowEachOtherSafely) {
  const GrayPage gray = GrayOf(90, 32 * 9000 + 5, Content::kNoise, random_);
  const std::vector<uint8_t> expected = PixelsByDefinition(gray);
  DevicePicture picture(gray);
  for (int threads : {32, 64, 128, 256}) {
    const auto method = MakeSlanted(threads, 90, gray.rows);
    for (int i = 0; i < 10; ++i) {
      ExpectSame(expected, PixelsBy(picture, *method), 90,
                 std::to_string(threads) + " threads");
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(PapersOnGpu, TheCpuMayTakeAnyShare) {
  for (int width : {1, 2, 40, 333}) {
    for (int rows : {1, 2, 50, 201}) {
      const GrayPage gray = GrayOf(width, rows, Content::kNoise, random_);
      const std::vector<uint8_t> expected = PixelsByDefinition(gray);
      DevicePicture picture(gray);
      const auto method = MakeKnight(true, width, rows);
      for (int labels : {0, 1, 2, 3, 4, 50, 10000}) {
        for (int columns : {0, 1, 2, 3, 20, 10000}) {
          method->set_share({labels, columns});
          ExpectSame(expected, PixelsBy(picture, *method), width,
                     std::to_string(labels) + " labels and " +
                         std::to_string(columns) +
                         " columns by the CPU, seed " + std::to_string(seed_));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace halftoned::papers
