// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C interface costs: an A4 page at 600 dpi, from memory to
// memory on one thread, by C++ sessions and by each way of the library; medians
// of processor time of interleaved runs. And the first small page of a process,
// by the clock.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/bench_page.h"
#include "bench/through_session.h"
#include "bench/timing.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/look/halftone_type.h"
#include "halftoned/halftone.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kRows = 7016;
constexpr int32_t kBand = 64;
constexpr int kRuns = 25;

void MustBeOk(ht_status status, const ht_error& error) {
  if (status == HT_OK) return;
  std::fprintf(stderr, "%s\n", error.text);
  std::exit(2);
}

// A page in memory, and what its ways are made with.
struct Bench {
  Page page = Must(Page::Make(kWidth, 8));
  std::vector<std::byte> gray;
  Recipe recipe;
  const Engine* engine;
  ht_recipe* c_recipe;
  ht_layout layout{kWidth, 8, 0, kBand, 0};
  size_t bit_bytes = (kWidth + 7) / 8;
  std::vector<std::byte> bits =
      std::vector<std::byte>((kWidth + 7) / 8 * size_t{kRows});

  const std::byte* gray_row(int64_t i) const {
    return gray.data() + static_cast<size_t>(i) * kWidth;
  }
  std::byte* bit_row(int64_t i) {
    return bits.data() + static_cast<size_t>(i) * bit_bytes;
  }
};

void BySession(Bench& bench) {
  const auto session =
      Must(bench.engine->Open({bench.page, bench.recipe, {}, kBand}));
  RunGray(*session, kRows, bench.gray.data(), [&](const BitBand& band) {
    std::memcpy(bench.bit_row(band.first_row), band.bytes,
                band.bytes_per_row * static_cast<size_t>(band.rows));
  });
}

void ByBands(Bench& bench) {
  ht_page* page;
  ht_error error;
  MustBeOk(ht_page_open(nullptr, bench.c_recipe, &bench.layout, nullptr, 0,
                        &page, &error),
           error);
  for (int32_t row = 0; row < kRows;) {
    ht_room room;
    MustBeOk(ht_page_lend(page, &room, &error), error);
    const int32_t rows = std::min(room.rows, kRows - row);
    std::memcpy(room.gray, bench.gray_row(row),
                room.bytes_per_row * static_cast<size_t>(rows));
    row += rows;
    MustBeOk(ht_page_submit(page, rows, row == kRows, &error), error);
    ht_rows bits;
    MustBeOk(ht_page_take(page, &bits, &error), error);
    std::memcpy(bench.bit_row(bits.first_row), bits.bits,
                bits.bytes_per_row * static_cast<size_t>(bits.rows));
  }
  ht_page_free(page);
}

void ByRows(Bench& bench) {
  ht_page* page;
  ht_error error;
  MustBeOk(ht_page_open(nullptr, bench.c_recipe, &bench.layout, nullptr, 0,
                        &page, &error),
           error);
  int32_t out = 0;
  for (int32_t row = 0; row <= kRows; ++row) {
    MustBeOk(row < kRows ? ht_page_put(page, bench.gray_row(row), &error)
                         : ht_page_end(page, &error),
             error);
    for (const unsigned char* bits;;) {
      MustBeOk(ht_page_get(page, &bits, &error), error);
      if (!bits) break;
      std::memcpy(bench.bit_row(out++), bits, bench.bit_bytes);
    }
  }
  ht_page_free(page);
}

void AtOnce(Bench& bench) {
  ht_error error;
  ht_layout layout = bench.layout;
  layout.rows_per_band = 0;
  MustBeOk(ht_halftone(nullptr, bench.c_recipe, &layout, bench.gray.data(), 0,
                       kRows, bench.bits.data(), 0, &error),
           error);
}

struct Way {
  const char* name;
  void (*run)(Bench&);
};
constexpr Way kWays[] = {{"session, bands of 64", BySession},
                         {"C, bands of 64", ByBands},
                         {"C, by rows", ByRows},
                         {"C, at once", AtOnce}};

void Compare(const EngineList& engines, Algorithm algorithm,
             const char* options, Content content) {
  const HalftoneType type{algorithm};
  const Recipe recipe = Must(Recipe::Make(Must(PartsOf(type, 2))));
  Bench bench{.gray = {},
              .recipe = recipe,
              .engine = Must(ChooseEngine(engines, "auto", recipe)),
              .c_recipe = nullptr};
  bench.gray = MakeSamples(bench.page, kRows, content);
  ht_error error;
  MustBeOk(ht_recipe_new(options, nullptr, &bench.c_recipe, &error), error);
  std::array<std::vector<double>, std::size(kWays)> ms;
  std::vector<std::byte> expected;
  for (int run = -2; run < kRuns; ++run) {
    for (size_t i = 0; i < std::size(kWays); ++i) {
      const double start = ThreadMilliseconds();
      kWays[i].run(bench);
      if (run >= 0) ms[i].push_back(ThreadMilliseconds() - start);
      if (expected.empty()) expected = bench.bits;
      if (bench.bits != expected) {
        std::fprintf(stderr, "%s: other bits\n", kWays[i].name);
        std::exit(2);
      }
    }
  }
  ht_recipe_free(bench.c_recipe);
  const double session = TimingOf(ms[0]).median_ms;
  for (size_t i = 0; i < std::size(kWays); ++i) {
    const Timing timing = TimingOf(ms[i]);
    std::printf("%-24s %-6s %-22s %7.2f ms, at best %7.2f, %6.3f times\n",
                options, std::string(NameOf(content)).c_str(), kWays[i].name,
                timing.median_ms, timing.best_ms, timing.median_ms / session);
  }
}

void TimeFirstPages(const char* options) {
  const std::string command = std::string("'" HALFTONED_FIRST_PAGE "' '") +
                              HALFTONED_LIBRARY + "' '" + options + "'";
  std::vector<double> loading;
  const auto once = [&] {
    std::FILE* output = ::popen(command.c_str(), "r");
    double all = 0;
    double loaded = 0;
    if (!output || std::fscanf(output, "%lf %lf", &all, &loaded) != 2 ||
        ::pclose(output) != 0) {
      std::fprintf(stderr, "%s: failed\n", command.c_str());
      std::exit(2);
    }
    loading.push_back(loaded);
    return all;
  };
  const Timing timing = Measure(kRuns, once);
  std::printf(
      "first page, %-36s %6.2f ms, at best %6.2f; %.2f of these to load\n",
      options, timing.median_ms, timing.best_ms, TimingOf(loading).median_ms);
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned;         // NOLINT
  using namespace halftoned::bench;  // NOLINT
  Pool pool(Pool::kCallersThread);
  const EngineList engines = LocalEngines(pool);
  for (const Content content : {Content::kPhoto, Content::kText}) {
    Compare(engines, Algorithm::kFloydSteinberg,
            "halftone-type=floyd-steinberg", content);
    Compare(engines, Algorithm::kFine, "halftone-type=fine", content);
  }
  for (const char* options :
       {"halftone-type=floyd-steinberg", "dpi=600,text-edges=crisp",
        "halftone-type=clustered,dpi=600", "levels=16"}) {
    TimeFirstPages(options);
  }
}
