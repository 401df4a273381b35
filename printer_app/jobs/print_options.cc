// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/print_options.h"

#include <cups/raster.h>

#include "printer_app/application.h"
#include "printer_app/printers/printer_data.h"

namespace halftoned {
namespace {

bool Says(pappl_job_t* job, const char* name) {
  return papplJobGetAttribute(job, name) != nullptr;
}

void SetResolution(int x, int y, pappl_pr_options_t& options) {
  const cups_page_header2_t before = options.header;
  const char* sides = !before.Duplex  ? "one-sided"
                      : before.Tumble ? "two-sided-short-edge"
                                      : "two-sided-long-edge";
  options.printer_resolution[0] = x;
  options.printer_resolution[1] = y;
  // Printers take no other raster, and do not say how backs lie.
  cupsRasterInitPWGHeader(&options.header,
                          pwgMediaForPWG(options.media.size_name), "sgray_8", x,
                          y, sides, nullptr);
  options.header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] =
      before.cupsInteger[CUPS_RASTER_PWG_TotalPageCount];
}

bool HasSize(const pappl_media_col_t& paper) {
  return paper.size_width > 0 && paper.size_length > 0 &&
         pwgMediaForPWG(paper.size_name);
}

}  // namespace

PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages) {
  PrintOptions options(papplJobCreatePrintOptions(job, pages, false));
  pappl_pr_driver_data_t data;
  if (!options || !papplPrinterGetDriverData(papplJobGetPrinter(job), &data)) {
    return options;
  }
  const bool has_size = HasSize(options->media);
  if (!has_size) {
    options->media =
        UsualPaper(static_cast<const PrinterDriver*>(data.extension)->driver);
  }
  const bool is_usual = options->print_quality == IPP_QUALITY_NORMAL &&
                        !Says(job, "print-quality") &&
                        !Says(job, "printer-resolution") &&
                        data.x_default != options->printer_resolution[0];
  if (is_usual) {
    SetResolution(data.x_default, data.y_default, *options);
  } else if (!has_size) {
    SetResolution(options->printer_resolution[0],
                  options->printer_resolution[1], *options);
  }
  return options;
}

}  // namespace halftoned
