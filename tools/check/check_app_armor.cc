// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/text_file.h"
#include "check/checks.h"
#include "check/run_program.h"

namespace halftoned {
namespace {

constexpr char kProfile[] = "/etc/apparmor.d/usr.sbin.cupsd";

bool IsEnabled() {
  const auto said = ReadTextFile("/sys/module/apparmor/parameters/enabled");
  return said.ok() && said->starts_with("Y");
}

// The profile of the running cupsd, such as "/usr/sbin/cupsd (enforce)"; empty
// if there is none, or if this user is not allowed to read it.
std::string LabelOfCupsd() {
  std::error_code error;
  for (const auto& process :
       std::filesystem::directory_iterator("/proc", error)) {
    const std::string folder = process.path().string();
    const Result<std::string> name = ReadTextFile(folder + "/comm");
    if (!name.ok() || *name != "cupsd\n") continue;
    const auto label = ReadTextFile(folder + "/attr/current");
    return label.ok() ? label->substr(0, label->find('\n')) : "";
  }
  return "";
}

Findings Denials(int timeout) {
  const Result<Outcome> run = RunProgram(
      {"journalctl", "-k", "-b", "-q", "--no-pager", "-n", "5000", "-o", "cat"},
      timeout);
  if (!run.ok() || run->status != 0 || run->is_late || run->out.empty()) {
    return {Unseen("what AppArmor has denied, in the journal")};
  }
  const std::string denial = DenialIn(run->out);
  if (denial.empty()) return {Good("AppArmor has denied nothing")};
  return {Wrong("AppArmor has denied something: " + denial,
                std::string("allow it in /etc/apparmor.d/local/"
                            "usr.sbin.cupsd, then type: sudo apparmor_parser "
                            "-r ") +
                    kProfile)};
}

}  // namespace

bool LetsFiltersRun(std::string_view profile, const std::string& server_bin) {
  std::istringstream lines{std::string(profile)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string path, rights;
    if (!(words >> path >> rights) || path.starts_with('#')) continue;
    const bool is_about_filters =
        path == server_bin + "/filter/**" || path == server_bin + "/filter/*" ||
        path == server_bin + "/filter/rastertohalftone";
    if (is_about_filters && rights.find('x') != rights.npos) return true;
  }
  return false;
}

std::string DenialIn(std::string_view journal) {
  std::istringstream lines{std::string(journal)};
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("apparmor=\"DENIED\"");
    if (at == line.npos || line.find("halftone", at) == line.npos) continue;
    last = line.substr(at);
  }
  return last;
}

Findings CheckAppArmor(const CheckContext& context) {
  if (!IsEnabled()) return {Good("AppArmor confines nothing here")};
  const std::string label = LabelOfCupsd();
  const bool is_enforced = label.ends_with("(enforce)");
  if (!label.empty() && !is_enforced) {
    return {Good("AppArmor does not confine cupsd (" + label + ")")};
  }
  Findings findings;
  const Result<std::string> profile = ReadTextFile(kProfile);
  if (!profile.ok()) {
    findings.push_back(Unseen("AppArmor's profile of cupsd"));
  } else if (!LetsFiltersRun(*profile, context.places.server_bin)) {
    findings.push_back(
        Wrong("AppArmor's profile of cupsd does not let CUPS run filters of " +
                  context.places.server_bin,
              std::string("type: sudo aa-complain ") + kProfile +
                  ", or allow it in /etc/apparmor.d/local/usr.sbin.cupsd"));
  } else {
    findings.push_back(Good("AppArmor's profile of cupsd lets filters run"));
  }
  for (Finding& finding : Denials(context.timeout)) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace halftoned
