// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bands go through a ring of rooms, as in every session:
//
//   lent ▶ submitted ▶ sent ▶ received ▶ taken
//
// A room is sent when no more than kBandsInFlight are without an answer.

#include "wire/remote_session.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "halftone/run/valid_order.h"
#include "wire/checksum.h"

namespace halftoned::wire {
namespace {

constexpr uint64_t kMostRooms = kBandsInFlight + 1;  // and one being read
// For a worker on processors, which has no preferred size of bands: as many as
// a session has in this process. A larger ring would only take longer to make.
constexpr uint64_t kRoomsOnProcessors = 5;

size_t Aligned(size_t bytes) {
  return (bytes + kRingAlignment - 1) / kRingAlignment * kRingAlignment;
}

class RemoteSession : public Session {
 public:
  RemoteSession(const ValidOrder& order,
                std::unique_ptr<RemoteConnection> connection,
                std::shared_ptr<ConnectionOwner> owner)
      : page_(order->page),
        recipe_(order->recipe),
        gray_row_(order.gray_bytes_per_row()),
        bits_row_(order.bit_bytes_per_row()),
        count_(connection->welcome().band_bytes > 0 ? kMostRooms
                                                    : kRoomsOnProcessors),
        order_(order.bands(count_)),
        received_row_(order->page.first_row()),
        below_(std::make_shared<const Carry>(order.above())),
        connection_(std::move(connection)),
        owner_(std::move(owner)) {}
  ~RemoteSession() override;

  // Makes the rooms, and opens the page. above: its carry, if it has one.
  Result<void> Begin(const std::optional<Carry>& above);

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  struct Room {
    int32_t rows = 0;
    bool last = false;
    int64_t end_done = 0;  // the first row that its answer does not have
    BitBand answer;
    std::shared_ptr<const Carry> below;
  };

  Room& room(uint64_t number) { return rooms_[number % count_]; }
  size_t gray_room() const { return Aligned(gray_row_ * rows()); }
  size_t bits_room() const {
    return Aligned(bits_row_ *
                   (rows() + static_cast<size_t>(recipe_.most_waiting_rows())));
  }
  size_t rows() const { return static_cast<size_t>(order_.rows_per_band()); }
  Link& link() { return connection_->link(); }

  // The memory of a band's room on the current connection.
  std::byte* GrayPlace(uint64_t number) const;
  std::byte* BitsPlace(uint64_t number) const;  // to read, if it is in a ring

  void SendBand(uint64_t number);
  // Sends bands that may be sent, as far as the socket takes them now.
  Result<void> SendSome();
  // Like SendSome, but until all are sent; receives answers meanwhile.
  Result<void> SendBands();
  // Receives what has arrived; true if a frame is complete.
  Result<bool> Receive();
  Result<void> Handle(const Link::Frame& frame);
  Result<void> BeginAnswer(const Link::Frame& frame);
  Result<void> EndAnswer();
  Result<Finished> TakeAnswer();

  // Keeps the first error: a session returns only that one.
  template <typename T>
  T Keep(T result) {
    if (error_) return *error_;
    if (!result.ok()) Fail(result.error());
    return result;
  }
  void Fail(const Error& error);

  const Page page_;
  const Recipe recipe_;
  const size_t gray_row_;  // bytes
  const size_t bits_row_;

  const uint64_t count_;  // of rooms
  BandOrder order_;
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  int64_t received_row_;  // the first row that has not been received
  std::shared_ptr<const Carry> below_;  // of the answer received last
  std::array<Room, kMostRooms> rooms_;
  std::unique_ptr<std::byte[]> own_memory_;  // of all rooms, without a ring

