// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/connections.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "printer_app/front/callers/callers.h"
#include "printer_app/front/client/serve_client.h"

namespace halftoned {
namespace {

constexpr size_t kStack = 512 << 10;
constexpr std::chrono::minutes kMostOfMemory{1};
constexpr char kTooMany[] =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
    "Connection: close\r\nRetry-After: 5\r\n\r\n";

// False if there is no thread for it.
bool StartThread(std::function<void()> run) {
  pthread_attr_t form;
  pthread_attr_init(&form);
  pthread_attr_setdetachstate(&form, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&form, kStack);
  auto* given = new std::function<void()>(std::move(run));
  pthread_t thread;
  const int error = pthread_create(
      &thread, &form,
      [](void* data) -> void* {
        const std::unique_ptr<std::function<void()>> body(
            static_cast<std::function<void()>*>(data));
        (*body)();
        return nullptr;
      },
      given);
  pthread_attr_destroy(&form);
  if (error) delete given;
  return error == 0;
}

std::string AddressOf(http_t* http) {
  char text[256] = "";
  httpAddrString(httpGetAddress(http), text, sizeof(text));
  return text;
}

}  // namespace

void Connections::Accept(int listener) {
  std::unique_ptr<http_t, CloseHttp> http(httpAcceptConnection(listener, 1));
  if (!http) return;
  const ConnectionOwner owner = OwnerOfOtherEnd(httpGetFd(http.get()));
  Caller caller;
  caller.is_local = owner.is_local;
  caller.place = !owner.is_local ? AddressOf(http.get())
                 : owner.uid     ? "uid " + std::to_string(*owner.uid)
                                 : "nobody";
  if (!Enter(owner, caller.place)) {
    send(httpGetFd(http.get()), kTooMany, sizeof(kTooMany) - 1,
         MSG_NOSIGNAL | MSG_DONTWAIT);
    return;
  }
  const std::string place = caller.place;
  ++count_;
  http_t* given = http.release();
  const bool is_started = StartThread([this, given, owner, caller]() mutable {
    if (owner.uid) caller = CallerOf(owner, caller.place);
    Serve(std::unique_ptr<http_t, CloseHttp>(given), std::move(caller));
  });
  if (is_started) return;
  httpClose(given);
  front_.counts.Leave(place);
  --count_;
}

// cupsd's connections are many users'.
bool Connections::Enter(const ConnectionOwner& owner,
                        const std::string& place) {
  using Rank = ConnectionCounts::Rank;
  const bool is_root = owner.uid && *owner.uid == 0;
  if (front_.counts.Enter(place, is_root ? Rank::kRoot : Rank::kUser)) {
    return true;
  }
  return owner.uid && !is_root && IsAdmin(*owner.uid) &&
         front_.counts.Enter(place, Rank::kAdmin);
}

bool Connections::IsAdmin(uid_t user) {
  const auto now = FrontClient::Clock::now();
  if (now >= forget_admins_) {
    admins_.clear();
    forget_admins_ = now + kMostOfMemory;
  }
  const auto known = admins_.find(user);
  if (known != admins_.end()) return known->second;
  return admins_[user] = IsAdministrator(user);
}

void Connections::Serve(std::unique_ptr<http_t, CloseHttp> http,
                        Caller caller) {
  const std::string place = caller.place;
  {
    FrontClient client(std::move(http), std::move(caller),
                       front_.settings.client_timeout);
    {
      const std::lock_guard lock(mutex_);
      clients_.insert(&client);
    }
    try {
      ServeClient(front_, client);
    } catch (const std::exception& error) {
      front_.log.Write(FrontLog::kError, error.what());
    }
    const std::lock_guard lock(mutex_);
    clients_.erase(&client);
  }
  front_.counts.Leave(place);
  --count_;
}

void Connections::DropOverdue() {
  const auto now = FrontClient::Clock::now();
  const std::lock_guard lock(mutex_);
  for (FrontClient* client : clients_) {
    if (client->IsOverdue(now)) client->Drop();
  }
}

}  // namespace halftoned
