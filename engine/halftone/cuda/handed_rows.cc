// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/handed_rows.h"

#include <algorithm>
#include <span>

#include "halftone/cuda/geometry.h"
#include "halftone/cuda/spread/geometry.h"
#include "halftone/cuda/states.h"
#include "halftone/cuda/tuning.h"
#include "halftone/error_sums.h"

namespace halftoned::cuda {
namespace {

constexpr uint32_t WordOf(int sum, int other) {
  return static_cast<uint16_t>(sum) | static_cast<uint32_t>(other) << 16;
}

size_t BytesOf(KernelKind kind, int32_t width) {
  switch (kind) {
    case KernelKind::kCollecting:
      return sizeof(uint16_t) * static_cast<size_t>(StatesPerRow(width));
    case KernelKind::kSpreading:
      return sizeof(uint32_t) * static_cast<size_t>(spread::WordsPerRow(width));
    case KernelKind::kDeciding:
      break;
  }
  return 0;
}

}  // namespace

KernelKind KernelFor(const Recipe& recipe) {
  switch (recipe.algorithm()) {
    case Algorithm::kFloydSteinberg:
      return recipe.is_pure() ? KernelKind::kSpreading
                              : KernelKind::kCollecting;
    case Algorithm::kFine:
    case Algorithm::kClustered:
    case Algorithm::kPrinterModel:
      return KernelKind::kSpreading;
    case Algorithm::kBiLevel:
      break;
  }
  return KernelKind::kDeciding;
}

uint32_t OutsideState(const Recipe& recipe) {
  const auto planes = recipe.carry_planes();
  const auto start = [](const CarryPlane& plane) {
    return plane.start - plane.min;
  };
  return WordOf(planes.size() > 1 ? start(planes[0]) : 0, start(planes.back()));
}

HandedRows::HandedRows(const Recipe& recipe, int32_t width)
    : kind_(KernelFor(recipe)), bytes_(BytesOf(kind_, width)) {
  if (kind_ != KernelKind::kSpreading) return;
  const auto planes = recipe.carry_planes();
  has_sums_ = planes.size() > 1;
  other_ = planes.size() - 1;
  least_ = planes.back().min;
  outside_ = OutsideState(recipe);
}

int HandedRows::strips(int32_t rows) const {
  switch (kind_) {
    case KernelKind::kCollecting:
      return StripsOf(rows);
    case KernelKind::kSpreading:
      return spread::StripsOf(rows);
    case KernelKind::kDeciding:
      break;
  }
  return 1;
}

int HandedRows::blocks(int32_t rows) const {
  const int number = strips(rows);
  if (kind_ != KernelKind::kCollecting) return number;
  const auto unsigned_number = static_cast<unsigned>(number);
  return static_cast<int>(
      InClusters(unsigned_number, ClusterOf(unsigned_number, kTuning.cluster)));
}

int HandedRows::pad_above() const {
  return kind_ == KernelKind::kSpreading ? 1 : 0;
}

int HandedRows::pad_below(int32_t rows) const {
  switch (kind_) {
    case KernelKind::kCollecting:
      return PadOf(LastRowInStrip(rows));
    case KernelKind::kSpreading:
      return spread::PadOf(spread::LastLane(rows));
    case KernelKind::kDeciding:
      break;
  }
  return 0;
}

void HandedRows::Write(const Carry& carry, int pad, std::byte* row) const {
  if (kind_ == KernelKind::kCollecting) {
    auto* states = reinterpret_cast<uint16_t*>(row);
    std::fill_n(states, bytes_ / sizeof(*states), uint16_t{kStateOutside});
    StatesOf(carry.plane(0), states + pad);
  } else if (kind_ == KernelKind::kSpreading) {
    auto* words = reinterpret_cast<uint32_t*>(row);
    std::fill_n(words, bytes_ / sizeof(*words), outside_);
    const auto others = carry.plane(other_);
    for (size_t j = 0; j < others.size(); ++j) {
      // The word of a column has the next one's other state.
      uint32_t* word = words + pad + j;
      word[-1] = (word[-1] & 0xFFFF) | WordOf(0, others[j] - least_);
      if (has_sums_)
        word[0] = WordOf(carry.plane(0)[j] + kMaxErrorSum,
                         static_cast<int>(outside_ >> 16));
    }
  }
}

void HandedRows::Read(const std::byte* row, int pad, Carry& carry) const {
  if (kind_ == KernelKind::kCollecting) {
    ErrorsOf(reinterpret_cast<const uint16_t*>(row) + pad, carry.plane(0));
  } else if (kind_ == KernelKind::kSpreading) {
    const auto* words = reinterpret_cast<const uint32_t*>(row);
    const auto others = carry.plane(other_);
    for (size_t j = 0; j < others.size(); ++j) {
      const uint32_t* word = words + pad + j;
      others[j] =
          static_cast<int16_t>(static_cast<int>(word[-1] >> 16) + least_);
      if (has_sums_) {
        carry.plane(0)[j] = static_cast<int16_t>(
            static_cast<int>(word[0] & 0xFFFF) - kMaxErrorSum);
      }
    }
  }
}

}  // namespace halftoned::cuda
