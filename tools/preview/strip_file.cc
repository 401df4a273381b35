// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/strip_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>

#include "calibrate/sheet/sheet_letters.h"
#include "convert/stages.h"
#include "print/file/output_file.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

constexpr uint8_t kAround = 208;  // neither paper nor black
constexpr int kGap = 16;
constexpr int kSquareOfLetter = 3;
constexpr int kNameHeight = 5 * kSquareOfLetter;

// The name in black letters.
GrayPicture NameOf(const std::string& name) {
  std::vector<SheetMark> marks;
  AddLetters(name, 0, 0, 1e6, marks);
  const double square = marks.empty() ? 1 : marks.front().width;
  const auto pixel = [square](double millimeters) {
    return static_cast<int>(std::lround(millimeters / square)) *
           kSquareOfLetter;
  };
  const int letters = static_cast<int>(name.size());
  GrayPicture picture(std::max(1, 4 * letters) * kSquareOfLetter, kNameHeight,
                      kAround);
  for (const SheetMark& mark : marks) {
    for (int y = 0; y < kSquareOfLetter; ++y) {
      std::fill_n(picture.Row(pixel(mark.top) + y) + pixel(mark.left),
                  kSquareOfLetter, uint8_t{0});
    }
  }
  return picture;
}

// Rows of a strip, from left to right.
class Strip {
 public:
  explicit Strip(const std::vector<StripColumn>& columns) {
    int left = kGap;
    for (const StripColumn& column : columns) {
      int top = kGap;
      int width = 0;
      const auto place = [&](const GrayPicture& picture) {
        placed_.push_back({left, top, &picture});
        top += picture.height + kGap;
        width = std::max(width, picture.width);
      };
      names_.push_back(NameOf(column.name));
      place(names_.back());
      for (const GrayPicture& picture : column.pictures) place(picture);
      left += width + kGap;
      height_ = std::max(height_, top);
    }
    width_ = left;
  }

  int width() const { return width_; }
  int height() const { return height_; }

  void Row(int y, uint8_t* row) const {
    std::fill_n(row, width_, kAround);
    for (const Placed& placed : placed_) {
      const GrayPicture& picture = *placed.picture;
      if (y < placed.top || y >= placed.top + picture.height) continue;
      std::copy_n(picture.at.data() +
                      static_cast<size_t>(y - placed.top) * picture.width,
                  picture.width, row + placed.left);
    }
  }

 private:
  struct Placed {
    int left, top;
    const GrayPicture* picture;
  };

  std::list<GrayPicture> names_;
  std::vector<Placed> placed_;
  int width_ = 0;
  int height_ = 0;
};

Result<void> Write(const Strip& strip, std::optional<double> pixels_of_inch,
                   OutputFile& file) {
  if (strip.width() > Page::kMaxWidth) {
    return BadInput("would be too wide: show fewer types");
  }
  Metadata metadata;
  if (pixels_of_inch) {
    metadata.resolution = Resolution{*pixels_of_inch, *pixels_of_inch};
  }
  const auto writer = MakePngWriter(file);
  HALFTONED_TRY(writer->Begin({strip.width(), strip.height(), 8, metadata}));
  std::vector<uint8_t> row(static_cast<size_t>(strip.width()));
  for (int y = 0; y < strip.height(); ++y) {
    strip.Row(y, row.data());
    HALFTONED_TRY(writer->Write(
        {reinterpret_cast<const std::byte*>(row.data()), row.size(), 1, y}));
  }
  HALFTONED_TRY(writer->Finish());
  return file.Commit();
}

}  // namespace

Result<void> WriteStrip(const std::vector<StripColumn>& columns,
                        std::optional<double> pixels_of_inch,
                        const std::string& path, PendingFiles& pending) {
  Stage stage{path == "-" ? "standard output" : path};
  return stage.Do([&]() -> Result<void> {
    HALFTONED_TRY_ASSIGN(const auto file, OutputFile::Create(path, pending));
    return Write(Strip(columns), pixels_of_inch, *file);
  });
}

}  // namespace halftoned
