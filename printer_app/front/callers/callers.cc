// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/callers.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace halftoned {
namespace {

// Members of this group can change printers, as in CUPS.
constexpr const char* kAdminGroup = "lpadmin";
constexpr size_t kNameRoom = 16384;  // of the databases of users and groups

struct User {
  uid_t id;
  gid_t group;
  std::string name;
};

std::optional<User> FindUser(uid_t id) {
  std::vector<char> room(kNameRoom);
  passwd entry;
  passwd* found = nullptr;
  getpwuid_r(id, &entry, room.data(), room.size(), &found);
  if (!found) return std::nullopt;
  return User{id, found->pw_gid, found->pw_name};
}

std::optional<User> FindUser(const std::string& name) {
  std::vector<char> room(kNameRoom);
  passwd entry;
  passwd* found = nullptr;
  getpwnam_r(name.c_str(), &entry, room.data(), room.size(), &found);
  if (!found) return std::nullopt;
  return User{found->pw_uid, found->pw_gid, found->pw_name};
}

bool IsMember(const User& user, const std::string& group) {
  std::vector<char> room(kNameRoom);
  ::group entry;
  ::group* found = nullptr;
  getgrnam_r(group.c_str(), &entry, room.data(), room.size(), &found);
  if (!found) return false;
  const gid_t wanted = found->gr_gid;
  int count = 64;
  std::vector<gid_t> groups(static_cast<size_t>(count));
  if (getgrouplist(user.name.c_str(), user.group, groups.data(), &count) < 0) {
    groups.resize(static_cast<size_t>(count));
    if (getgrouplist(user.name.c_str(), user.group, groups.data(), &count) <
        0) {
      return false;
    }
  }
  groups.resize(static_cast<size_t>(count));
  return std::ranges::count(groups, wanted) > 0;
}

bool IsAdmin(const User& user, const std::string& group) {
  return user.id == 0 || user.id == geteuid() || IsMember(user, kAdminGroup) ||
         (!group.empty() && IsMember(user, group));
}

}  // namespace

bool IsMemberOf(const std::string& user, const std::string& group) {
  const auto found = FindUser(user);
  return found && !group.empty() && IsMember(*found, group);
}

bool IsAdministrator(const std::string& user, const std::string& group) {
  const auto found = FindUser(user);
  return found && IsAdmin(*found, group);
}

bool IsAdministrator(uid_t user) {
  const auto found = FindUser(user);
  return found && IsAdmin(*found, "");
}

Caller CallerOf(const ConnectionOwner& owner, const Origin& origin) {
  Caller caller;
  caller.is_local = owner.is_local;
  caller.place = origin.place();
  caller.network = origin.network();
  if (!owner.uid) return caller;
  const auto user = FindUser(*owner.uid);
  caller.name = user ? user->name : "uid " + std::to_string(*owner.uid);
  if (!user) {
    // A user can have thousands of these (subuid(5)).
    caller.is_nameless = true;
    caller.network = "users without names";
  }
  caller.is_trusted =
      *owner.uid == 0 || *owner.uid == geteuid() || caller.name == "lp";
  return caller;
}

}  // namespace halftoned
