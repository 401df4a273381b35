// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients of a worker that one thread serves: it waits for all of them, and for
// the engines, which have threads of their own. A worker has one loop or
// several; a client stays in his.

#ifndef HALFTONED_DAEMON_WORKER_CLIENT_LOOP_H_
#define HALFTONED_DAEMON_WORKER_CLIENT_LOOP_H_

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
#include "daemon/control.h"
#include "daemon/worker/client.h"
#include "daemon/worker/ready_list.h"

namespace halftoned::daemon {

// Everything is called by the worker's own thread.
class ClientLoop {
 public:
  // What has happened since it was last asked for.
  struct News {
    std::vector<Closed> closed;
    std::optional<Error> failure;  // for which the loop has ended
  };

  // `shop` outlives it. `on_news` is called by the loop's thread, which starts
  // now.
  ClientLoop(Shop& shop, Descriptor event, std::function<void()> on_news);
  // Ends all connections.
  ~ClientLoop();
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  // is_check: of health, and no work.
  void Adopt(uint64_t number, Descriptor socket, bool is_check);
  // To be called when the shop drains: those that nothing keeps leave.
  void Wake() { ready_.Add(kNobody); }

  size_t clients();
  News TakeNews();
  void AddTo(Report& report);

 private:
  static constexpr uint64_t kNobody = 0;  // no client's number

  // The thread's.
  void Run();
  Result<void> RunTurns();
  Result<void> Wait();
  // With the mutex held.
  int MillisecondsToWait() const;
  // Knows from the last turn's time whether this process was stopped since.
  void BeginTurn();
  void Serve(uint64_t number);
  void End(uint64_t number, const Error& error);
  void MindTime();

  Shop& shop_;
  ReadyList ready_;
  const std::function<void()> on_news_;

  std::mutex mutex_;  // held but while the thread waits
  bool is_ending_ = false;
  LastMinute last_minute_;
  std::map<uint64_t, std::unique_ptr<Client>> clients_;  // by their numbers
  std::vector<uint64_t> again_;  // clients with more to do at once
  Counters ended_;               // of clients that are gone
  News news_;
  Clock::time_point turn_ = Clock::now();
  std::thread thread_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_CLIENT_LOOP_H_
