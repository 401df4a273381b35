// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/checked_desk.h"

#include <algorithm>
#include <new>

namespace halftoned {

Result<std::unique_ptr<CheckedEngine::Desk::Copy>> CheckedEngine::Desk::Take(
    const Bytes& bytes, bool is_shared, bool can_check) {
  auto copy = std::make_unique<Copy>();
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Copy> none;
    if (options_.one_in == 0) return none;
    bands_ = std::min(bands_ + 1, options_.one_in);
    if (bands_ < options_.one_in || !can_check) return none;
    bands_ = 0;
    if (!spare_.empty()) {
      copy = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (Provide(*copy, bytes, is_shared)) return copy;
  if (options_.one_in == 1) return Unavailable("no memory to check a band");
  GiveBack(std::move(copy), false);
  copy.reset();
  return copy;
}

void CheckedEngine::Desk::GiveBack(std::unique_ptr<Copy> copy, bool was_used) {
  const std::lock_guard lock(mutex_);
  if (!was_used) bands_ = options_.one_in;
  if (spare_.size() < kSpare) spare_.push_back(std::move(copy));
}

uint32_t CheckedEngine::Desk::Choose(uint32_t count) {
  const std::lock_guard lock(mutex_);
  random_ = random_ * 1664525u + 1013904223u;
  return static_cast<uint32_t>(uint64_t{random_} * count >> 32);
}

Error CheckedEngine::Desk::Wrong(const std::string& what) {
  if (options_.on_wrong) options_.on_wrong(what);
  return Unavailable(what);
}

Error CheckedEngine::Desk::WrongOnce(const std::string& what) {
  const std::string text = what + ", but right in a second attempt";
  if (++accidents_ < kMostAccidents) return Unavailable(text);
  return Wrong(text + ", for the third time");
}

bool CheckedEngine::Desk::Provide(Copy& copy, const Bytes& bytes,
                                  bool is_shared) {
  constexpr size_t kAlignment = 64;
  copy.gray_at = bytes.lead;
  copy.made_at =
      (bytes.lead + bytes.gray + kAlignment - 1) / kAlignment * kAlignment;
  const size_t all = copy.made_at + bytes.bits;
  try {
    copy.right.resize(std::max(copy.right.size(), bytes.bits));
    if (!is_shared && bytes.lead == 0) return true;
    if (copy.memory.size() < all) {
      copy.held.reset();
      copy.memory.resize(all);
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!is_shared || copy.held) return true;
  auto held = checked_.Hold(copy.memory, true);
  if (held.ok()) copy.held = std::move(*held);
  return held.ok();
}

}  // namespace halftoned
