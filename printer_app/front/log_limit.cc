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

bool LogLimit::Take(const std::string& client, Clock::time_point now) {
  if (!end_) end_ = now + kWindow;
  const bool is_own = client.empty();
  const bool is_full = !is_own && written_ >= most_.of_all;
  auto found = clients_.find(client);
  if (found == clients_.end() && is_full) {
    ++others_omitted_;
    has_omitted_ = true;
    return false;
  }
  if (found == clients_.end()) found = clients_.try_emplace(client).first;
  Count& count = found->second;
  if (is_full || count.written >= most_.of_client) {
    ++count.omitted;
    has_omitted_ = true;
    return false;
  }
  ++count.written;
  if (!is_own) ++written_;
  return true;
}

std::optional<LogLimit::Clock::time_point> LogLimit::ReportTime() const {
  return has_omitted_ ? end_ : std::nullopt;
}

std::string LogLimit::TakeReport(Clock::time_point now) {
  if (!end_ || now < *end_) return "";
  std::vector<Omitted> omitted;
  for (const auto& [client, count] : clients_) {
    if (count.omitted == 0) continue;
    omitted.emplace_back(count.omitted, client.empty()
                                            ? "the server"
                                            : Printable(client, kMostOfName));
  }
  std::ranges::sort(omitted, std::greater<>());
  uint64_t others = others_omitted_;
  while (omitted.size() > kMostNamed) {
    others += omitted.back().first;
    omitted.pop_back();
  }
  if (others > 0) omitted.emplace_back(others, "others");
  end_.reset();
  written_ = 0;
  others_omitted_ = 0;
  clients_.clear();
  has_omitted_ = false;
  return omitted.empty() ? "" : TextOf(omitted);
}

}  // namespace halftoned
