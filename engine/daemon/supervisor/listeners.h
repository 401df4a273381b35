// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sockets that the daemon listens at: those that systemd passes, or its
// own. Of those who would have their own at one path, one gets them.

#ifndef HALFTONED_DAEMON_SUPERVISOR_LISTENERS_H_
#define HALFTONED_DAEMON_SUPERVISOR_LISTENERS_H_

#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "config/config.h"

namespace halftoned::daemon {

class Listeners {
 public:
  // What sd_listen_fds(3) has, by name: "halftoned.socket" for clients, and
  // "halftoned-status.socket"; or, if that is nothing, new ones where the
  // configuration says. From systemd there may be no status socket.
  static Result<std::unique_ptr<Listeners>> Open(const DaemonConfig& config);

  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;
  // Removes the files of its own sockets.
  ~Listeners();

  Descriptor TakeClients() { return std::move(clients_); }
  Descriptor TakeStatus() { return std::move(status_); }
  // Where the clients' socket is.
  const std::string& path() const { return path_; }

 private:
  Listeners() = default;

  Result<void> Take(int count, char** names);
  Result<void> Make(const DaemonConfig& config);

  Descriptor clients_;
  Descriptor status_;
  std::string path_;
  // Held while the daemon has sockets of its own.
  Descriptor lock_;
  std::string own_clients_;  // files to remove
  std::string own_status_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_LISTENERS_H_
