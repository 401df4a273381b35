// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line. Knows the syntax of options, but not what they do.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calibrate/calibrate_arguments.h"
#include "check/check_arguments.h"
#include "convert/page_ranges.h"
#include "convert/picture_size.h"
#include "convert/shard.h"
#include "halftone/look/settings.h"
#include "preview/preview_arguments.h"

namespace halftoned {

struct ConvertOptions {
  std::vector<std::string> files;  // inputs, and the output if `output` is ""
  std::string output;
  std::string format;       // open_image.h; empty: from the output's name
  std::string compression;  // empty: the default
  bool big_tiff = false;
  PageRanges pages;       // of inputs
  bool any_size = false;  // inputs may be far larger than their files

  Shard shard;           // of inputs, or of the pages of the only one
  bool resume = false;   // complete outputs stay
  std::string manifest;  // a list of outputs; none if empty

  Look look;
  bool invert = false;
  std::string palette;  // a name, a file, or colors; empty: gray

  std::optional<Resolution> dpi;
  std::optional<SizeWish> size;
  std::optional<Scaling> scaling;
  int rotate = 0;  // degrees clockwise

  std::string engine = "auto";
  std::string socket;         // the daemon's; empty: halftoned.conf's
  int threads = 0;            // 0: one for each processor
  int32_t rows_per_band = 0;  // 0: what suits the page

  bool no_clobber = false;  // existing files are not replaced
  bool quiet = false;
  bool json = false;
};

struct ListEngines {
  bool json = false;
};

struct StatusOptions {
  std::string socket;           // halftoned.conf's if empty
  std::string format = "text";  // or "json", "metrics"
  bool http = false;
  std::vector<std::string> http_names;  // values that requests may have as Host
  int watch_seconds = 0;                // 0: once
};

// The program has nothing more to do; it exits with this status.
struct Ended {
  int status;
};

// Commands that another program runs, with all arguments: `halftone adopt`,
// `release`, `list`, `models`, `set`, `unset`, `show`, `test-page` and
// `calibrate print` for a queue.
struct PrinterCommand {
  char** argv;
};

using Command =
    std::variant<ConvertOptions, ListEngines, StatusOptions, CheckOptions,
                 CalibrateOptions, PreviewOptions, PrinterCommand, Ended>;

// The exit status after a wrong command line.
inline constexpr int kUsageStatus = 2;

// Prints the help or the version if requested, and a line about an error.
Command ParseArguments(int argc, char** argv);

}  // namespace halftoned
