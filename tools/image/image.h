// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as every format gives and takes them: pages of gray rows to read,
// pages of halftoned rows to write, and what is known about a page beside its
// pixels.

#ifndef HALFTONED_TOOLS_IMAGE_IMAGE_H_
#define HALFTONED_TOOLS_IMAGE_IMAGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "halftone/band.h"
#include "halftone/flow.h"
#include "halftone/page.h"

namespace halftoned {

// Pixels an inch, both above 0 and finite; or numbers of no unit, which tell
// the shape of a pixel and not its size.
struct Resolution {
  double x;
  double y;
  bool has_unit = true;

  friend bool operator==(const Resolution&, const Resolution&) = default;
};

// `resolution`, if a device could have it; files hold zeros, infinities and
// what is no number.
std::optional<Resolution> Plausible(const Resolution& resolution);

// Texts are UTF-8; empty where there is none.
struct Metadata {
  std::optional<Resolution> resolution;
  std::string title;
  std::string description;
  std::string author;
  std::string copyright;
  std::string date;  // "YYYY:MM:DD HH:MM:SS"
};

struct PageInfo {
  Page page;
  int64_t rows;  // 1 … Page::kMaxRows
  Metadata metadata;
};

// A page to read, from its first row to its last. Derived classes give the
// rows; this one counts them.
class PageReader : public Source {
 public:
  const PageInfo& info() const { return info_; }
  Result<Filled> Read(GrayRoom room) final;

 protected:
  explicit PageReader(PageInfo info) : info_(std::move(info)) {}

  // Fills exactly the rows of `room`. Never asked for more than there are.
  virtual Result<void> ReadRows(const GrayRoom& room) = 0;

 private:
  const PageInfo info_;
  int64_t rows_read_ = 0;
};

class ImageReader {
 public:
  virtual ~ImageReader() = default;

  // The next page; null after the last. The page before must not be used any
  // more, and need not have been read. The image outlives its pages.
  virtual Result<std::unique_ptr<PageReader>> Next() = 0;
};

struct BitPage {
  int32_t width;
  int64_t rows;
  int bits_per_sample;  // 1, 2 or 4
  Metadata metadata;
};

// Pages to write: Begin, Write until all rows are given, and so on; then
// Finish, after which the file is complete but not yet committed.
class ImageWriter : public Sink {
 public:
  virtual Result<void> Begin(const BitPage& page) = 0;
  virtual Result<void> Finish() = 0;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_IMAGE_H_
