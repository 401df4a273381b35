// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/raster_job.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "print/page/gray_page.h"
#include "printer_app/application.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_document.h"
#include "printer_app/kept/spool.h"
#include "printer_app/system_driver/ppd/ppd_job_options.h"
#include "printer_app/system_driver/system_encoder.h"

namespace halftoned {
namespace {

constexpr size_t kBytesAtOnce = size_t{1} << 16;

struct RasterJob {
  std::unique_ptr<JobEngines> engines;
  const Driver* driver;
  std::optional<PrintLook> look;  // once a page of gray has begun
  std::unique_ptr<PageEncoder> encoder;
  std::unique_ptr<GrayPage> page;
  bool is_ink = false;  // the page's samples
  unsigned rows_left = 0;
  size_t ink_row_bytes = 0;  // of a page of ink
  std::string out;           // for the device
  bool has_failed = false;
};

RasterJob& DataOf(pappl_job_t* job) {
  return *static_cast<RasterJob*>(papplJobGetData(job));
}

// A failed allocation ends the job, not the program.
template <typename Work>
bool Guarded(pappl_job_t* job, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    return FailJob(job, error.what());
  }
}

bool Send(pappl_job_t* job, pappl_device_t* device) {
  std::string& out = DataOf(job).out;
  const bool is_sent = SendToDevice(job, device, out);
  out.clear();
  return is_sent || FailJob(job, "the printer accepts no more data");
}

bool IsRaster(pappl_job_t* job) {
  return IsRasterFormat(papplJobGetFormat(job));
}

// PAPPL passes on 1-bit rows with a header of its own. Such a header can be
// recognized: the top of its image box is below the bottom.
bool HasOwnHeader(pappl_job_t* job, const cups_page_header2_t& header) {
  return IsRaster(job) &&
         header.cupsInteger[CUPS_RASTER_PWG_ImageBoxTop] >
             header.cupsInteger[CUPS_RASTER_PWG_ImageBoxBottom];
}

// Whether the printer may have such a page: it is as narrow as usual papers, or
// as one of its own.
bool HasSize(const Driver& driver, const cups_page_header2_t& header) {
  constexpr int64_t kPerInch = 2540;  // of the sizes of papers
  const int64_t dpi = header.HWResolution[0];
  const auto is_on = [&](const char* name) {
    const pwg_media_t* paper = pwgMediaForPWG(name);
    return paper && header.cupsWidth * kPerInch <= (paper->width + 1) * dpi;
  };
  return header.cupsHeight <= 50 * dpi &&
         (header.cupsWidth <= 15 * dpi ||
          std::ranges::any_of(driver.media, is_on));
}

// Null if the page can be printed.
const char* WhatIsWrong(const Driver& driver,
                        const cups_page_header2_t& header) {
  if (header.cupsBitsPerColor != 8 || header.cupsBitsPerPixel != 8) {
    return "the page is not 8-bit gray";
  }
  const int space = static_cast<int>(header.cupsColorSpace);
  if (space != CUPS_CSPACE_K && space != CUPS_CSPACE_W &&
      space != CUPS_CSPACE_SW) {
    return "the page is neither gray nor black";
  }
  const auto is_dpi = [&](int dpi) {
    return static_cast<unsigned>(dpi) == header.HWResolution[0] &&
           header.HWResolution[0] == header.HWResolution[1];
  };
  if (std::ranges::none_of(driver.resolutions, is_dpi)) {
    return "the printer does not have the page's resolution";
  }
  return HasSize(driver, header)
             ? nullptr
             : "the page is larger than the printer's papers";
}

// CUPS filters begin a line with its log level.
void LogOfDriver(pappl_job_t* job, std::string_view line) {
  struct Level {
    std::string_view start;
    FrontLog::Level level;
  };
  constexpr Level kLevelsOfDrivers[] = {
      {"EMERG:", FrontLog::kError},  {"ALERT:", FrontLog::kError},
      {"CRIT:", FrontLog::kError},   {"ERROR:", FrontLog::kError},
      {"WARNING:", FrontLog::kWarn}, {"NOTICE:", FrontLog::kInfo},
      {"INFO:", FrontLog::kInfo},
  };
  FrontLog::Level level = FrontLog::kDebug;
  for (const Level& each : kLevelsOfDrivers) {
    if (line.starts_with(each.start)) level = each.level;
  }
  LogJob(job, level, std::string(line));
}

DriverJob DriverJobOf(pappl_job_t* job, pappl_device_t* device) {
  return {.id = papplJobGetID(job),
          .printer = papplPrinterGetName(papplJobGetPrinter(job)),
          .is_canceled = [job] { return papplJobIsCanceled(job); },
          .log = [job](std::string_view line) { LogOfDriver(job, line); },
          .send =
              [job, device](std::string& out) {
                const bool is_sent = SendToDevice(job, device, out);
                out.clear();
                return is_sent;
              }};
}

bool StartJob(pappl_job_t* job, pappl_pr_options_t* options,
              pappl_device_t* device) {
  const bool has_begun = Guarded(job, [&] {
    pappl_printer_t* printer = papplJobGetPrinter(job);
    pappl_pr_driver_data_t data;
    papplPrinterGetDriverData(printer, &data);
    auto raster = std::make_unique<RasterJob>();
    const auto& of_printer = *static_cast<const PrinterDriver*>(data.extension);
    const Application& app = of_printer.application;
    wire::Hello hello;
    hello.job = static_cast<uint32_t>(papplJobGetID(job));
    hello.printer = papplPrinterGetName(printer);
    raster->engines =
        std::make_unique<JobEngines>(app.engines, app.daemon, std::move(hello));
    raster->driver = &of_printer.driver;
    const DriverPpd* ppd = raster->driver->ppd;
    BeginOnDevice(job, device);
    raster->encoder =
        ppd ? MakeSystemEncoder(*ppd, ChoicesOfJob(job, *options, *ppd),
                                DriverJobOf(job, device))
            : raster->driver->make_encoder();
    raster->encoder->BeginJob(raster->out);
    papplJobSetData(job, raster.get());
    if (!Send(job, device)) return false;
    raster.release();
    return true;
  });
  // PAPPL ends no such job.
  if (!has_begun) EndOnDevice(job, device, false);
  return has_begun;
}

InkPage InkPageOf(pappl_job_t* job, const pappl_pr_options_t& options) {
  InkPage page;
  page.header = options.header;
  // PAPPL repeats the pages of other formats itself.
  if (IsRaster(job)) page.copies = std::clamp(options.copies, 1, 999);
  page.paper = options.media.size_name;
  page.source = options.media.source;
  page.paper_type = options.media.type;
  page.output_bin = options.output_bin;
  page.is_two_sided = options.sides != PAPPL_SIDES_ONE_SIDED;
  page.is_tumbled = options.sides == PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
  page.darkness =
      std::clamp(std::clamp(options.print_darkness, -100, 100) +
                     std::clamp(options.darkness_configured, 0, 100),
                 0, 100);
  page.inches_per_second = options.print_speed / 2540;
  page.is_continuous = std::strstr(options.media.type, "continuous");
  // A printer with a cutter cuts unless the job has finishings of its own.
  page.is_cut = DataOf(job).driver->has_cutter &&
                ((options.finishings & PAPPL_FINISHINGS_TRIM) ||
                 !HasAttribute(job, "finishings"));
  return page;
}

// The renderer of raster is unknown. Images have no inks.
Result<std::unique_ptr<GrayPage>> OpenPage(pappl_job_t* job,
                                           const pappl_pr_options_t& options,
                                           RasterJob& raster,
                                           const DotsPerInch& resolution,
                                           GrayPage::Put put) {
  if (!raster.look) {
    HALFTONED_TRY_ASSIGN(raster.look, LookOfJob(job, options, *raster.driver));
  }
  return GrayPage::Open(*raster.engines, *raster.look,
                        static_cast<int>(options.header.cupsWidth), resolution,
                        !IsRaster(job), std::move(put));
}

bool StartPage(pappl_job_t* job, pappl_pr_options_t* options,
               pappl_device_t* device, unsigned /*number*/) {
  return Guarded(job, [&] {
    RasterJob& raster = DataOf(job);
    const cups_page_header2_t& header = options->header;
    if (HasOwnHeader(job, header)) {
      return FailJob(job, "the page is not 8-bit gray");
    }
    if (const char* wrong = WhatIsWrong(*raster.driver, header)) {
      return FailJob(job, wrong);
    }
    const DotsPerInch resolution{double(header.HWResolution[0]),
                                 double(header.HWResolution[1])};
    PageEncoder* encoder = raster.encoder.get();
    std::string* out = &raster.out;
    const auto put = [=](std::span<const uint8_t> ink) {
      encoder->WriteRow(ink, *out);
    };
    auto page = OpenPage(job, *options, raster, resolution, put);
    if (!page.ok()) {
      return FailJob(job, page.error().message.c_str());
    }
    raster.page = std::move(*page);
    raster.is_ink = header.cupsColorSpace == CUPS_CSPACE_K;
    raster.rows_left = header.cupsHeight;
    encoder->BeginPage(InkPageOf(job, *options), *out);
    return Send(job, device);
  });
}

bool WriteLine(pappl_job_t* job, pappl_pr_options_t* /*options*/,
               pappl_device_t* device, unsigned /*y*/,
               const unsigned char* line) {
  RasterJob& raster = DataOf(job);
  if (raster.has_failed || raster.rows_left == 0) return false;
  const bool is_written = Guarded(job, [&] {
    const Result<void> row = raster.page->Write(line, raster.is_ink);
    if (!row.ok()) {
      return FailJob(job, row.error().message.c_str());
    }
    return raster.out.size() < kBytesAtOnce || Send(job, device);
  });
  --raster.rows_left;
  raster.has_failed = !is_written;
  return is_written;
}

bool EndPage(pappl_job_t* job, pappl_pr_options_t* /*options*/,
             pappl_device_t* device, unsigned /*number*/) {
  return Guarded(job, [&] {
    RasterJob& raster = DataOf(job);
    const bool is_canceled = papplJobIsCanceled(job);
    if (raster.rows_left > 0 && !is_canceled && !raster.has_failed) {
      raster.has_failed = !FailJob(job, "the page lacks its last rows");
    }
    bool is_complete = !is_canceled && !raster.has_failed;
    if (is_complete) {
      const Result<void> rest = raster.page->Finish();
      is_complete = rest.ok() || FailJob(job, rest.error().message.c_str());
    }
    raster.page.reset();
    raster.encoder->EndPage(is_complete, raster.out);
    bool is_sent = Send(job, device);
    while (is_sent && !papplJobIsCanceled(job) &&
           raster.encoder->RepeatPage(raster.out)) {
      is_sent = Send(job, device);
    }
    return is_sent && (is_complete || is_canceled);
  });
}

bool EndJob(pappl_job_t* job, pappl_pr_options_t* /*options*/,
            pappl_device_t* device) {
  std::unique_ptr<RasterJob> raster(
      static_cast<RasterJob*>(papplJobGetData(job)));
  if (!raster) return false;
  const bool is_ended = Guarded(job, [&] {
    raster->page.reset();
    raster->encoder->EndJob(raster->out);
    return true;
  });
  const bool is_printed = is_ended && IsPrinted(job, device, raster->out);
  EndOnDevice(job, device, !raster->driver->ppd);
  papplJobSetData(job, nullptr);
  raster.reset();
#ifdef __GLIBC__
  // Returns the memory of jobs to the system: most of the time there are no
  // jobs.
  ::malloc_trim(0);
#endif
  return is_printed;
}

}  // namespace

