// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/flow.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace halftoned {
namespace {

// Fits the small-string buffer, so it allocates nothing.
Error OutOfMemory() { return Unavailable("out of memory"); }

}  // namespace

// The reading thread: fills rooms in order, one page at a time. After the last
// band or an error it ignores the remaining rooms until the next page. It
// allocates nothing: an exception on this thread would end the program.
class Flow::Reader {
 public:
  Reader() : thread_([this] { Loop(); }) {}

  ~Reader() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void Begin(Source& source) {
    std::lock_guard lock(mutex_);
    source_ = &source;
    ended_ = false;
  }

  // Waits until the thread no longer uses the source.
  void End() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    changed_.wait(lock, [this] { return !reading_; });
    source_ = nullptr;
    visits_.clear();
    read_ = 0;
  }

  void Push(GrayRoom room) {
    {
      std::lock_guard lock(mutex_);
      visits_.push_back({room, {}});
    }
    changed_.notify_all();
  }

  // The oldest filled room. With `wait`, waits for one.
  // Precondition for `wait`: a room was pushed that no Pop has answered.
  std::optional<Result<Filled>> Pop(bool wait) {
    std::unique_lock lock(mutex_);
    if (wait) changed_.wait(lock, [this] { return read_ > 0; });
    if (read_ == 0) return std::nullopt;
    std::optional<Result<Filled>> oldest = std::move(visits_.front().filled);
    visits_.pop_front();
    --read_;
    return oldest;
  }

 private:
  struct Visit {
    GrayRoom room;
    std::optional<Result<Filled>> filled;
  };

  void Loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] {
        return stop_ || (!ended_ && read_ < visits_.size());
      });
      if (stop_) return;
      Visit& visit = visits_[read_];  // a deque: the reference stays valid
      reading_ = true;
      lock.unlock();
      visit.filled = Read(visit.room);
      lock.lock();
      reading_ = false;
      if (!visit.filled->ok() || (*visit.filled)->last) ended_ = true;
      ++read_;
      changed_.notify_all();
    }
  }

  Result<Filled> Read(GrayRoom room) {
    try {
      return source_->Read(room);
    } catch (const std::bad_alloc&) {
      return OutOfMemory();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Source* source_ = nullptr;
  std::deque<Visit> visits_;
  size_t read_ = 0;       // how many visits, from the first, have been read
  bool ended_ = true;     // nothing more is read of this page
  bool reading_ = false;  // the thread is in source_->Read
  bool stop_ = false;
  std::thread thread_;
};

namespace {

// One page on its way. Bands in flight are those submitted and not yet taken.
class PageTransfer {
 public:
  PageTransfer(Session& session, Sink& sink) : session_(session), sink_(sink) {}

  Result<void> Submit(Filled filled) {
    HALFTONED_TRY(session_.Submit(filled.rows, filled.last));
    ++in_flight_;
    ended_ = filled.last;
    return {};
  }

  Result<void> TakeAndWrite() {
    HALFTONED_TRY_ASSIGN(const Finished finished, session_.Take());
    --in_flight_;
    return sink_.Answer(finished);
  }

  bool ended() const { return ended_; }
  int in_flight() const { return in_flight_; }

 private:
  Session& session_;
  Sink& sink_;
  int in_flight_ = 0;
  bool ended_ = false;
};

}  // namespace

Flow::Flow() = default;
Flow::~Flow() = default;

Result<void> Flow::Run(Source& source, Session& session, Sink& sink) {
  PageTransfer transfer(session, sink);

  // The first band is read on this thread: most small pages have no other.
  HALFTONED_TRY_ASSIGN(const GrayRoom first, session.Lend());
  if (first.rows == 0) return Bug("a new session lends no room");
  HALFTONED_TRY_ASSIGN(const Filled filled, source.Read(first));
  HALFTONED_TRY(transfer.Submit(filled));
  if (!transfer.ended() && !reader_) {
    try {
      reader_ = std::make_unique<Reader>();
    } catch (const std::system_error& error) {
      return Unavailable(std::string("cannot start a thread to read: ") +
                         error.what());
    }
  }

  // Order of preference: hand rooms to the reader, submit what it has filled,
  // write what is finished, and only then wait for the reader. So a slow
  // reader never holds up rows that are done, and a slow sink leaves the
  // session its work.
  const auto pass_the_rest = [&]() -> Result<void> {
    int reading = 0;
    while (!transfer.ended()) {
      for (;;) {
        HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
        if (room.rows == 0) break;
        reader_->Push(room);
        ++reading;
      }
      const bool must_wait = transfer.in_flight() == 0;
      if (must_wait && reading == 0) return Bug("a session lends no room");
      if (auto next = reader_->Pop(must_wait)) {
        if (!next->ok()) return next->error();
        --reading;
        HALFTONED_TRY(transfer.Submit(**next));
      } else {
        HALFTONED_TRY(transfer.TakeAndWrite());
      }
    }
    return {};
  };

  Result<void> result;
  if (!transfer.ended()) {
    reader_->Begin(source);
    try {
      result = pass_the_rest();
    } catch (const std::bad_alloc&) {
      result = OutOfMemory();  // End() below releases the source first
    }
    if (!result.ok()) source.Cancel();
    reader_->End();
  }
  while (result.ok() && transfer.in_flight() > 0) {
    result = transfer.TakeAndWrite();
  }
  return result;
}

}  // namespace halftoned
