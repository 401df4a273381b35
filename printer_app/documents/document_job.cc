// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/document_job.h"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/temporary_folder.h"
#include "filter/pdf/pdf_pages.h"
#include "printer_app/documents/job_paper.h"
#include "printer_app/documents/pdf_sheets.h"
#include "printer_app/documents/print_sheets.h"
#include "printer_app/documents/renderers.h"
#include "printer_app/documents/to_pdf.h"
#include "printer_app/drivers.h"
#include "printer_app/job_options.h"
#include "printer_app/raster_job.h"

namespace halftoned {
namespace {

// The document as PDF: itself, or what becomes of it. A path.
Result<std::string> AsPdf(pappl_job_t* job, const std::string& folder,
                          Renderers& renderers) {
  std::string document = papplJobGetFilename(job);
  const std::string_view format = papplJobGetFormat(job);
  if (format == "application/pdf") return document;
  const JobOptions options(papplJobCreatePrintOptions(job, 0, false));
  if (!options) return IoError("there is not enough memory");
  const SheetPaper paper = PaperOf(*options);
  const std::string pdf = folder + "/document.pdf";
  HALFTONED_TRY(
      format == "text/plain"
          ? TextToPdf(document, pdf, paper, folder, renderers.cancelled())
          : PostScriptToPdf(document, pdf, paper, renderers));
  return pdf;
}

SheetForm FormOf(const pappl_pr_options_t& options, std::string document,
                 PrintLook look) {
  const cups_page_header2_t& header = options.header;
  return {std::move(document), header.cupsWidth, header.cupsHeight,
          double(header.HWResolution[0]), std::move(look)};
}

// Pages that draw in black alone need no gray; bars are found in gray. What
// cannot be told of a page is taken for gray.
std::vector<PageWork> WorkOf(const SheetForm& form, size_t count) {
  const bool may_be_black = form.look.look.text_edges != TextEdges::kBarcode;
  auto pages = PagesOf(form.document, std::nullopt, may_be_black);
  if (pages.ok() && pages->pages.size() == count) {
    return std::move(pages->pages);
  }
  constexpr double kMilliseconds = 50;
  return std::vector<PageWork>(count, {kMilliseconds, {}});
}

Result<void> PrintStarted(pappl_job_t* job, const pappl_pr_options_t& options,
                          pappl_device_t* device, const std::string& sheets,
                          Renderers& renderers) {
  const SheetForm form =
      FormOf(options, sheets, LookOfJob(job, options, DriverOf(job)));
  const std::vector<PageWork> pages =
      WorkOf(form, options.last_page - options.first_page + 1);
  return SheetPrinter(job, options, device, form, renderers).Print(pages);
}

Result<void> Print(pappl_job_t* job, pappl_device_t* device) {
  HALFTONED_TRY_ASSIGN(
      const auto folder,
      TemporaryFolder::Make(papplGetTempDir(), "halftone-printer-app-"));
  HALFTONED_TRY_ASSIGN(const auto renderers, Renderers::Make(job));
  HALFTONED_TRY_ASSIGN(const std::string pdf,
                       AsPdf(job, folder.path(), *renderers));
  HALFTONED_TRY_ASSIGN(const auto document, PdfSheets::Open(pdf));
  const JobOptions options(
      papplJobCreatePrintOptions(job, document->pages(), false));
  if (!options) return IoError("there is not enough memory");
  if (options->first_page > document->pages()) {
    return BadInput("the document has no page of the page-ranges");
  }
  const std::string sheets = folder.path() + "/sheets.pdf";
  HALFTONED_TRY(
      document->Write({options->first_page, options->last_page,
                       PaperOf(*options), FitOf(*options), TurnsOf(*options)},
                      sheets));
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
  if (!driver.rstartjob_cb(job, options.get(), device)) return IoError("");
  const Result<void> printed =
      PrintStarted(job, *options, device, sheets, *renderers);
  const bool is_ended = driver.rendjob_cb(job, options.get(), device);
  HALFTONED_TRY(printed);
  return is_ended ? Result<void>() : IoError("");
}

}  // namespace

bool PrintDocument(pappl_job_t* job, pappl_device_t* device, void* /*data*/) {
  try {
    const Result<void> printed = Print(job, device);
    if (printed.ok() || papplJobIsCanceled(job)) return printed.ok();
    const std::string& message = printed.error().message;
    // Empty: the log says why already.
    if (message.empty()) return false;
    return FailJob(job,
                   printed.error().code == ErrorCode::kBadInput
                       ? PAPPL_JREASON_DOCUMENT_FORMAT_ERROR
                       : PAPPL_JREASON_ERRORS_DETECTED,
                   message.c_str());
  } catch (const std::exception& error) {
    return FailJob(job, PAPPL_JREASON_ERRORS_DETECTED, error.what());
  }
}

}  // namespace halftoned
