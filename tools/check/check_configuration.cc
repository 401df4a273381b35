// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "base/text_file.h"
#include "check/checks.h"
#include "check/run_program.h"
#include "config/tone_check.h"

namespace halftoned {
namespace {

std::string EditOf(const std::string& path) { return "type: sudoedit " + path; }

// Problems that only the daemon's program finds: users, groups and engines.
Findings AskDaemonProgram(const CheckContext& context) {
  const Places& places = context.places;
  if (::access(places.daemon.c_str(), X_OK) != 0) return {};
  if (::geteuid() == 0 && !IsRootsAlone(places.daemon)) return {};
  const Result<Outcome> run = RunProgram(
      {places.daemon, "--check-config", places.configuration}, context.timeout);
  if (!run.ok() || run->status == 0) return {};
  constexpr std::string_view kName = "halftoned: ";
  Findings findings;
  std::istringstream lines(run->errors);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kName)) continue;
    findings.push_back(
        Wrong(line.substr(kName.size()), EditOf(places.configuration)));
  }
  return findings;
}

// Filters run as another user, who must be able to read the file.
bool IsForEverybody(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IROTH) != 0;
}

}  // namespace

Findings CheckConfiguration(CheckContext& context) {
  const std::string& path = context.places.configuration;
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    return {Good("there is no " + path + ": all settings have their defaults")};
  }
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) {
    if (::access(path.c_str(), R_OK) == 0) {
      return {Wrong(text.error().message, EditOf(path))};
    }
    return {Wrong(text.error().message, "type: sudo chmod a+r " + path)};
  }
  CheckedConfig checked = CheckConfig(*text, path);
  context.config = checked.config;
  Findings findings;
  for (const std::string& problem : checked.problems) {
    findings.push_back(Wrong(problem, EditOf(path)));
  }
  for (const std::string& problem :
       ToneProblems(context.config, ReadTextFile)) {
    findings.push_back(Wrong(problem, EditOf(path)));
  }
  if (findings.empty()) findings = AskDaemonProgram(context);
  if (!IsForEverybody(path)) {
    findings.push_back(
        Wrong(path + " is not readable by all users, as print jobs need",
              "type: sudo chmod a+r " + path));
  }
  if (findings.empty()) findings.push_back(Good(path + " has no mistakes"));
  return findings;
}

}  // namespace halftoned
