// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts one image file to a halftone. Knows formats and engines only by
// their interfaces, and does not know the command line.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "convert/output_pages.h"
#include "convert/page_ranges.h"
#include "convert/picture_size.h"
#include "convert/shard.h"
#include "convert/stages.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"
#include "halftone/run/engine.h"
#include "halftone/run/flow.h"
#include "halftone/run/pool.h"
#include "print/file/pending_files.h"
#include "print/image/open_image.h"

namespace halftoned {

// One conversion; "-" is standard input or output.
struct ConvertJob {
  std::string input;
  std::string output;
  const OutputFormat* format;
  OutputOptions options;
  PageRanges pages = {};
  Shard shard = {};  // a part of these pages
};

// Settings for all files of a command.
struct ConvertSettings {
  Recipe recipe;
  const Engine* engine;
  int32_t rows_per_band;
  TextEdges text_edges;
  Pool* pool;  // threads that help to read and to scale
  ImageTrust trust = {};
  std::optional<Resolution> dpi = {};
  std::optional<SizeWish> size = {};
  std::optional<Scaling> scaling = {};  // if missing, depends on the input
  int rotate = 0;                       // degrees clockwise: 0, 90, 180 or 270
  // Outputs state their input and settings. Existing outputs that state the
  // same are kept.
  bool resumes = false;
  bool wants_digests = false;  // reports have digests of outputs
};

class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  // Another `pixels` pixels of `page` have been written. page_done: the
  // fraction of the page that has been written so far, 0 … 1.
  virtual void Advance(const std::string& input, int64_t page, int64_t pixels,
                       double page_done) = 0;
};

struct Report {
  std::vector<OutputRecord> outputs;  // complete outputs, in order
  int64_t pages = 0;                  // that were halftoned
  int64_t pixels = 0;
  // The times of stages overlap, because reading has its own thread.
  Seconds reading{};
  Seconds halftoning{};
  Seconds writing{};
  Seconds total{};
};

// Errors begin with the name of the file. There is an output only on success.
Result<Report> Convert(const ConvertJob& job, const ConvertSettings& settings,
                       Flow& flow, PendingFiles& pending,
                       ProgressListener& progress);

}  // namespace halftoned
