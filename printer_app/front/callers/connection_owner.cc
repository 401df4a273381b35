// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/connection_owner.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace halftoned {
namespace {

// The two ends of a TCP connection.
struct Ends {
  sockaddr_storage ours = {};
  sockaddr_storage theirs = {};

  bool is_ipv4() const { return ours.ss_family == AF_INET; }
};

// Writes an address and a port as inet_diag has them.
void Put(const sockaddr_storage& end, __be32 (&address)[4], __be16& port) {
  if (end.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(end);
    address[0] = four.sin_addr.s_addr;
    port = four.sin_port;
  } else {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(end);
    std::memcpy(address, &six.sin6_addr, sizeof(six.sin6_addr));
    port = six.sin6_port;
  }
}

// An IPv4 address has 4 bytes, even in IPv6's form. Empty for other families.
std::string_view AddressBytes(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return {reinterpret_cast<const char*>(&four.sin_addr),
            sizeof(four.sin_addr)};
  }
  if (address.sa_family != AF_INET6) return {};
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  const std::string_view bytes(reinterpret_cast<const char*>(&six),
                               sizeof(six));
  return IN6_IS_ADDR_V4MAPPED(&six) ? bytes.substr(12) : bytes;
}

// Looks the socket up that is at the end `own`. Nothing if there is none, or if
// the kernel cannot be asked.
std::optional<inet_diag_msg> AskKernel(const sockaddr_storage& own,
                                       const sockaddr_storage& other) {
  const Descriptor kernel(
      socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  struct {
    nlmsghdr header;
    inet_diag_req_v2 body;
  } question = {};
  question.header.nlmsg_len = sizeof(question);
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = static_cast<uint8_t>(own.ss_family);
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0U;
  inet_diag_sockid& id = question.body.id;
  Put(own, id.idiag_src, id.idiag_sport);
  Put(other, id.idiag_dst, id.idiag_dport);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (!kernel.open() ||
      send(kernel.get(), &question, sizeof(question), 0) < 0) {
    return std::nullopt;
  }
  alignas(nlmsghdr) char room[4096];
  const ssize_t size = recv(kernel.get(), room, sizeof(room), 0);
  auto* header = reinterpret_cast<nlmsghdr*>(room);  // for NLMSG_DATA
  if (size < ssize_t{NLMSG_LENGTH(sizeof(inet_diag_msg))} ||
      header->nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    return std::nullopt;  // an error, most likely
  }
  inet_diag_msg socket;
  std::memcpy(&socket, NLMSG_DATA(header), sizeof(socket));
  // A listener's port may be the same.
  if (socket.id.idiag_dport != id.idiag_dport) return std::nullopt;
  return socket;
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

// The same from a list of all sockets, which takes the kernel milliseconds.
std::optional<uid_t> FindInList(const Ends& ends) {
  std::ifstream list(ends.is_ipv4() ? "/proc/net/tcp" : "/proc/net/tcp6");
  const std::string both =
      ' ' + Listed(ends.theirs) + ' ' + Listed(ends.ours) + ' ';
  for (std::string line; std::getline(list, line);) {
    const size_t at = line.find(both);
    if (at == line.npos) continue;
    unsigned state = 0, user = 0;
    unsigned long inode = 0;
    if (std::sscanf(line.c_str() + at + both.size(),
                    "%x %*x:%*x %*x:%*x %*x %u %*d %lu", &state, &user,
                    &inode) == 3 &&
        state != TCP_SYN_SENT && inode != 0) {
      return user;
    }
  }
  return std::nullopt;
}

std::optional<uid_t> FindOwner(const Ends& ends) {
  if (const auto socket = AskKernel(ends.theirs, ends.ours)) {
    if (socket->idiag_inode == 0 || socket->idiag_state == TCP_SYN_SENT) {
      return std::nullopt;
    }
    return socket->idiag_uid;
  }
  // Where the kernel finds this end, there is no other one here.
  if (AskKernel(ends.ours, ends.theirs)) return std::nullopt;
  return FindInList(ends);
}

// Whether the connection still is one. While it is, no other socket has the
// same two ends, except one that tries to connect.
bool IsConnected(int connection) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  return getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         (info.tcpi_state == TCP_ESTABLISHED ||
          info.tcpi_state == TCP_CLOSE_WAIT);
}

}  // namespace

ConnectionOwner OwnerOfOtherEnd(int connection) {
  Ends ends;
  socklen_t size = sizeof(ends.ours);
  auto* address = reinterpret_cast<sockaddr*>(&ends.ours);
  if (getsockname(connection, address, &size)) return {true, {}};
  if (ends.ours.ss_family == AF_UNIX) {
    ucred peer;
    size = sizeof(peer);
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
      return {true, {}};
    }
    return {true, peer.uid};
  }
  size = sizeof(ends.theirs);
  address = reinterpret_cast<sockaddr*>(&ends.theirs);
  if (getpeername(connection, address, &size)) return {true, {}};
  auto owner = FindOwner(ends);
  // Its user may have closed it, and another one taken its port meanwhile.
  if (!IsConnected(connection)) owner.reset();
  // Without an owner, the address tells a closed socket from another machine's.
  return {owner || IsOfThisMachine(ends.theirs), owner};
}

bool IsOfThisMachine(const sockaddr_storage& address) {
  const std::string_view own =
      AddressBytes(reinterpret_cast<const sockaddr&>(address));
  if (own.size() == sizeof(in_addr) && own[0] == IN_LOOPBACKNET) return true;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return true;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first,
                                                             freeifaddrs);
  for (const ifaddrs* each = first; each; each = each->ifa_next) {
    if (each->ifa_addr && AddressBytes(*each->ifa_addr) == own) return true;
  }
  return false;
}

}  // namespace halftoned
