// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the pictures of all jobs. They are decoded in the process that
// manages all printers, so together they must leave memory for everything else.
//
// A picture waits while others use the memory that it needs. The oldest goes
// first, with two exceptions: a picture whose user, or whose group of users,
// has all that it may have delays no others, and large pictures do not delay
// small ones, such as photos. A picture has memory while its sheet is made,
// which waits for no printer (picture_sheet.h). Two groups have a limit each,
// because their users can claim any name: users of other machines, and users of
// jobs from CUPS.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

class PictureMemory {
 public:
  // A user's pictures, and thus one picture, get at most half of the bytes; all
  // users of other machines together get three quarters, as do all users that
  // CUPS names. Pictures that need more than a sixteenth leave a quarter to
  // smaller ones, of all users and of these groups.
  explicit PictureMemory(int64_t bytes) : bytes_(bytes) {}
  PictureMemory(const PictureMemory&) = delete;
  PictureMemory& operator=(const PictureMemory&) = delete;

  // The memory counts as used until the pointer is gone, before this object is.
  // An error if no picture may have so much, or once is_canceled returns true.
  // A picture must not wait for more memory while it has some.
  Result<std::shared_ptr<void>> Take(const UserShares::User& user,
                                     int64_t bytes,
                                     const std::function<bool()>& is_canceled);

  int64_t most_of_user() const { return bytes_ / 2; }

  // Pictures that wait.
  size_t waiting() const;

 private:
  struct Part {
    UserShares::User user;
    int64_t bytes;
  };

  bool IsLarge(const Part& part) const { return part.bytes > bytes_ / 16; }
  int64_t Used(const std::function<bool(const Part&)>& counts) const;
  bool FitsUser(const Part& wish) const;
  bool FitsGroup(const Part& wish) const;
  bool FitsLarge(const Part& wish) const;
  bool IsNext(const Part& wish) const;
  void Release(std::list<Part>::iterator part);

  const int64_t bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Part> used_;
  std::list<Part> wishes_;  // the oldest first
};

}  // namespace halftoned
