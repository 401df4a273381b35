// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's page in a worker: its session, and what the client still may do
// with it. It knows frames' contents, not how they come and go.

#ifndef HALFTONED_DAEMON_WORKER_PAGE_WORK_H_
#define HALFTONED_DAEMON_WORKER_PAGE_WORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "halftone/engine.h"
#include "halftone/session.h"
#include "wire/protocol.h"
#include "wire/ring.h"

namespace halftoned::daemon {

class PageWork {
 public:
  // `ring` is the connection's, null if it has none; it outlives the page.
  // kUnavailable if the engine does not serve it.
  static Result<std::unique_ptr<PageWork>> Begin(
      const wire::Open& open, const wire::RingMemory* ring,
      const Engine& engine, std::function<void()> on_ready);

  // About what a page takes of the worker's memory.
  static size_t MemoryOf(const wire::Open& open, bool has_ring);

  // Accepts a band, of which `tail` bytes follow. kBadInput if it is not what
  // it may be. Where the gray follows, it belongs into the room that is given
  // back, and Submit comes then; else the band is submitted.
  Result<std::span<std::byte>> Accept(const wire::Band& band, size_t tail);
  Result<void> Submit();

  // Whether TakeAnswer would not wait.
  bool Ready() const { return session_->Ready(); }
  struct Done {
    wire::Answer answer;
    const Carry* carry;
    std::span<const std::byte> bits;  // until the next TakeAnswer
  };
  Result<Done> TakeAnswer();

  int unanswered() const { return unanswered_; }
  // Every band has been answered, and the last has come.
  bool complete() const { return last_accepted_ && unanswered_ == 0; }
  int32_t width() const { return page_.width(); }
  size_t gray_row() const { return gray_row_; }   // bytes
  int64_t next_row() const { return next_row_; }  // without an answer

 private:
  PageWork(const wire::Open& open, const wire::RingMemory* ring);
  Result<void> CheckPlace(const wire::Band& band, size_t tail) const;

  const Page page_;
  const size_t gray_row_;  // bytes
  const size_t bits_row_;
  const int32_t rows_per_band_;
  const wire::RingMemory* const ring_;
  BandMemory memory_;  // of the band that is accepted
  wire::Band band_;
  std::span<std::byte> room_;
  int unanswered_ = 0;
  bool last_accepted_ = false;
  int64_t next_row_;
  std::unique_ptr<Session> session_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_PAGE_WORK_H_
