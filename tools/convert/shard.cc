// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/shard.h"

#include "base/text.h"

namespace halftoned {

std::optional<Shard> Shard::Parse(std::string_view text) {
  Shard shard;
  shard.part_ = TakeNumber<int64_t>(text).value_or(0);
  if (!text.starts_with('/')) return std::nullopt;
  shard.parts_ = ParseNumber<int64_t>(text.substr(1)).value_or(0);
  const bool is_shard = shard.part_ >= 1 && shard.part_ <= shard.parts_ &&
                        shard.parts_ <= kMaxParts;
  return is_shard ? std::optional(shard) : std::nullopt;
}

}  // namespace halftoned
