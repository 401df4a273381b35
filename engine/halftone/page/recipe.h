// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recipe: everything except the pixels that determines the bits. The program
// that opens a page resolves it completely. An engine that does not support
// exactly this recipe refuses it; it never fills in missing values.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "halftone/page/levels.h"
#include "halftone/page/method.h"
#include "halftone/page/screen.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

class Recipe {
 public:
  static constexpr size_t kParameters = Method::kParameters;

  // What the parameters mean; their ranges are in the table of methods.
  //
  // A parameter of every algorithm, 0 or 1. 1: pixels of value 0 and 4080 are
  // printed as they are; they take no error and give none.
  static constexpr size_t kPure = 0;
  // A parameter of kFine, 0 or 1. 1: it is the first pass of kBest, with the
  // table of best_first_table.h.
  static constexpr size_t kTable = 1;
  // The print feedback of kFine and kBest, 0 … kFullFeedback: the share of a
  // print's light in the error (print_feedback.h); always 0 with more than two
  // levels or with table 1.
  static constexpr size_t kFeedback = 2;
  // A parameter of kClustered: the dots of a cluster, kMinClusterSize …
  // kMaxClusterSize.
  static constexpr size_t kClusterSize = 1;
  // Parameters of kScreen: its supercell, and the shape of its dots.
  static constexpr size_t kRightX = 1;
  static constexpr size_t kRightY = 2;
  static constexpr size_t kDownX = 3;
  static constexpr size_t kDownY = 4;
  static constexpr size_t kCells = 5;
  static constexpr size_t kOutline = 6;
  static constexpr size_t kTurned = 7;
  // A parameter of the classic kernels, with two levels and without pure
  // pixels: black and white runs along a row have at least kKept + 1 pixels.
  // Only `screen` has another parameter of this index.
  static constexpr size_t kKept = 6;

  struct Parts {
    Algorithm algorithm = Algorithm::kFloydSteinberg;
    uint16_t version = 1;
    int levels = 2;
    ToneCurve curve;
    Method::Values parameters{};  // 0 where there is none
  };

  // Refuses what this build does not know: kUnavailable for an algorithm,
  // version or parameter, kBadInput for levels or a parameter's value that the
  // algorithm does not have.
  static Result<Recipe> Make(const Parts& parts);

  // An algorithm in its version, with the identity curve and no parameters.
  // Precondition: this build knows it.
  static Parts PartsOf(Algorithm algorithm);

  // With the identity curve. Precondition: levels are served.
  static Recipe FloydSteinberg(int levels = 2);
  static Recipe Fine(int levels = 2);
  // With the identity curve.
  static Recipe BiLevel();
  // `fine` with the levels, the curve and the parameters of this recipe of
  // `best`.
  Recipe FirstPass() const;

  const Parts& parts() const { return parts_; }
  const ToneCurve& curve() const { return parts_.curve; }
  const Levels& levels() const { return levels_; }
  Algorithm algorithm() const { return parts_.algorithm; }
  MethodId method() const { return {parts_.algorithm, parts_.version}; }
  std::string_view name() const;
  int32_t parameter(size_t i) const { return parts_.parameters[i]; }
  bool has_feedback() const { return HasFeedback(parts_); }
  static bool HasFeedback(const Parts& parts) {
    return (parts.algorithm == Algorithm::kFine ||
            parts.algorithm == Algorithm::kBest) &&
           parts.parameters[kFeedback] > 0;
  }
  bool is_pure() const { return parameter(kPure) != 0; }
  bool has_runs() const { return HasRuns(parts_); }
  static bool HasRuns(const Parts& parts) {
    return parts.algorithm != Algorithm::kScreen && parts.parameters[kKept] > 0;
  }

  std::span<const CarryPlane> carry_planes() const {
    return {carry_planes_.data(), carry_plane_count_};
  }

  // The offsets of kScreen, kBlueNoise and kBiLevel, whose pixels do not affect
  // one another. All copies of a recipe share them.
  const Screen& screen() const { return *screen_; }

  const Lag& lag() const { return lag_; }
  bool looks_ahead() const { return lag_.rows > 0; }
  // The maximum number of rows that still wait once every band is answered. An
  // answer can have that many rows more than its band.
  int32_t most_waiting_rows() const {
    return looks_ahead() ? lag_.rows + lag_.step - 1 : 0;
  }
  // The first unanswered row of a page, or of the rest of a page, that begins
  // at first_row and has been submitted up to end_row. is_whole: the page ends
  // there.
  int64_t FirstUnanswered(int64_t first_row, int64_t end_row,
                          bool is_whole = false) const {
    if (is_whole) return end_row;
    const int64_t row = end_row - lag_.rows;
    return row <= first_row ? first_row
                            : std::max(first_row, row / lag_.step * lag_.step);
  }

  // Bytes of one halftoned row of `width` columns.
  size_t bit_bytes_per_row(int32_t width) const {
    return (static_cast<size_t>(width) *
                static_cast<size_t>(levels_.bits_per_sample) +
            7) /
           8;
  }

  // A digest of all parts, by which a carry is tagged. It guards against
  // mistakes, not against malice.
  uint64_t fingerprint() const { return fingerprint_; }

  friend bool operator==(const Recipe& a, const Recipe& b) {
    return a.parts_.algorithm == b.parts_.algorithm &&
           a.parts_.version == b.parts_.version &&
           a.parts_.levels == b.parts_.levels &&
           a.parts_.parameters == b.parts_.parameters &&
           a.parts_.curve == b.parts_.curve;
  }

 private:
  explicit Recipe(const Parts& parts);

  Parts parts_;
  Levels levels_;
  std::array<CarryPlane, Method::kMaxPlanes> carry_planes_{};
  size_t carry_plane_count_ = 0;
  Lag lag_;
  uint64_t fingerprint_ = 0;
  std::shared_ptr<const Screen> screen_;  // null: the method has none
};

// Precondition: the parts are of kScreen.
constexpr Supercell SupercellOf(const Recipe::Parts& parts) {
  const Method::Values& values = parts.parameters;
  return {.right_x = values[Recipe::kRightX],
          .right_y = values[Recipe::kRightY],
          .down_x = values[Recipe::kDownX],
          .down_y = values[Recipe::kDownY],
          .cells = values[Recipe::kCells]};
}
constexpr DotShape DotShapeOf(const Recipe::Parts& parts) {
  return {static_cast<DotShape::Outline>(parts.parameters[Recipe::kOutline]),
          parts.parameters[Recipe::kTurned] != 0};
}

// The kind of a recipe: its algorithm, whether pixels are pure, and whether it
// has more than two levels. Workers can be limited to some kinds. Below kKinds.
inline constexpr uint32_t kKinds = 64;
constexpr uint32_t KindOf(const Recipe::Parts& parts) {
  return 2 * static_cast<uint32_t>(parts.algorithm) +
         (parts.parameters[Recipe::kPure] != 0 ? 1 : 0) +
         (parts.levels > 2 ? kKinds / 2 : 0);
}

}  // namespace halftoned
