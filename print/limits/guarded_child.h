// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that reads a user's document, under all limits: its own
// (RenderGuard), and those of all such programs together (RenderPool).

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "print/limits/child_watch.h"
#include "print/limits/render_guard.h"
#include "print/limits/render_pool.h"
#include "print/process/child.h"
#include "print/process/stop.h"

namespace halftoned {

struct GuardedOrder {
  ChildOrder program;      // without limits and confinement
  std::vector<int> given;  // files that the program inherits
  RenderGuard::Run run = {};
  std::string user;    // whose document it is
  std::string folder;  // of the job's files, which no other job uses
};

class GuardedChild {
 public:
  static Result<std::unique_ptr<GuardedChild>> Start(RenderGuard guard,
                                                     GuardedOrder order);
  ~GuardedChild() { End(); }
  GuardedChild(const GuardedChild&) = delete;
  GuardedChild& operator=(const GuardedChild&) = delete;

  Child& child() { return child_; }

  // As RenderGuard does.
  void LimitTime(int64_t times) { guard_.LimitTime(*watch_, times); }

  // Ends it if it still runs.
  void End();

  // An error if it was ended because of a limit. messages: what it has written.
  // Precondition: it has ended by itself or was ended.
  Result<void> Verdict(std::string_view messages);

 private:
  GuardedChild(RenderGuard guard, Child child, const GuardedOrder& order)
      : guard_(std::move(guard)),
        child_(std::move(child)),
        share_(child_, order.user, order.folder) {}

  const RenderGuard guard_;
  Child child_;
  RenderPool::Share share_;
  std::unique_ptr<ChildWatch> watch_;
};

}  // namespace halftoned
