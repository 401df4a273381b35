// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/raster_document.h"

#include <cups/raster.h>

#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/application.h"
#include "printer_app/front/pappl/raster_pages.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/job_turns.h"
#include "printer_app/jobs/page_patience.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"

namespace halftoned {
namespace {

struct RasterCloser {
  void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
};
using RasterFile = std::unique_ptr<cups_raster_t, RasterCloser>;

constexpr std::chrono::milliseconds kLookForPage{50};

// The job's document for libcups. Only whole pages are in it, so reading waits
// only between pages. It ends before a page that cannot be printed: libcups
// allocates whatever a page's header says.
class RasterSource {
 public:
  RasterSource(pappl_job_t* job, ArrivingDocument document, PagePatience left,
               const JobTurns& turns)
      : job_(job),
        document_(std::move(document)),
        patience_(left),
        turns_(turns) {}

  static ssize_t Read(void* source, unsigned char* bytes, size_t size) {
    return static_cast<RasterSource*>(source)->ReadSome(
        std::as_writable_bytes(std::span(bytes, size)));
  }

  // Why the document ended; empty if it was complete.
  const std::string& failure() const { return failure_; }

 private:
  // The number of bytes; 0: there are no more.
  ssize_t ReadSome(std::span<std::byte> room);
  // The number of these bytes that belong to good pages.
  size_t Check(std::span<const std::byte> bytes);

  pappl_job_t* const job_;
  ArrivingDocument document_;
  PagePatience patience_;
  const JobTurns& turns_;
  RasterPages pages_;
  uint64_t checked_ = 0;         // bytes
  bool is_bad_ = false;          // from a page on
  bool do_others_wait_ = false;  // as far as known
  std::string failure_;
};

ssize_t RasterSource::ReadSome(std::span<std::byte> room) {
  patience_.BeginPage();
  while (failure_.empty() && !papplJobIsCanceled(job_)) {
    const auto size = document_.Read(room);
    if (!size.ok()) {
      failure_ = size.error().message;
      break;
    }
    if (size->has_value()) {
      const size_t good = Check(room.first(**size));
      if (good == 0 && is_bad_) failure_ = pages_.Fault();
      return static_cast<ssize_t>(good);
    }
    do_others_wait_ =
        turns_.HasWaiting(papplJobGetPrinter(job_)).value_or(do_others_wait_);
    if (!patience_.Wait(kLookForPage, do_others_wait_)) {
      failure_ = "the client is too slow with a page, and other jobs wait";
      break;
    }
    std::this_thread::sleep_for(kLookForPage);
  }
  return 0;
}

size_t RasterSource::Check(std::span<const std::byte> bytes) {
  const uint64_t before = checked_;
  checked_ += bytes.size();
  is_bad_ =
      !pages_.Take({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!is_bad_) return bytes.size();
  return pages_.complete() > before ? pages_.complete() - before : 0;
}

class Printer {
 public:
  Printer(pappl_job_t* job, pappl_device_t* device, cups_raster_t* raster,
          const RasterSource& source)
      : job_(job), device_(device), raster_(raster), source_(source) {
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
  const RasterSource& source_;
  pappl_pr_driver_data_t driver_;
  cups_page_header2_t header_;
};

bool Printer::Print() {
  if (!cupsRasterReadHeader2(raster_, &header_)) {
    return FailJob(job_, source_.failure().empty() ? "the raster has no page"
                                                   : source_.failure().c_str());
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
  if (!source_.failure().empty()) {
    is_printed = FailJob(job_, source_.failure().c_str());
  }
  if (!is_printed) NoteFailure(job_);
  const bool is_ended = driver_.rendjob_cb(job_, options.get(), device_);
  if (pages == 0) papplJobSetImpressions(job_, static_cast<int>(number));
  return is_printed && is_ended;
}

bool Printer::PrintPage(unsigned number) {
  const PrintOptions options = MakePrintOptions(job_, 0);
  if (!options) return false;
  options->header = header_;
  if (!driver_.rstartpage_cb(job_, options.get(), device_, number)) {
    return false;
  }
  PrintRows(*options);
  // Reports missing rows.
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

Result<bool> PrintFile(pappl_job_t* job, pappl_device_t* device,
                       const Application& application) {
  const char* file = papplJobGetFilename(job);
  if (!file) return false;
  HALFTONED_TRY_ASSIGN(ArrivingDocument document, ArrivingDocument::Open(file));
  RasterSource source(job, std::move(document),
                      PagePatience(application.page_timeout),
                      application.keeper->turns());
  const RasterFile raster(
      cupsRasterOpenIO(RasterSource::Read, &source, CUPS_RASTER_READ));
  if (!raster) return BadInput("the document is not raster");
  return Printer(job, device, raster.get(), source).Print();
}

}  // namespace

bool IsRasterFormat(std::string_view format) {
  return format == "image/pwg-raster" || format == "image/urf" ||
         format == kSpooledPwg || format == kSpooledUrf;
}

bool PrintRaster(pappl_job_t* job, pappl_device_t* device, void* data) {
  try {
    const Result<bool> printed =
        PrintFile(job, device, *static_cast<const Application*>(data));
    if (printed.ok()) return *printed;
    return FailJob(job, printed.error().message.c_str());
  } catch (const std::exception& error) {
    return FailJob(job, error.what());
  }
}

}  // namespace halftoned
