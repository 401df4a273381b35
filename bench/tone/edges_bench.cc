// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of crisp edges: an A4 page at 600 dots an inch in memory, copied
// into bands as by a source, without and with crisp edges. One thread; medians
// of interleaved runs.

#include <cstdio>
#include <cstring>

#include "bench/bench_page.h"
#include "bench/timing.h"
#include "halftone/look/crisp_edges.h"
#include "halftone/look/tone.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kRows = 7016;
constexpr int32_t kRowsPerBand = 128;

class MemorySource : public Source {
 public:
  MemorySource(const std::vector<std::byte>& samples, size_t row_bytes)
      : samples_(samples), row_bytes_(row_bytes) {}

  Result<Filled> Read(GrayRoom room) override {
    const int32_t rows = std::min(room.rows, kRows - row_);
    std::memcpy(room.bytes,
                samples_.data() + static_cast<size_t>(row_) * row_bytes_,
                static_cast<size_t>(rows) * row_bytes_);
    row_ += rows;
    return Filled{rows, row_ == kRows};
  }

 private:
  const std::vector<std::byte>& samples_;
  const size_t row_bytes_;
  int32_t row_ = 0;
};

void ReadAll(Source& source, std::vector<std::byte>& room, size_t row_bytes) {
  for (bool last = false; !last;) {
    last = source.Read({room.data(), row_bytes, kRowsPerBand})->last;
  }
}

void PrintPrice(Depth depth, Content content, const ToneCurve& curve) {
  const Page page = *Page::Make(kWidth, static_cast<int>(depth));
  const size_t row_bytes = page.gray_bytes_per_row();
  const std::vector<std::byte> samples = MakeSamples(page, kRows, content);
  std::vector<std::byte> room(row_bytes * kRowsPerBand);
  std::vector<double> without;
  std::vector<double> with;
  for (int run = -1; run < 15; ++run) {
    MemorySource plain(samples, row_bytes);
    MemorySource source(samples, row_bytes);
    CrispEdges crisp(source, page, curve);
    const double plain_ms =
        Milliseconds([&] { ReadAll(plain, room, row_bytes); });
    const double crisp_ms =
        Milliseconds([&] { ReadAll(crisp, room, row_bytes); });
    if (run < 0) continue;
    without.push_back(plain_ms);
    with.push_back(crisp_ms);
  }
  std::printf("%2d bits  %-6s  copy %5.2f ms  with crisp edges %5.2f ms\n",
              static_cast<int>(depth), std::string(NameOf(content)).c_str(),
              TimingOf(without).median_ms, TimingOf(with).median_ms);
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned;
  using namespace halftoned::bench;
  const ToneCurve curve = *CurveOf({.black_point = 32, .dot_gain = 20});
  for (const Depth depth : {Depth::k8, Depth::k16}) {
    for (const Content content :
         {Content::kText, Content::kPhoto, Content::kRamp, Content::kNoise}) {
      PrintPrice(depth, content, curve);
    }
  }
}
