// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/handed_rows.h"

#include <algorithm>
#include <span>

#include "halftone/gpu/collect/row_pairs.h"
#include "halftone/gpu/collect/tuning.h"
#include "halftone/gpu/common/pixel_term.h"
#include "halftone/gpu/spread/carry_word.h"
#include "halftone/gpu/spread/row_waves.h"
#include "halftone/page/error_sums.h"

namespace halftoned::cuda {
namespace {

// Converts between errors, as in a carry, and the states of the kernel that
// collects them. States of a row's errors, and errors of a row's states.
void StatesOf(std::span<const int16_t> errors, uint16_t* states) {
  for (size_t j = 0; j < errors.size(); ++j) {
    states[j] = static_cast<uint16_t>(kStateOutside - errors[j]);
  }
}

void ErrorsOf(const uint16_t* states, std::span<int16_t> errors) {
  for (size_t j = 0; j < errors.size(); ++j) {
    errors[j] = static_cast<int16_t>(kStateOutside - states[j]);
  }
}

// The methods that the GPU supports.
struct MethodKernels {
  MethodId method;
  KernelKind plain;
  KernelKind pure;  // if pixels can be pure
};

constexpr MethodKernels kMethods[] = {
    {{Algorithm::kFloydSteinberg, 1},
     KernelKind::kCollecting,
     KernelKind::kSpreading},
    {{Algorithm::kFine, 4}, KernelKind::kSpreading, KernelKind::kSpreading},
    {{Algorithm::kClustered, 3},
     KernelKind::kSpreading,
     KernelKind::kSpreading},
    {{Algorithm::kBiLevel, 1}, KernelKind::kDeciding, KernelKind::kDeciding},
    {{Algorithm::kScreen, 1}, KernelKind::kDeciding, KernelKind::kDeciding},
    {{Algorithm::kBlueNoise, 1}, KernelKind::kDeciding, KernelKind::kDeciding},
    // Its first pass.
    {{Algorithm::kBest, 4}, KernelKind::kSpreading, KernelKind::kSpreading},
};

size_t BytesOf(KernelKind kind, int32_t width) {
  switch (kind) {
    case KernelKind::kCollecting:
      return sizeof(uint16_t) *
             static_cast<size_t>(collect::StatesPerRow(width));
    case KernelKind::kSpreading:
      return sizeof(uint32_t) * static_cast<size_t>(spread::WordsPerRow(width));
    case KernelKind::kDeciding:
      break;
  }
  return 0;
}

}  // namespace

std::optional<KernelKind> FindKernel(const Recipe& recipe) {
  const auto* entry = FindEntry<MethodKernels>(kMethods, recipe.method());
  if (!entry) return std::nullopt;
  // The second pass has bits only.
  if (recipe.looks_ahead() && recipe.levels().count > 2) return std::nullopt;
  return recipe.is_pure() ? entry->pure : entry->plain;
}

KernelKind KernelFor(const Recipe& recipe) { return *FindKernel(recipe); }

HandedRows::HandedRows(const Recipe& recipe, int32_t width)
    : kind_(KernelFor(recipe)), bytes_(BytesOf(kind_, width)) {
  if (kind_ != KernelKind::kSpreading) return;
  const auto planes = recipe.carry_planes();
  has_sums_ = planes.size() > 1;
  other_ = planes.size() - 1;
  least_ = planes.back().min;
  outside_ = spread::OutsideCarryWord(recipe);
}

int HandedRows::strips(int32_t rows, int32_t head) const {
  switch (kind_) {
    case KernelKind::kCollecting:
      return collect::StripsOf(rows);
    case KernelKind::kSpreading:
      return spread::StripsOf(rows, head);
    case KernelKind::kDeciding:
      break;
  }
  return 1;
}

int HandedRows::blocks(int32_t rows, int32_t head) const {
  const int number = strips(rows, head);
  if (kind_ != KernelKind::kCollecting) return number;
  const auto unsigned_number = static_cast<unsigned>(number);
  return static_cast<int>(collect::InClusters(
      unsigned_number,
      collect::ClusterOf(unsigned_number, collect::kTuning.cluster)));
}

int HandedRows::pad_above() const {
  return kind_ == KernelKind::kSpreading ? 1 : 0;
}

int HandedRows::pad_below(int32_t rows) const {
  switch (kind_) {
    case KernelKind::kCollecting:
      return collect::PadOf(collect::LastRowInStrip(rows));
    case KernelKind::kSpreading:
      return spread::PadOf(spread::LastLane(rows));
    case KernelKind::kDeciding:
      break;
  }
  return 0;
}

int HandedRows::pad_below(int strip, int32_t rows, int32_t head) {
  return spread::PadBelow(strip, rows, head);
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
      word[-1] = (word[-1] & 0xFFFF) | spread::CarryWord(0, others[j] - least_);
      if (has_sums_)
        word[0] = spread::CarryWord(carry.plane(0)[j] + kMaxErrorSum,
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