  uint32_t page_number_ = 0;
  std::optional<Answer> answer_;  // its tail is still to come
  std::optional<Error> error_;
  std::unique_ptr<RemoteConnection> connection_;  // null once it is given back
  RingMemory ring_;                               // the connection's until then
  const std::shared_ptr<ConnectionOwner> owner_;
};

RemoteSession::~RemoteSession() {
  // An unfinished page ends with its connection.
  const bool is_over = received_ > 0 && received_ == order_.submitted() &&
                       room(received_ - 1).last;
  if (is_over && !error_) owner_->GiveBack(std::move(connection_));
}

// The rooms stay: the caller may still be filling or copying them.
void RemoteSession::Fail(const Error& error) {
  error_ = error;
  // What has not been sent lies in our memory.
  if (error.code == ErrorCode::kAskAgain && !link().has_unsent()) {
    ring_ = connection_->TakeRing();
    owner_->Keep(std::move(connection_));
    return;
  }
  connection_->Close();  // the worker need not go on
  if (error.code == ErrorCode::kUnavailable) {
    owner_->Died(connection_->welcome().worker, error);
  }
}

Result<void> RemoteSession::Begin(const std::optional<Carry>& above) {
  if (!connection_->uses_ring()) {
    if (std::max(gray_row_ * rows(), bits_room()) > kMaxTailBytes) {
      return Unavailable("the bands are too large for the daemon");
    }
    own_memory_.reset(new (std::nothrow)
                          std::byte[count_ * (gray_room() + bits_room())]);
    if (!own_memory_) return Unavailable("out of memory for bands");
  }
  HALFTONED_TRY(
      connection_->ProvideRing({count_ * gray_room(), count_ * bits_room()}));
  page_number_ = connection_->NextPage();
  link().Send(FrameType::kOpen, page_number_,
              Encode(Open{page_, recipe_, above, order_.rows_per_band()}));
  return SendSome();
}

std::byte* RemoteSession::GrayPlace(uint64_t number) const {
  std::byte* base = connection_->uses_ring() ? connection_->ring().gray.data()
                                             : own_memory_.get();
  return base + number % count_ * gray_room();
}

std::byte* RemoteSession::BitsPlace(uint64_t number) const {
  std::byte* base = connection_->uses_ring()
                        ? connection_->ring().bits.data()
                        : own_memory_.get() + count_ * gray_room();
  return base + number % count_ * bits_room();
}

void RemoteSession::SendBand(uint64_t number) {
  const Room& each = room(number);
  Band band{each.rows, each.last, 0, 0, 0};
  View tail;
  if (connection_->uses_ring()) {
    band.gray_offset = number % count_ * gray_room();
    band.bits_offset = number % count_ * bits_room();
  } else {
    tail = {GrayPlace(number), static_cast<size_t>(each.rows) * gray_row_};
    band.gray_checksum = Checksum(tail);
  }
  link().Send(FrameType::kBand, page_number_, Encode(band), tail);
}

Result<void> RemoteSession::SendSome() {
  for (;;) {
    while (sent_ < order_.submitted() &&
           sent_ - received_ < static_cast<uint64_t>(kBandsInFlight)) {
      SendBand(sent_++);
    }
    const Result<void> flushed = link().Flush();
    if (flushed.ok()) return flushed;
    // The daemon's last message says why it takes nothing more.
    for (;;) {
      const Result<bool> received = Receive();
      if (!received.ok() && !link().has_ended()) return received.error();
      if (!received.ok() || !*received) return flushed;
    }
  }
}

Result<void> RemoteSession::SendBands() {
  for (;;) {
    HALFTONED_TRY(SendSome());
    if (!link().has_unsent()) return {};
    HALFTONED_TRY_ASSIGN(const bool received, Receive());
    if (!received) HALFTONED_TRY(connection_->Wait());
  }
}

Result<GrayRoom> RemoteSession::Lend() {
  if (error_) return *error_;
  if (!order_.CanLend()) return GrayRoom{};
  std::byte* const gray = GrayPlace(order_.lent());
  order_.Lend();
  return GrayRoom{gray, gray_row_, order_.rows_per_band()};
}

Result<void> RemoteSession::Submit(int32_t rows, bool last) {
  if (error_) return *error_;
  const uint64_t number = order_.submitted();
  HALFTONED_TRY(Keep(order_.Submit(rows, last)));
  room(number).rows = rows;
  room(number).last = last;
  room(number).end_done =
      recipe_.FirstUnanswered(page_.first_row(), order_.next_row(), last);
  return Keep(SendBands());
}

Result<Finished> RemoteSession::Take() {
  if (error_) return *error_;
  return Keep(TakeAnswer());
}

Result<Finished> RemoteSession::TakeAnswer() {
  const uint64_t number = order_.taken();
  HALFTONED_TRY(order_.Take());
  while (received_ <= number) {
    HALFTONED_TRY(SendBands());
    if (received_ > number) break;
    HALFTONED_TRY_ASSIGN(const bool received, Receive());
    if (!received) HALFTONED_TRY(connection_->Wait());
  }
  const Room& taken = room(number);
  return Finished{taken.answer, taken.below.get()};
}

bool RemoteSession::Ready() {
  if (error_ || !order_.in_flight()) return false;
  // Take reports errors.
  while (received_ <= order_.taken()) {
    if (!Keep(SendSome()).ok()) return true;
    const auto received = Keep(Receive());
    if (!received.ok()) return true;
    if (!*received) return false;
  }
  return true;
}

Result<bool> RemoteSession::Receive() {
  if (answer_) {
    HALFTONED_TRY_ASSIGN(
        const bool done,
        link().ReceiveTail({BitsPlace(received_),
                            static_cast<size_t>(answer_->rows) * bits_row_}));
    if (done) HALFTONED_TRY(EndAnswer());
    return done;
  }
  const auto frame = link().Receive();
  if (!frame.ok()) {
    if (frame.error().code == ErrorCode::kBadInput) {
      return Unavailable("the daemon's answer is wrong: " +
                         frame.error().message);
    }
    return frame.error();
  }
  if (!*frame) return false;
  HALFTONED_TRY(Handle(**frame));
  return true;
}

Result<void> RemoteSession::Handle(const Link::Frame& frame) {
  const bool is_ours = frame.header.page == page_number_;
  if (frame.header.type == FrameType::kFailed &&
      (is_ours || frame.header.page == 0)) {
    return ErrorOf(frame);
  }
  if (frame.header.type == FrameType::kEvicted && is_ours &&
      frame.header.tail == 0) {
    return Error{ErrorCode::kAskAgain, "the daemon has evicted the page"};
  }
  if (frame.header.type == FrameType::kAnswer && is_ours && received_ < sent_) {
    const Result<void> begun = BeginAnswer(frame);
    if (begun.ok()) return {};
    return Unavailable("the daemon's answer is wrong: " +
                       begun.error().message);
  }
  return Unavailable("the daemon sent an unexpected frame");
}

Result<void> RemoteSession::BeginAnswer(const Link::Frame& frame) {
  HALFTONED_TRY_ASSIGN(const Answer answer, DecodeAnswer(frame.payload));
  Room& each = room(received_);
  if (answer.first_row != received_row_ ||
      answer.rows != each.end_done - received_row_) {
    return BadInput("it has other rows than the band finishes");
  }
  const size_t bytes = static_cast<size_t>(answer.rows) * bits_row_;
  if (frame.header.tail != (connection_->uses_ring() ? 0 : bytes)) {
    return BadInput("its bits are not where they belong");
  }
  HALFTONED_TRY_ASSIGN(
      auto below,
      DecodeCarry(frame.payload, recipe_, page_.StartingAt(each.end_done)));
  if (below.has_value() != (answer.rows > 0 || each.last)) {
    return BadInput(below ? "it must not have a carry" : "it has no carry");
  }
  if (below) below_ = std::make_shared<const Carry>(std::move(*below));
  each.below = below_;
  answer_ = answer;
  return frame.header.tail == 0 ? EndAnswer() : Result<void>();
}

Result<void> RemoteSession::EndAnswer() {
  const Answer answer = *std::exchange(answer_, std::nullopt);
  Room& each = room(received_);
  const std::byte* bits = BitsPlace(received_);
  each.answer = {bits, bits_row_, answer.rows, answer.first_row};
  if (Checksum({bits, static_cast<size_t>(answer.rows) * bits_row_}) !=
      answer.bits_checksum) {
    return Unavailable("the checksum of the daemon's bits is wrong");
  }
  received_row_ += answer.rows;
  ++received_;
  return {};
}

}  // namespace

Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    std::shared_ptr<ConnectionOwner> owner) {
  if (order.memory || order.on_ready) {
    return Bug("a remote session has its own memory and no callback");
  }
  HALFTONED_TRY_ASSIGN(const ValidOrder valid,
                       ValidOrder::Of(order, connection->welcome().band_bytes));
  auto session = std::make_unique<RemoteSession>(valid, std::move(connection),
                                                 std::move(owner));
  HALFTONED_TRY(session->Begin(order.carry));
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace halftoned::wire
