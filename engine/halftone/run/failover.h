// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that moves its pages on when the session that has them is lost:
// from the last carry, with the rows that have no answer yet. The page of a
// session that has died goes to the next of its engines; a page that its engine
// has let go (kAskAgain) goes to the same engine again. Nothing else needs to
// know about failure: the bits are the same.

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

  // A page begins on the first of `engines` that opens it, and may move to
  // each one behind it in turn; the same engine may be there twice. At least
  // one; they outlive this and its sessions. With one alone a page never moves,
  // and outlives only its engine's letting it go.
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
