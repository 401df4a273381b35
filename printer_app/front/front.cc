// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front.h"

#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/hosts.h"
#include "printer_app/front/announce/announcer.h"
#include "printer_app/front/callers/callers.h"
#include "printer_app/front/rules/texts.h"
#include "printer_app/front/web/web_pages.h"

namespace halftoned {
namespace {

constexpr size_t kLongestPrinterName = 127;  // of a printer, in PAPPL

// Whether the page, with lines "JOB /NAME", has one of these jobs. 0 is any job
// of the printer.
bool HasJobs(const std::string& page, const std::string& printer,
             const std::set<int>& jobs) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const size_t slash = line.find(" /");
    if (slash == line.npos || KeyOf(line.substr(slash + 2)) != KeyOf(printer)) {
      continue;
    }
    if (jobs.contains(std::atoi(line.c_str())) || jobs.contains(0)) return true;
  }
  return false;
}

}  // namespace

std::string Front::MakeKey() {
  std::string key(32, '\0');
  if (getrandom(key.data(), key.size(), 0) != ssize_t(key.size())) std::abort();
  return key;
}

LiveSettings Front::Live() const {
  LiveSettings live;
  const Result<std::string> page = behind.AskPage("/halftone-inner/settings");
  if (!page.ok()) return live;
  std::istringstream lines(*page);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals == line.npos) continue;
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(equals + 1);
    if (name == "admin-group") live.admin_group = value;
    if (name == "host-name") live.host_name = value;
  }
  return live;
}

std::vector<LivePrinter> Front::Printers() const {
  std::vector<LivePrinter> printers;
  const Result<std::string> page = behind.AskPage(Behind::kPrintersPage);
  if (!page.ok()) return printers;
  std::istringstream lines(*page);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(' ');
    const size_t second = line.find(" /", first);
    if (second == line.npos) continue;
    printers.push_back(
        {std::atoi(line.c_str()),
         second > first ? line.substr(first + 1, second - first - 1) : "",
         line.substr(second + 2)});
  }
  return printers;
}

bool Front::SavesEnds(const std::string& printer,
                      const std::set<int>& jobs) const {
  const Result<std::string> page = behind.AskPage("/halftone-inner/ends");
  return page.ok() && !HasJobs(*page, printer, jobs);
}

// If PAPPL's process ends before it replies, it has the job again when it
// starts, unless the job was not saved, which is rare.
bool Front::SavesJob(const std::string& printer, int job) const {
  const Result<std::string> page = behind.AskPage("/halftone-inner/unsaved");
  return !page.ok() || !HasJobs(*page, printer, {job});
}

// As PAPPL makes the last part of its address.
std::string Front::KeyOfNew(std::string_view name) {
  std::string part(!name.empty() && std::isdigit(name[0] & 255), '_');
  for (const char c : name) {
    const bool is_bad = (c & 255) <= ' ' || std::strchr("\177/\\?'\"#", c);
    if (!is_bad && c != '_') {
      part += c;
    } else if (!part.ends_with('_')) {
      part += '_';
    }
  }
  if (part.ends_with('_')) part.pop_back();
  return KeyOf(part);
}

std::string Front::WhatForbidsName(const std::string& name) const {
  const std::string key = KeyOfNew(name);
  if (key.empty() || name.size() > kLongestPrinterName || name[0] == '.' ||
      name[0] == ' ' || name.back() == ' ' ||
      name.find_first_of("/%") != name.npos || !IsSeenWhole(name) ||
      CleanText(name) != name) {
    return "A printer's name must not be empty, begin with a period or a "
           "blank, end with a blank, consist of underscores, or contain /, % "
           "or invisible characters; its maximum length is 127 bytes.";
  }
  if (!HasOneSpelling(name)) {
    return "A printer's name must not contain separate accents, or special "
           "forms of letters such as full-width ones.";
  }
  if (IsTaken(key)) {
    return "The server has a page of this name.";
  }
  for (const LivePrinter& printer : Printers()) {
    if (KeyOf(printer.name) == key) {
      return "Printer " + printer.name + " exists already.";
    }
  }
  return "";
}

Front::NewName::NewName(Front& front, const std::string& name)
    : front_(front), key_(KeyOfNew(name)) {
  {
    const std::lock_guard lock(front_.new_names_mutex);
    is_first_ = front_.new_names.insert(key_).second;
  }
  why_not_ = is_first_ ? front_.WhatForbidsName(name)
                       : "A printer of this name is being added already.";
}

Front::NewName::~NewName() {
  const std::lock_guard lock(front_.new_names_mutex);
  if (is_first_) front_.new_names.erase(key_);
}

void Front::FindRights(Caller& caller) const {
  if (!caller.is_local || caller.is_admin || caller.is_lured ||
      caller.name.empty()) {
    return;
  }
  caller.is_admin = IsAdministrator(caller.name, "") ||
                    IsMemberOf(caller.name, Live().admin_group);
}

bool Front::IsOurHost(const std::string& host) const {
  std::vector<std::string> names = NamesOfMachine(settings.host_name);
  char own[256] = "";
  gethostname(own, sizeof(own) - 1);
  const std::string in_network = announcer ? announcer->HostName() : "";
  for (const std::string_view each :
       {std::string_view(own), std::string_view(in_network)}) {
    for (const std::string& name : NamesOfMachine(each)) names.push_back(name);
  }
  return halftoned::IsOurHost(host, names) ||
         halftoned::IsOurHost(host, NamesOfMachine(Live().host_name));
}

bool Front::MayPrint(const Caller& caller, const std::string& printer) const {
  if (settings.auth_service.empty() || caller.is_admin || caller.is_trusted) {
    return true;
  }
  if (caller.name.empty()) return false;
  for (const LivePrinter& each : Printers()) {
    if (strcasecmp(each.name.c_str(), printer.c_str()) != 0) continue;
    return each.print_group.empty() || each.print_group == "none" ||
           IsMemberOf(caller.name, each.print_group);
  }
  return true;  // there is none
}

}  // namespace halftoned
