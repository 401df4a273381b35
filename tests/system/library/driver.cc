// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole use of the library: one flat page through the best engine. Prints
// how many pixels of a hundred came out white.

#include <bitset>
#include <cstdio>
#include <cstring>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/flow.h"

namespace {

using namespace halftoned;  // NOLINT

class FlatTint : public Source {
 public:
  Result<Filled> Read(GrayRoom room) override {
    std::memset(room.bytes, 64,
                room.bytes_per_row * static_cast<size_t>(room.rows));
    rows_ += room.rows;
    return Filled{room.rows, rows_ >= 400};
  }

 private:
  int rows_ = 0;
};

class WhiteCounter : public Sink {
 public:
  Result<void> Write(const BitBand& bits) override {
    for (int i = 0; i < bits.rows; ++i) {
      for (size_t j = 0; j < bits.bytes_per_row; ++j) {
        white_ +=
            std::bitset<8>(std::to_integer<unsigned>(bits.row(i)[j])).count();
        pixels_ += 8;
      }
    }
    return {};
  }

  double percent() const {
    return 100.0 * static_cast<double>(white_) / static_cast<double>(pixels_);
  }

 private:
  size_t white_ = 0;
  size_t pixels_ = 0;
};

Result<double> Run() {
  Pool pool;
  const EngineList engines = LocalEngines(pool);
  const Recipe recipe = Recipe::FloydSteinberg();
  HALFTONED_TRY_ASSIGN(const Engine* engine,
                       ChooseEngine(engines, "auto", recipe));
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(800, 8));
  HALFTONED_TRY_ASSIGN(const auto session, engine->Open({page, recipe, {}, 0}));
  FlatTint source;
  WhiteCounter sink;
  HALFTONED_TRY(Flow().Run(source, *session, sink));
  return sink.percent();
}

}  // namespace

int main() {
  const auto percent = Run();
  if (!percent.ok()) {
    std::fprintf(stderr, "%s\n", percent.error().message.c_str());
    return 1;
  }
  std::printf("%.0f\n", *percent);
}
