// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/json.h"
#include "check/checks.h"
#include "status/ask_daemon.h"
#include "wire/remote_engine.h"

namespace halftoned {
namespace {

constexpr char kRestart[] = "type: sudo systemctl restart halftoned";

std::string HowToStart(const Places& places) {
  if (Exists("/run/systemd/system")) {
    return "type: sudo systemctl enable --now halftoned.socket "
           "halftoned-status.socket";
  }
  return "type: sudo start-stop-daemon --start --background --output "
         "/var/log/halftoned.log --exec " +
         places.daemon;
}

std::string NameOf(gid_t gid) {
  const group* found = ::getgrgid(gid);
  return found ? found->gr_name : std::to_string(gid);
}

// Checks the permissions of the client socket: filters run as CUPS' user and
// group.
Findings RightsOf(const CheckContext& context) {
  const std::string& path = context.config.daemon.socket;
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == EACCES) return {Unseen("the permissions of " + path)};
    return {};  // Reach reports this
  }
  const std::string& wanted = context.places.group;
  const bool is_group = NameOf(status.st_gid) == wanted;
  const bool is_for_group = (status.st_mode & S_IWGRP) != 0;
  const bool is_for_all = (status.st_mode & S_IWOTH) != 0;
  if (is_for_all || (is_group && is_for_group)) {
    return {Good("filters can connect to " + path)};
  }
  return {Wrong(path + " belongs to the group " + NameOf(status.st_gid) +
                    ", but CUPS runs filters with the group " + wanted,
                "type: sudo chgrp " + wanted + " " + path +
                    " && sudo chmod 660 " + path +
                    ", and name the group in halftoned.conf or in "
                    "halftoned.socket")};
}

// Connects as a filter does.
Findings Reach(const CheckContext& context) {
  const DaemonConfig& daemon = context.config.daemon;
  if (::access(daemon.socket.c_str(), F_OK) == 0 &&
      ::access(daemon.socket.c_str(), W_OK) != 0) {
    return {Unseen(
        "whether filters can connect to halftoned, which requires the group " +
        context.places.group)};
  }
  wire::RemoteOptions options;
  options.socket = daemon.socket;
  options.owner = daemon.user.value;
  options.patience = std::chrono::seconds(context.timeout);
  options.welcome_patience = options.patience;
  const Result<void> reached = wire::RemoteEngine(options).Probe();
  if (reached.ok()) return {Good("halftoned serves at " + daemon.socket)};
  return {Wrong(reached.error().message, HowToStart(context.places))};
}

Findings AskForStatus(const CheckContext& context) {
  const Result<std::string> answer = AskDaemon(
      context.config.daemon.status_socket, "json", context.timeout * 1000);
  if (answer.ok()) return StatusFindings(*answer);
  return {Wrong(answer.error().message, HowToStart(context.places))};
}

Findings WorkerFindings(const Json& status) {
  size_t ready = 0;
  for (const Json& worker : status.value("workers", Json::array())) {
    if (worker.value("state", "") == "ready") ++ready;
  }
  if (ready > 0) {
    return {Good("halftoned has " + std::to_string(ready) + " ready worker" +
                 (ready == 1 ? "" : "s"))};
  }
  return {Wrong("halftoned has no ready worker",
                "type: journalctl -u halftoned -n 20")};
}

}  // namespace

Findings StatusFindings(const std::string& text) {
  const Json status = Json::parse(text, nullptr, false);
  if (!status.is_object()) {
    return {Wrong("halftoned's status is malformed", kRestart)};
  }
  Findings findings = WorkerFindings(status);
  const std::string version = status.value("version", "");
  if (version != HALFTONED_VERSION) {
    findings.push_back(
        Wrong("the running halftoned has version " + version +
                  ", but halftone has version " HALFTONED_VERSION,
              kRestart));
  }
  const Json kept_out = status.value("kept_out", Json::object());
  for (const auto& [kind, why] : kept_out.items()) {
    findings.push_back(
        Wrong(kind + " is quarantined: " + why.get<std::string>(),
              "type: sudo systemctl reload halftoned"));
  }
  const Json absent = status.value("absent", Json::object());
  for (const auto& [kind, why] : absent.items()) {
    findings.push_back(Wrong(kind + " is missing: " + why.get<std::string>(),
                             "type: nvidia-smi"));
  }
  return findings;
}

Findings CheckDaemon(const CheckContext& context) {
  const DaemonConfig& daemon = context.config.daemon;
  if (!context.config.use_of_daemon.use) {
    return {Good("filters do not use halftoned (use-daemon = false)")};
  }
  const bool is_expected = Exists(context.places.daemon) ||
                           Exists(daemon.socket) ||
                           Exists(daemon.status_socket);
  if (!is_expected) {
    return {Good("halftoned is not installed; filters do all work themselves")};
  }
  Findings findings = AskForStatus(context);
  // One finding about a missing daemon is enough.
  if (findings.size() == 1 && findings[0].kind == FindingKind::kWrong &&
      !Exists(daemon.socket)) {
    return findings;
  }
  for (Findings more : {RightsOf(context), Reach(context)}) {
    for (Finding& finding : more) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace halftoned
