// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/worker_client.h"

#include <poll.h>

#include <utility>

namespace halftoned::daemon {
namespace {

using wire::FailureCode;
using wire::FrameType;

}  // namespace

Client::Client(Shop& shop, uint64_t number, Descriptor socket,
               std::function<void()> on_ready, Tally* tally, const JobKey& job,
               uint32_t place)
    : shop_(shop),
      number_(number),
      place_(place),
      owner_(shop.accounts.Open(job)),
      link_(std::move(socket)),
      on_ready_(std::move(on_ready)),
      tally_(tally),
      active_(Clock::now()),
      worked_(active_),
      opened_(active_) {
  link_.Send(
      FrameType::kWelcome, 0,
      wire::Encode(wire::Welcome{shop.worker, shop.engine, shop.band_bytes}));
  // Now, before other clients have their turns.
  (void)link_.Flush();
}

const Counters& Client::Finish() {
  if (page_ && page_->complete()) {
    ++counters_.pages;
    if (tally_) CountPage(*tally_);
  } else if (page_ || opening_) {
    ++counters_.cancelled_pages;
  }
  ClosePage();
  return counters_;
}

void Client::CountPage(Tally& tally) const {
  const auto now = Clock::now();
  const auto took = std::max(now - asked_, Clock::duration::zero());
  tally.last_minute.Add({.pages = 1}, now);
  tally.work.pages.Add(took);
  TypeWork& type = tally.Of(page_->algorithm());
  ++type.pages;
  type.microseconds += static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
}

short Client::events() const {
  return static_cast<short>((receives() ? POLLIN : 0) |
                            (link_.has_unsent() ? POLLOUT : 0));
}

Result<bool> Client::Serve() {
  const Result<bool> moved = ServeSteps();
  if (!moved.ok()) return Refuse(moved.error());
  NoteWork(false);
  return moved;
}

Result<bool> Client::ServeSteps() {
  // After these, or after a ring, which takes as long as thousands of other
  // frames, it is another client's turn.
  constexpr int kSteps = 16;
  constexpr std::chrono::milliseconds kTime{2};
  const int rings = rings_;
  const auto end = Clock::now() + kTime;
  for (int i = 0; i < kSteps && rings == rings_; ++i) {
    if (i > 0 && Clock::now() >= end) break;
    HALFTONED_TRY_ASSIGN(const bool moved, Step());
    if (!moved) return false;
  }
  return true;
}

Result<bool> Client::Step() {
  HALFTONED_TRY(link_.Flush());
  if (opening_) {
    if (ring_->is_waiting()) return false;
    const Opening opening = *std::exchange(opening_, std::nullopt);
    const Result<void> begun = BeginPage(opening);
    if (!begun.ok()) HALFTONED_TRY(FailPage(begun.error()));
    return true;
  }
  if (!link_.has_unsent()) {
    if (page_ && page_->complete()) Finish();
    if (page_ && page_->Ready()) return SendAnswer();
  }
  if (!receives()) return false;
  if (receiving_tail_) return ReceiveTail();
  HALFTONED_TRY_ASSIGN(auto frame, link_.Receive());
  if (!queued_.Set({.memory = link_.queued_bytes()})) {
    return Accounts::Refusal();
  }
  if (!frame) return false;
  active_ = Clock::now();
  NoteWork(true);
  const Result<void> handled = Handle(*frame);
  CloseFiles(std::move(frame->descriptors));
  HALFTONED_TRY(handled);
  return true;
}

void Client::NoteWork(bool handles_frame) {
  if (!shop_.board) return;
  const bool has_band = opening_ || (page_ && page_->unanswered() > 0);
  // A client that does not read its answers delays only its own bands.
  const Board::State state{
      .is_at_work = handles_frame || has_band,
      .keeps_place = has_band && !(page_ && link_.has_unsent()),
      .worked = worked_};
  if (state != std::exchange(noted_, state)) {
    shop_.board->Note({number_, place_}, state);
  }
}

Result<bool> Client::SendAnswer() {
  const auto done = page_->TakeAnswer();
  if (!done.ok()) {
    HALFTONED_TRY(FailPage(done.error()));
    return true;
  }
  link_.Send(FrameType::kAnswer, page_number_,
             wire::Encode(done->answer, done->carry),
             ring_ ? wire::View() : wire::View(done->bits));
  active_ = Clock::now();
  ++counters_.bands;
  const auto rows = static_cast<uint64_t>(done->answer.rows);
  if (rows > 0) worked_ = active_;
  counters_.rows += rows;
  counters_.pixels += rows * static_cast<uint64_t>(page_->width());
  if (tally_) {
    tally_->last_minute.Add({.gray_bytes = rows * page_->gray_row()}, active_);
    tally_->work.bands.Add(active_ - done->since);
    tally_->Of(page_->algorithm()).rows += rows;
  }
  return true;
}

Result<bool> Client::ReceiveTail() {
  HALFTONED_TRY_ASSIGN(const bool done, link_.ReceiveTail(tail_room_));
  if (!done) return false;
  receiving_tail_ = false;
  active_ = Clock::now();
  if (std::exchange(tail_room_, {}).empty() || !page_) return true;
  const Result<void> submitted = page_->Submit();
  if (!submitted.ok()) HALFTONED_TRY(FailPage(submitted.error()));
  return true;
}

Result<void> Client::Handle(wire::Link::Frame& frame) {
  const bool wants_files = frame.header.type == FrameType::kRing;
  if (!wants_files && !frame.descriptors.empty()) {
    return BadInput("unexpected file descriptors");
  }
  receiving_tail_ = frame.header.tail > 0;
  if (receiving_tail_ && frame.header.type != FrameType::kBand) {
    return BadInput("unexpected bytes after a frame");
  }
  switch (frame.header.type) {
    case FrameType::kRing:
      return HandleRing(frame);
    case FrameType::kOpen:
      return HandleOpen(frame);
    case FrameType::kBand:
      return HandleBand(frame);
    default:
      return BadInput("unexpected frame of type " +
                      std::to_string(static_cast<int>(frame.header.type)));
  }
}

Result<void> Client::HandleRing(const wire::Link::Frame& frame) {
  if (page_) {
    return BadInput("a shared-memory buffer arrived while a page is open");
  }
  if (++rings_ > wire::kMaxRings) {
    return BadInput("too many shared-memory buffers arrived");
  }
  HALFTONED_TRY_ASSIGN(const wire::Ring sizes, wire::DecodeRing(frame.payload));
  ring_.reset();
  HALFTONED_TRY_ASSIGN(auto memory, wire::AdoptRing(sizes, frame.descriptors));
  ring_.reset();
  HALFTONED_TRY_ASSIGN(
      ring_, ClientRing::Make(std::move(memory), owner_, shop_.errands));
  return {};
}

Result<void> Client::HandleOpen(const wire::Link::Frame& frame) {
  // While a page is being opened, frames are not received.
  if (page_) return BadInput("a page was opened while another is open");
  if (frame.header.page <= page_number_) {
    return BadInput("page " + std::to_string(frame.header.page) +
                    " was opened after page " + std::to_string(page_number_));
  }
  page_number_ = frame.header.page;
  asked_ = Clock::now();
  auto open = wire::DecodeOpen(frame.payload);
  const Result<void> opened =
      open.ok() ? OpenPage(std::move(*open)) : open.error();
  return opened.ok() ? opened : FailPage(opened.error());
}

Result<void> Client::OpenPage(wire::Open open) {
  if (shop_.draining) return Unavailable("this worker is shutting down");
  HALFTONED_TRY(PageWork::CheckBands(open, ring_ ? &ring_->memory() : nullptr));
  HALFTONED_TRY_ASSIGN(const Engine* engine,
                       ChooseEngine(*shop_.engines, "auto", open.recipe));
  if (!page_charge_.Set(PageWork::BytesOf(open, ring_ != nullptr, *engine))) {
    return Accounts::Refusal();
  }
  const bool is_held = !ring_ || ring_->Hold(*engine, on_ready_);
  Opening opening{std::move(open), engine};
  if (is_held) return BeginPage(opening);
  opening_ = std::move(opening);
  return {};
}

Result<void> Client::BeginPage(const Opening& opening) {
  if (ring_) {
    const Result<void> held = ring_->outcome();
    if (!held.ok()) {
      ring_->LetGo();
      return held;
    }
  }
  HALFTONED_TRY_ASSIGN(
      page_,
      PageWork::Begin(opening.open, ring_ ? &ring_->memory() : nullptr,
                      *opening.engine, owner_->key().number(), on_ready_));
  opened_ = Clock::now();
  return {};
}

Result<void> Client::HandleBand(const wire::Link::Frame& frame) {
  if (frame.header.page > page_number_ || frame.header.page == 0) {
    return BadInput("a band arrived for a page that was never open");
  }
  // The page failed or was evicted while the band was on its way.
  if (!page_ || frame.header.page < page_number_) return {};
  HALFTONED_TRY_ASSIGN(const wire::Band band, wire::DecodeBand(frame.payload));
  const auto room = page_->Accept(band, frame.header.tail);
  if (!room.ok()) return FailPage(room.error());
  tail_room_ = *room;
  if (band.rows > 0) worked_ = Clock::now();
  return {};
}

Result<void> Client::FailPage(const Error& error) {
  if (error.code == ErrorCode::kBadInput) return error;
  ++counters_.failed_pages;
  // Without a ring, an unsent answer points into the page's memory.
  const bool ends_all = link_.has_unsent() && !ring_;
  ClosePage();
  if (ends_all) return error;
  active_ = Clock::now();
  link_.Send(
      FrameType::kFailed, page_number_,
      wire::Encode(wire::Failed{FailureCode::kUnavailable, error.message}));
  return {};
}

void Client::EvictPage() {
  ++counters_.evicted_pages;
  ClosePage();
  link_.Send(FrameType::kEvicted, page_number_, {});
}

Error Client::Depart() {
  // An answer that waits to be sent may lie in the page's memory.
  if (page_ && !link_.has_unsent()) {
    EvictPage();
    (void)link_.Flush();
  }
  return Refuse(
      Unavailable("this idle connection was evicted to make room for others"));
}

void Client::ClosePage() {
  tail_room_ = {};
  page_.reset();
  if (std::exchange(opening_, std::nullopt)) ring_->LetGo();
  NoteWork(false);
  (void)page_charge_.Set({});
}

Error Client::Refuse(const Error& error) {
  if (error.code == ErrorCode::kBadInput) ++counters_.protocol_errors;
  if (!link_.has_unsent() && !link_.has_ended()) {
    link_.Send(FrameType::kFailed, 0,
               wire::Encode(wire::Failed{error.code == ErrorCode::kBadInput
                                             ? FailureCode::kProtocol
                                             : FailureCode::kUnavailable,
                                         error.message}));
    (void)link_.Flush();  // the client may have stopped reading
  }
  return error;
}

std::optional<Clock::time_point> Client::deadline() const {
  std::optional<Clock::time_point> first;
  const auto add = [&](Clock::time_point deadline) {
    first = first ? std::min(*first, deadline) : deadline;
  };
  if (dismissed_) add(*dismissed_ + shop_.frame_patience);
  if (owes_reading()) {
    add(active_ + shop_.frame_patience);
    return first;
  }
  if (const auto since = link_.owed_since()) {
    add(*since + shop_.frame_patience);
  }
  if (is_idle()) add(idle_since() + shop_.page_idle);
  return first;
}

void Client::Forgive(Clock::duration time, Clock::time_point now) {
  // Nothing has happened later than now.
  const auto forgiven = [&](Clock::time_point since) {
    return std::min(time, now - since);
  };
  if (const auto since = link_.owed_since()) link_.Forgive(forgiven(*since));
  for (Clock::time_point* const since : {&active_, &worked_, &opened_}) {
    *since += forgiven(*since);
  }
  if (dismissed_) *dismissed_ += forgiven(*dismissed_);
}

bool Client::is_idle() const {
  if (!page_) return !opening_ && ring_ && ring_->is_held();
  return page_->unanswered() == 0 || link_.has_unsent();
}

Result<void> Client::MindTime(Clock::time_point now) {
  if (dismissed_ && *dismissed_ + shop_.frame_patience <= now) return Depart();
  if (owes_reading()) {
    if (now < active_ + shop_.frame_patience) return {};
    return Refuse(BadInput("the client does not read its replies"));
  }
  const auto since = link_.owed_since();
  if (since && *since + shop_.frame_patience <= now) {
    return Refuse(BadInput("the rest of a frame did not arrive in time"));
  }
  if (is_idle() && idle_since() + shop_.page_idle <= now) {
    if (page_ && link_.has_unsent()) {
      // It may be waiting for a printer, and can continue without this worker.
      return Unavailable("the client does not read its results");
    }
    if (page_) {
      EvictPage();
      HALFTONED_TRY(link_.Flush());
    } else {
      ring_->LetGo();
    }
  }
  return {};
}

Report::Connection Client::Describe(Clock::time_point now) const {
  Report::Connection described;
  described.connection = number_;
  described.counters = counters_;
  if (page_) {
    described.page = page_number_;
    described.next_row = page_->next_row();
    described.width = page_->width();
  }
  const auto idle =
      std::chrono::duration_cast<std::chrono::milliseconds>(now - active_);
  described.idle_ms = static_cast<uint64_t>(std::max<int64_t>(idle.count(), 0));
  return described;
}

}  // namespace halftoned::daemon
