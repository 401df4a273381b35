// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL looks first for a filter to the printer's own format, and then for a
// filter to raster. PAPPL's own raster filters for pictures cannot be replaced.

#include "printer_app/documents/document_filters.h"

#include <set>
#include <string>
#include <string_view>

#include "print/render/ghostscript.h"
#include "printer_app/documents/document_job.h"
#include "printer_app/documents/sheet_maker.h"
#include "printer_app/documents/to_pdf.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/raster_document.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/pictures/picture_job.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

Result<void> CheckDocument(const std::string& job_file) {
  HALFTONED_TRY_ASSIGN(const std::string document, DocumentOf(job_file));
  HALFTONED_TRY(OpenSpooled(document));
  return {};
}

// Checks the document first: programs that open a pipe by its name would wait.
template <pappl_mime_filter_cb_t kPrint>
bool PrintFileOf(pappl_job_t* job, pappl_device_t* device, void* data) {
  const char* file = papplJobGetFilename(job);
  const Result<void> checked = CheckDocument(file ? file : "");
  if (checked.ok()) return kPrint(job, device, data);
  return FailJob(job, ("the document: " + checked.error().message).c_str());
}

}  // namespace

void AddDocumentFilters(pappl_system_t* system, Application& application) {
  const bool has_documents = HasGhostscript() && SheetMaker::IsThere();
  const bool has_text = has_documents && !FindTextToPdf().empty();
  std::set<std::string_view> formats = {kNoFormat};
  for (const Driver& driver : Drivers()) {
    if (driver.raw_format) formats.insert(driver.raw_format);
  }
  for (const std::string_view format : formats) {
    const auto add = [&](const char* from, pappl_mime_filter_cb_t print) {
      papplSystemAddMIMEFilter(system, from, format.data(), print,
                               &application);
    };
    add(kSpooledPwg, PrintRaster);
    add(kSpooledUrf, PrintRaster);
    add("image/jpeg", PrintFileOf<PrintPicture>);
    add("image/png", PrintFileOf<PrintPicture>);
    if (has_documents) {
      add("application/pdf", PrintFileOf<PrintDocument>);
      add("application/postscript", PrintFileOf<PrintDocument>);
    }
    if (has_text) add("text/plain", PrintFileOf<PrintDocument>);
  }
}

}  // namespace halftoned
