// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/recipe.h"

#include <algorithm>
#include <string>

namespace halftoned {
namespace {

constexpr Reach kFloydSteinbergReach = {
    .columns_ahead = 1, .halo_rows = 0, .look_ahead_rows = 0};

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

}  // namespace

Result<Recipe> Recipe::Make(const Parts& parts) {
  if (parts.algorithm != Algorithm::kFloydSteinberg) {
    return Unavailable("unknown halftone algorithm " +
                       std::to_string(static_cast<unsigned>(parts.algorithm)));
  }
  if (parts.version != 1) {
    return Unavailable("unknown version " + std::to_string(parts.version) +
                       " of floyd-steinberg");
  }
  if (std::any_of(parts.parameters.begin(), parts.parameters.end(),
                  [](int32_t p) { return p != 0; })) {
    return Unavailable("floyd-steinberg takes no parameters");
  }
  if (!Levels::IsServed(parts.levels)) {
    return BadInput(std::to_string(parts.levels) +
                    " levels: 2, 4, 8 or 16 are served");
  }
  return Recipe(parts);
}

Recipe Recipe::FloydSteinberg(int levels) {
  Parts parts;
  parts.levels = levels;
  return Recipe(parts);
}

Recipe::Recipe(const Parts& parts)
    : parts_(parts),
      levels_(Levels::Of(parts.levels)),
      carry_plane_count_(1),
      fingerprint_(DigestOf(parts)) {
  carry_planes_[0] = {.min = static_cast<int16_t>(levels_.min_error),
                      .max = static_cast<int16_t>(levels_.max_error),
                      .start = 0};
}

std::string_view Recipe::name() const { return "floyd-steinberg"; }

const Reach& Recipe::reach() const { return kFloydSteinbergReach; }

}  // namespace halftoned
