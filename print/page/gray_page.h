// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page that arrives row by row: gray in, ink out.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "halftone/look/print_look.h"
#include "halftone/look/tones/screen_cells.h"
#include "halftone/run/row_pipe.h"
#include "halftone/run/session.h"
#include "print/engines/job_engines.h"

namespace halftoned {

class GrayPage {
 public:
  // Takes a row of ink: 1 is a dot, bits beyond the width are 0.
  using Put = std::function<void(std::span<const uint8_t>)>;

  // is_black_solid: as for RecipeOfPrint. `engines` outlives the page.
  static Result<std::unique_ptr<GrayPage>> Open(JobEngines& engines,
                                                const PrintLook& look,
                                                int width,
                                                const DotsPerInch& resolution,
                                                bool is_black_solid, Put put);

  // A row of light, or of ink: `width` samples.
  Result<void> Write(const uint8_t* samples, bool are_ink);
  // Writes the rows that are held back.
  Result<void> Finish();

 private:
  GrayPage(std::unique_ptr<Session> session, size_t width, Put put);
  Result<void> PutFinished();

  const std::unique_ptr<Session> session_;
  RowPipe rows_;
  const Put put_;
  std::vector<uint8_t> light_;
  std::vector<uint8_t> ink_;
};

}  // namespace halftoned
