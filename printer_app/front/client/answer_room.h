// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the memory of large answers, which wait until their clients have read
// them. If they take too much, a client that does not read is dropped: at the
// site with the most bytes, the one that has waited longest. A client that
// reads, even slowly, never waits for long.

#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>

#include "printer_app/front/client/client_wait.h"

namespace halftoned {

class AnswerRoom {
 public:
  // Answers up to this size do not count.
  static constexpr size_t kSmall = size_t{256} << 10;

  explicit AnswerRoom(size_t most) : most_(most) {}

  // An answer has one while it is in memory.
  class Place {
   public:
    // Drops other clients if that makes room; the answer goes on anyway.
    Place(AnswerRoom& room, ClientWait& client, std::string site, size_t bytes);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    friend class AnswerRoom;

    AnswerRoom& room_;
    ClientWait& client_;
    const std::string site_;
    const size_t bytes_;
    bool is_dropped_ = false;  // needs room_.mutex_
  };

  // The large answers of clients that have not been dropped.
  size_t bytes() const;

 private:
  void MakeRoom();
  // The place to drop; null if all clients read.
  Place* FindLast(ClientWait::Clock::time_point now) const;

  const size_t most_;
  mutable std::mutex mutex_;
  size_t bytes_ = 0;
  std::list<Place*> places_;
};

}  // namespace halftoned
