// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "remote": halftoned, if it runs. Connections are kept from page to
// page; simultaneous pages have one each. A worker at which a page died is
// avoided. If the daemon cannot be reached, or one page after another dies, it
// is not tried again for a pause that grows.

#pragma once

#include <memory>
#include <string>

#include "halftone/run/engine.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

class RemoteEngine : public Engine {
 public:
  explicit RemoteEngine(RemoteOptions options);

  std::string_view name() const override { return "remote"; }
  std::string_view needs() const override { return needs_; }
  // Below every local engine: it is used only if it is named.
  int priority() const override { return -1; }
  // Connects, if there is no connection yet.
  Result<void> Probe() const override;
  // Every recipe: the daemon refuses an unknown one when a page is opened.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  class Lobby;

  const std::string needs_;
  const std::shared_ptr<Lobby> lobby_;  // sessions may outlive the engine
};

}  // namespace halftoned::wire
