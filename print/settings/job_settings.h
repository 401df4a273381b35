// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a job is printed, resolved from all sources of settings
// (setting_sources.h). rendering.h resolves how its pages look. The other
// settings are
//
//   job option        halftoned.conf  default
//   halftone-engine   engine          auto     ([filter] only)
//   halftone-threads  threads         one per CPU core (a job: no more)
//   parallel-pages    parallel-pages  as memory allows (pdftohalftone)
//
// The PPD file can set parallel-pages too, as halftonedParallelPages. Only the
// PPD file can set the output, since guessing would waste paper:
//
//   halftonedOutput = ( "cups-raster" [ "-black" ]
//                     | "pwg-raster" [ "-gray" ] | "urf" ) [ " last" ]
//
// This is the format to write (raster_encoder.h), and whether this is the last
// filter, which counts the pages. Without a PPD file it is cups-raster.
// cupsBackSide is a keyword of CUPS.
//
// The caller looks up engines, since a job's bad engine name is a warning too.
// Pure, except that it reads a curve file through `read_text`; jobs cannot name
// files.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "print/ppd/queue.h"
#include "print/raster/output_page.h"
#include "print/raster/raster_encoder.h"
#include "print/settings/rendering.h"

namespace halftoned {

struct Settings {
  Rendering rendering;
  std::optional<std::string> job_engine;  // preferred to `engine`
  Setting<std::string> engine{"auto"};
  int threads = 0;  // 0: one per CPU core
  int machine_threads = 0;
  double max_page_length = 10;  // meters
  int parallel_pages = 0;       // renderers at a time; 0: auto
  int parallel_memory = 0;      // MiB for pages that wait; 0: auto
  std::optional<PaperSize> paper;
  UseOfDaemon use_of_daemon;
  DaemonConfig daemon;
  RasterFormat format = RasterFormat::kCups;
  bool is_last = false;
  BackSide back_side = BackSide::kNormal;
  bool may_turn_backs = false;  // by the renderer, for a duplex job
  // The black of CMYK is 0 on all pages, or they have none (cmyk_profile.h).
  bool is_black_solid = false;
  // Pages in black and white may arrive as one bit, from our own renderer.
  bool takes_bits = false;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;
  // Problems of the configuration; pages are printed without these settings.
  std::vector<std::string> problems;
};

Result<Settings> ResolveSettings(const Queue& queue,
                                 std::string_view queue_name,
                                 const Config& config,
                                 const ReadText& read_text);

}  // namespace halftoned
