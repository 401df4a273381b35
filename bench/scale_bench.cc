// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast pictures are scaled on one core, beside zimg, which does it on the
// codes as they are and, in a second column, in linear light as halftone does.

#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bench/peers/zimg_scaler.h"
#include "bench/timing.h"
#include "print/image/scale/scaled_page.h"

namespace halftoned::bench {
namespace {

constexpr int kWidth = 4960;  // A4 in 600 dots an inch
constexpr int kRows = 7016;
constexpr int kRuns = 5;

// Rows in memory.
class MemoryPage : public PageReader {
 public:
  explicit MemoryPage(const std::vector<std::byte>& gray)
      : PageReader({*Page::Make(kWidth, 8), kRows, {}}), gray_(gray) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t i = 0; i < room.rows; ++i, at_ += kWidth) {
      std::memcpy(room.row(i), &gray_[at_], kWidth);
    }
    return {};
  }

 private:
  const std::vector<std::byte>& gray_;
  size_t at_ = 0;
};

std::vector<std::byte> Photograph() {
  std::vector<std::byte> gray(size_t{kWidth} * kRows);
  uint32_t state = 1;
  for (size_t i = 0; i < gray.size(); ++i) {
    state = state * 1664525 + 1013904223;
    gray[i] = std::byte((i / 97 + (state >> 27)) & 255);
  }
  return gray;
}

double OursOnce(const std::vector<std::byte>& gray, int width, int rows) {
  Pool pool(Pool::kCallersThread);
  std::vector<std::byte> room(size_t(width) * 64);
  return Milliseconds([&] {
    auto page = Scale(std::make_unique<MemoryPage>(gray), width, rows, pool);
    for (bool last = !page.ok(); !last;) {
      last = (*page)->Read({room.data(), size_t(width), 64})->last;
    }
  });
}

void Compare(const std::vector<std::byte>& gray, double scale) {
  const int width = int(kWidth * scale);
  const int rows = int(kRows * scale);
  const double pixels = std::max(double(kWidth) * kRows, double(width) * rows);
  std::printf("%5.2f", scale);
  const auto show = [&](double milliseconds) {
    std::printf("  %8.0f", pixels / milliseconds / 1e3);
  };
  show(Measure(
           kRuns, [&] { return OursOnce(gray, width, rows); }, 1)
           .median_ms);
  for (const bool in_light : {false, true}) {
    ZimgScaler zimg(kWidth, kRows, width, rows, in_light);
    if (!zimg.is_there()) {
      std::printf("  %8s", "-");
      continue;
    }
    zimg.Copy(gray.data());
    show(Measure(
             kRuns, [&] { return Milliseconds([&] { zimg.Run(); }); }, 1)
             .median_ms);
  }
  std::printf("\n");
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned::bench;
  std::printf("millions of pixels a second, of the larger picture\n");
  std::printf("%5s  %8s  %8s  %8s\n", "scale", "halftone", "zimg", "in light");
  const auto gray = Photograph();
  for (const double scale : {0.1, 0.34, 0.5, 0.8, 1.25, 1.5, 2.0}) {
    Compare(gray, scale);
  }
}
