// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halftones the first rows of an A4 page at 600 dpi on one thread;
// instructions.py counts the instructions. ROWS is at most 192.
//
//   counted_page TYPE FEEDBACK ENGINE ROWS
//
// FEEDBACK: the setting print-feedback, in percent.

#include <cstdlib>
#include <vector>

#include "bench/through_session.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/look/halftone_type.h"
#include "halftone/page/method.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kMostRows = 192;

// Smooth tones with grain, like a scan; no value is pure. The number of rows is
// always the same, so that making them cancels out in differences.
std::vector<std::byte> GrayRows() {
  std::vector<std::byte> gray;
  std::minstd_rand random(1);
  for (int32_t row = 0; row < kMostRows; ++row) {
    for (int32_t column = 0; column < kWidth; ++column) {
      const auto tone = static_cast<unsigned>(column / 25 + row / 16) % 200;
      gray.push_back(static_cast<std::byte>(24 + tone + random() % 16));
    }
  }
  return gray;
}

Recipe RecipeOf(const char* type, const char* feedback) {
  const Method* method = FindMethod(type);
  if (method == nullptr) std::exit(1);
  const HalftoneType chosen{.algorithm = method->id.algorithm,
                            .print_feedback = std::atof(feedback)};
  Recipe::Parts parts = Must(PartsOf(chosen, 2, /*crisp_edges=*/true));
  parts.curve = DefaultPrint().curve();
  return Must(Recipe::Make(parts));
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  using namespace halftoned::bench;
  if (argc != 5) return 1;
  const halftoned::Recipe recipe = RecipeOf(argv[1], argv[2]);
  const int32_t rows = std::atoi(argv[4]);
  if (rows < 1 || rows > kMostRows) return 1;
  const std::vector<std::byte> gray = GrayRows();
  halftoned::Pool pool(1);
  const halftoned::EngineList engines = halftoned::LocalEngines(pool);
  const halftoned::Engine* engine =
      *halftoned::ChooseEngine(engines, argv[3], recipe);
  const auto session =
      Must(engine->Open({*halftoned::Page::Make(kWidth, 8), recipe, {}, 0}));
  RunGray(*session, rows, gray.data());
}
