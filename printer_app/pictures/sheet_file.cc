// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/sheet_file.h"

#include <cstddef>
#include <span>
#include <vector>

namespace halftoned {
namespace {

constexpr int32_t kRowsOfCopy = 64;

class FilePage : public PageReader {
 public:
  FilePage(int file, PageInfo info)
      : PageReader(std::move(info)), file_(file) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    const size_t bytes = info().bytes_per_row();
    for (int32_t row = 0; row < room.rows; ++row) {
      HALFTONED_TRY(ReadAt(file_, at_, {room.row(row), bytes}));
      at_ += static_cast<int64_t>(bytes);
    }
    return {};
  }

 private:
  const int file_;
  int64_t at_ = 0;
};

}  // namespace

Result<SheetFile> SheetFile::Make(int64_t width, int64_t rows,
                                  const TakeDisk& take_disk) {
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(width, 8));
  HALFTONED_TRY_ASSIGN(GrantedFile file,
                       MakeGrantedFile(width * rows, take_disk));
  return SheetFile(page, rows, std::move(file));
}

Result<void> SheetFile::Fill(PageReader& page) {
  const size_t row_bytes = page_.gray_bytes_per_row();
  std::vector<std::byte> rows(row_bytes * kRowsOfCopy);
  for (bool is_last = false; !is_last;) {
    HALFTONED_TRY_ASSIGN(const Filled filled,
                         page.Read({rows.data(), row_bytes, kRowsOfCopy}));
    const auto written = WriteFully(
        file_.get(),
        std::span(rows).first(row_bytes * static_cast<size_t>(filled.rows)));
    if (!written.ok()) {
      return IoError("cannot make a temporary copy of the sheet: " +
                     written.error().message);
    }
    is_last = filled.last;
  }
  return {};
}

std::unique_ptr<PageReader> SheetFile::Read() const {
  return std::make_unique<FilePage>(file_.get(), PageInfo{page_, rows_, {}});
}

}  // namespace halftoned
