// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/raster_document.h"

#include <cups/raster.h>
#include <fcntl.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"

namespace halftoned {
namespace {

struct RasterCloser {
  void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
};
using RasterFile = std::unique_ptr<cups_raster_t, RasterCloser>;

// Rows as they are stored, and no more bytes than the samples need.
bool IsPlain(const cups_page_header2_t& header) {
  const uint64_t bits = uint64_t{header.cupsWidth} * header.cupsBitsPerPixel;
  return header.cupsColorOrder == CUPS_ORDER_CHUNKED && bits > 0 &&
         header.cupsHeight > 0 && header.cupsBytesPerLine == (bits + 7) / 8;
}

class Printer {
 public:
  Printer(pappl_job_t* job, pappl_device_t* device, cups_raster_t* raster)
      : job_(job), device_(device), raster_(raster) {
    papplPrinterGetDriverData(papplJobGetPrinter(job), &driver_);
  }

  // False: the log says why.
  bool Print();

 private:
  bool PrintPage(unsigned number);
  void PrintRows(pappl_pr_options_t& options);

  pappl_job_t* const job_;
  pappl_device_t* const device_;
  cups_raster_t* const raster_;
  pappl_pr_driver_data_t driver_;
  cups_page_header2_t header_;
};

bool Printer::Print() {
  if (!cupsRasterReadHeader2(raster_, &header_)) {
    return FailJob(job_, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                   "the raster has no page");
  }
  const unsigned pages = header_.cupsInteger[CUPS_RASTER_PWG_TotalPageCount];
  if (pages > 0) papplJobSetImpressions(job_, static_cast<int>(pages));
  const PrintOptions options = MakePrintOptions(job_, pages);
  if (!options || !driver_.rstartjob_cb(job_, options.get(), device_)) {
    return false;
  }
  unsigned number = 0;
  bool is_printed = true;
  do {
    if (papplJobIsCanceled(job_)) break;
    is_printed = PrintPage(++number);
  } while (is_printed && cupsRasterReadHeader2(raster_, &header_));
  const bool is_ended = driver_.rendjob_cb(job_, options.get(), device_);
  if (pages == 0) papplJobSetImpressions(job_, static_cast<int>(number));
  return is_printed && is_ended;
}

bool Printer::PrintPage(unsigned number) {
  const PrintOptions options = MakePrintOptions(job_, 0);
  if (!options) return false;
  if (!IsPlain(header_)) {
    return FailJob(job_, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                   "the raster is damaged");
  }
  options->header = header_;
  if (!driver_.rstartpage_cb(job_, options.get(), device_, number)) {
    return false;
  }
  PrintRows(*options);
  // It says so if rows are missing.
  if (!driver_.rendpage_cb(job_, options.get(), device_, number)) return false;
  papplJobSetImpressionsCompleted(job_, 1);
  return true;
}

void Printer::PrintRows(pappl_pr_options_t& options) {
  std::vector<unsigned char> row(header_.cupsBytesPerLine);
  const auto size = static_cast<unsigned>(row.size());
  for (unsigned y = 0; y < header_.cupsHeight; ++y) {
    if (papplJobIsCanceled(job_) ||
        cupsRasterReadPixels(raster_, row.data(), size) != size ||
        !driver_.rwriteline_cb(job_, &options, device_, y, row.data())) {
      return;
    }
  }
}

Result<bool> PrintFile(pappl_job_t* job, pappl_device_t* device) {
  const char* file = papplJobGetFilename(job);
  if (!file) return false;
  HALFTONED_TRY_ASSIGN(const Descriptor document,
                       Descriptor::Open(DocumentOf(file), O_RDONLY));
  const RasterFile raster(cupsRasterOpen(document.get(), CUPS_RASTER_READ));
  if (!raster) return BadInput("the document is no raster");
  return Printer(job, device, raster.get()).Print();
}

}  // namespace

bool IsRasterFormat(std::string_view format) {
  return format == "image/pwg-raster" || format == "image/urf" ||
         format == kSpooledPwg || format == kSpooledUrf;
}

bool PrintRaster(pappl_job_t* job, pappl_device_t* device, void* /*data*/) {
  try {
    const Result<bool> printed = PrintFile(job, device);
    if (printed.ok()) return *printed;
    return FailJob(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                   printed.error().message.c_str());
  } catch (const std::exception& error) {
    return FailJob(job, PAPPL_JREASON_ERRORS_DETECTED, error.what());
  }
}

}  // namespace halftoned
