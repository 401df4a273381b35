// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A socket in a private folder, on which a thread of the test accepts
// connections.

#pragma once

#include <functional>
#include <string>
#include <thread>

#include "base/descriptor.h"
#include "wire/remote_connection.h"

namespace halftoned::testing {

class Listener {
 public:
  // Called on the thread for each connection, after its hello has been read.
  using OnConnection = std::function<void(Descriptor)>;

  explicit Listener(OnConnection on_connection);
  ~Listener() { Stop(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Ends the thread, and removes socket and folder.
  void Stop();

  int fd() const { return socket_.get(); }
  const std::string& folder() const { return folder_; }
  // How to connect to it.
  wire::RemoteOptions options() const;

 private:
  void Run();

  const OnConnection on_connection_;
  const std::string folder_;
  Descriptor socket_;
  Descriptor stop_;  // closed to end the thread, which has the other end
  Descriptor stopped_;
  std::thread thread_;
};

}  // namespace halftoned::testing
