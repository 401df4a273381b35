// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_memory.h"

#include <set>
#include <string>
#include <utility>

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
  const auto part = wishes_.insert(wishes_.end(), {user, bytes});
  const bool is_next = WaitUnlessCanceled(
      changed_, lock, [&] { return IsNext(*part); }, is_canceled);
  changed_.notify_all();
  if (!is_next) {
    wishes_.erase(part);
    return IoError("the job was canceled");
  }
  used_.splice(used_.end(), wishes_, part);
  lock.unlock();
  return std::shared_ptr<void>(
      this, [part](PictureMemory* memory) { memory->Release(part); });
}

size_t PictureMemory::waiting() const {
  const std::lock_guard lock(mutex_);
  return wishes_.size();
}

int64_t PictureMemory::Used(
    const std::function<bool(const Part&)>& counts) const {
  int64_t bytes = 0;
  for (const Part& part : used_) bytes += counts(part) ? part.bytes : 0;
  return bytes;
}

bool PictureMemory::FitsUser(const Part& wish) const {
  const auto is_of_user = [&](const Part& part) {
    return part.user == wish.user;
  };
  return Used(is_of_user) + wish.bytes <= most_of_user();
}

bool PictureMemory::FitsGroup(const Part& wish) const {
  if (wish.user.group == UserShares::Group::kUsers) return true;
  const auto is_of_group = [&](const Part& part) {
    return part.user.group == wish.user.group;
  };
  const auto is_large_of_group = [&](const Part& part) {
    return is_of_group(part) && IsLarge(part);
  };
  return Used(is_of_group) + wish.bytes <= bytes_ / 4 * 3 &&
         (!IsLarge(wish) || Used(is_large_of_group) + wish.bytes <= bytes_ / 2);
}

bool PictureMemory::FitsLarge(const Part& wish) const {
  const auto is_large = [this](const Part& part) { return IsLarge(part); };
  return !IsLarge(wish) || Used(is_large) + wish.bytes <= bytes_ / 4 * 3;
}

bool PictureMemory::IsNext(const Part& wish) const {
  std::set<std::pair<UserShares::Group, bool>> waiting;
  bool large_ones_wait = false;
  for (const Part& each : wishes_) {
    if (!FitsUser(each)) continue;
    // A newer wish of the same kind would delay this one.
    const std::pair kind(each.user.group, IsLarge(each));
    if (waiting.contains(kind) || !FitsGroup(each)) {
      waiting.insert(kind);
      continue;
    }
    if (IsLarge(each) && (large_ones_wait || !FitsLarge(each))) {
      large_ones_wait = true;
      continue;
    }
    // An older wish that fits waits for memory of all; one that has room goes
    // on.
    const auto all = [](const Part&) { return true; };
    return &each == &wish && Used(all) + wish.bytes <= bytes_;
  }
  return false;
}

void PictureMemory::Release(std::list<Part>::iterator part) {
  const std::lock_guard lock(mutex_);
  used_.erase(part);
  changed_.notify_all();
}

}  // namespace halftoned
