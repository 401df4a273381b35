// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/local_session.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

// A room's way: free → lent → submitted → (taken) free. Rooms are used in
// turn, so three counters tell where each one stands.
class LocalSession : public Session {
 public:
  LocalSession(const PageOrder& order, int32_t rows_per_band, Kernel kernel)
      : page_(order.page),
        recipe_(order.recipe),
        rows_per_band_(rows_per_band),
        kernel_(kernel),
        carry_(order.carry ? *order.carry
                           : Carry::AtStart(order.recipe, order.page)) {
    gray_bytes_per_row_ = page_.gray_bytes_per_row();
    bit_bytes_per_row_ = recipe_.bit_bytes_per_row(page_.width());
  }

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;

 private:
  struct Room {
    std::vector<std::byte> gray;
    std::vector<std::byte> bits;
    int32_t rows = 0;
    int64_t first_row = 0;
    std::optional<Carry> below;
  };
  static constexpr uint64_t kRooms = 4;

  Room& room(uint64_t number) { return rooms_[number % kRooms]; }

  const Page page_;
  const Recipe recipe_;
  const int32_t rows_per_band_;
  const Kernel kernel_;
  size_t gray_bytes_per_row_;
  size_t bit_bytes_per_row_;

  std::array<Room, kRooms> rooms_;
  uint64_t lent_ = 0;
  uint64_t submitted_ = 0;
  uint64_t taken_ = 0;
  bool last_submitted_ = false;
  Carry carry_;
};

Result<GrayRoom> LocalSession::Lend() {
  // The room of the answer taken last is still on view.
  const uint64_t in_use = lent_ - taken_ + (taken_ > 0 ? 1 : 0);
  if (in_use >= kRooms) return GrayRoom{};
  Room& next = room(lent_++);
  next.gray.resize(gray_bytes_per_row_ * static_cast<size_t>(rows_per_band_));
  return GrayRoom{next.gray.data(), gray_bytes_per_row_, rows_per_band_};
}

Result<void> LocalSession::Submit(int32_t rows, bool last) {
  if (submitted_ == lent_) return Bug("submitted a band that was not lent");
  if (last_submitted_) return Bug("submitted a band after the last");
  if (rows < 0 || rows > rows_per_band_ || (rows == 0 && !last)) {
    return Bug("submitted " + std::to_string(rows) + " rows of " +
               std::to_string(rows_per_band_));
  }
  if (carry_.next_row() + rows > Page::kMaxRows) {
    return BadInput("the page has more than " + std::to_string(Page::kMaxRows) +
                    " rows");
  }
  last_submitted_ = last;
  Room& band = room(submitted_++);
  band.rows = rows;
  band.first_row = carry_.next_row();
  band.bits.resize(bit_bytes_per_row_ * static_cast<size_t>(rows_per_band_));
  if (rows > 0) {
    kernel_({.page = page_,
             .recipe = recipe_,
             .gray = {band.gray.data(), gray_bytes_per_row_, rows},
             .bits = {band.bits.data(), bit_bytes_per_row_, rows},
             .carry = carry_});
  }
  carry_.set_next_row(band.first_row + rows);
  band.below = carry_;
  return {};
}

Result<Finished> LocalSession::Take() {
  if (taken_ == submitted_) return Bug("took more answers than bands");
  const Room& band = room(taken_++);
  return Finished{
      {band.bits.data(), bit_bytes_per_row_, band.rows, band.first_row},
      &*band.below};
}

}  // namespace

Result<std::unique_ptr<Session>> OpenLocalSession(const PageOrder& order,
                                                  Kernel kernel,
                                                  Pool& /*pool*/) {
  const int32_t rows = order.rows_per_band == 0
                           ? SuitableRowsPerBand(order.page)
                           : order.rows_per_band;
  if (rows < 1 || rows > Page::kMaxRowsPerBand) {
    return BadInput(std::to_string(rows) + " rows a band are not in 1 … " +
                    std::to_string(Page::kMaxRowsPerBand));
  }
  if (order.page.gray_bytes_per_row() * static_cast<size_t>(rows) >
      Page::kMaxBytesPerBand) {
    return BadInput("a band of " + std::to_string(rows) +
                    " rows would be larger than 1 GiB");
  }
  if (order.carry) {
    HALFTONED_TRY(order.carry->CheckFor(order.recipe, order.page));
  }
  return std::unique_ptr<Session>(
      std::make_unique<LocalSession>(order, rows, kernel));
}

}  // namespace halftoned
