// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zimg, for benches.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace halftoned::bench {

// zimg's error diffusion from 8 bits to 1, unpacked: the fastest peer on a CPU
// that we know of.
class Zimg {
 public:
  // Null if zimg is missing.
  static std::unique_ptr<Zimg> Make(int32_t width, int32_t rows);
  virtual ~Zimg() = default;
  // Copies the gray, without padding, into memory laid out for zimg.
  virtual void Copy(const std::byte* gray) = 0;
  virtual void Run() = 0;
  // A row of the result: a byte per pixel, 0 or not.
  virtual const std::byte* row(int32_t i) const = 0;
};

}  // namespace halftoned::bench
