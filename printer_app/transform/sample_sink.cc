// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cups/raster.h>

#include <string>
#include <utility>

#include "printer_app/transform/print_sink.h"

namespace halftoned {
namespace {

class SampleSink : public PrintSink {
 public:
  SampleSink(const RasterType& type, bool is_urf, PrinterOutput& output)
      : is_ink_of_light_(type.has_ink && type.samples == 1),
        mode_(is_urf ? CUPS_RASTER_WRITE_APPLE : CUPS_RASTER_WRITE_PWG),
        output_(output) {}
  ~SampleSink() override { cupsRasterClose(raster_); }
  SampleSink(const SampleSink&) = delete;
  SampleSink& operator=(const SampleSink&) = delete;

  Result<void> BeginPage(const cups_page_header2_t& page) override {
    if (!raster_) raster_ = cupsRasterOpenIO(Keep, &bytes_, mode_);
    cups_page_header2_t header = page;
    if (!raster_ || !cupsRasterWriteHeader2(raster_, &header)) {
      return IoError(std::string("libcups cannot write the page: ") +
                     cupsRasterErrorString());
    }
    return {};
  }

  Result<void> Write(std::span<uint8_t> row) override {
    if (is_ink_of_light_) {
      for (uint8_t& sample : row) sample = static_cast<uint8_t>(255 - sample);
    }
    const auto size = static_cast<unsigned>(row.size());
    if (cupsRasterWritePixels(raster_, row.data(), size) != size) {
      return IoError("libcups cannot write a row");
    }
    return bytes_.size() < kSinkBytes ? Result<void>() : Flush();
  }

  Result<void> EndPage() override { return Flush(); }
  Result<void> EndJob() override { return Flush(); }

 private:
  static ssize_t Keep(void* bytes, unsigned char* more, size_t size) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<char*>(more),
                                             size);
    return static_cast<ssize_t>(size);
  }

  Result<void> Flush() {
    const std::string bytes = std::exchange(bytes_, {});
    return bytes.empty() ? Result<void>() : output_.Write(bytes);
  }

  const bool is_ink_of_light_;  // rows of light become rows of ink
  const cups_mode_t mode_;
  PrinterOutput& output_;
  std::string bytes_;
  cups_raster_t* raster_ = nullptr;
};

}  // namespace

std::unique_ptr<PrintSink> MakeSampleSink(const RasterType& type, bool is_urf,
                                          PrinterOutput& output) {
  return std::make_unique<SampleSink>(type, is_urf, output);
}

}  // namespace halftoned
