// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/log_limit.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr size_t kMostOfName = 40;

using Omitted = std::pair<uint64_t, std::string>;

std::string TextOf(const std::vector<Omitted>& omitted) {
  std::string parts;
  for (const auto& [lines, client] : omitted) {
    parts +=
        (parts.empty() ? "" : ", ") + std::to_string(lines) + " from " + client;
  }
  return "Lines omitted in a minute: " + parts + '.';
}

}  // namespace

bool LogLimit::Take(const Client& client, Clock::time_point now) {
  if (!end_) end_ = now + kWindow;
  Group& group = groups_[client.name.empty() ? kServer
                         : client.is_local   ? kUsers
                                             : kOthers];
  const bool is_full = group.written >= most_.of_all;
  auto found = group.clients.find(client.name);
  if (found == group.clients.end() && is_full) {
    ++group.others_omitted;
    return false;
  }
  if (found == group.clients.end()) {
    found = group.clients.try_emplace(client.name).first;
  }
  Count& count = found->second;
  if (is_full || count.written >= most_.of_client) {
    ++count.omitted;
    return false;
  }
  ++count.written;
  ++group.written;
  return true;
}

std::string LogLimit::TakeReport(Clock::time_point now) {
  if (!end_ || now < *end_) return "";
  std::vector<Omitted> omitted;
  uint64_t others = 0;
  for (const Group& group : groups_) {
    others += group.others_omitted;
    for (const auto& [client, count] : group.clients) {
      if (count.omitted == 0) continue;
      omitted.emplace_back(count.omitted, client.empty()
                                              ? "the server"
                                              : Printable(client, kMostOfName));
    }
  }
  std::ranges::sort(omitted, std::greater<>());
  while (omitted.size() > kMostNamed) {
    others += omitted.back().first;
    omitted.pop_back();
  }
  if (others > 0) omitted.emplace_back(others, "others");
  end_.reset();
  groups_ = {};
  return omitted.empty() ? "" : TextOf(omitted);
}

}  // namespace halftoned
