// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/health_page.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/pool.h"

namespace halftoned::daemon {
namespace {

constexpr int32_t kColumns = 256;
constexpr int32_t kRows = 96;

// All tones: the upper third is a ramp, then comes noise, and below it black
// and white with some gray between.
std::vector<std::byte> MakeGray() {
  std::vector<std::byte> gray;
  uint32_t noise = 1;
  for (int32_t row = 0; row < kRows; ++row) {
    for (int32_t column = 0; column < kColumns; ++column) {
      noise = noise * 1664525u + 1013904223u;
      auto sample = static_cast<uint8_t>(noise >> 24);
      if (row < kRows / 3) sample = static_cast<uint8_t>(column);
      if (row >= 2 * kRows / 3 && sample % 8 != 0) {
        sample = column / 8 % 2 == 0 ? 0 : 255;
      }
      gray.push_back(std::byte(sample));
    }
  }
  return gray;
}

// The bits of the page, made by this engine.
Result<std::vector<std::byte>> MakeBits(const Engine& engine,
                                        const Recipe& recipe) {
  const std::vector<std::byte> gray = MakeGray();
  const size_t bytes_per_row = recipe.bit_bytes_per_row(kColumns);
  HALFTONED_TRY_ASSIGN(
      const auto session,
      engine.Open({*Page::Make(kColumns, 8), recipe, std::nullopt, kRows}));
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session->Lend());
  for (int32_t row = 0; row < kRows; ++row) {
    std::memcpy(room.row(row), gray.data() + row * kColumns, kColumns);
  }
  HALFTONED_TRY(session->Submit(kRows, true));
  HALFTONED_TRY_ASSIGN(const Finished finished, session->Take());
  if (finished.bits.rows != kRows) return Bug("rows are missing");
  std::vector<std::byte> bits;
  for (int32_t row = 0; row < kRows; ++row) {
    const std::byte* from = finished.bits.row(row);
    bits.insert(bits.end(), from, from + bytes_per_row);
  }
  return bits;
}

Result<std::vector<std::byte>> MakeRightBits(const Recipe& recipe) {
  Pool pool(1);
  const EngineList engines = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* definition,
                       ChooseEngine(engines, "scalar", recipe));
  return MakeBits(*definition, recipe);
}

Recipe DefaultPrint() {
  Recipe::Parts parts = Recipe::Fine().parts();
  parts.parameters[Recipe::kPure] = 1;
  parts.curve = *ToneCurve::FromGamma(1.4);
  return *Recipe::Make(parts);
}

}  // namespace

std::vector<Recipe> HealthRecipes() {
  return {Recipe::FloydSteinberg(), DefaultPrint()};
}

Result<void> CheckBits(const Engine& engine, const Recipe& recipe) {
  HALFTONED_TRY_ASSIGN(const auto bits, MakeBits(engine, recipe));
  HALFTONED_TRY_ASSIGN(const auto right, MakeRightBits(recipe));
  const size_t bytes_per_row = recipe.bit_bytes_per_row(kColumns);
  for (size_t i = 0; i < right.size(); ++i) {
    if (bits[i] == right[i]) continue;
    return Bug("row " + std::to_string(i / bytes_per_row) + " by " +
               std::string(recipe.name()) + " is wrong");
  }
  return {};
}

}  // namespace halftoned::daemon
