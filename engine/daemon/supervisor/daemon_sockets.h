// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sockets that the daemon listens on: those that systemd passes, or its
// own. A lock file keeps two daemons from using the same path.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "config/config.h"

namespace halftoned::daemon {

class Listeners {
 public:
  // Takes the sockets of sd_listen_fds(3), by name: "halftoned.socket" for
  // clients, and "halftoned-status.socket", which may be missing; without any,
  // creates both where the configuration says.
  static Result<std::unique_ptr<Listeners>> Open(const DaemonConfig& config);

  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;
  // Removes the files of its own sockets.
  ~Listeners();

  Descriptor TakeClients() { return std::move(clients_); }
  Descriptor TakeStatus() { return std::move(status_); }
  // Path of the clients' socket.
  const std::string& path() const { return path_; }

 private:
  Listeners() = default;

  Result<void> Take(int count, char** names);
  Result<void> Make(const DaemonConfig& config);

  Descriptor clients_;
  Descriptor status_;
  std::string path_;
  // Held if the daemon has created the sockets itself.
  Descriptor lock_;
  std::string own_clients_;  // files to remove
  std::string own_status_;
};

}  // namespace halftoned::daemon
