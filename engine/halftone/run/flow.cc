// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/flow.h"

#include <algorithm>
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

// The number of rows that are read, halftoned and written in turn: whole strips
// of every engine, which still fit the second-level cache.
constexpr int32_t kRowsAtOnce = 64;

// Fits the small-string buffer, so it allocates nothing.
Error OutOfMemory() { return Unavailable("out of memory"); }

template <typename Step>
Result<void> WithoutThrowing(const Step& step) {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

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

// One page on its way. Bands in flight are those submitted and not yet taken;
// the last answer taken may be unwritten.
class PageTransfer {
 public:
  PageTransfer(Session& session, Sink& sink) : session_(session), sink_(sink) {}

  Result<void> Submit(Filled filled) {
    HALFTONED_TRY(session_.Submit(filled.rows, filled.last));
    ++in_flight_;
    ended_ = filled.last;
    return {};
  }

  // Writes the previous answer first, because Take invalidates its views.
  Result<void> Take() {
    HALFTONED_TRY(Write());
    HALFTONED_TRY_ASSIGN(unwritten_, session_.Take());
    --in_flight_;
    return {};
  }

  Result<void> Write() {
    if (!unwritten_) return {};
    return sink_.Answer(*std::exchange(unwritten_, std::nullopt));
  }

  Result<void> TakeAndWrite() {
    HALFTONED_TRY(Take());
    return Write();
  }

  // Whether the last band was answered when it was submitted, and no other band
  // is in flight.
  bool AnsweredAtOnce() const { return in_flight_ == 1 && session_.Ready(); }
  bool ended() const { return ended_; }
  int in_flight() const { return in_flight_; }
  bool has_unwritten() const { return unwritten_.has_value(); }

 private:
  Session& session_;
  Sink& sink_;
  std::optional<Finished> unwritten_;
  int in_flight_ = 0;
  bool ended_ = false;
};

// While bands are answered when they are submitted, as with text, reading ahead
// gains nothing, so bands are read on this thread. The first band is too,
// because most small pages have no other.
Result<void> PassAtOnce(Source& source, Session& session,
                        PageTransfer& transfer) {
  do {
    if (transfer.in_flight() > 0) HALFTONED_TRY(transfer.TakeAndWrite());
    HALFTONED_TRY_ASSIGN(GrayRoom room, session.Lend());
    if (room.rows == 0) return Bug("a session lends no room");
    room.rows = std::min(room.rows, kRowsAtOnce);
    HALFTONED_TRY_ASSIGN(const Filled filled, source.Read(room));
    HALFTONED_TRY(transfer.Submit(filled));
  } while (!transfer.ended() && transfer.AnsweredAtOnce());
  return {};
}

// Order of preference: hand rooms to the reader, submit what it has filled,
// write what is finished, and only then wait for the reader. So a slow reader
// never holds up rows that are done, and a slow sink does not idle the session:
// while an answer is written, the reader fills the room that became free, and
// the session halftones what has been read. Ends when the reader has nothing
// left to read, and a band has been answered when it was submitted.
template <typename Reader>
Result<void> PassWithReader(Session& session, Reader& reader,
                            PageTransfer& transfer) {
  int reading = 0;
  bool at_once = false;
  while (!transfer.ended() && !(at_once && reading == 0)) {
    while (!at_once) {
      HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
      if (room.rows == 0) break;
      reader.Push(room);
      ++reading;
    }
    const bool must_wait =
        transfer.in_flight() == 0 && !transfer.has_unwritten();
    if (must_wait && reading == 0) return Bug("a session lends no room");
    if (auto next = reader.Pop(must_wait)) {
      if (!next->ok()) return next->error();
      --reading;
      HALFTONED_TRY(transfer.Submit(**next));
      while (transfer.in_flight() > 1 && session.Ready()) {
        HALFTONED_TRY(transfer.TakeAndWrite());
      }
      at_once = transfer.AnsweredAtOnce();
    } else if (transfer.has_unwritten()) {
      HALFTONED_TRY(transfer.Write());
    } else {
      HALFTONED_TRY(transfer.Take());
    }
  }
  return transfer.Write();
}

}  // namespace

Flow::Flow() = default;
Flow::~Flow() = default;

Result<void> Flow::Run(Source& source, Session& session, Sink& sink) {
  PageTransfer transfer(session, sink);

  const auto pass_at_once = [&] {
    return PassAtOnce(source, session, transfer);
  };
  HALFTONED_TRY(WithoutThrowing(pass_at_once));
  while (!transfer.ended()) {
    HALFTONED_TRY(StartReader());
    reader_->Begin(source);
    const Result<void> passed = WithoutThrowing(
        [&] { return PassWithReader(session, *reader_, transfer); });
    if (!passed.ok()) source.Cancel();
    reader_->End();
    HALFTONED_TRY(passed);
    if (!transfer.ended()) HALFTONED_TRY(WithoutThrowing(pass_at_once));
  }
  while (transfer.in_flight() > 0) HALFTONED_TRY(transfer.TakeAndWrite());
  return {};
}

Result<void> Flow::StartReader() {
  if (reader_) return {};
  try {
    reader_ = std::make_unique<Reader>();
  } catch (const std::system_error& error) {
    return Unavailable(std::string("cannot start a thread to read: ") +
                       error.what());
  }
  return {};
}

}  // namespace halftoned
