// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/connections.h"

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "printer_app/front/callers/callers.h"
#include "printer_app/front/client/serve_client.h"

namespace halftoned {
namespace {

constexpr std::chrono::minutes kMostOfMemory{1};
constexpr char kTooMany[] =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
    "Connection: close\r\nRetry-After: 5\r\n\r\n";

Origin FindOrigin(const ConnectionOwner& owner, http_t* http) {
  if (!owner.is_local) return OriginOf(*httpGetAddress(http));
  return owner.uid ? OriginOf(*owner.uid) : OriginOf("nobody");
}

}  // namespace

Connections::Connections(Front& front)
    : front_(front),
      table_({.all = Front::kMostConnections,
              .of_network = Front::kMostOfNetwork,
              .kept = Front::kKeptForAdmins,
              .ending = Front::kMostEnding}) {}

void Connections::Accept(int listener) {
  std::unique_ptr<http_t, CloseHttp> http(httpAcceptConnection(listener, 1));
  if (!http) return;
  const int connection = httpGetFd(http.get());
  const ConnectionOwner owner = OwnerOfOtherEnd(connection);
  const Origin origin = FindOrigin(owner, http.get());
  const auto client = std::make_shared<FrontClient>(
      std::move(http), Caller(), front_.settings.client_timeout,
      front_.work_slots, front_.handshakes, front_.answers);
  const OpenConnections::Entry* entry = Enter(*client, owner, origin);
  if (!entry) {
    send(connection, kTooMany, sizeof(kTooMany) - 1,
         MSG_NOSIGNAL | MSG_DONTWAIT);
    return;
  }
  ++count_;
  const bool is_started = threads_.Run([this, client, entry, owner, origin] {
    Serve(*client, owner, origin);
    client->Close();
    Leave(entry);
  });
  if (!is_started) Leave(entry);
}

// Trusts root, because cupsd connects for many users, and the server's own
// user, who must be able to repair it.
OpenConnections::Entry* Connections::Enter(ClientWait& client,
                                           const ConnectionOwner& owner,
                                           const Origin& origin) {
  using Rank = OpenConnections::Rank;
  const bool is_trusted =
      owner.uid && (*owner.uid == 0 || *owner.uid == geteuid());
  const auto enter = [&](Rank rank) {
    const std::lock_guard lock(mutex_);
    return table_.Enter(client, origin, rank);
  };
  if (is_trusted) return enter(Rank::kTrusted);
  OpenConnections::Entry* entry = enter(Rank::kUser);
  if (entry || !owner.uid || !IsAdmin(*owner.uid)) return entry;
  return enter(Rank::kAdmin);
}

void Connections::Leave(const OpenConnections::Entry* entry) {
  {
    const std::lock_guard lock(mutex_);
    table_.Leave(entry);
  }
  --count_;
}

bool Connections::IsAdmin(uid_t user) {
  const auto now = ClientWait::Clock::now();
  if (now >= forget_admins_) {
    admins_.clear();
    forget_admins_ = now + kMostOfMemory;
  }
  const auto known = admins_.find(user);
  if (known != admins_.end()) return known->second;
  return admins_[user] = IsAdministrator(user);
}

void Connections::Serve(FrontClient& client, const ConnectionOwner& owner,
                        const Origin& origin) {
  try {
    client.caller = CallerOf(owner, origin);
    ServeClient(front_, client);
  } catch (const std::exception& error) {
    front_.log.Write(FrontLog::kError, error.what(), client.caller);
  }
}

void Connections::DropOverdue() {
  const auto now = ClientWait::Clock::now();
  const std::lock_guard lock(mutex_);
  for (const OpenConnections::Entry& entry : table_.entries()) {
    entry.client().DropIfOverdue(now);
  }
}

}  // namespace halftoned
