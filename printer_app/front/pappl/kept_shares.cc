// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/kept_shares.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "printer_app/handover/job_number.h"
#include "printer_app/handover/spooled_document.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

using Group = UserShares::Group;

constexpr std::pair<std::string_view, Group> kGroupWords[] = {
    {"user", Group::kUsers},
    {"cups", Group::kOfCups},
    {"remote", Group::kRemote}};

struct Owner {
  std::string printer;
  UserShares::User user;
};

// A printer's name has no blanks.
std::optional<Owner> OwnerIn(const std::string& line) {
  const size_t first = line.find(' ');
  const size_t second = line.find(' ', first + 1);
  if (first == line.npos || second == line.npos) return std::nullopt;
  const std::string group = line.substr(first + 1, second - first - 1);
  for (const auto& [word, each] : kGroupWords) {
    if (group != word) continue;
    return Owner{line.substr(0, first), {line.substr(second + 1), each}};
  }
  return std::nullopt;
}

}  // namespace

std::string OwnerLine(const std::string& printer,
                      const UserShares::User& user) {
  std::string line = printer;
  for (const auto& [word, group] : kGroupWords) {
    if (group == user.group) line.append(" ").append(word);
  }
  return line + ' ' + user.name;
}

std::optional<UserShares::User> UserOf(const std::string& job_file) {
  auto owner = OwnerIn(OwnerOf(job_file));
  if (!owner) return std::nullopt;
  return std::move(owner->user);
}

void AddKeptJobs(const std::string& spool, UserShares& shares) {
  const auto files = FilesIn(spool);
  if (!files.ok()) return;
  for (const fs::path& path : *files) {
    const auto number = JobOfFile(path.filename().string());
    const auto owner = number ? OwnerIn(OwnerOf(path)) : std::nullopt;
    if (!owner) continue;
    const Result<std::string> document = DocumentOf(path);
    if (!document.ok()) continue;
    std::error_code error;
    const uintmax_t bytes = fs::file_size(*document, error);
    if (error) continue;
    shares.Add({owner->printer, number->job}, owner->user, {1, bytes});
  }
}

}  // namespace halftoned
