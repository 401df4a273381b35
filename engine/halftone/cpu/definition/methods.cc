// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/definition/methods.h"

#include <algorithm>
#include <cstring>

#include "halftone/cpu/scalar.h"

namespace halftoned {

// Each definition has a file of its own.
#define HALFTONED_METHOD(Name, ...) void Define##Name(const KernelJob& job);
#include "halftone/page/method_rows.inc"
#undef HALFTONED_METHOD

namespace {

// The definition says what the version in a row means.
constexpr KernelEntry kShippedKernels[] = {
#define HALFTONED_METHOD(Name, number, version, ...) \
  {{Algorithm::k##Name, version}, Define##Name},
#include "halftone/page/method_rows.inc"
#undef HALFTONED_METHOD
};

}  // namespace

std::span<const KernelEntry> ShippedDefinitions() { return kShippedKernels; }

void HalftoneByDefinition(const KernelJob& job) {
  FindKernel(Definitions(), job.recipe)(job);
}

int CurvedValue(const KernelJob& job, int32_t row, int32_t column) {
  const std::byte* samples = job.gray.row(row);
  if (job.page.depth() == Depth::k8) {
    return job.recipe.curve().At8(std::to_integer<uint8_t>(samples[column]));
  }
  uint16_t a;
  std::memcpy(&a, samples + 2 * static_cast<size_t>(column), sizeof(a));
  return job.recipe.curve().At16(a);
}

std::byte* EmptyBits(const KernelJob& job, int32_t i) {
  std::byte* row = job.bits.row(i);
  std::memset(row, 0, job.recipe.bit_bytes_per_row(job.page.width()));
  return row;
}

void PutSample(std::byte* row, int32_t column, int bits, int sample) {
  const int64_t bit = int64_t{column} * bits;
  const int shift = 8 - bits - static_cast<int>(bit % 8);
  row[bit / 8] |= static_cast<std::byte>(sample << shift);
}

void ErrorSums::Spread(int32_t column, int error, const ErrorWeights& weights) {
  const int down_right = ErrorPart(weights.down_right, error);
  const int down_left = ErrorPart(weights.down_left, error);
  const int down_left_left = ErrorPart(weights.down_left_left, error);
  right_ = ErrorPart(weights.right, error);
  below_[0] += down_left_left;
  below_[1] += down_left;
  below_[2] += error - right_ - down_right - down_left - down_left_left;
  Complete(column - 2);
  below_[2] = down_right;
}

void ErrorSums::Complete(int32_t column) {
  if (column >= 0) {
    plane_[static_cast<size_t>(column)] = static_cast<int16_t>(
        std::clamp<int>(below_[0], -kMaxErrorSum, kMaxErrorSum));
  }
  below_ = {below_[1], below_[2], 0};
}

void ErrorSums::EndRow() {
  const auto width = static_cast<int32_t>(plane_.size());
  Complete(width - 2);
  Complete(width - 1);
  right_ = 0;
  below_ = {};
}

}  // namespace halftoned
