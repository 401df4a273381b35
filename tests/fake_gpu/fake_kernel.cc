// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/fake_gpu/fake_kernel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "halftone/cuda/geometry.h"
#include "halftone/cuda/tone.h"
#include "halftone/levels.h"

namespace halftoned::testing {
namespace {

using cuda::BandJob;

constexpr uint16_t kNotThere = 0xFFFF;

int ValueOf(const BandJob& job, int32_t row, int32_t column) {
  const std::byte* samples =
      job.gray + static_cast<size_t>(row) * job.gray_pitch;
  int step;  // of the tone's table
  int value;
  if (job.deep) {
    uint16_t a;
    std::memcpy(&a, samples + 2 * static_cast<size_t>(column), sizeof(a));
    value = step = (a * kWhite + 32768) >> 16;
  } else {
    step = std::to_integer<int>(samples[column]);
    value = 16 * step;
  }
  return job.tone ? (7 - job.tone[step]) / 16 - cuda::kTermBias : value;
}

void PutSample(const BandJob& job, int32_t row, int32_t column,
               const Levels& levels, int level) {
  std::byte* bits = job.bits + static_cast<size_t>(row) * job.bits_pitch;
  const int64_t bit = int64_t{column} * levels.bits_per_sample;
  const int shift = 8 - levels.bits_per_sample - static_cast<int>(bit % 8);
  bits[bit / 8] |= static_cast<std::byte>(levels.sample[level] << shift);
}

}  // namespace

bool RunFakeKernel(const BandJob& job, int levels_count) {
  const Levels levels = Levels::Of(levels_count);
  const auto width = static_cast<size_t>(job.width);
  // With a column outside the page on either side.
  std::vector<int> above(width + 2);
  std::vector<int> row(width + 2);
  for (size_t j = 0; job.states_in && j < width; ++j) {
    const uint16_t state = job.states_in[j + static_cast<size_t>(job.pad_in)];
    if (state == kNotThere) return false;
    above[j + 1] = cuda::kStateOutside - state;
  }
  for (int32_t i = 0; i < job.rows; ++i) {
    std::memset(job.bits + static_cast<size_t>(i) * job.bits_pitch, 0,
                job.bits_pitch);
    for (int32_t j = 0; j < job.width; ++j) {
      const int sum =
          7 * row[j] + above[j] + 5 * above[j + 1] + 3 * above[j + 2] + 8;
      const int s = ValueOf(job, i, j) + (sum >> 4);
      int level = 0;
      while (level < levels.count - 1 && s > levels.midpoint[level]) ++level;
      row[j + 1] = s - levels.value[level];
      PutSample(job, i, j, levels, level);
    }
    row[0] = row[width + 1] = 0;
    above.swap(row);
  }
  const int pad = cuda::PadOf(cuda::LastRowInStrip(job.rows));
  for (size_t j = 0; j < width; ++j) {
    job.states_out[j + static_cast<size_t>(pad)] =
        static_cast<uint16_t>(cuda::kStateOutside - above[j + 1]);
  }
  return true;
}

}  // namespace halftoned::testing
