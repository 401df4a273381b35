// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/network.h"

#include <arpa/inet.h>

#include <cstring>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

// Prefixes of a site, as providers assign them, and of a single link.
constexpr size_t kBytesOfSite = 6;
constexpr size_t kBytesOfLink = 8;
constexpr std::string_view kUser = "uid ";

std::string NetworkOf(const in6_addr& address, size_t bytes) {
  in6_addr network = {};
  std::memcpy(&network, &address, bytes);
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, &network, text, sizeof(text));
  return text + ('/' + std::to_string(8 * bytes));
}

}  // namespace

std::string SiteOf(const std::string& network) {
  in6_addr six;
  const std::string address = network.substr(0, network.find('/'));
  if (inet_pton(AF_INET6, address.c_str(), &six) == 1) {
    return NetworkOf(six, kBytesOfSite);
  }
  if (!network.starts_with(kUser)) return network;
  const auto user = ParseNumber<uid_t>(network.substr(kUser.size()));
  return user ? OriginOf(*user).levels.front() : network;
}

Origin OriginOf(const std::string& place) { return {{place, place, place}}; }

Origin OriginOf(uid_t user) {
  constexpr uid_t kBlock = 1 << 16;
  const std::string place = std::string(kUser) + std::to_string(user);
  if (user < kBlock) return OriginOf(place);
  return {
      {"uids from " + std::to_string(user / kBlock * kBlock), place, place}};
}

Origin OriginOf(http_addr_t address) {
  char text[256] = "";
  httpAddrString(&address, text, sizeof(text));
  if (httpAddrFamily(&address) != AF_INET6) return OriginOf(text);
  const in6_addr& six = address.ipv6.sin6_addr;
  return {{NetworkOf(six, kBytesOfSite), NetworkOf(six, kBytesOfLink), text}};
}

}  // namespace halftoned
