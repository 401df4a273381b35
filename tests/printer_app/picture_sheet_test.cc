// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "printer_app/pictures/placed_rows.h"
#include "printer_app/pictures/sheet_file.h"
#include "printer_app/pictures/shown_part.h"
#include "printer_app/pictures/work_time.h"

namespace halftoned {
namespace {

constexpr int kPictureWidth = 5;
constexpr int kPictureRows = 200;

// A sample of the picture, which says where it is.
uint8_t LightAt(int64_t x, int64_t y) {
  return static_cast<uint8_t>((x + kPictureWidth * y) % 251);
}

class Gradient : public PageReader {
 public:
  // bits: of a sample
  explicit Gradient(int bits, int64_t* most_rows = nullptr)
      : PageReader({*Page::Make(kPictureWidth, bits), kPictureRows, {}}),
        most_rows_(most_rows) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t row = 0; row < room.rows; ++row, ++next_) {
      for (int x = 0; x < kPictureWidth; ++x) {
        const uint8_t light = LightAt(x, next_);
        // Rounded to the same light.
        const auto deep = static_cast<uint16_t>(light * 257 + 100);
        if (info().page.depth() == Depth::k16) {
          std::memcpy(room.row(row) + 2 * x, &deep, sizeof(deep));
        } else {
          std::memcpy(room.row(row) + x, &light, sizeof(light));
        }
      }
    }
    if (most_rows_) *most_rows_ = next_;
    return {};
  }

 private:
  int64_t* const most_rows_;
  int64_t next_ = 0;
};

Result<void> NeverEnds() { return {}; }

struct SheetSize {
  int64_t width;
  int64_t rows;
};

// What does not match the picture at this position on white paper; empty if all
// does.
std::string Difference(PageReader& shown, const SheetSize& sheet, int64_t x,
                       int64_t y) {
  PlacedRows rows(shown, sheet.width, std::max<int64_t>(x, 0),
                  std::max<int64_t>(y, 0));
  for (int64_t row = 0; row < sheet.rows; ++row) {
    const auto made = rows.Next();
    if (!made.ok()) return made.error().message;
    for (int64_t column = 0; column < sheet.width; ++column) {
      const bool is_picture = column >= x && column < x + kPictureWidth &&
                              row >= y && row < y + kPictureRows;
      if ((*made)[column] !=
          (is_picture ? LightAt(column - x, row - y) : 255)) {
        return "at " + std::to_string(column) + ", " + std::to_string(row);
      }
    }
  }
  return "";
}

TEST(PictureSheet, ShowsThePictureAtItsPlaceInEachCopy) {
  struct Place {
    SheetSize sheet;
    int64_t x;
    int64_t y;
    int64_t bytes;  // of the file
  };
  const Place places[] = {{{9, 300}, 2, 70, kPictureWidth * kPictureRows},
                          {{9, 300}, -2, -70, 3 * 130},
                          {{9, 300}, 6, 250, 3 * 50},
                          {{3, 100}, -1, -90, 3 * 100}};
  for (const int bits : {8, 16}) {
    for (const auto& [sheet, x, y, bytes] : places) {
      const Part part = ShownPart({kPictureWidth, kPictureRows},
                                  {sheet.width, sheet.rows}, x, y);
      auto shown = Crop(std::make_unique<Gradient>(bits), part, NeverEnds);
      ASSERT_TRUE(shown.ok());
      int64_t taken = 0;
      auto file = SheetFile::Make(
          part.width, part.rows,
          [&](int, int64_t asked) -> Result<std::shared_ptr<void>> {
            taken = asked;
            return std::shared_ptr<void>();
          });
      ASSERT_TRUE(file.ok());
      EXPECT_EQ(taken, bytes);
      ASSERT_TRUE(file->Fill(**shown).ok());
      for (int copy = 0; copy < 2; ++copy) {
        EXPECT_EQ(Difference(*file->Read(), sheet, x, y), "")
            << bits << " bits at " << x << ", " << y;
      }
    }
  }
}

TEST(PictureSheet, ReadsNoRowsBelowItself) {
  int64_t read = 0;
  auto shown = Crop(
      std::make_unique<Gradient>(8, &read),
      ShownPart({kPictureWidth, kPictureRows}, {kPictureWidth, 10}, 0, -90),
      NeverEnds);
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(Difference(**shown, {kPictureWidth, 10}, 0, -90), "");
  EXPECT_EQ(read, 100);
}

TEST(PictureSheet, IsNotMadeOnceTheCheckFails) {
  auto shown = Crop(
      std::make_unique<Gradient>(8),
      ShownPart({kPictureWidth, kPictureRows}, {kPictureWidth, 10}, 0, -90),
      []() -> Result<void> { return IoError("the end"); });
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(Difference(**shown, {kPictureWidth, 10}, 0, -90), "the end");
}

TEST(PictureSheet, ShowsSomeOfThePicture) {
  for (const int64_t x : {-kPictureWidth, 9}) {
    EXPECT_FALSE(Crop(std::make_unique<Gradient>(8),
                      ShownPart({kPictureWidth, kPictureRows}, {9, 300}, x, 0),
                      NeverEnds)
                     .ok());
  }
}

TEST(WorkTime, CountsOnlyWork) {
  constexpr std::chrono::milliseconds kMost(10);
  WorkTime other(kMost);
  other.Begin();
  other.End();
  WorkTime time(kMost);
  time.Begin();
  while (!time.IsOver()) {
  }
  time.End();
  EXPECT_TRUE(time.IsOver());
  EXPECT_FALSE(other.IsOver());
}

}  // namespace
}  // namespace halftoned
