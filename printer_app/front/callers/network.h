// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The origin of a connection. One machine can use all addresses of an IPv6
// network, so the addresses of a network count together.

#pragma once

#include <cups/http.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <string>

namespace halftoned {

struct Origin {
  static constexpr size_t kLevels = 3;
  static constexpr size_t kNetwork = 1;

  // From the largest network to `place`; all three are equal for most users and
  // IPv4 addresses.
  std::array<std::string, kLevels> levels;

  // The user or the address.
  const std::string& place() const { return levels.back(); }
  // The user, the IPv4 address, or the IPv6 /64 network: one client for all
  // limits.
  const std::string& network() const { return levels[kNetwork]; }
};

// The largest network of an Origin::network.
std::string SiteOf(const std::string& network);

Origin OriginOf(const std::string& place);
// A user of this machine. Large numbers count by blocks too, because a user can
// have thousands of them (subuid(5)).
Origin OriginOf(uid_t user);
Origin OriginOf(http_addr_t address);

}  // namespace halftoned
