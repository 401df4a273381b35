// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/library/library_engine.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace halftoned::testing {
namespace {

Error ErrorOf(const ht_error& error) {
  switch (error.status) {
    case HT_BAD_INPUT:
      return BadInput(error.text);
    case HT_UNAVAILABLE:
      return Unavailable(error.text);
    default:
      return Bug(error.text);
  }
}

class LibrarySession : public Session {
 public:
  LibrarySession(PageHandle page, const PageOrder& order)
      : page_(std::move(page)), order_(order) {}

  Result<GrayRoom> Lend() override {
    ht_room room;
    if (ht_page_lend(page_.get(), &room, &error_)) return ErrorOf(error_);
    return GrayRoom{reinterpret_cast<std::byte*>(room.gray), room.bytes_per_row,
                    room.rows};
  }

  Result<void> Submit(int32_t rows, bool last) override {
    if (ht_page_submit(page_.get(), rows, last, &error_)) {
      return ErrorOf(error_);
    }
    return {};
  }

  Result<Finished> Take() override {
    ht_rows rows;
    if (ht_page_take(page_.get(), &rows, &error_)) return ErrorOf(error_);
    std::vector<std::byte> saved(ht_page_carry_bytes(page_.get()));
    if (ht_page_save_carry(page_.get(), saved.data(), saved.size(), &error_)) {
      return ErrorOf(error_);
    }
    const Page below = order_.page.StartingAt(rows.first_row + rows.rows);
    HALFTONED_TRY_ASSIGN(below_, Carry::Load(saved, order_.recipe, below));
    return Finished{{reinterpret_cast<const std::byte*>(rows.bits),
                     rows.bytes_per_row, rows.rows, rows.first_row},
                    &*below_};
  }

  bool Ready() override { return ht_page_ready(page_.get()) != 0; }

 private:
  const PageHandle page_;
  const PageOrder order_;
  std::optional<Carry> below_;
  ht_error error_;
};

}  // namespace

ht_layout LibraryEngine::LayoutOf(const Page& page,
                                  int32_t rows_per_band) const {
  return {page.width(), static_cast<int32_t>(page.depth()), page.first_row(),
          rows_per_band, 0};
}

Result<std::unique_ptr<Session>> LibraryEngine::Open(
    const PageOrder& order) const {
  const ht_layout layout = LayoutOf(order.page, order.rows_per_band);
  std::vector<std::byte> carry;
  if (order.carry) carry = order.carry->Save();
  ht_page* page = nullptr;
  ht_error error;
  if (ht_page_open(engine_.get(), recipe_.get(), &layout,
                   order.carry ? carry.data() : nullptr, carry.size(), &page,
                   &error)) {
    return ErrorOf(error);
  }
  return std::unique_ptr<Session>(
      std::make_unique<LibrarySession>(PageHandle(page), order));
}

std::vector<std::byte> LibraryEngine::Whole(const GrayPage& gray, size_t gap,
                                            int32_t rows_per_band) const {
  const ht_layout layout = LayoutOf(gray.page, rows_per_band);
  const auto rows = static_cast<size_t>(gray.rows);
  const size_t gray_stride = gray.bytes_per_row() + gap;
  std::vector<std::byte> spread(gray_stride * rows, std::byte{0xa5});
  for (size_t i = 0; i < rows; ++i) {
    std::memcpy(spread.data() + i * gray_stride,
                gray.samples.data() + i * gray.bytes_per_row(),
                gray.bytes_per_row());
  }
  const size_t row_bytes = ht_recipe_row_bytes(recipe_.get(), layout.width);
  const size_t stride = row_bytes + gap;
  std::vector<std::byte> bits(stride * rows, std::byte{0x5a});
  ht_error error;
  EXPECT_EQ(ht_halftone(engine_.get(), recipe_.get(), &layout, spread.data(),
                        gap ? gray_stride : 0, gray.rows, bits.data(),
                        gap ? stride : 0, &error),
            HT_OK)
      << error.text;
  std::vector<std::byte> packed;
  for (size_t i = 0; i < rows; ++i) {
    const auto row = bits.begin() + static_cast<ptrdiff_t>(i * stride);
    const auto end = row + static_cast<ptrdiff_t>(row_bytes);
    packed.insert(packed.end(), row, end);
    EXPECT_EQ(
        std::count(end, row + static_cast<ptrdiff_t>(stride), std::byte{0x5a}),
        static_cast<ptrdiff_t>(gap))
        << "a gap was written to";
  }
  return packed;
}

std::vector<std::byte> LibraryEngine::ByRows(const GrayPage& gray,
                                             int32_t rows_per_band) const {
  const PageHandle page =
      NewPage(engine_.get(), recipe_.get(), LayoutOf(gray.page, rows_per_band));
  const size_t row_bytes =
      ht_recipe_row_bytes(recipe_.get(), gray.page.width());
  std::vector<std::byte> bits;
  ht_error error;
  const auto get_all = [&] {
    for (const unsigned char* row = nullptr;;) {
      EXPECT_EQ(ht_page_get(page.get(), &row, &error), HT_OK) << error.text;
      if (error.status || !row) return;
      const auto* bytes = reinterpret_cast<const std::byte*>(row);
      bits.insert(bits.end(), bytes, bytes + row_bytes);
    }
  };
  for (int32_t i = 0; i < gray.rows; ++i) {
    EXPECT_EQ(ht_page_put(page.get(),
                          gray.samples.data() +
                              static_cast<size_t>(i) * gray.bytes_per_row(),
                          &error),
              HT_OK)
        << error.text;
    get_all();
  }
  EXPECT_EQ(ht_page_end(page.get(), &error), HT_OK) << error.text;
  get_all();
  return bits;
}

std::vector<std::byte> LibraryEngine::ByBands(
    const GrayPage& gray, const std::vector<int32_t>& bands) const {
  const int32_t most = *std::max_element(bands.begin(), bands.end());
  const PageHandle page =
      NewPage(engine_.get(), recipe_.get(), LayoutOf(gray.page, most));
  std::vector<std::byte> bits;
  ht_error error;
  const std::byte* next = gray.samples.data();
  for (size_t i = 0; i < bands.size(); ++i) {
    ht_room room;
    EXPECT_EQ(ht_page_lend(page.get(), &room, &error), HT_OK) << error.text;
    EXPECT_GE(room.rows, bands[i]);
    const size_t bytes = gray.bytes_per_row() * static_cast<size_t>(bands[i]);
    std::memcpy(room.gray, next, bytes);
    next += bytes;
    EXPECT_EQ(
        ht_page_submit(page.get(), bands[i], i + 1 == bands.size(), &error),
        HT_OK)
        << error.text;
    ht_rows rows;
    EXPECT_EQ(ht_page_take(page.get(), &rows, &error), HT_OK) << error.text;
    const auto* bytes_of = reinterpret_cast<const std::byte*>(rows.bits);
    bits.insert(bits.end(), bytes_of,
                bytes_of + rows.bytes_per_row * static_cast<size_t>(rows.rows));
  }
  return bits;
}

}  // namespace halftoned::testing
