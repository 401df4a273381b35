// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/recipe.h"

#include <string>

#include "halftone/page/print_feedback.h"

namespace halftoned {
namespace {

// Precondition: Make has accepted it.
const Method& MethodOf(const Recipe::Parts& parts) {
  return *FindMethod(parts.algorithm);
}

// FNV-1a over little-endian 32-bit words.
class Digest {
 public:
  void Add(uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash_ = (hash_ ^ ((word >> shift) & 0xff)) * 0x100000001b3u;
    }
  }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

uint64_t DigestOf(const Recipe::Parts& parts) {
  Digest digest;
  digest.Add(static_cast<uint32_t>(parts.algorithm));
  digest.Add(parts.version);
  digest.Add(static_cast<uint32_t>(parts.levels));
  for (int32_t p : parts.parameters) digest.Add(static_cast<uint32_t>(p));
  for (uint16_t step : parts.curve.table()) digest.Add(step);
  return digest.hash();
}

// With offset 2039 a pixel is white if its value is above 2040.
std::shared_ptr<const Screen> ScreenOf(const Recipe::Parts& parts) {
  if (parts.algorithm == Algorithm::kBiLevel) {
    return std::make_shared<const Screen>(Screen::Flat(kWhite / 2 - 1));
  }
  if (parts.algorithm == Algorithm::kBlueNoise) {
    return std::make_shared<const Screen>(Screen::BlueNoise());
  }
  if (parts.algorithm != Algorithm::kScreen) return nullptr;
  return std::make_shared<const Screen>(
      Screen::Of(SupercellOf(parts), DotShapeOf(parts)));
}

Result<void> CheckParameters(const Method& method, const Recipe::Parts& parts) {
  if (Recipe::HasRuns(parts)) {
    HALFTONED_TRY(CheckMinRun(method, parts.parameters[Recipe::kKept] + 1));
  }
  for (size_t i = 0; i < Recipe::kParameters; ++i) {
    const Method::Range range = method.parameters[i];
    const int32_t value = parts.parameters[i];
    if (value >= range.min && value <= range.max) continue;
    const std::string which = "parameter " + std::to_string(i) + " of " +
                              std::string(method.name) + " is " +
                              std::to_string(value);
    if (range.max == 0) return Unavailable(which + ", and unknown");
    return BadInput(which + ", not in " + std::to_string(range.min) + " … " +
                    std::to_string(range.max));
  }
  if (method.check) return method.check(parts.parameters, parts.levels);
  return {};
}

Result<void> CheckLevels(const Method& method, int levels) {
  if (!Levels::IsServed(levels)) {
    return BadInput(std::to_string(levels) +
                    " levels are not supported, only 2, 4, 8 and 16");
  }
  if (levels != 2 && !method.has_levels) {
    return BadInput(std::string(method.name) + " has two levels, not " +
                    std::to_string(levels) +
                    "; all types but clustered and bi-level have 2, 4, 8 and "
                    "16");
  }
  return {};
}

}  // namespace

Result<Recipe> Recipe::Make(const Parts& parts) {
  const Method* method = FindMethod(parts.algorithm);
  if (!method) {
    return Unavailable("unknown halftone algorithm " +
                       std::to_string(static_cast<unsigned>(parts.algorithm)));
  }
  if (parts.version != method->id.version) {
    return Unavailable("unknown version " + std::to_string(parts.version) +
                       " of " + std::string(method->name));
  }
  HALFTONED_TRY(CheckParameters(*method, parts));
  HALFTONED_TRY(CheckLevels(*method, parts.levels));
  return Recipe(parts);
}

Recipe::Parts Recipe::PartsOf(Algorithm algorithm) {
  Recipe::Parts parts;
  parts.algorithm = algorithm;
  parts.version = FindMethod(algorithm)->id.version;
  return parts;
}

Recipe Recipe::FloydSteinberg(int levels) {
  Parts parts = PartsOf(Algorithm::kFloydSteinberg);
  parts.levels = levels;
  return Recipe(parts);
}

Recipe Recipe::Fine(int levels) {
  Parts parts = PartsOf(Algorithm::kFine);
  parts.levels = levels;
  return Recipe(parts);
}

Recipe Recipe::BiLevel() { return Recipe(PartsOf(Algorithm::kBiLevel)); }

Recipe Recipe::FirstPass() const {
  Parts parts = PartsOf(Algorithm::kFine);
  parts.levels = levels_.count;
  parts.curve = curve();
  parts.parameters[kPure] = parameter(kPure);
  parts.parameters[kTable] = has_feedback() ? 0 : 1;
  parts.parameters[kFeedback] = parameter(kFeedback);
  return Recipe(parts);
}

Recipe::Recipe(const Parts& parts)
    : parts_(parts),
      levels_(Levels::ForCount(parts.levels)),
      carry_planes_(MethodOf(parts).planes),
      carry_plane_count_(MethodOf(parts).plane_count),
      lag_(MethodOf(parts).lag),
      fingerprint_(DigestOf(parts)),
      screen_(ScreenOf(parts)) {
  if (MethodOf(parts).carries_errors) {
    carry_planes_[0] = {.min = static_cast<int16_t>(levels_.min_error),
                        .max = static_cast<int16_t>(levels_.max_error),
                        .start = 0};
  }
  if (has_feedback()) {
    carry_planes_[1] = {.min = 0, .max = kFinePaper, .start = kFinePaper};
  }
}

std::string_view Recipe::name() const { return MethodOf(parts_).name; }

}  // namespace halftoned
