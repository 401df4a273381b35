// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/renderers.h"

#include <utility>

namespace halftoned {

void Renderers::StartAhead(const GhostscriptOrder& order) {
  auto started = Ghostscript::Start(order, stop_, user_);
  if (!started.ok()) return;
  const std::lock_guard lock(mutex_);
  words_ahead_ = order.words;
  ahead_ = std::move(*started);
}

std::unique_ptr<Ghostscript> Renderers::TakeAhead(
    const GhostscriptOrder& order) {
  const std::lock_guard lock(mutex_);
  return words_ahead_ == order.words ? std::move(ahead_) : nullptr;
}

Result<Renderers::Running> Renderers::Start(const GhostscriptOrder& order) {
  std::unique_ptr<Ghostscript> process = TakeAhead(order);
  if (!process) {
    HALFTONED_TRY_ASSIGN(process, Ghostscript::Start(order, stop_, user_));
  }
  const std::lock_guard lock(mutex_);
  if (has_ended_ || stop_.requested()) return IoError("the job has ended");
  running_.insert(process.get());
  return Running(*this, std::move(process));
}

void Renderers::End() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (Ghostscript* renderer : running_) renderer->Kill();
}

void Renderers::Resume() {
  const std::lock_guard lock(mutex_);
  has_ended_ = false;
}

Renderers::Running::~Running() {
  if (!process_) return;
  const std::lock_guard lock(all_->mutex_);
  all_->running_.erase(process_.get());
}

}  // namespace halftoned
