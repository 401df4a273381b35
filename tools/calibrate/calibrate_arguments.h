// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `halftone calibrate`.

#pragma once

#include <string>
#include <string_view>

#include "calibrate/sheet/sheet_drawing.h"
#include "halftone/look/settings.h"

// Its header takes a compiler long.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct CalibrateStep {
  std::string_view name;
  std::string_view help;
  bool is_of_queue;  // otherwise of a scan
};

inline constexpr CalibrateStep kCalibrateSteps[] = {
    {"print", "Print a calibration chart", true},
    {"read", "Make a curve from a scan of the chart", false},
    {"verify", "Show the remaining error from a scan of a second chart",
     false}};

struct SheetResolution {
  double across = 600;  // dpi
  double down = 600;
};

// "600", "600x300"; false, without any change, if it is neither.
bool SetResolution(const std::string& text, SheetResolution& resolution);

// "a4", "100x150" in millimeters; false, without any change, if it is neither.
bool SetPaper(const std::string& text, SheetPaper& paper);
std::string PaperValues();

struct CalibrateOptions {
  std::string step;     // one of kCalibrateSteps
  std::string subject;  // a queue, or a scan

  // print
  std::string output;  // a file in place of a queue
  Look look;           // the type
  std::string resolution = "600";
  SheetPaper paper;
  bool is_second = false;  // printed with the curve

  std::string curve;  // a file; of print, for a second sheet
  // read
  std::string queue;
  std::string picture;  // a file
  bool dry_run = false;

  bool json = false;        // print QUEUE, read and verify
  bool no_clobber = false;  // print -o and read

  // Whether it is for the program that knows CUPS.
  bool prints() const { return step == "print" && output.empty(); }
};

// Adds the command to `app`, which parses it to `options`, and throws its
// errors.
CLI::App* AddCalibrateCommand(CLI::App& app, CalibrateOptions& options);

}  // namespace halftoned
