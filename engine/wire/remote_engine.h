// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "remote": halftoned, if it is there. Connections are kept from
// page to page; pages at the same time have one each. A worker at which a page
// has died is avoided; where the daemon cannot be had, or page after page dies,
// it is left alone for a while that grows.

#ifndef HALFTONED_WIRE_REMOTE_ENGINE_H_
#define HALFTONED_WIRE_REMOTE_ENGINE_H_

#include <memory>
#include <string>

#include "halftone/engine.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

class RemoteEngine : public Engine {
 public:
  explicit RemoteEngine(RemoteOptions options);

  std::string_view name() const override { return "remote"; }
  std::string_view needs() const override { return needs_; }
  // Behind every local one: who wants it names it.
  int priority() const override { return -1; }
  // Connects, if it has not yet.
  Result<void> Probe() const override;
  // Any: the daemon refuses a recipe that it does not know when a page comes.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  class Lobby;

  const std::string needs_;
  const std::shared_ptr<Lobby> lobby_;  // sessions may outlive us
};

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_ENGINE_H_