bool FailJob(pappl_job_t* job, const char* what) {
  LogJob(job, FrontLog::kError, what);
  papplJobSetReasons(job, PAPPL_JREASON_ERRORS_DETECTED, PAPPL_JREASON_NONE);
  return false;
}

void NoteFailure(pappl_job_t* job) {
  const char* document = papplJobGetFilename(job);
  if (document && !papplJobIsCanceled(job)) MarkFailed(document);
}

bool IsPrinted(pappl_job_t* job, pappl_device_t* device,
               std::string_view last) {
  const char* document = papplJobGetFilename(job);
  return DrainDevice(job, device, last,
                     [document](bool is_sent) {
                       if (document) MarkSent(document, is_sent);
                     }) ||
         FailJob(job,
                 "the printer closed the connection before it received the "
                 "whole job");
}

JobEngines& EnginesOf(pappl_job_t* job) { return *DataOf(job).engines; }

void CutPage(pappl_job_t* job) { DataOf(job).has_failed = true; }

bool StartInkPage(pappl_job_t* job, const pappl_pr_options_t& options,
                  pappl_device_t* device) {
  return Guarded(job, [&] {
    RasterJob& raster = DataOf(job);
    const cups_page_header2_t& header = options.header;
    if (const char* wrong = WhatIsWrong(*raster.driver, header)) {
      return FailJob(job, wrong);
    }
    raster.ink_row_bytes = (header.cupsWidth + 7) / 8;
    raster.encoder->BeginPage(InkPageOf(job, options), raster.out);
    return Send(job, device);
  });
}

bool WriteInk(pappl_job_t* job, pappl_device_t* device,
              std::span<const std::byte> rows) {
  return Guarded(job, [&] {
    RasterJob& raster = DataOf(job);
    const size_t row_bytes = raster.ink_row_bytes;
    const auto* row = reinterpret_cast<const uint8_t*>(rows.data());
    for (size_t at = 0; at < rows.size(); at += row_bytes) {
      if (papplJobIsCanceled(job)) return false;
      raster.encoder->WriteRow({row + at, row_bytes}, raster.out);
      if (raster.out.size() >= kBytesAtOnce && !Send(job, device)) return false;
    }
    return true;
  });
}

bool EndInkPage(pappl_job_t* job, pappl_device_t* device, bool is_complete) {
  return Guarded(job, [&] {
    RasterJob& raster = DataOf(job);
    raster.encoder->EndPage(is_complete, raster.out);
    return Send(job, device);
  });
}

void SetRasterCallbacks(pappl_pr_driver_data_t& data) {
  data.rstartjob_cb = StartJob;
  data.rstartpage_cb = StartPage;
  data.rwriteline_cb = WriteLine;
  data.rendpage_cb = EndPage;
  data.rendjob_cb = EndJob;
}

}  // namespace halftoned
