// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zimg, as benches call it.

#ifndef HALFTONED_TESTS_BENCH_PEERS_ZIMG_H_
#define HALFTONED_TESTS_BENCH_PEERS_ZIMG_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace halftoned::bench {

// zimg's error diffusion from 8 bits to 1, unpacked: the fastest that we know
// of on a processor.
class Zimg {
 public:
  // Null where zimg is missing.
  static std::unique_ptr<Zimg> Make(int32_t width, int32_t rows);
  virtual ~Zimg() = default;
  // Takes the gray, without padding, into memory as zimg wants it.
  virtual void Copy(const std::byte* gray) = 0;
  virtual void Run() = 0;
  // What came out: a byte a pixel, 0 or not.
  virtual const std::byte* row(int32_t i) const = 0;
};

}  // namespace halftoned::bench

#endif  // HALFTONED_TESTS_BENCH_PEERS_ZIMG_H_
