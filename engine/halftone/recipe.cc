// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/recipe.h"

#include <algorithm>
#include <string>

#include "halftone/clustered_table.h"
#include "halftone/error_sums.h"
#include "halftone/fine_table.h"

namespace halftoned {
namespace {

struct Range {
  int32_t min = 0;
  int32_t max = 0;
};

// An algorithm that this build knows, in its one version.
struct Known {
  Algorithm algorithm;
  std::string_view name;
  Reach reach;
  bool has_levels;  // 4, 8 and 16 too
  std::array<Range, Recipe::kParameters> parameters;
  size_t planes;
  std::array<CarryPlane, 2> plane;
};

constexpr CarryPlane kSums = {
    .min = -kMaxErrorSum, .max = kMaxErrorSum, .start = 0};
constexpr CarryPlane kByLevels = {};  // Floyd–Steinberg's errors
constexpr Range kYesNo = {0, 1};

constexpr Known kKnown[] = {
    {Algorithm::kFloydSteinberg,
     "floyd-steinberg",
     {.columns_ahead = 1, .halo_rows = 0, .look_ahead_rows = 0},
     true,
     {kYesNo},
     1,
     {kByLevels}},
    {Algorithm::kFine,
     "fine",
     {.columns_ahead = 2, .halo_rows = 0, .look_ahead_rows = 0},
     false,
     {kYesNo},
     2,
     {kSums, CarryPlane{.min = 0, .max = kFineFar, .start = kFineFar}}},
    {Algorithm::kClustered,
     "clustered",
     {.columns_ahead = 2, .halo_rows = 0, .look_ahead_rows = 0},
     false,
     {kYesNo, Range{kMinClusterSize, kMaxClusterSize}},
     2,
     {kSums, CarryPlane{.min = 1 - kMaxClusterRows,
                        .max = kClusterFar,
                        .start = kClusterFar}}},
    {Algorithm::kPrinterModel,
     "printer-model",
     {.columns_ahead = 1, .halo_rows = 0, .look_ahead_rows = 0},
     false,
     {kYesNo, Range{2040, 8320}, Range{0, 2160}},
     2,
     {kSums, CarryPlane{.min = 0, .max = 1, .start = 0}}},
    {Algorithm::kBiLevel,
     "bi-level",
     {.columns_ahead = 0, .halo_rows = 0, .look_ahead_rows = 0},
     false,
     {kYesNo},
     0,
     {}},
};

const Known* Find(Algorithm algorithm) {
  const auto* known = std::ranges::find(kKnown, algorithm, &Known::algorithm);
  return known == std::end(kKnown) ? nullptr : known;
}

// Precondition: Make has accepted it.
const Known& KnownOf(const Recipe::Parts& parts) {
  return *Find(parts.algorithm);
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

Result<void> CheckParameters(const Known& known, const Recipe::Parts& parts) {
  for (size_t i = 0; i < Recipe::kParameters; ++i) {
    const Range range = known.parameters[i];
    const int32_t value = parts.parameters[i];
    if (value >= range.min && value <= range.max) continue;
    const std::string which = "parameter " + std::to_string(i) + " of " +
                              std::string(known.name) + " is " +
                              std::to_string(value);
    if (range.max == 0) return Unavailable(which + ", and unknown");
    return BadInput(which + ", not in " + std::to_string(range.min) + " … " +
                    std::to_string(range.max));
  }
  if (known.algorithm == Algorithm::kPrinterModel &&
      parts.parameters[Recipe::kInk] - 2 * parts.parameters[Recipe::kOverlap] <
          2040) {
    return BadInput("dots of printer-model overlap too much");
  }
  return {};
}

Result<void> CheckLevels(const Known& known, int levels) {
  if (!Levels::IsServed(levels)) {
    return BadInput(std::to_string(levels) +
                    " levels: 2, 4, 8 or 16 are served");
  }
  if (levels != 2 && !known.has_levels) {
    return BadInput(std::string(known.name) + " has two levels, not " +
                    std::to_string(levels) +
                    "; floyd-steinberg serves 2, 4, 8 and 16");
  }
  return {};
}

Recipe::Parts PartsOf(Algorithm algorithm) {
  Recipe::Parts parts;
  parts.algorithm = algorithm;
  return parts;
}

}  // namespace

Result<Recipe> Recipe::Make(const Parts& parts) {
  const Known* known = Find(parts.algorithm);
  if (!known) {
    return Unavailable("unknown halftone algorithm " +
                       std::to_string(static_cast<unsigned>(parts.algorithm)));
  }
  if (parts.version != 1) {
    return Unavailable("unknown version " + std::to_string(parts.version) +
                       " of " + std::string(known->name));
  }
  HALFTONED_TRY(CheckParameters(*known, parts));
  HALFTONED_TRY(CheckLevels(*known, parts.levels));
  return Recipe(parts);
}

Recipe Recipe::FloydSteinberg(int levels) {
  Parts parts;
  parts.levels = levels;
  return Recipe(parts);
}

Recipe Recipe::Fine() { return Recipe(PartsOf(Algorithm::kFine)); }

Recipe Recipe::BiLevel() { return Recipe(PartsOf(Algorithm::kBiLevel)); }

Recipe::Recipe(const Parts& parts)
    : parts_(parts),
      levels_(Levels::Of(parts.levels)),
      carry_plane_count_(KnownOf(parts).planes),
      fingerprint_(DigestOf(parts)) {
  std::ranges::copy(KnownOf(parts).plane, carry_planes_.begin());
  if (parts.algorithm == Algorithm::kFloydSteinberg) {
    carry_planes_[0] = {.min = static_cast<int16_t>(levels_.min_error),
                        .max = static_cast<int16_t>(levels_.max_error),
                        .start = 0};
  }
}

std::string_view Recipe::name() const { return KnownOf(parts_).name; }

const Reach& Recipe::reach() const { return KnownOf(parts_).reach; }

}  // namespace halftoned
