// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/limits/guarded_child.h"

#include <utility>

namespace halftoned {

Result<std::unique_ptr<GuardedChild>> GuardedChild::Start(RenderGuard guard,
                                                          GuardedOrder order) {
  order.program.confinement = Confinement{order.given};
  order.program.limits = guard.limits();
  HALFTONED_TRY_ASSIGN(Child child, Child::Start(std::move(order.program)));
  std::unique_ptr<GuardedChild> started(
      new GuardedChild(std::move(guard), std::move(child), order));
  order.run.disk_use = &started->share_.disk();
  HALFTONED_TRY_ASSIGN(
      started->watch_,
      started->guard_.Watch(started->child_, order.given, order.run));
  return started;
}

void GuardedChild::End() {
  watch_.reset();
  child_.End();
}

Result<void> GuardedChild::Verdict(std::string_view messages) {
  HALFTONED_TRY(share_.Verdict());
  const std::string limit = guard_.LimitHit(child_, *watch_, messages);
  return limit.empty() ? Result<void>() : BadInput(limit);
}

}  // namespace halftoned
