// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/print_options.h"

#include <cups/raster.h>

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

}  // namespace

PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages) {
  PrintOptions options(papplJobCreatePrintOptions(job, pages, false));
  pappl_pr_driver_data_t data;
  if (options && options->print_quality == IPP_QUALITY_NORMAL &&
      !Says(job, "print-quality") && !Says(job, "printer-resolution") &&
      papplPrinterGetDriverData(papplJobGetPrinter(job), &data) &&
      data.x_default != options->printer_resolution[0]) {
    SetResolution(data.x_default, data.y_default, *options);
  }
  return options;
}

}  // namespace halftoned
