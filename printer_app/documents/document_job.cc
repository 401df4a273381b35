// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/document_job.h"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/temporary_folder.h"
#include "print/limits/render_pool.h"
#include "printer_app/application.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/documents/job_renderers.h"
#include "printer_app/documents/job_room.h"
#include "printer_app/documents/print_sheets.h"
#include "printer_app/documents/sheet_maker.h"
#include "printer_app/documents/to_pdf.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/printers/drivers.h"
#include "printer_app/server/folders.h"

namespace halftoned {
namespace {

// Returns the path of the document as PDF, converted if necessary.
Result<std::string> AsPdf(pappl_job_t* job, const std::string& folder,
                          const pappl_pr_options_t& options,
                          JobRenderers& renderers, RoomPatience& patience) {
  const char* file = papplJobGetFilename(job);
  if (!file) return IoError("the document is gone");
  HALFTONED_TRY_ASSIGN(std::string document, DocumentOf(file));
  const std::string_view format = papplJobGetFormat(job);
  if (format == "application/pdf") return document;
  const Conversion conversion{document,         folder + "/document.pdf",
                              PaperOf(options), folder,
                              renderers.all(),  patience};
  HALFTONED_TRY(
      (format == "text/plain" ? TextToPdf : PostScriptToPdf)(conversion));
  return conversion.to;
}

SheetForm FormOf(const pappl_pr_options_t& options, PrintLook look) {
  const cups_page_header2_t& header = options.header;
  return {header.cupsWidth, header.cupsHeight, double(header.HWResolution[0]),
          std::move(look)};
}

// A program that cleans /tmp may have removed the server's directory, and
// another user may have created one with the same name.
Result<TemporaryFolder> MakeFolder() {
  const char* parent = papplGetTempDir();
  if (getuid() != 0 && !MakeOwnFolder(parent)) {
    return IoError(std::string(parent) + ": is gone, or another user's");
  }
  return TemporaryFolder::Make(parent, "halftone-printer-app-");
}

struct Progress {
  bool has_place = false;  // a directory
  bool has_begun = false;  // on the printer
};

Result<void> Print(pappl_job_t* job, pappl_device_t* device, Application& app,
                   RoomPatience& patience, Progress& progress) {
  // First, because this may take long, and jobs of other printers need the
  // renderers meanwhile.
  BeginOnDevice(job, device);
  if (papplJobIsCanceled(job)) return IoError("");
  HALFTONED_TRY_ASSIGN(const auto folder, MakeFolder());
  const std::string path = folder.path() + "/sheets.pdf";
  HALFTONED_TRY_ASSIGN(
      const Descriptor sheets,
      Descriptor::Open(path, O_RDONLY | O_CREAT | O_EXCL, 0600));
  HALFTONED_TRY_ASSIGN(const auto renderers, JobRenderers::Make(job));
  progress.has_place = true;
  const PrintOptions first = MakePrintOptions(job, 0);
  if (!first) return IoError("not enough memory");
  // Starts renderers while the document is read. Most documents have only black
  // text.
  const MessageLog warn = [job](std::string_view line) {
    LogJob(job, FrontLog::kWarn, std::string(line));
  };
  renderers->all().StartAhead(
      OrderFor(FormOf(*first, {}), sheets.get(), folder.path(), warn).black);
  HALFTONED_TRY_ASSIGN(const std::string pdf,
                       AsPdf(job, folder.path(), *first, *renderers, patience));
  auto opened = SheetMaker::Start(pdf, renderers->cancelled(),
                                  renderers->all().user(), folder.path());
  if (!opened.ok() && pdf.starts_with(folder.path()) &&
      opened.error().code == ErrorCode::kBadInput) {
    return BadInput("the document has no page that can be printed");
  }
  HALFTONED_TRY_ASSIGN(const auto document, std::move(opened));
  const PrintOptions options = MakePrintOptions(job, document->pages());
  if (!options) return IoError("not enough memory");
  if (options->first_page > document->pages()) {
    // The document itself is right.
    return IoError("page-ranges selects no page of the document");
  }
  pappl_pr_driver_data_t data;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &data);
  const auto& of_printer = *static_cast<const PrinterDriver*>(data.extension);
  HALFTONED_TRY_ASSIGN(PrintLook look,
                       LookOfJob(job, *options, of_printer.driver));
  const SheetForm form = FormOf(*options, std::move(look));
  const LaneOrder order = OrderFor(form, sheets.get(), folder.path(), warn);
  const bool may_be_black = form.look.look.keeps_pure_pixels();
  HALFTONED_TRY_ASSIGN(const std::vector<PageWork> pages,
                       document->Make({options->first_page, options->last_page,
                                       PaperOf(*options), FitOf(*options),
                                       TurnsOf(*options), may_be_black},
                                      path));
  progress.has_begun = true;
  if (!data.rstartjob_cb(job, options.get(), device)) return IoError("");
  const Result<void> printed =
      SheetPrinter(job, *options, device, form, order, renderers->all(),
                   app.sheet_memory, patience)
          .Print(pages);
  if (!printed.ok()) NoteFailure(job);
  const bool is_ended = data.rendjob_cb(job, options.get(), device);
  HALFTONED_TRY(printed);
  return is_ended ? Result<void>() : IoError("");
}

// Waits while the disk is full. If it becomes full before the job has begun,
// the job waits without the printer, which serves other hosts meanwhile, and is
// tried again; at most RenderPool::Retries::kMost times if there is room again.
// It is tried once again if the kernel kills the reader of its document.
// If other jobs could print, it waits only for a limited time (RoomPatience).
Result<void> PrintWithRoom(pappl_job_t* job, pappl_device_t* device,
                           Application& app) {
  const std::string folder = papplGetTempDir();
  // There may be room again at once.
  bool has_lost_place = false, was_killed = false;
  RenderPool::Retries retries;
  RoomPatience patience(job, app);
  for (bool was_short = false;;) {
    HALFTONED_TRY(AwaitRoomForJob(job, folder, was_short, patience));
    Progress progress;
    Result<void> printed = Print(job, device, app, patience, progress);
    if (printed.ok() || progress.has_begun || papplJobIsCanceled(job)) {
      return printed;
    }
    was_short = false;
    const bool may_retry =
        !HasRoomForJob(folder) ||
        (!progress.has_place && !std::exchange(has_lost_place, true)) ||
        (printed.error().code == ErrorCode::kUnavailable &&
         !std::exchange(was_killed, true)) ||
        (was_short = retries.Take());
    if (!may_retry) return printed;
    EndOnDevice(job, device, false);
  }
}

// False: the log says why.
bool TryPrint(pappl_job_t* job, pappl_device_t* device, Application& app) {
  try {
    const Result<void> printed = PrintWithRoom(job, device, app);
    if (printed.ok() || papplJobIsCanceled(job)) {
      return printed.ok();
    }
    const std::string& message = printed.error().message;
    // Empty: the log already says why.
    if (message.empty()) return false;
    return FailJob(job, message.c_str());
  } catch (const std::exception& error) {
    return FailJob(job, error.what());
  }
}

}  // namespace

bool IsDocumentFormat(std::string_view format) {
  return format == "application/pdf" || format == "application/postscript" ||
         format == "text/plain";
}

void RemoveLeftDocuments() { (void)MakeFolder(); }

bool PrintDocument(pappl_job_t* job, pappl_device_t* device, void* data) {
  const bool is_printed =
      TryPrint(job, device, *static_cast<Application*>(data));
  // A job that fails before its first page leaves the connection open.
  EndOnDevice(job, device, false);
  return is_printed;
}

}  // namespace halftoned
