// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of samples: our dots in the printer's language, or raster of the
// samples as they are.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_PRINT_SINK_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_PRINT_SINK_H_

#include <cups/raster.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "halftone/look/print_look.h"
#include "printer_app/job_engines.h"
#include "printer_app/language/page_encoder.h"
#include "printer_app/transform/page_form.h"
#include "printer_app/transform/printer_output.h"

namespace halftoned {

// Of the printer's bytes, before they are written.
inline constexpr size_t kSinkBytes = size_t{1} << 16;

class PrintSink {
 public:
  virtual ~PrintSink() = default;
  virtual Result<void> BeginPage(const cups_page_header2_t& header) = 0;
  virtual Result<void> Write(std::span<uint8_t> row) = 0;
  virtual Result<void> EndPage() = 0;
  virtual Result<void> EndJob() = 0;
  // In place of these, after an error: leaves the printer ready for others.
  virtual void Abandon() {}
};

struct HalftoneOrder {
  PrintLook look;
  bool is_black_solid;  // as for GrayPage
};

// All outlive it.
std::unique_ptr<PrintSink> MakeInkSink(JobEngines& engines,
                                       const HalftoneOrder& order,
                                       std::unique_ptr<PageEncoder> encoder,
                                       PrinterOutput& output);

std::unique_ptr<PrintSink> MakeSampleSink(const RasterType& type, bool is_urf,
                                          PrinterOutput& output);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_PRINT_SINK_H_
