// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_disk.h"

#include <fcntl.h>

#include <cerrno>
#include <climits>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/jobs/unless_canceled.h"

namespace halftoned {

PictureDisk::PictureDisk(std::function<UserShares::Room()> room)
    : room_(std::move(room)), shares_({INT_MAX, UINT64_MAX}, room_) {}

Result<std::shared_ptr<void>> PictureDisk::Take(
    const Wish& wish, int file, const std::function<bool()>& is_canceled) {
  const auto bytes = static_cast<uint64_t>(wish.bytes);
  auto share = std::make_unique<UserShares::Coming>(shares_, wish.user);
  std::unique_lock lock(mutex_);
  ++waiting_;
  bool fits = false;
  const auto is_decided = [&] {
    fits = share->Take({0, bytes});
    return fits || !wish.may_wait || !FitsLater(wish);
  };
  if (!is_decided()) {
    if (wish.begin_wait) {
      lock.unlock();
      wish.begin_wait();
      lock.lock();
    }
    WaitUnlessCanceled(changed_, lock, is_decided, is_canceled);
  }
  --waiting_;
  if (is_canceled()) return IoError("the job was canceled");
  if (!fits) {
    return IoError("needs " + std::to_string((bytes >> 20) + 1) +
                   " MiB of disk space for a temporary copy, which is more "
                   "than its user may have now");
  }
  // Some file systems cannot allocate blocks: there, the space is only counted.
  if (fallocate(file, 0, 0, wish.bytes) != 0 && errno == ENOSPC) {
    return ErrnoError(ErrorCode::kIo, "cannot make a temporary copy");
  }
  used_ += bytes;
  lock.unlock();
  return std::shared_ptr<void>(share.release(), [this, bytes](void* taken) {
    Release(static_cast<UserShares::Coming*>(taken), bytes);
  });
}

size_t PictureDisk::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

bool PictureDisk::FitsLater(const Wish& wish) const {
  return used_ > 0 &&
         static_cast<uint64_t>(wish.bytes) <= (room_().bytes.free + used_) / 2;
}

void PictureDisk::Release(UserShares::Coming* share, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  delete share;
  used_ -= bytes;
  changed_.notify_all();
}

}  // namespace halftoned
