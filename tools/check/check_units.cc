// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <map>
#include <sstream>
#include <thread>

#include "base/text.h"
#include "check/checks.h"
#include "check/run_program.h"
#include "config/gpus.h"
#include "config/unit_limits.h"

namespace halftoned {
namespace {

using Unit = std::map<std::string, std::string>;

constexpr char kService[] = "halftoned.service";
constexpr char kSocket[] = "halftoned.socket";
constexpr char kStatusSocket[] = "halftoned-status.socket";
constexpr char kEnable[] =
    "type: sudo systemctl enable --now halftoned.socket "
    "halftoned-status.socket";

// Blocks of KEY=VALUE, with an empty line between them, by Id.
std::map<std::string, Unit> UnitsIn(std::string_view shown) {
  std::map<std::string, Unit> units;
  Unit unit;
  std::istringstream lines{std::string(shown) + "\n\n"};
  for (std::string line; std::getline(lines, line);) {
    const size_t sign = line.find('=');
    if (sign != line.npos) {
      unit[line.substr(0, sign)] += line.substr(sign + 1) + "\n";
    } else if (!unit.empty()) {
      const std::string id = unit["Id"];
      units[id.substr(0, id.find('\n'))] = std::move(unit);
      unit.clear();
    }
  }
  return units;
}

bool Is(const Unit& unit, const std::string& key, const std::string& value) {
  const auto found = unit.find(key);
  return found != unit.end() && found->second == value + "\n";
}

// A number in a property; UINT64_MAX for "infinity" and the like.
uint64_t NumberOf(const Unit& unit, const std::string& key) {
  const auto found = unit.find(key);
  if (found == unit.end()) return UINT64_MAX;
  std::string_view text = found->second;
  return TakeNumber<uint64_t>(text).value_or(UINT64_MAX);
}

Findings SocketFindings(const std::string& name, const Unit& unit,
                        const std::string& path) {
  if (Is(unit, "LoadState", "not-found")) {
    return {Wrong("systemd does not know " + name,
                  "type: sudo systemctl daemon-reload")};
  }
  if (!Is(unit, "ActiveState", "active")) {
    return {
        Wrong(name + " is not active, so the daemon does not start", kEnable)};
  }
  if (Is(unit, "UnitFileState", "disabled")) {
    return {Wrong(name + " will not start at the next boot", kEnable)};
  }
  const auto listen = unit.find("Listen");
  if (listen != unit.end() &&
      listen->second.find(path + " ") == std::string::npos) {
    return {
        Wrong(name + " does not listen at " + path + ", as halftoned.conf says",
              "type: sudo systemctl edit " + name)};
  }
  return {Good("systemd listens for " + name)};
}

Findings LimitFindings(const Unit& unit, const CheckContext& context) {
  constexpr uint64_t kBytesPerMib = uint64_t{1} << 20;
  UnitLimits allowed{NumberOf(unit, "MemoryMax"), NumberOf(unit, "TasksMax")};
  if (allowed.memory_mib != UINT64_MAX) allowed.memory_mib /= kBytesPerMib;
  const DaemonConfig& daemon = context.config.daemon;
  const size_t gpus = ServedGpus(daemon.gpus, context.places.libexec).size();
  const std::string lack =
      Lack(NeedsOf(daemon, gpus,
                   static_cast<int>(std::thread::hardware_concurrency())),
           allowed);
  if (lack.empty()) {
    return {
        Good("the limits of halftoned.service are enough for the "
             "configuration")};
  }
  return {Wrong(
      "the configuration needs more than halftoned.service allows: " + lack,
      "type: sudo systemctl edit halftoned, and add that below a "
      "line [Service]")};
}

}  // namespace

Findings UnitFindings(std::string_view shown, const CheckContext& context) {
  std::map<std::string, Unit> units = UnitsIn(shown);
  Findings findings;
  const auto add = [&](Findings more) {
    for (Finding& finding : more) findings.push_back(std::move(finding));
  };
  add(SocketFindings(kSocket, units[kSocket], context.config.daemon.socket));
  add(SocketFindings(kStatusSocket, units[kStatusSocket],
                     context.config.daemon.status_socket));
  const Unit& service = units[kService];
  if (Is(service, "ActiveState", "failed")) {
    findings.push_back(Wrong("halftoned.service has failed",
                             "type: journalctl -u halftoned -n 20"));
  }
  add(LimitFindings(service, context));
  return findings;
}

Findings CheckUnits(const CheckContext& context) {
  // Like sd_booted(3).
  if (!Exists("/run/systemd/system") || !Exists(context.places.daemon)) {
    return {};
  }
  const Result<Outcome> shown = RunProgram(
      {"systemctl", "show", "--no-pager", "-p",
       "Id,LoadState,ActiveState,UnitFileState,Listen,MemoryMax,TasksMax",
       kService, kSocket, kStatusSocket},
      context.timeout);
  if (!shown.ok() || shown->status != 0) {
    return {Unseen("the units of systemd")};
  }
  return UnitFindings(shown->out, context);
}

}  // namespace halftoned
