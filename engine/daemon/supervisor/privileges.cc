// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/privileges.h"

#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/descriptor.h"
#include "daemon/confine/users.h"

namespace halftoned::daemon {
namespace {

struct Identity {
  uid_t uid;
  gid_t gid;
  std::vector<gid_t> groups;
};

Error In(const Setting<std::string>& setting, const std::string& problem) {
  return BadInput(setting.where.empty() ? problem
                                        : setting.where + ": " + problem);
}

Result<Identity> FindUser(const Setting<std::string>& user) {
  const passwd* entry = ::getpwnam(user.value.c_str());
  if (!entry) {
    return In(user, "there is no user '" + user.value + "'" +
                        (user.where.empty() ? "; create it, or set another "
                                              "one in halftoned.conf"
                                            : ""));
  }
  if (entry->pw_uid == 0) {
    return In(user, "the daemon does not run as root; choose another user");
  }
  return Identity{entry->pw_uid, entry->pw_gid, {}};
}

Result<Identity> Find(const DaemonConfig& config) {
  HALFTONED_TRY_ASSIGN(Identity identity, FindUser(config.user));
  int count = 64;
  identity.groups.resize(static_cast<size_t>(count));
  if (::getgrouplist(config.user.value.c_str(), identity.gid,
                     identity.groups.data(), &count) < 0) {
    return In(config.user,
              "the user '" + config.user.value + "' is in too many groups");
  }
  identity.groups.resize(static_cast<size_t>(count));
  HALFTONED_TRY_ASSIGN(const gid_t of_socket, GroupOf(config.group));
  identity.groups.push_back(of_socket);
  return identity;
}

// Removes an empty folder of our own: a start that was interrupted before it
// changed the folder's owner leaves one, which `owner` could not use.
bool RemoveLeftFolder(const std::string& folder) {
  struct stat status;
  return ::lstat(folder.c_str(), &status) == 0 &&
         status.st_uid == ::geteuid() && ::rmdir(folder.c_str()) == 0;
}

// Creates `folder`, but not its parents.
Result<void> MakeFolder(const std::string& folder,
                        const std::optional<Identity>& owner) {
  int made = ::mkdir(folder.c_str(), 0755);
  if (made != 0 && errno == EEXIST) {
    if (!owner || !RemoveLeftFolder(folder)) return {};
    made = ::mkdir(folder.c_str(), 0755);
  }
  if (made != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot create " + folder);
  }
  // The umask may have removed permissions.
  if (::chmod(folder.c_str(), 0755) != 0 ||
      (owner && ::lchown(folder.c_str(), owner->uid, owner->gid) != 0)) {
    return ErrnoError(ErrorCode::kIo, folder);
  }
  return {};
}

Result<void> Become(const Identity& identity) {
  if (::setgroups(identity.groups.size(), identity.groups.data()) != 0 ||
      ::setresgid(identity.gid, identity.gid, identity.gid) != 0 ||
      ::setresuid(identity.uid, identity.uid, identity.uid) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot drop root privileges");
  }
  return {};
}

// Empty if that user is `own`, or if the default user does not exist.
Result<std::optional<WorkerUser>> FindWorkerUser(
    const Setting<std::string>& user, uid_t own) {
  if (user.where.empty() && !::getpwnam(user.value.c_str())) {
    return std::optional<WorkerUser>();
  }
  HALFTONED_TRY_ASSIGN(const Identity identity, FindUser(user));
  if (identity.uid == own) return std::optional<WorkerUser>();
  if (identity.gid == 0) {
    return In(user, "the group of the user '" + user.value + "' is root's");
  }
  return std::optional<WorkerUser>({identity.uid, identity.gid});
}

}  // namespace

Result<void> CheckUser(const Setting<std::string>& user) {
  HALFTONED_TRY(FindUser(user));
  return {};
}

Result<gid_t> GroupOf(const Setting<std::string>& group) {
  const struct group* entry = ::getgrnam(group.value.c_str());
  if (!entry) return In(group, "there is no group '" + group.value + "'");
  return entry->gr_gid;
}

Result<std::optional<WorkerUser>> LeaveRoot(
    const DaemonConfig& config, const std::vector<std::string>& folders) {
  std::optional<Identity> identity;
  std::optional<WorkerUser> workers;
  if (::geteuid() == 0) {
    HALFTONED_TRY_ASSIGN(identity, Find(config));
    HALFTONED_TRY_ASSIGN(workers,
                         FindWorkerUser(config.worker_user, identity->uid));
  }
  for (const std::string& folder : folders) {
    HALFTONED_TRY(MakeFolder(folder, identity));
  }
  if (!identity) return workers;
  const auto become = [&] { return Become(*identity); };
  HALFTONED_TRY(workers ? KeepChangingUsers(become) : become());
  return workers;
}

Result<void> CheckRootIsLeft() {
  if (::setresuid(0, 0, 0) != 0) return {};
  return Bug("root privileges could be regained");
}

uint64_t RaiseFileLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace halftoned::daemon
