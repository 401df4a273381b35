// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that serves clients of a worker: it waits for all of them, and for
// the engines, which have threads of their own. Users take turns, and so do
// each user's jobs, however many clients they have; health checks come first. A
// worker has one loop or several; a client stays in its loop.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/result.h"
#include "control/control.h"
#include "daemon/worker/clients/ready_list.h"
#include "daemon/worker/clients/worker_client.h"
#include "halftone/run/turns.h"

namespace halftoned::daemon {

// The worker's main thread calls all functions. Only AddTo waits for the loop,
// for at most one turn.
class ClientLoop {
 public:
  // Events since the last call of TakeNews.
  struct News {
    std::vector<Closed> closed;
    std::optional<Error> failure;  // why the loop has ended
  };

  // Starts the thread, which calls `on_news`. `shop` outlives the loop.
  ClientLoop(Shop& shop, Descriptor event, std::function<void()> on_news);
  // Ends all connections.
  ~ClientLoop();
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  // is_check: a health check, which does not count as work.
  void Adopt(const daemon::Adopt& adopt, Descriptor socket, bool is_check);
  // Ends a connection, if this loop has it, once it has no band in flight.
  void Dismiss(uint64_t number);
  // Call when the shop drains, to end connections without an open page.
  void Wake() { ready_.Add(kNobody); }

  size_t clients() const { return count_; }
  News TakeNews();
  void AddTo(Report& report);

 private:
  static constexpr uint64_t kNobody = 0;  // no client's number

  struct Served {
    std::unique_ptr<Client> client;
    uint64_t job = 0;  // for turns
    bool is_check = false;
    bool is_waiting = false;
  };
  // From the main thread.
  struct Inbox {
    std::map<uint64_t, Served> adopted;  // by number
    std::vector<uint64_t> dismissed;
  };

  // Runs on the thread.
  void Run();
  Result<void> RunTurns();
  Result<void> Wait();
  // The mutex must be held for this and all functions below.
  int MillisecondsToWait() const;
  void EmptyInbox();
  // Finds out, from the time of the last turn, whether this process has been
  // stopped since then. is_expected_late: no client had a deadline.
  void BeginTurn(bool is_expected_late);
  // Gives the client a turn, if it is still there; serves a health check now.
  void Want(uint64_t number);
  void TakeTurns();
  void Serve(uint64_t number, Served& served);
  void End(uint64_t number, const Error& error);
  void MindTime();

  Shop& shop_;
  ReadyList ready_;
  const std::function<void()> on_news_;

  std::atomic<size_t> count_ = 0;  // clients, and those in the inbox
  std::atomic<bool> is_ending_ = false;

  std::mutex post_mutex_;  // for the next two; held for a moment
  Inbox inbox_;
  News news_;

  std::mutex mutex_;             // held except while the thread waits
  std::atomic<int> askers_ = 0;  // wait for the mutex, which is not fair
  std::condition_variable has_answered_;
  Tally tally_;
  std::map<uint64_t, Served> clients_;  // by number
  Turns<uint64_t> waiting_;             // numbers
  Counters ended_;                      // of clients that are gone
  Clock::time_point turn_ = Clock::now();
  std::thread thread_;
};

}  // namespace halftoned::daemon
