// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bands go through rooms in turn, as in every session:
//
//   lent ▶ submitted ▶ sent ▶ received ▶ taken
//
// A room is sent when no more than kBandsInFlight are without an answer. What
// has not been received can be sent again, on a page opened anew from the carry
// of what has: so the session lives on when the daemon evicts an idle page, and
// on another connection when the worker has left since. Rooms that its ring had
// are copied then, once they are sent.

#include "wire/remote_session.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halftone/band_order.h"
#include "wire/checksum.h"

namespace halftoned::wire {
namespace {

constexpr uint64_t kRooms = kBandsInFlight + 1;  // and one on view
// Without an answer between them. One is no fault of the daemon's, nor is a
// second that crosses a band on its way.
constexpr int kMaxEvictions = 4;

size_t Aligned(size_t bytes) {
  return (bytes + kRingAlignment - 1) / kRingAlignment * kRingAlignment;
}

class RemoteSession : public Session {
 public:
  RemoteSession(const PageOrder& order, int32_t rows_per_band,
                std::unique_ptr<RemoteConnection> connection,
                std::shared_ptr<ConnectionOwner> owner)
      : page_(order.page),
        recipe_(order.recipe),
        gray_row_(order.page.gray_bytes_per_row()),
        bits_row_(order.recipe.bit_bytes_per_row(order.page.width())),
        below_(order.carry),
        order_(order.page.first_row(), rows_per_band, kRooms),
        received_row_(order.page.first_row()),
        connection_(std::move(connection)),
        owner_(std::move(owner)) {}
  ~RemoteSession() override;

  // Makes the rooms, and opens the page.
  Result<void> Begin();

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  struct Room {
    std::byte* gray = nullptr;
    int32_t rows = 0;
    bool last = false;
    BitBand answer;
    std::optional<Carry> below;
  };

  Room& room(uint64_t number) { return rooms_[number % kRooms]; }
  size_t gray_room() const { return Aligned(gray_row_ * rows()); }
  size_t bits_room() const { return Aligned(bits_row_ * rows()); }
  size_t rows() const { return static_cast<size_t>(order_.rows_per_band()); }
  Link& link() { return connection_->link(); }

  // Where a band's room is on this connection.
  std::byte* GrayPlace(uint64_t number) const;
  std::byte* BitsPlace(uint64_t number) const;  // to read, if it is in a ring

  Result<void> OpenPage();
  void SendOpen();
  void SendBand(uint64_t number);
  // Sends what may be sent, as far as the socket takes it now.
  Result<void> SendSome();
  // For an evicted page that is not taken again where it was: opens it on
  // another connection. Else gives back the error.
  Result<void> MoveOn(const Error& error);
  // As SendSome, and waits until it is; answers are received meanwhile.
  Result<void> SendBands();
  // Takes in what has come; true if that was a whole frame.
  Result<bool> Receive();
  Result<void> Handle(const Link::Frame& frame);
  Result<void> BeginAnswer(const Link::Frame& frame);
  Result<void> EndAnswer();
  Result<Finished> TakeAnswer();

  // The first error is the only one that there will be.
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
  std::optional<Carry> below_;  // the rows received; none at a page's start

  BandOrder order_;
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  int64_t received_row_;  // the first that has not been received
  std::array<Room, kRooms> rooms_;
  std::unique_ptr<std::byte[]> own_memory_;  // of all rooms, without a ring

