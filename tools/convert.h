// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns one image file into its halftone. Knows formats and engines only by
// their interfaces, and nothing of the command line.

#ifndef HALFTONED_TOOLS_CONVERT_H_
#define HALFTONED_TOOLS_CONVERT_H_

#include <cstdint>
#include <string>

#include "base/result.h"
#include "file/pending_files.h"
#include "halftone/engine.h"
#include "halftone/flow.h"
#include "halftone/recipe.h"
#include "image/open_image.h"
#include "stages.h"

namespace halftoned {

// One conversion; "-" is standard input or output.
struct ConvertJob {
  std::string input;
  std::string output;
  WriterOptions writer;
  int64_t page = 0;  // from 1 on; 0: all
};

// How all the files of a command are halftoned.
struct Manner {
  Recipe recipe;
  const Engine* engine;
  int32_t rows_per_band;
  bool crisp_edges;
};

class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  // `pixels` more of `page` are written, of which now the part `page_done`
  // (0 … 1) is.
  virtual void Advance(const std::string& input, int64_t page, int64_t pixels,
                       double page_done) = 0;
};

struct Report {
  int64_t pages = 0;
  int64_t pixels = 0;
  // Stages overlap: reading has a thread of its own.
  Seconds reading{};
  Seconds halftoning{};
  Seconds writing{};
  Seconds total{};
};

// Errors begin with the name of the file that they are about. Only on success
// is there an output.
Result<Report> Convert(const ConvertJob& job, const Manner& manner, Flow& flow,
                       PendingFiles& pending, ProgressListener& progress);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CONVERT_H_
