// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_memory.h"

#include <set>
#include <string>

#include "printer_app/jobs/unless_canceled.h"

namespace halftoned {

Result<std::shared_ptr<void>> PictureMemory::Take(
    const UserShares::User& user, int64_t bytes,
    const std::function<bool()>& is_canceled) {
  if (bytes > most_of_user()) {
    return BadInput("needs " + std::to_string((bytes >> 20) + 1) +
                    " MiB of memory, of which a picture gets at most " +
                    std::to_string(most_of_user() >> 20));
  }
  std::unique_lock lock(mutex_);
  const auto wish = wishes_.insert(wishes_.end(), Wish{user, bytes});
  const bool is_next = WaitUnlessCanceled(
      changed_, lock, [&] { return IsNext(*wish); }, is_canceled);
  wishes_.erase(wish);
  changed_.notify_all();
  if (!is_next) return IoError("the job was canceled");
  used_by_[user] += bytes;
  used_ += bytes;
  lock.unlock();
  return std::shared_ptr<void>(this, [user, bytes](PictureMemory* memory) {
    memory->Release(user, bytes);
  });
}

size_t PictureMemory::waiting() const {
  const std::lock_guard lock(mutex_);
  return wishes_.size();
}

bool PictureMemory::FitsUser(const Wish& wish) const {
  const auto used = used_by_.find(wish.user);
  return used == used_by_.end() || used->second + wish.bytes <= most_of_user();
}

bool PictureMemory::FitsGroup(const Wish& wish) const {
  if (wish.user.group == UserShares::Group::kUsers) return true;
  int64_t used = wish.bytes;
  for (const auto& [user, bytes] : used_by_) {
    if (user.group == wish.user.group) used += bytes;
  }
  return used <= bytes_ / 4 * 3;
}

bool PictureMemory::IsNext(const Wish& wish) const {
  std::set<UserShares::Group> waiting;
  for (const Wish& each : wishes_) {
    if (!FitsUser(each)) continue;
    // A newer wish of the same group would delay this one.
    if (waiting.contains(each.user.group) || !FitsGroup(each)) {
      waiting.insert(each.user.group);
      continue;
    }
    // An older wish that fits waits for memory of all; one that has room goes
    // on.
    return &each == &wish && used_ + wish.bytes <= bytes_;
  }
  return false;
}

void PictureMemory::Release(const UserShares::User& user, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
  const auto used = used_by_.find(user);
  used->second -= bytes;
  if (used->second == 0) used_by_.erase(used);
  changed_.notify_all();
}

}  // namespace halftoned
