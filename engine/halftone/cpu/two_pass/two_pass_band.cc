// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_band.h"

#include <new>

namespace halftoned {

Result<TwoPassBand> TwoPassBand::Make(const BandMemory& memory,
                                      int64_t first_row, int64_t end_row,
                                      std::pair<int64_t, int64_t> done,
                                      bool last, size_t bit_bytes) {
  TwoPassBand band{.memory = memory,
                   .first_row = first_row,
                   .end_row = end_row,
                   .first_done = done.first,
                   .end_done = done.second,
                   .last = last,
                   .own_bits = nullptr,
                   .bits = memory.bits,
                   .below = nullptr};
  if (band.bits) return band;
  const auto rows = static_cast<size_t>(band.end_done - band.first_done);
  band.own_bits.reset(new (std::nothrow) std::byte[bit_bytes * rows]);
  if (!band.own_bits) return Unavailable("out of memory for bits");
  band.bits = band.own_bits.get();
  return band;
}

void TwoPassBand::Fill(const TwoPassRows& rows, int64_t begin, int64_t end) {
  const size_t bytes = rows.sample_bytes();
  for (int64_t row = begin; row < end; ++row) {
    rows.CopySamples(row, bits + static_cast<size_t>(row - first_done) * bytes);
  }
}

}  // namespace halftoned
