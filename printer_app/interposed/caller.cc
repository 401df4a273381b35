// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/caller.h"

#include <cups/http.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "printer_app/interposed/connection_owner.h"

namespace halftoned {
namespace {

// Who may change printers beside root, as in CUPS.
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

bool IsMember(const User& user, const char* group) {
  std::vector<char> room(kNameRoom);
  ::group entry;
  ::group* found = nullptr;
  getgrnam_r(group, &entry, room.data(), room.size(), &found);
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

}  // namespace

Caller CallerOf(pappl_client_t* client, pappl_system_t* system) {
  Caller caller;
  const auto [is_local, uid] =
      OwnerOfOtherEnd(httpGetFd(papplClientGetHTTP(client)));
  caller.is_local = is_local;
  if (!uid) return caller;
  const auto user = FindUser(*uid);
  caller.name = user ? user->name : "uid " + std::to_string(*uid);
  caller.is_trusted = *uid == 0 || *uid == geteuid() || caller.name == "lp";
  char group[256] = "";
  papplSystemGetAdminGroup(system, group, sizeof(group));
  caller.is_admin = *uid == 0 || *uid == geteuid() ||
                    (user && (IsMember(*user, kAdminGroup) ||
                              (*group && IsMember(*user, group))));
  return caller;
}

}  // namespace halftoned
