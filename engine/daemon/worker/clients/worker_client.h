// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A connection, served by its worker: frames in, pages through an engine,
// frames out. It never blocks. Used by one thread.
//
// At most two frames wait to be sent: an answer, and the failure of its page.
// Nothing more is received until a client without a page has read its replies.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "control/board.h"
#include "control/control.h"
#include "control/job_key.h"
#include "control/work.h"
#include "daemon/worker/clients/accounts.h"
#include "daemon/worker/clients/client_ring.h"
#include "daemon/worker/clients/errands.h"
#include "daemon/worker/clients/last_minute.h"
#include "daemon/worker/clients/page_work.h"
#include "halftone/page/method.h"
#include "halftone/run/engine.h"
#include "wire/link.h"
#include "wire/ring.h"

namespace halftoned::daemon {

// Counts the work that a loop does for clients. Used by one thread at a time.
struct Tally {
  LastMinute last_minute;
  Work work;

  TypeWork& Of(Algorithm algorithm) {
    return work.types[static_cast<size_t>(algorithm) % Work::kTypes];
  }
};

using Clock = std::chrono::steady_clock;

// Shared by all clients of a worker, on all its threads. It outlives them.
struct Shop {
  const EngineList* engines = nullptr;
  // Returns how much of the device's memory is in use; null: no device.
  std::function<uint64_t()> device_bytes = nullptr;
  std::string engine = "auto";  // told to clients; pages get the best
  uint32_t worker = 0;          // this worker's number
  uint32_t band_bytes = 0;      // gray bytes that suit the engine; 0: any
  int loops = 1;                // threads that serve clients
  std::chrono::milliseconds page_idle{};  // before a page is evicted
  // For open pages after the supervisor has died.
  std::chrono::seconds stop_patience{20};
  // For the rest of a frame, and for a client to read its replies.
  std::chrono::milliseconds frame_patience{10'000};

  // Set before the first connection; null: no supervisor reads it.
  std::unique_ptr<Board> board = nullptr;

  std::atomic<bool> draining = false;

  Accounts accounts{};
  Errands errands{};  // ends before the accounts
};

class Client {
 public:
  // on_ready: called from any thread when Serve may have something to do.
  // tally: counts the client's work; may be null; outlives the client.
  // place: on the board.
  Client(Shop& shop, uint64_t number, Descriptor socket,
         std::function<void()> on_ready, Tally* tally = nullptr,
         const JobKey& job = {}, uint32_t place = 0);
  ~Client() {
    Finish();
    link_.Discard();
  }

  // -1: nothing is to be done until on_ready is called.
  int fd() const { return opening_ || events() == 0 ? -1 : link_.fd(); }
  short events() const;

  // Does what can be done now; true if more can be done immediately. An error
  // ends the connection; the caller reports it.
  Result<bool> Serve();

  // Handles what is overdue. Call when `deadline` has passed.
  Result<void> MindTime(Clock::time_point now);
  std::optional<Clock::time_point> deadline() const;

  // Extends all deadlines by a time until `now` in which the worker itself did
  // not run.
  void Forgive(Clock::duration time, Clock::time_point now);

  // Whether a draining worker can end this connection.
  bool may_leave() const { return !page_ && !opening_ && !link_.has_unsent(); }

  // Accepts no further band, and ends the connection as soon as none is in
  // flight, or its client does not read; in any case after frame_patience.
  void Dismiss(Clock::time_point now) { dismissed_ = now; }
  bool leaves() const {
    return dismissed_ && !opening_ &&
           (!page_ || page_->unanswered() == 0 || link_.has_unsent());
  }
  // Tells the client why its connection ends.
  Error Depart();

  bool has_hung_up() const { return link_.has_ended(); }
  const Counters& counters() const { return counters_; }
  // Ends the open page, if there is one; returns the final counters.
  const Counters& Finish();
  Report::Connection Describe(Clock::time_point now) const;
  size_t bands_in_flight() const { return page_ ? page_->unanswered() : 0; }

 private:
  // A page that waits until the engine holds its ring.
  struct Opening {
    wire::Open open;
    const Engine* engine;
  };

  // Whether the client must first read its replies. The number of bands of an
  // open page is limited; this limits everything else.
  bool owes_reading() const {
    return !page_ && !opening_ && link_.has_unsent();
  }
  // A dismissed client can only finish a band that it has begun.
  bool receives() const {
    return !opening_ && !owes_reading() && (!dismissed_ || receiving_tail_);
  }
  // True if a page that waits for its client, or a ring that is held without a
  // page, has been idle since idle_since.
  bool is_idle() const;
  Clock::time_point idle_since() const { return std::max(worked_, opened_); }
  // Counts the complete page.
  void CountPage(Tally& tally) const;
  Result<bool> ServeSteps();
  Result<bool> Step();
  // Notes on the board what is done for this client.
  void NoteWork(bool handles_frame);
  Result<bool> SendAnswer();
  Result<bool> ReceiveTail();
  Result<void> Handle(wire::Link::Frame& frame);
  Result<void> HandleRing(const wire::Link::Frame& frame);
  Result<void> HandleOpen(const wire::Link::Frame& frame);
  Result<void> HandleBand(const wire::Link::Frame& frame);
  Result<void> OpenPage(wire::Open open);
  Result<void> BeginPage(const Opening& opening);
  // Handles an error of the page: tells the client, and closes the page.
  // Returns the error if it ends the connection.
  Result<void> FailPage(const Error& error);
  // Closes an idle page. The client may open it again.
  void EvictPage();
  void ClosePage();
  // Tells the client why the connection ends.
  Error Refuse(const Error& error);

  Shop& shop_;
  const uint64_t number_;
  const uint32_t place_;
  const Accounts::Owner owner_;
  wire::Link link_;
  Accounts::Charge queued_{owner_};  // parts of frames
  const std::function<void()> on_ready_;
  std::unique_ptr<ClientRing> ring_;
  int rings_ = 0;  // received
  Accounts::Charge page_charge_{owner_};
  std::optional<Opening> opening_;
  std::unique_ptr<PageWork> page_;
  uint32_t page_number_ = 0;        // of the page opened last
  std::span<std::byte> tail_room_;  // empty: the tail is discarded
  bool receiving_tail_ = false;
  Board::State noted_;
  std::optional<Clock::time_point> dismissed_;
  Tally* const tally_;
  Clock::time_point active_;  // last message from or to the client
  Clock::time_point worked_;  // last rows from or to it
  Clock::time_point opened_;  // its last page
  Clock::time_point asked_;   // when it asked for that page
  Counters counters_;
};

}  // namespace halftoned::daemon
