// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line, made into what was asked for. Knows how options are
// written, and nothing of what they do.

#ifndef HALFTONED_TOOLS_ARGUMENTS_H_
#define HALFTONED_TOOLS_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "halftone/halftone_type.h"
#include "halftone/tone.h"

namespace halftoned {

struct ConvertOptions {
  std::vector<std::string> files;  // inputs, and the output if `output` is ""
  std::string output;
  std::string format;       // by the output's name if empty
  std::string compression;  // the default if empty
  bool big_tiff = false;
  int page = 0;  // from 1 on; 0: all

  HalftoneType type;
  bool crisp_edges = false;
  int levels = 2;
  bool invert = false;
  Tone tone;
  std::string tone_curve;  // a file; none if empty

  std::string engine = "auto";
  std::string socket = "/run/halftoned/halftoned.sock";  // of engine "remote"
  int threads = 0;            // 0: one for each processor
  int32_t rows_per_band = 0;  // 0: what suits the page

  bool quiet = false;
  bool json = false;
};

struct ListEngines {};

struct StatusOptions {
  std::string socket = "/run/halftoned/status.sock";
  std::string format = "text";  // or "json", "metrics"
};

// Nothing is left to do but to end with this exit status.
struct Ended {
  int status;
};

// `halftone adopt` and `halftone release`: all of their arguments are for the
// program that does them.
struct PrinterCommand {
  char** argv;
};

using Command = std::variant<ConvertOptions, ListEngines, StatusOptions,
                             PrinterCommand, Ended>;

// The exit status after a wrong command line.
inline constexpr int kUsageStatus = 2;

// Prints help and version where they are asked for, and a line about what is
// wrong.
Command ParseArguments(int argc, char** argv);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ARGUMENTS_H_
