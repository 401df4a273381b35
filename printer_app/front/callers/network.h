// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a connection comes from. A machine can have all addresses of an IPv6
// network, so these count together.

#pragma once

#include <cups/http.h>

#include <array>
#include <cstddef>
#include <string>

namespace halftoned {

struct Origin {
  static constexpr size_t kLevels = 3;

  // From the largest network to `place`; all the same if it is in none.
  std::array<std::string, kLevels> levels;

  // The user or the address.
  const std::string& place() const { return levels.back(); }
  // One client for all limits but that of connections: the user, the IPv4
  // address, or the /64 network of IPv6.
  const std::string& network() const { return levels[1]; }
};

Origin OriginOf(const std::string& place);
Origin OriginOf(http_addr_t address);

}  // namespace halftoned
