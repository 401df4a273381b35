// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/caller.h"

#include <arpa/inet.h>
#include <cups/http.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

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

// An address and a port, as the kernel lists them.
std::string Listed(const sockaddr_storage& address) {
  char text[64];
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    std::snprintf(text, sizeof(text), "%08X:%04X", four.sin_addr.s_addr,
                  ntohs(four.sin_port));
  } else {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    uint32_t words[4];
    std::memcpy(words, &six.sin6_addr, sizeof(words));
    std::snprintf(text, sizeof(text), "%08X%08X%08X%08X:%04X", words[0],
                  words[1], words[2], words[3], ntohs(six.sin6_port));
  }
  return text;
}

// The user at the other end of a connection within this machine. Of a program
// that has closed its end already the kernel does not know any more whose it
// was.
std::optional<uid_t> OwnerOfOtherEnd(const sockaddr_storage& ours,
                                     const sockaddr_storage& theirs) {
  std::ifstream list(ours.ss_family == AF_INET ? "/proc/net/tcp"
                                               : "/proc/net/tcp6");
  const std::string ends = ' ' + Listed(theirs) + ' ' + Listed(ours) + ' ';
  for (std::string line; std::getline(list, line);) {
    const size_t at = line.find(ends);
    if (at == line.npos) continue;
    unsigned user = 0;
    unsigned long inode = 0;
    if (std::sscanf(line.c_str() + at + ends.size(),
                    "%*x %*x:%*x %*x:%*x %*x %u %*d %lu", &user, &inode) == 2 &&
        inode != 0) {
      return user;
    }
  }
  return std::nullopt;
}

bool IsLoopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) != 0;
}

// Nothing of another machine; the user may be nobody.
struct LocalUser {
  std::optional<uid_t> id;
};
std::optional<LocalUser> LocalUserOf(int connection) {
  ucred peer;
  socklen_t size = sizeof(peer);
  sockaddr_storage ours = {}, theirs = {};
  socklen_t our_size = sizeof(ours), their_size = sizeof(theirs);
  if (getsockname(connection, reinterpret_cast<sockaddr*>(&ours), &our_size)) {
    return LocalUser{};
  }
  if (ours.ss_family == AF_UNIX) {
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
      return LocalUser{};
    }
    return LocalUser{peer.uid};
  }
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&theirs),
                  &their_size)) {
    return LocalUser{};
  }
  const auto owner = OwnerOfOtherEnd(ours, theirs);
  if (owner || IsLoopback(theirs)) return LocalUser{owner};
  return std::nullopt;
}

}  // namespace

Caller CallerOf(pappl_client_t* client, pappl_system_t* system) {
  Caller caller;
  const auto local = LocalUserOf(httpGetFd(papplClientGetHTTP(client)));
  if (!local) return caller;
  caller.is_local = true;
  if (!local->id) return caller;
  const auto user = FindUser(*local->id);
  caller.name = user ? user->name : "uid " + std::to_string(*local->id);
  caller.is_trusted =
      *local->id == 0 || *local->id == geteuid() || caller.name == "lp";
  char group[256] = "";
  papplSystemGetAdminGroup(system, group, sizeof(group));
  caller.is_admin = *local->id == 0 || *local->id == geteuid() ||
                    (user && (IsMember(*user, kAdminGroup) ||
                              (*group && IsMember(*user, group))));
  return caller;
}

}  // namespace halftoned
