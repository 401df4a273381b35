// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zimg's scaling of 8-bit gray, for a bench.

#ifndef HALFTONED_BENCH_PEERS_ZIMG_SCALER_H_
#define HALFTONED_BENCH_PEERS_ZIMG_SCALER_H_

#include <cstddef>
#include <memory>

namespace halftoned::bench {

class ZimgScaler {
 public:
  // in_light: from codes to linear light, scaled, and back.
  ZimgScaler(int old_width, int old_rows, int width, int rows, bool in_light);
  ~ZimgScaler();

  // False if zimg is not installed.
  bool is_there() const { return graphs_ != nullptr; }
  void Copy(const std::byte* gray);
  void Run();

 private:
  struct Graphs;
  std::unique_ptr<Graphs> graphs_;
};

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_PEERS_ZIMG_SCALER_H_
