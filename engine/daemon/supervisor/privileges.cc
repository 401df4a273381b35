// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/privileges.h"

#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/descriptor.h"

namespace halftoned::daemon {
namespace {

struct Identity {
  uid_t uid;
  gid_t gid;
  std::vector<gid_t> groups;
};

Result<Identity> Find(const std::string& user, const std::string& group) {
  const passwd* entry = ::getpwnam(user.c_str());
  if (!entry) return BadInput("there is no user '" + user + "'");
  Identity identity{entry->pw_uid, entry->pw_gid, {}};
  if (identity.uid == 0) {
    return BadInput("the daemon does not work as root: choose another user");
  }
  int count = 64;
  identity.groups.resize(static_cast<size_t>(count));
  if (::getgrouplist(user.c_str(), identity.gid, identity.groups.data(),
                     &count) < 0) {
    return BadInput("the user '" + user + "' is in too many groups");
  }
  identity.groups.resize(static_cast<size_t>(count));
  const struct group* of_socket = ::getgrnam(group.c_str());
  if (!of_socket) return BadInput("there is no group '" + group + "'");
  identity.groups.push_back(of_socket->gr_gid);
  return identity;
}

// Makes `folder` alone, not what it is in.
Result<void> MakeFolder(const std::string& folder,
                        const std::optional<Identity>& owner) {
  if (::mkdir(folder.c_str(), 0755) != 0) {
    if (errno == EEXIST) return {};
    return ErrnoError(ErrorCode::kIo, "cannot make " + folder);
  }
  // The umask may have left less.
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
    return ErrnoError(ErrorCode::kUnavailable, "cannot leave root");
  }
  if (::setuid(0) == 0) return Bug("root was not left for good");
  return {};
}

}  // namespace

Result<void> LeaveRoot(const std::string& user, const std::string& group,
                       const std::vector<std::string>& folders) {
  std::optional<Identity> identity;
  if (::geteuid() == 0) {
    HALFTONED_TRY_ASSIGN(identity, Find(user, group));
  }
  for (const std::string& folder : folders) {
    HALFTONED_TRY(MakeFolder(folder, identity));
  }
  if (identity) HALFTONED_TRY(Become(*identity));
  return {};
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
