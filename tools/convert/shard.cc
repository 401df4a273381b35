// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/shard.h"

#include <charconv>

namespace halftoned {

std::optional<Shard> Shard::Parse(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, shard.part_);
  if (part.ec != std::errc() || part.ptr == end || *part.ptr != '/') {
    return std::nullopt;
  }
  const auto parts = std::from_chars(part.ptr + 1, end, shard.parts_);
  const bool is_shard = parts.ec == std::errc() && parts.ptr == end &&
                        shard.part_ >= 1 && shard.part_ <= shard.parts_ &&
                        shard.parts_ <= kMaxParts;
  return is_shard ? std::optional(shard) : std::nullopt;
}

}  // namespace halftoned
