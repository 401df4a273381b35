// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the requests that the server works for at a time, per network and in
// total (NetworkCounts). Others wait: sites take turns, and so do the networks
// of a site, so a request waits for only a few of any other client.

#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <string>

#include "printer_app/front/callers/network_counts.h"

namespace halftoned {

class WorkSlots {
 public:
  WorkSlots(int most_of_network, int most) : counts_(most_of_network, most) {}

  // For the requests of a connection, one at a time.
  class Slot {
   public:
    explicit Slot(WorkSlots& slots) : slots_(slots) {}
    ~Slot() { Leave(); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    // Waits until a slot is free, unless the request already has one. False:
    // the connection was given up.
    bool Take(const std::string& network);
    void Leave();
    // For other threads: ends the wait, and forbids another.
    void GiveUp();

   private:
    friend class WorkSlots;

    WorkSlots& slots_;
    // The rest needs slots_.mutex_.
    std::string network_, site_;
    bool is_taken_ = false;
    bool is_given_up_ = false;
    std::condition_variable changed_;
  };

  // Requests that wait.
  size_t waiting() const;

 private:
  // Gives free slots to requests that wait.
  void Give();

  mutable std::mutex mutex_;
  NetworkCounts counts_;
  std::list<Slot*> waiting_;
};

}  // namespace halftoned
