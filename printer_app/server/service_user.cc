// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/service_user.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace halftoned {
namespace {

constexpr char kUser[] = "halftone-printer-app";
constexpr char kState[] = "/var/lib/halftone-printer-app";
constexpr char kSpool[] = "/var/spool/halftone-printer-app";
// The same values as in halftone-printer-app.service and its tmpfiles.d(5).
constexpr char kRuntime[] = "/run/halftone-printer-app";
constexpr char kSocketLink[] = "/run/halftone-printer-app.sock";
constexpr char kSocket[] = "halftone-printer-app/socket";
constexpr const char* kOptions[] = {
    "server-port=8631", "log-file=-", "log-level=info",
    "spool-directory=/var/spool/halftone-printer-app"};

Error FailedFor(const std::string& what) {
  return IoError(what + ": " + std::strerror(errno));
}

std::string NameOfUser(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry ? entry->pw_name : "the user " + std::to_string(user);
}

Result<void> MakeOwned(const char* path, const passwd& user) {
  if (mkdir(path, 0700) == 0) {
    if (chown(path, user.pw_uid, user.pw_gid) != 0) return FailedFor(path);
  } else if (errno != EEXIST) {
    return FailedFor(path);
  }
  return {};
}

Result<void> LinkSocket() {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(kSocketLink, error);
  if (!error && target == kSocket) return {};
  if ((unlink(kSocketLink) != 0 && errno != ENOENT) ||
      symlink(kSocket, kSocketLink) != 0) {
    return FailedFor(kSocketLink);
  }
  return {};
}

Result<void> CheckOwner(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    return FailedFor(path);
  }
  if (status.st_uid == geteuid()) return {};
  return BadInput(path + ": belongs to " + NameOfUser(status.st_uid) +
                  "; a server of " + NameOfUser(geteuid()) +
                  " does not use it. Run the server as its owner, or change "
                  "the owner back with chown");
}

Result<void> ChangeTo(const passwd& user) {
  // USB printers.
  const group* printers = getgrnam("lp");
  const gid_t groups[] = {user.pw_gid, printers ? printers->gr_gid : 0};
  if (setgroups(printers ? 2 : 1, groups) != 0 || setgid(user.pw_gid) != 0 ||
      setuid(user.pw_uid) != 0) {
    return FailedFor(std::string("cannot become the user ") + kUser);
  }
  return {};
}

}  // namespace

bool IsServiceOfRoot() {
  return getuid() == 0 && !getenv("STATE_DIRECTORY") && !getenv("SNAP_COMMON");
}

Result<void> BecomeServiceUser() {
  const passwd* user = getpwnam(kUser);
  if (!user) {
    return BadInput(
        "root's server runs as the user halftone-printer-app, which does not "
        "exist; to create it, type: sudo useradd --system --user-group "
        "--home-dir /var/lib/halftone-printer-app --shell /usr/sbin/nologin "
        "halftone-printer-app");
  }
  for (const char* folder : {kState, kSpool, kRuntime}) {
    HALFTONED_TRY(MakeOwned(folder, *user));
  }
  HALFTONED_TRY(LinkSocket());
  HALFTONED_TRY(ChangeTo(*user));
  // As systemd sets them.
  setenv("STATE_DIRECTORY", kState, 1);
  setenv("RUNTIME_DIRECTORY", kRuntime, 1);
  setenv("HOME", kState, 1);
  return {};
}

Result<void> LeaveRoot() {
  const passwd* user = IsServiceOfRoot() ? getpwnam(kUser) : nullptr;
  return user ? ChangeTo(*user) : Result<void>();
}

std::span<const char* const> ServiceOptions() { return kOptions; }

Result<void> CheckOwner(const Folders& folders) {
  for (const std::string& path : {folders.state, folders.StateFile(),
                                  folders.PausedFile(), folders.spool}) {
    HALFTONED_TRY(CheckOwner(path));
  }
  return {};
}

std::string HowToStartService(const std::string& program) {
  // Like sd_booted(3).
  if (access("/run/systemd/system", F_OK) == 0) {
    return "sudo systemctl start halftone-printer-app";
  }
  return "sudo start-stop-daemon --start --background --output "
         "/var/log/halftone-printer-app.log --exec " +
         program + " -- server";
}

}  // namespace halftoned
