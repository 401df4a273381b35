// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's page in a worker: its session, and the checks of what the client
// sends for it. It knows the contents of frames, not their transport.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>

#include "base/result.h"
#include "daemon/worker/clients/accounts.h"
#include "halftone/run/engine.h"
#include "halftone/run/session.h"
#include "wire/protocol.h"
#include "wire/ring.h"

namespace halftoned::daemon {

class PageWork {
 public:
  // kBadInput if the announced bands do not fit into the ring or, without a
  // ring, are too large to be sent. ring: the connection's, null if it has
  // none.
  static Result<void> CheckBands(const wire::Open& open,
                                 const wire::RingMemory* ring);

  // Estimated memory of a page, without its ring.
  static Accounts::Bytes BytesOf(const wire::Open& open, bool has_ring,
                                 const Engine& engine);

  // Precondition: CheckBands is ok. The ring outlives the page. job: as in
  // PageOrder. kUnavailable if the engine does not serve the page.
  static Result<std::unique_ptr<PageWork>> Begin(
      const wire::Open& open, const wire::RingMemory* ring,
      const Engine& engine, uint64_t job, std::function<void()> on_ready);

  // Accepts a band, followed by `tail` bytes. kBadInput if the band is invalid.
  // If the gray follows, read it into the returned room and call Submit;
  // otherwise the band has been submitted.
  Result<std::span<std::byte>> Accept(const wire::Band& band, size_t tail);
  Result<void> Submit();

  // Whether TakeAnswer would not wait.
  bool Ready() const { return session_->Ready(); }
  struct Done {
    wire::Answer answer;
    const Carry* carry;                           // null if the answer has none
    std::span<const std::byte> bits;              // until the next TakeAnswer
    std::chrono::steady_clock::time_point since;  // when the band was accepted
  };
  Result<Done> TakeAnswer();

  size_t unanswered() const { return in_flight_.size(); }
  // The last band has come, and every band has been answered.
  bool complete() const { return last_accepted_ && in_flight_.empty(); }
  Algorithm algorithm() const { return recipe_.algorithm(); }
  int32_t width() const { return page_.width(); }
  size_t gray_row() const { return gray_row_; }   // bytes
  int64_t next_row() const { return next_row_; }  // the first without an answer

 private:
  // An unanswered band, and where its bits lie in the ring.
  struct InFlight {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool last = false;
    std::chrono::steady_clock::time_point since{};
  };

  PageWork(const wire::Open& open, const wire::RingMemory* ring);
  InFlight InFlightOf(const wire::Band& band) const;
  Result<void> CheckPlace(const wire::Band& band, size_t tail) const;

  const Page page_;
  const Recipe recipe_;
  const size_t gray_row_;  // bytes
  const size_t bits_row_;
  const int32_t rows_per_band_;
  const wire::RingMemory* const ring_;
  BandMemory memory_;  // of the accepted band
  wire::Band band_;
  std::span<std::byte> room_;
  std::deque<InFlight> in_flight_;
  bool last_accepted_ = false;
  int64_t end_row_;  // the first that has not been accepted
  int64_t next_row_;
  std::unique_ptr<Session> session_;
};

}  // namespace halftoned::daemon
