// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/system_encoder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "print/raster/placement.h"
#include "print/raster/raster_encoder.h"
#include "printer_app/system_driver/driver_runner.h"

namespace halftoned {
namespace {

// Clients choose their names, so no driver gets them.
constexpr char kNobody[] = "anonymous";
constexpr size_t kBytesForDriver = size_t{1} << 16;

// The variables of cupsd that drivers read.
std::vector<std::string> EnvironmentOf(const DriverPpd& ppd,
                                       const DriverJob& job) {
  return {"PPD=" + ppd.path(),
          "PRINTER=" + job.printer,
          "USER=" + std::string(kNobody),
          "CHARSET=utf-8",
          "LANG=en_US.UTF-8",
          "CONTENT_TYPE=application/vnd.cups-raster",
          "CUPS_SERVERBIN=" HALFTONED_CUPS_SERVERBIN,
          "PATH=" HALFTONED_CUPS_SERVERBIN "/filter:/usr/bin:/usr/sbin:/bin",
          "RIP_MAX_CACHE=128m",
          "SOFTWARE=halftone-printer-app/" HALFTONED_VERSION,
          "TMPDIR=/tmp"};
}

Placement PlacementOf(const InkPage& page, const cups_page_header2_t& header) {
  const double per_point_x = header.HWResolution[0] / 72.0;
  const double per_point_y = header.HWResolution[1] / 72.0;
  const double top = double{header.cupsPageSize[1]} - header.cupsImagingBBox[3];
  return {.bits_per_sample = 1,
          .width_in = static_cast<int32_t>(page.header.cupsWidth),
          .rows_in = page.header.cupsHeight,
          .width_out = header.cupsWidth,
          .rows_out = header.cupsHeight,
          .left = -std::llround(header.cupsImagingBBox[0] * per_point_x),
          .top = -std::llround(top * per_point_y)};
}

class SystemEncoder : public PageEncoder {
 public:
  SystemEncoder(const DriverPpd& ppd, PpdChoices chosen, DriverJob job)
      : ppd_(ppd),
        chosen_(std::move(chosen)),
        job_(std::move(job)),
        raster_(
            ppd.takes_black() ? RasterFormat::kCupsBlack : RasterFormat::kCups,
            [this](std::span<const std::byte> bytes) -> Result<void> {
              pending_.insert(pending_.end(), bytes.begin(), bytes.end());
              return {};
            }) {}

  void BeginPage(const InkPage& page, std::string& out) override {
    if (is_over_) return;
    auto header = ppd_.HeaderOf(page, chosen_);
    if (!header.ok()) throw std::runtime_error(header.error().message);
    if (!process_) Start(page);
    placement_ = PlacementOf(page, *header);
    rows_ = 0;
    const bool is_back = page.is_two_sided && sides_++ % 2 != 0;
    turn_ = is_back ? TurnOf(ppd_.back(), page.is_tumbled) : BackTurn();
    sheet_.clear();
    light_.resize(page.bytes_per_row());
    row_.assign(placement_.bytes_per_row_out(), std::byte{0});
    Check(raster_.BeginPage(*header), out);
  }

  void WriteRow(std::span<const uint8_t> ink, std::string& out) override {
    if (turn_.any()) {
      sheet_.insert(sheet_.end(), ink.begin(), ink.end());
    } else {
      Place(ink, out);
    }
  }

  void EndPage(bool is_complete, std::string& out) override {
    if (is_complete && turn_.any()) PlaceTurned(out);
    cut_rows_ = 0;
    if (is_over_) return;
    if (!is_complete) {
      End(out);
      return;
    }
    while (rows_ < placement_.rows_out && !is_over_) WriteWhite(out);
    Flush(out);
  }

  void EndJob(std::string& out) override {
    if (!process_ || is_over_) return;
    Check(process_->Finish(out), out);
    process_.reset();
  }

 private:
  // The next row of the sheet, as the printer prints it.
  void Place(std::span<const uint8_t> ink, std::string& out) {
    while (placement_.top > rows_) WriteWhite(out);
    if (cut_rows_ < -placement_.top) {
      ++cut_rows_;
      return;
    }
    if (rows_ >= placement_.rows_out || is_over_) return;
    for (size_t i = 0; i < ink.size(); ++i) {
      light_[i] = ~std::byte{ink[i]};
    }
    PlaceRow(placement_, light_.data(), row_.data());
    Put(out);
  }

  void PlaceTurned(std::string& out) {
    const size_t size = light_.size();
    const size_t rows = sheet_.size() / size;
    for (size_t i = 0; i < rows; ++i) {
      const size_t row = turn_.ends_first ? rows - 1 - i : i;
      const auto ink = std::span(sheet_).subspan(row * size, size);
      if (turn_.mirrors_rows) {
        MirrorBits(ink, static_cast<size_t>(placement_.width_in));
      }
      Place(ink, out);
    }
    sheet_.clear();
  }

  void Start(const InkPage& page) {
    auto process = DriverProcess::Start(
        job_,
        WithRunner({ppd_.program(), std::to_string(job_.id), kNobody, "print",
                    std::to_string(page.copies),
                    OptionsOf(ppd_.ChoicesOf(page, chosen_))}),
        EnvironmentOf(ppd_, job_));
    if (!process.ok()) throw std::runtime_error(process.error().message);
    process_ = std::move(*process);
  }

  void WriteWhite(std::string& out) {
    std::ranges::fill(row_, std::byte{0});
    Put(out);
  }

  void Put(std::string& out) {
    ++rows_;
    Check(raster_.WriteRows(row_), out);
    if (pending_.size() >= kBytesForDriver) Flush(out);
  }

  void Flush(std::string& out) {
    if (!is_over_) Check(process_->Write(pending_, out), out);
    pending_.clear();
  }

  void End(std::string& out) {
    is_over_ = true;
    if (process_) process_->End(out);
    process_.reset();
  }

  // A canceled job has not failed.
  void Check(const Result<void>& result, std::string& out) {
    if (result.ok()) return;
    End(out);
    if (!job_.is_canceled()) throw std::runtime_error(result.error().message);
  }

  const DriverPpd& ppd_;
  const PpdChoices chosen_;
  const DriverJob job_;
  std::vector<std::byte> pending_;  // for the driver
  RasterEncoder raster_;
  std::unique_ptr<DriverProcess> process_;
  bool is_over_ = false;  // the job has ended early
  Placement placement_ = {};
  int64_t rows_ = 0;      // of the driver's page, that are written
  int64_t cut_rows_ = 0;  // of the sheet, that are above it
  unsigned sides_ = 0;    // of two-sided sheets, that have begun
  BackTurn turn_;
  std::vector<uint8_t> sheet_;  // that is to be turned
  std::vector<std::byte> light_;
  std::vector<std::byte> row_;
};

}  // namespace

std::unique_ptr<PageEncoder> MakeSystemEncoder(const DriverPpd& ppd,
                                               PpdChoices chosen,
                                               DriverJob job) {
  return std::make_unique<SystemEncoder>(ppd, std::move(chosen),
                                         std::move(job));
}

}  // namespace halftoned
