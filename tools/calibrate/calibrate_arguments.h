// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `halftone calibrate`.

#pragma once

#include <string>
#include <string_view>

#include "calibrate/sheet/sheet_drawing.h"
#include "halftone/look/settings.h"

// A forward declaration, because the header compiles slowly.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct CalibrateStep {
  std::string_view name;
  std::string_view help;
  bool is_of_queue;  // takes a queue, otherwise a scan
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

// Accepts "600" or "600x300". Otherwise returns false and changes nothing.
bool SetResolution(const std::string& text, SheetResolution& resolution);

// Accepts "a4", or "100x150" in millimeters. Otherwise returns false and
// changes nothing.
bool SetPaper(const std::string& text, SheetPaper& paper);
std::string PaperValues();

struct CalibrateOptions {
  std::string step;     // one of kCalibrateSteps
  std::string subject;  // a queue, or a scan

  // print
  std::string output;  // a file in place of a queue
  Look look;           // the halftone type
  std::string resolution = "600";
  SheetPaper paper;
  bool is_second = false;  // printed with the curve

  std::string curve;  // a file; for print, on the second chart
  // read
  std::string queue;
  std::string picture;  // a file
  bool dry_run = false;

  bool json = false;        // print QUEUE, read and verify
  bool no_clobber = false;  // print -o and read

  // Whether halftone-adopt, the program that uses CUPS, runs the command.
  bool prints() const { return step == "print" && output.empty(); }
};

// Adds the command to `app`, which parses it into `options` and throws errors.
CLI::App* AddCalibrateCommand(CLI::App& app, CalibrateOptions& options);

}  // namespace halftoned