  uint32_t page_number_ = 0;
  int evictions_ = 0;             // since the last answer
  bool has_moved_ = false;        // since then
  std::optional<Answer> answer_;  // of which the tail is to come
  std::optional<Error> error_;
  std::unique_ptr<RemoteConnection> connection_;
  // Those that the page has left, since rooms below `left_below_` may be in
  // their rings.
  std::vector<std::unique_ptr<RemoteConnection>> left_;
  uint64_t left_below_ = 0;
  const std::shared_ptr<ConnectionOwner> owner_;
};

RemoteSession::~RemoteSession() {
  // A page that is not over ends with its connection.
  const bool is_over = received_ > 0 && received_ == order_.submitted() &&
                       room(received_ - 1).last;
  if (is_over && !error_) owner_->GiveBack(std::move(connection_));
}

// The worker need not go on, and the rooms stay: somebody may be filling them,
// or have them copied.
void RemoteSession::Fail(const Error& error) {
  error_ = error;
  connection_->Close();
  if (error.code == ErrorCode::kUnavailable) {
    owner_->Died(connection_->welcome().worker, error);
  }
}

Result<void> RemoteSession::Begin() {
  if (!connection_->uses_ring()) {
    if (gray_row_ * rows() > kMaxTailBytes) {
      return Unavailable("the bands are too large for the daemon");
    }
    own_memory_.reset(new (std::nothrow)
                          std::byte[kRooms * (gray_room() + bits_room())]);
    if (!own_memory_) return Unavailable("out of memory for bands");
  }
  HALFTONED_TRY(OpenPage());
  return SendSome();
}

std::byte* RemoteSession::GrayPlace(uint64_t number) const {
  std::byte* base = connection_->uses_ring() ? connection_->ring().gray.data()
                                             : own_memory_.get();
  return base + number % kRooms * gray_room();
}

std::byte* RemoteSession::BitsPlace(uint64_t number) const {
  std::byte* base = connection_->uses_ring()
                        ? connection_->ring().bits.data()
                        : own_memory_.get() + kRooms * gray_room();
  return base + number % kRooms * bits_room();
}

Result<void> RemoteSession::OpenPage() {
  HALFTONED_TRY(
      connection_->ProvideRing({kRooms * gray_room(), kRooms * bits_room()}));
  SendOpen();
  return {};
}

void RemoteSession::SendOpen() {
  page_number_ = connection_->NextPage();
  link().Send(FrameType::kOpen, page_number_,
              Encode(Open{page_.StartingAt(received_row_), recipe_, below_,
                          order_.rows_per_band()}));
  sent_ = received_;
}

void RemoteSession::SendBand(uint64_t number) {
  Room& each = room(number);
  const size_t bytes = static_cast<size_t>(each.rows) * gray_row_;
  std::byte* place = GrayPlace(number);
  if (each.gray != place) {
    std::memcpy(place, each.gray, bytes);
    each.gray = place;
  }
  Band band{each.rows, each.last, 0, 0, 0};
  View tail;
  if (connection_->uses_ring()) {
    band.gray_offset = number % kRooms * gray_room();
    band.bits_offset = number % kRooms * bits_room();
  } else {
    tail = {each.gray, bytes};
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
    // What the daemon said last tells why it takes nothing more.
    const RemoteConnection* const here = connection_.get();
    while (connection_.get() == here) {
      const Result<bool> received = Receive();
      if (!received.ok() && received.error().message != kEnded) {
        return received.error();
      }
      if (!received.ok() || !*received) return flushed;
    }
  }
}

Result<void> RemoteSession::MoveOn(const Error& error) {
  if (evictions_ == 0 || std::exchange(has_moved_, true)) return error;
  HALFTONED_TRY_ASSIGN(auto next, owner_->Take());
  connection_->Close();
  left_.push_back(std::exchange(connection_, std::move(next)));
  left_below_ = order_.lent();
  return OpenPage();
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
  const uint64_t number = order_.lent();
  room(number).gray = GrayPlace(number);
  order_.Lend();
  return GrayRoom{room(number).gray, gray_row_, order_.rows_per_band()};
}

Result<void> RemoteSession::Submit(int32_t rows, bool last) {
  if (error_) return *error_;
  const uint64_t number = order_.submitted();
  HALFTONED_TRY(Keep(order_.Submit(rows, last)));
  room(number).rows = rows;
  room(number).last = last;
  return Keep(SendBands());
}

Result<Finished> RemoteSession::Take() {
  if (error_) return *error_;
  return Keep(TakeAnswer());
}

Result<Finished> RemoteSession::TakeAnswer() {
  const uint64_t number = order_.taken();
  HALFTONED_TRY(order_.Take());
  if (number >= left_below_) left_.clear();
  while (received_ <= number) {
    HALFTONED_TRY(SendBands());
    if (received_ > number) break;
    HALFTONED_TRY_ASSIGN(const bool received, Receive());
    if (!received) HALFTONED_TRY(connection_->Wait());
  }
  const Room& taken = room(number);
  return Finished{taken.answer, &*taken.below};
}

bool RemoteSession::Ready() {
  if (error_ || !order_.in_flight()) return false;
  // What is wrong, Take says.
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
    HALFTONED_TRY(MoveOn(frame.error()));
    return true;
  }
  if (!*frame) return false;
  HALFTONED_TRY(Handle(**frame));
  return true;
}

Result<void> RemoteSession::Handle(const Link::Frame& frame) {
  const bool is_ours = frame.header.page == page_number_;
  if (frame.header.type == FrameType::kFailed &&
      (is_ours || frame.header.page == 0)) {
    return MoveOn(ErrorOf(frame));
  }
  if (frame.header.type == FrameType::kEvicted && is_ours &&
      frame.header.tail == 0) {
    if (++evictions_ > kMaxEvictions) {
      return Unavailable("the daemon does nothing but evict the page");
    }
    SendOpen();
    return {};
  }
  if (frame.header.type == FrameType::kAnswer && is_ours && received_ < sent_) {
    const Result<void> begun = BeginAnswer(frame);
    if (begun.ok()) return {};
    return Unavailable("the daemon's answer is wrong: " +
                       begun.error().message);
  }
  return Unavailable("the daemon sent what nobody asked for");
}

Result<void> RemoteSession::BeginAnswer(const Link::Frame& frame) {
  HALFTONED_TRY_ASSIGN(const Answer answer, DecodeAnswer(frame.payload));
  Room& each = room(received_);
  if (answer.first_row != received_row_ || answer.rows != each.rows) {
    return BadInput("it has other rows than the band");
  }
  const size_t bytes = static_cast<size_t>(answer.rows) * bits_row_;
  if (frame.header.tail != (connection_->uses_ring() ? 0 : bytes)) {
    return BadInput("its bits are not where they belong");
  }
  HALFTONED_TRY_ASSIGN(
      each.below, DecodeCarry(frame.payload, recipe_,
                              page_.StartingAt(received_row_ + answer.rows)));
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
  below_ = each.below;
  evictions_ = 0;
  has_moved_ = false;
  ++received_;
  return {};
}

}  // namespace

Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    std::shared_ptr<ConnectionOwner> owner) {
  if (order.memory || order.on_ready) {
    return Bug("a remote session has memory of its own, and is waited for");
  }
  const int32_t rows =
      order.rows_per_band == 0
          ? SuitableRowsPerBand(order.page, connection->welcome().band_bytes)
          : order.rows_per_band;
  HALFTONED_TRY(CheckRowsPerBand(order.page, rows));
  if (order.carry) {
    HALFTONED_TRY(order.carry->CheckFor(order.recipe, order.page));
  }
  auto session = std::make_unique<RemoteSession>(
      order, rows, std::move(connection), std::move(owner));
  HALFTONED_TRY(session->Begin());
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace halftoned::wire
