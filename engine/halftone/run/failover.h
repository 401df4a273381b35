// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that moves its pages when their session is lost: from the last
// carry, with the rows that have no answer yet. If a session has died, its page
// goes to the next engine; if an engine has evicted a page (kAskAgain), the
// page goes to the same engine again. No other code needs to know about
// failures, because the bits are the same.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "halftone/run/engine.h"

namespace halftoned {

// A page has moved to another engine, before row `row`, because of `error`.
struct Move {
  std::string_view from;
  std::string_view to;
  int64_t row;
  Error error;
};

class FailoverEngine : public Engine {
 public:
  // Called on the thread that uses the session.
  using OnMove = std::function<void(const Move&)>;

  // A page begins on the first of `engines` that opens it, and can move to each
  // later one in turn. engines: at least one; can list an engine twice. They
  // outlive this object and its sessions. With a single engine, a page never
  // moves, and survives only its eviction.
  explicit FailoverEngine(std::vector<const Engine*> engines,
                          OnMove on_move = nullptr)
      : engines_(std::move(engines)), on_move_(std::move(on_move)) {}

  std::string_view name() const override { return engines_[0]->name(); }
  std::string_view needs() const override { return engines_[0]->needs(); }
  int priority() const override { return engines_[0]->priority(); }
  Result<void> Probe() const override;
  Result<void> Serves(const Recipe& recipe) const override;
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  const std::vector<const Engine*> engines_;
  const OnMove on_move_;
};

}  // namespace halftoned
