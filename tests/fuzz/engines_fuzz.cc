// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every engine of this machine against the definition, on pages, recipes and
// plans that the fuzzer draws: the first bytes choose, the rest are pixels.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "halftone/cpu/local_engines.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"

namespace halftoned::testing {
namespace {

constexpr size_t kChoices = 8;

// `pixels` over and over, or black if there are none.
GrayPage PageOf(const Page& page, int32_t rows,
                std::span<const uint8_t> pixels) {
  GrayPage gray{page, rows, {}};
  gray.samples.resize(gray.bytes_per_row() * static_cast<size_t>(rows));
  for (size_t i = 0; i < gray.samples.size() && !pixels.empty(); ++i) {
    gray.samples[i] = std::byte{pixels[i % pixels.size()]};
  }
  return gray;
}

void Check(std::span<const uint8_t> choice, std::span<const uint8_t> pixels) {
  Random random(choice[0]);
  const Page page = *Page::Make(1 + choice[1] + 256 * (choice[2] % 8),
                                choice[3] % 2 ? 8 : 16);
  Recipe::Parts parts = EveryKind()[choice[4] % EveryKind().size()];
  parts.curve = MakeCurve(kCurves[choice[5] % 4], random);
  const Recipe recipe = *Recipe::Make(parts);
  const GrayPage gray = PageOf(page, 1 + choice[6], pixels);
  const Carry above = MakeCarry(recipe, page, random);
  const auto plans = PlansFor(gray.rows, random);
  const Plan& plan = plans[choice[7] % plans.size()];

  const BitPage expected = HalftoneWhole(gray, recipe, above);
  static Pool pool(2);
  static const EngineList engines = LocalEngines(pool);
  for (const auto& engine : engines) {
    if (!engine->Probe().ok() || !engine->Serves(recipe).ok()) continue;
    const auto actual = RunEngine(*engine, gray, recipe, above, plan);
    if (actual.ok() && actual->bytes == expected.bytes &&
        actual->below == expected.below) {
      continue;
    }
    std::fprintf(
        stderr, "%s: %s\n", engine->name().data(),
        actual.ok()
            ? DescribeDifference(expected, *actual, recipe, page).c_str()
            : actual.error().message.c_str());
    std::abort();
  }
}

}  // namespace
}  // namespace halftoned::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using halftoned::testing::kChoices;
  if (size < kChoices) return 0;
  const std::span<const uint8_t> input(data, size);
  halftoned::testing::Check(input.first(kChoices), input.subspan(kChoices));
  return 0;
}
