// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/machine_slots.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace halftoned {
namespace {

struct flock LockOf(int slot, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = slot;
  lock.l_len = 1;
  return lock;
}

}  // namespace

Result<MachineSlot> MachineSlot::Open(const std::string& path, int slots) {
  HALFTONED_TRY_ASSIGN(
      Descriptor file,
      Descriptor::Open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600));
  struct stat status;
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      (status.st_uid != 0 && status.st_uid != ::geteuid())) {
    return Unavailable(path + ": not a regular file of root or of this user");
  }
  return MachineSlot(std::move(file), slots);
}

Result<bool> MachineSlot::TryTake() {
  for (int i = 0; i < slots_; ++i) {
    const int slot = (next_ + i) % slots_;
    struct flock lock = LockOf(slot, F_WRLCK);
    if (::fcntl(file_.get(), F_OFD_SETLK, &lock) == 0) {
      held_ = slot;
      next_ = slot;  // most likely free again next time
      return true;
    }
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
      return ErrnoError(ErrorCode::kUnavailable, "cannot lock a slot");
    }
  }
  return false;
}

void MachineSlot::GiveBack() {
  struct flock lock = LockOf(held_, F_UNLCK);
  (void)::fcntl(file_.get(), F_OFD_SETLK, &lock);
  held_ = -1;
}

}  // namespace halftoned
