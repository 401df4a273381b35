// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of PWG raster and URF, as libcups reads them.

#include <fcntl.h>

#include <memory>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/transform/sample_pages.h"

namespace halftoned {
namespace {

struct RasterCloser {
  void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
};
using Raster = std::unique_ptr<cups_raster_t, RasterCloser>;

// Of the papers that printers have.
constexpr unsigned kMostDots = 100000;

class RasterPages : public SamplePages {
 public:
  RasterPages(Descriptor file, Raster raster)
      : file_(std::move(file)), raster_(std::move(raster)) {}

  // The next page's own header; nothing after the last.
  Result<std::optional<cups_page_header2_t>> NextHeader() {
    cups_page_header2_t page;
    if (!cupsRasterReadHeader2(raster_.get(), &page)) {
      // libcups does not tell an end from an error.
      if (pages_ == 0) return BadInput("there is no page in the raster");
      return std::optional<cups_page_header2_t>();
    }
    ++pages_;
    if (page.cupsWidth == 0 || page.cupsHeight == 0 ||
        page.cupsWidth > kMostDots || page.cupsHeight > kMostDots) {
      return BadInput(Where() + "has no size that paper has");
    }
    return std::optional(page);
  }

  Result<std::optional<cups_page_header2_t>> Next(
      const cups_page_header2_t& header) override {
    HALFTONED_TRY_ASSIGN(const auto page, NextHeader());
    if (!page) return page;
    if (first_ && (page->cupsColorSpace != first_->cupsColorSpace ||
                   page->cupsBitsPerPixel != first_->cupsBitsPerPixel ||
                   page->HWResolution[0] != first_->HWResolution[0] ||
                   page->HWResolution[1] != first_->HWResolution[1])) {
      return BadInput(Where() + "has another form than the first");
    }
    first_ = page;
    return std::optional(HeaderFor(*page, header));
  }

  Result<void> Read(std::span<uint8_t> row) override {
    const auto size = static_cast<unsigned>(row.size());
    if (cupsRasterReadPixels(raster_.get(), row.data(), size) != size) {
      return BadInput(Where() + "ends before its last row");
    }
    if (first_->cupsColorSpace == CUPS_CSPACE_K) {
      for (uint8_t& sample : row) sample = static_cast<uint8_t>(255 - sample);
    }
    return {};
  }

 private:
  std::string Where() const {
    std::string where = "page ";
    where += std::to_string(pages_);
    return where + " of the raster ";
  }

  const Descriptor file_;
  const Raster raster_;
  std::optional<cups_page_header2_t> first_;
  unsigned pages_ = 0;
};

Result<std::unique_ptr<RasterPages>> OpenFile(const std::string& path) {
  HALFTONED_TRY_ASSIGN(Descriptor file, Descriptor::Open(path, O_RDONLY));
  Raster raster(cupsRasterOpen(file.get(), CUPS_RASTER_READ));
  if (!raster) return BadInput("the document is no raster");
  return std::make_unique<RasterPages>(std::move(file), std::move(raster));
}

}  // namespace

Result<std::unique_ptr<SamplePages>> OpenRaster(const std::string& path) {
  HALFTONED_TRY_ASSIGN(auto pages, OpenFile(path));
  return std::unique_ptr<SamplePages>(std::move(pages));
}

Result<cups_page_header2_t> FirstHeader(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const auto pages, OpenFile(path));
  HALFTONED_TRY_ASSIGN(const auto header, pages->NextHeader());
  if (!header) return BadInput("there is no page in the raster");
  return *header;
}

}  // namespace halftoned
