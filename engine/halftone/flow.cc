// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/flow.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace halftoned {

// The reading thread: fills rooms in order, one page at a time. After a last
// band or an error it drops the rooms that are left, until the next page.
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

  // Waits until the thread has let go of the source.
  void End() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    rooms_.clear();
    changed_.wait(lock, [this] { return !reading_; });
    source_ = nullptr;
    filled_.clear();
  }

  void Push(GrayRoom room) {
    {
      std::lock_guard lock(mutex_);
      rooms_.push_back(room);
    }
    changed_.notify_all();
  }

  // The oldest filled room. With `wait`, waits for one.
  // Precondition for `wait`: a room was pushed that no Pop has answered.
  std::optional<Result<Filled>> Pop(bool wait) {
    std::unique_lock lock(mutex_);
    if (wait) changed_.wait(lock, [this] { return !filled_.empty(); });
    if (filled_.empty()) return std::nullopt;
    Result<Filled> oldest = std::move(filled_.front());
    filled_.pop_front();
    return oldest;
  }

 private:
  void Loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock,
                    [this] { return stop_ || (!ended_ && !rooms_.empty()); });
      if (stop_) return;
      const GrayRoom room = rooms_.front();
      rooms_.pop_front();
      reading_ = true;
      lock.unlock();
      Result<Filled> filled = source_->Read(room);
      lock.lock();
      reading_ = false;
      if (!filled.ok() || filled->last) ended_ = true;
      filled_.push_back(std::move(filled));
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Source* source_ = nullptr;
  std::deque<GrayRoom> rooms_;
  std::deque<Result<Filled>> filled_;
  bool ended_ = true;     // nothing more is read of this page
  bool reading_ = false;  // the thread is in source_->Read
  bool stop_ = false;
  std::thread thread_;
};

namespace {

// One page on its way. Bands in flight are those submitted and not yet taken.
class Passage {
 public:
  Passage(Session& session, Sink& sink) : session_(session), sink_(sink) {}

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
  Passage passage(session, sink);

  // The first band is read here: most small pages have no other.
  HALFTONED_TRY_ASSIGN(const GrayRoom first, session.Lend());
  if (first.rows == 0) return Bug("a new session lends no room");
  HALFTONED_TRY_ASSIGN(const Filled filled, source.Read(first));
  HALFTONED_TRY(passage.Submit(filled));
  if (!passage.ended() && !reader_) {
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
    while (!passage.ended()) {
      for (;;) {
        HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
        if (room.rows == 0) break;
        reader_->Push(room);
        ++reading;
      }
      const bool must_wait = passage.in_flight() == 0;
      if (must_wait && reading == 0) return Bug("a session lends no room");
      if (auto next = reader_->Pop(must_wait)) {
        if (!next->ok()) return next->error();
        --reading;
        HALFTONED_TRY(passage.Submit(**next));
      } else {
        HALFTONED_TRY(passage.TakeAndWrite());
      }
    }
    return {};
  };

  Result<void> result;
  if (!passage.ended()) {
    reader_->Begin(source);
    result = pass_the_rest();
    if (!result.ok()) source.Cancel();
    reader_->End();
  }
  while (result.ok() && passage.in_flight() > 0) {
    result = passage.TakeAndWrite();
  }
  return result;
}

}  // namespace halftoned
