// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of crisp edges: an A4 page at 600 dpi in memory, copied
// into bands as by a source, without and with each kind of text edges, of each
// target that runs here. One thread, its processor time; medians of interleaved
// runs.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/bench_page.h"
#include "bench/timing.h"
#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/edges/crisp_edges.h"
#include "halftone/look/settings.h"
#include "halftone/look/tones/tone.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kRows = 7016;
constexpr int32_t kRowsPerBand = 128;
constexpr int kRuns = 15;

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

double ReadAll(Source& source, std::vector<std::byte>& room, size_t row_bytes) {
  const double start = ThreadMilliseconds();
  for (bool last = false; !last;) {
    last = source.Read({room.data(), row_bytes, kRowsPerBand})->last;
  }
  return ThreadMilliseconds() - start;
}

// Text whose edges are not smoothed.
void RoundToPure(std::vector<std::byte>& samples) {
  for (std::byte& each : samples) {
    each = each >= std::byte{0x80} ? std::byte{0xff} : std::byte{0};
  }
}

void PrintPrices(const std::string& name, const std::vector<std::byte>& samples,
                 const ToneCurve& curve, const Choice& edges) {
  const Page page = *Page::Make(kWidth, 8);
  const std::vector<simd::PureKernels> kernels =
      simd::PureKernelsFor(Depth::k8);
  std::vector<std::byte> room(size_t{kWidth} * kRowsPerBand);
  std::vector<double> copy;
  std::vector<std::vector<double>> crisp(kernels.size());
  for (int run = -1; run < kRuns; ++run) {
    MemorySource plain(samples, kWidth);
    copy.push_back(ReadAll(plain, room, kWidth));
    for (size_t k = 0; k < kernels.size(); ++k) {
      MemorySource source(samples, kWidth);
      CrispEdges crisp_edges(
          source, page,
          EdgeSnapper::Make(page, curve, static_cast<TextEdges>(edges.value),
                            true, kernels[k]),
          static_cast<TextEdges>(edges.value));
      crisp[k].push_back(ReadAll(crisp_edges, room, kWidth));
    }
  }
  const double copy_ms = TimingOf(copy).median_ms;
  std::printf("%-10s  copy %5.2f ms  %-7s", name.c_str(), copy_ms,
              std::string(edges.name).c_str());
  for (size_t k = 0; k < kernels.size(); ++k) {
    std::printf("  %s %+6.2f", std::string(kernels[k].target).c_str(),
                TimingOf(crisp[k]).median_ms - copy_ms);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void PrintAll(const std::string& name, const std::vector<std::byte>& samples,
              const ToneCurve& curve) {
  for (const Choice& edges : SettingNamed("text-edges").Choices()) {
    if (edges.name != "off") PrintPrices(name, samples, curve, edges);
  }
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned;
  using namespace halftoned::bench;
  const ToneCurve curve = *CurveOf({.black_point = 32, .dot_gain = 20});
  for (const Content content :
       {Content::kText, Content::kPhoto, Content::kRamp, Content::kNoise}) {
    auto samples = MakeSamples(*Page::Make(kWidth, 8), kRows, content);
    PrintAll(std::string(NameOf(content)), samples, curve);
    if (content != Content::kText) continue;
    RoundToPure(samples);
    PrintAll("hard text", samples, curve);
  }
}
