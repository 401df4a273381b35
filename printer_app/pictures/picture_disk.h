// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Disk space for temporary copies of pictures, which can be much larger than
// their documents. It is divided as the spool is (user_shares.h), but
// separately: a picture must print even if its user's documents fill his share
// of the spool.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

class PictureDisk {
 public:
  // room: of the disk; any thread may call it.
  explicit PictureDisk(std::function<UserShares::Room()> room);
  PictureDisk(const PictureDisk&) = delete;
  PictureDisk& operator=(const PictureDisk&) = delete;

  struct Wish {
    UserShares::User user;
    int64_t bytes;
    // Wait for space that other pictures use. Only for pictures that have
    // neither space nor memory for which others may wait.
    bool may_wait;
    // Called before it waits, without a lock; may be empty.
    std::function<void()> begin_wait = {};
  };
  // Allocates the blocks of an empty file, so that the space is no longer free.
  // It counts as used until the pointer is gone, before this object is. Close
  // the file first. An error if it is more than the user's share, or once
  // is_canceled returns true.
  Result<std::shared_ptr<void>> Take(const Wish& wish, int file,
                                     const std::function<bool()>& is_canceled);

  // Pictures that wait.
  size_t waiting() const;

 private:
  // True if there will be space when other pictures have been printed.
  bool FitsLater(const Wish& wish) const;
  void Release(UserShares::Coming* share, uint64_t bytes);

  const std::function<UserShares::Room()> room_;
  UserShares shares_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t used_ = 0;
  size_t waiting_ = 0;
};

}  // namespace halftoned
