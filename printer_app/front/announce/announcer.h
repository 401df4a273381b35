// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Announces the printers by DNS-SD, in its own thread. In PAPPL, two threads
// take locks in different orders for this, so a name that another machine also
// has would stop the server (system.cc turns it off).

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/announce/announcement.h"
#include "printer_app/front/announce/avahi.h"

namespace halftoned {

class Front;

class Announcer {
 public:
  explicit Announcer(const Front& front);

  // Announces the printers of the server that listens at this port until the
  // process ends.
  void Run(int port);
  // The printers may have changed. Called by any thread.
  void Look();
  // This machine's name in the network, which Avahi changes if another machine
  // has it; empty: unknown. Called by any thread.
  std::string HostName() const;

 private:
  struct Entry {
    Announcement printer;
    int conflicts = 0;
    bool is_given_up = false;
    std::string group;   // Avahi's; empty: none
    bool is_due = true;  // to be announced
  };

  // Milliseconds until what has failed is tried again; negative: nothing has.
  int Pause() const;
  void Retry();
  void ReadPrinters();
  void Heed(const Avahi::Change& change);
  void AnnounceDue();
  void Announce(Entry& entry);
  // False: another service of this machine has the name.
  Result<bool> AddAll(const Entry& entry, const std::string& name,
                      const std::string& machine);

  const Front& front_;
  int port_ = 0;
  const Descriptor wakeup_;
  Avahi avahi_;
  std::chrono::steady_clock::time_point last_try_;  // to connect
  std::atomic<bool> is_time_to_look_ = true;
  mutable std::mutex mutex_;
  std::string host_name_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace halftoned
