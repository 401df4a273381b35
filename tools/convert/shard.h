// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the work that --shard asks for.
//
//   shard = part "/" parts

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halftoned {

class Shard {
 public:
  static constexpr int64_t kMaxParts = 1'000'000;

  // All of the work.
  Shard() = default;
  // Nothing unless 1 ≤ part ≤ parts ≤ kMaxParts.
  static std::optional<Shard> Parse(std::string_view text);

  bool is_whole() const { return parts_ == 1; }
  // Whether a piece of the work is in this part. index: counted from 0. Each
  // piece is in exactly one part, and the sizes of parts differ by at most one
  // piece.
  bool Has(int64_t index) const { return index % parts_ == part_ - 1; }

 private:
  int64_t part_ = 1;
  int64_t parts_ = 1;
};

}  // namespace halftoned
