// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "remote": halftoned, if it is there. Connections are kept from
// page to page; pages at the same time have one each.

#ifndef HALFTONED_WIRE_REMOTE_ENGINE_H_
#define HALFTONED_WIRE_REMOTE_ENGINE_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "halftone/engine.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

class RemoteEngine : public Engine {
 public:
  explicit RemoteEngine(RemoteOptions options);

  std::string_view name() const override { return "remote"; }
  std::string_view needs() const override { return needs_; }
  // Before every local one.
  int priority() const override { return 1000; }
  // Connects, if it has not yet.
  Result<void> Probe() const override;
  // Any: the daemon refuses a recipe that it does not know when a page comes.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  // Connections without a page. Sessions give theirs back, and may do so when
  // the engine is gone.
  struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<RemoteConnection>> connections;
  };

  Result<std::unique_ptr<RemoteConnection>> Connection() const;

  const RemoteOptions options_;
  const std::string needs_;
  const std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_ENGINE_H_
