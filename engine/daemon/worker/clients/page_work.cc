// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/page_work.h"

#include <algorithm>
#include <string>
#include <utility>

#include "wire/checksum.h"

namespace halftoned::daemon {
namespace {

size_t MostAnswerRows(const wire::Open& open) {
  return static_cast<size_t>(open.rows_per_band) +
         static_cast<size_t>(open.recipe.most_waiting_rows());
}

}  // namespace

PageWork::PageWork(const wire::Open& open, const wire::RingMemory* ring)
    : page_(open.page),
      recipe_(open.recipe),
      gray_row_(open.page.gray_bytes_per_row()),
      bits_row_(open.recipe.bit_bytes_per_row(open.page.width())),
      rows_per_band_(open.rows_per_band),
      ring_(ring),
      end_row_(open.page.first_row()),
      next_row_(open.page.first_row()) {}

Result<std::unique_ptr<PageWork>> PageWork::Begin(
    const wire::Open& open, const wire::RingMemory* ring, const Engine& engine,
    uint64_t job, std::function<void()> on_ready) {
  auto work = std::unique_ptr<PageWork>(new PageWork(open, ring));
  PageOrder order{open.page, open.recipe, open.carry, open.rows_per_band};
  order.on_ready = std::move(on_ready);
  order.bands_in_flight = wire::kBandsInFlight;
  order.job = job;
  if (ring) {
    order.memory = [page = work.get()] { return page->memory_; };
  }
  HALFTONED_TRY_ASSIGN(work->session_, engine.Open(order));
  return work;
}

Result<void> PageWork::CheckBands(const wire::Open& open,
                                  const wire::RingMemory* ring) {
  HALFTONED_TRY(CheckRowsPerBand(open.page, open.rows_per_band));
  const auto rows = static_cast<size_t>(open.rows_per_band);
  const size_t gray = open.page.gray_bytes_per_row() * rows;
  const size_t bits =
      open.recipe.bit_bytes_per_row(open.page.width()) * MostAnswerRows(open);
  const std::string bands =
      "bands of " + std::to_string(open.rows_per_band) + " rows ";
  if (!ring && std::max(gray, bits) > wire::kMaxTailBytes) {
    return BadInput(bands + "are too large to be sent");
  }
  if (ring && (gray > ring->gray.size() || bits > ring->bits.size())) {
    return BadInput(bands + "do not fit into the shared-memory buffer");
  }
  return {};
}

Accounts::Bytes PageWork::BytesOf(const wire::Open& open, bool has_ring,
                                  const Engine& engine) {
  const auto width = static_cast<size_t>(open.page.width());
  constexpr size_t kStatesPerColumn = 24;  // carries, and the lines of strips
  constexpr size_t kRooms = wire::kBandsInFlight + 1;  // and one on view
  size_t bytes = width * kStatesPerColumn * sizeof(int16_t);
  if (!has_ring) {
    bytes += (open.page.gray_bytes_per_row() *
                  static_cast<size_t>(open.rows_per_band) +
              open.recipe.bit_bytes_per_row(open.page.width()) *
                  MostAnswerRows(open)) *
             kRooms;
  }
  PageOrder order{open.page, open.recipe, std::nullopt, open.rows_per_band};
  order.bands_in_flight = wire::kBandsInFlight;
  if (has_ring) order.memory = [] { return BandMemory(); };
  return {.memory = bytes + engine.LookAheadBytes(order),
          .device = engine.DeviceBytes(order)};
}

PageWork::InFlight PageWork::InFlightOf(const wire::Band& band) const {
  const int64_t first_row = page_.first_row();
  const int64_t rows =
      recipe_.FirstUnanswered(first_row, end_row_ + band.rows, band.last) -
      recipe_.FirstUnanswered(first_row, end_row_);
  return {band.bits_offset,
          band.bits_offset + static_cast<uint64_t>(rows) * bits_row_,
          band.last};
}

Result<void> PageWork::CheckPlace(const wire::Band& band, size_t tail) const {
  const auto rows = static_cast<uint64_t>(band.rows);
  if (!ring_) {
    if (tail == rows * gray_row_) return {};
    return BadInput("a band of " + std::to_string(rows) + " rows has " +
                    std::to_string(tail) + " bytes");
  }
  if (tail != 0) {
    return BadInput(
        "a band was sent both inside and outside the shared-memory buffer");
  }
  const auto lies_in = [](uint64_t offset, uint64_t bytes, size_t size) {
    return offset % wire::kRingAlignment == 0 && offset <= size &&
           bytes <= size - offset;
  };
  const InFlight place = InFlightOf(band);
  if (!lies_in(band.gray_offset, rows * gray_row_, ring_->gray.size()) ||
      !lies_in(band.bits_offset, place.end - place.begin, ring_->bits.size())) {
    return BadInput("a band is outside the shared-memory buffer");
  }
  if (std::ranges::any_of(in_flight_, [&](const InFlight& other) {
        return place.begin < other.end && other.begin < place.end;
      })) {
    return BadInput("a band's bits overlap those of another in flight");
  }
  return {};
}

Result<std::span<std::byte>> PageWork::Accept(const wire::Band& band,
                                              size_t tail) {
  if (last_accepted_) return BadInput("a band arrived after the last one");
  if (in_flight_.size() == wire::kBandsInFlight) {
    return BadInput("more bands arrived than may be in flight");
  }
  if (band.rows > rows_per_band_) {
    return BadInput("a band has " + std::to_string(band.rows) +
                    " rows; the limit is " + std::to_string(rows_per_band_));
  }
  HALFTONED_TRY(CheckPlace(band, tail));
  if (ring_) {
    memory_ = {ring_->gray.data() + band.gray_offset,
               ring_->bits.data() + band.bits_offset};
  }
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session_->Lend());
  if (room.rows == 0) return Bug("a session lends too few rooms");
  if (room.bytes_per_row != gray_row_) return Bug("a session pads its rows");
  band_ = band;
  last_accepted_ = band.last;
  in_flight_.push_back(InFlightOf(band));
  in_flight_.back().since = std::chrono::steady_clock::now();
  end_row_ += band.rows;
  room_ = {room.bytes, tail};
  if (tail > 0) return room_;
  HALFTONED_TRY(session_->Submit(band.rows, band.last));
  return std::span<std::byte>();
}

Result<void> PageWork::Submit() {
  if (wire::Checksum(room_) != band_.gray_checksum) {
    return BadInput("a band's checksum is wrong");
  }
  return session_->Submit(band_.rows, band_.last);
}

Result<PageWork::Done> PageWork::TakeAnswer() {
  HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
  const auto [begin, end, last, since] = in_flight_.front();
  in_flight_.pop_front();
  const BitBand& bits = finished.bits;
  next_row_ = bits.first_row + bits.rows;
  if (bits.bytes_per_row != bits_row_) return Bug("a session pads its bits");
  Done done;
  done.since = since;
  done.carry = bits.rows > 0 || last ? finished.carry : nullptr;
  done.bits = {bits.bytes, static_cast<size_t>(bits.rows) * bits_row_};
  done.answer = {bits.first_row, bits.rows, wire::Checksum(done.bits)};
  return done;
}

}  // namespace halftoned::daemon
