// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/hosts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace halftoned {
namespace {

bool IsPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsAddress(const std::string& name) {
  in_addr four;
  if (inet_pton(AF_INET, name.c_str(), &four) == 1) return true;
  if (name.size() < 2 || name.front() != '[' || name.back() != ']') {
    return false;
  }
  // The zone is this machine's own name for a network.
  std::string inner = name.substr(1, name.size() - 2);
  const size_t zone = std::min(inner.find('%'), inner.size());
  if (inner.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_%",
                              zone) != inner.npos) {
    return false;
  }
  inner.resize(zone);
  in6_addr six;
  return inet_pton(AF_INET6, inner.c_str(), &six) == 1;
}

// Empty unless the field is a name, perhaps with a port. A zero, at which
// inet_pton would end, is refused.
std::string NameIn(std::string_view field) {
  if (field.find('\0') != field.npos) return "";
  size_t end = field.rfind(':');
  if (end != field.npos && field.find(']', end) == field.npos) {
    if (!IsPort(field.substr(end + 1))) return "";
    field = field.substr(0, end);
  }
  std::string name = LowerCase(field);
  if (name.size() > 1 && name.back() == '.') name.pop_back();
  return name;
}

std::string WithoutPort(std::string host, std::string_view usual) {
  if (host.ends_with(usual)) host.resize(host.size() - usual.size());
  return host;
}

}  // namespace

std::vector<std::string> NamesOfMachine(std::string_view host) {
  const std::string whole = NameIn(host);
  if (whole.empty()) return {};
  const std::string first = whole.substr(0, whole.find('.'));
  return {whole, first, first + ".local"};
}

bool IsOurHost(std::string_view field, const std::vector<std::string>& names) {
  const std::string name = NameIn(field);
  if (name.empty()) return false;
  return name == "localhost" || IsAddress(name) ||
         std::ranges::any_of(names, [&](const std::string& own) {
           return !own.empty() && LowerCase(own) == name;
         });
}

bool IsThisMachine(std::string_view field) {
  const std::string name = NameIn(field);
  in_addr four;
  return name == "localhost" || name == "[::1]" ||
         (inet_pton(AF_INET, name.c_str(), &four) == 1 &&
          ntohl(four.s_addr) >> 24 == 127);
}

bool IsFromHost(std::string_view page, std::string_view host,
                bool is_encrypted) {
  for (const auto& [scheme, port] :
       {std::pair{"http://", ":80"}, std::pair{"https://", ":443"}}) {
    if (!page.starts_with(scheme)) continue;
    if (is_encrypted && page.starts_with("http:")) return false;
    page.remove_prefix(std::string_view(scheme).size());
    page = page.substr(0, page.find_first_of("/?#"));
    return !host.empty() && WithoutPort(LowerCase(page), port) ==
                                WithoutPort(LowerCase(std::string(host)), port);
  }
  return false;
}

}  // namespace halftoned
