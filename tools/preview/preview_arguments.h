// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `halftone preview`.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "halftone/look/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct PreviewOptions {
  std::string input;
  std::string output;              // empty: from the input's name
  std::vector<std::string> types;  // empty: the usual ones
  std::string queue;               // empty: the defaults of prints
  std::string resolution;          // empty: the queue's, or 600
  bool no_clobber = false;
  int page = 1;
  std::string magnifier;  // "middle", "X,Y" in millimeters; empty: no magnifier
  // Settings that override the queue's, or the defaults.
  std::vector<std::pair<const PrintSetting*, std::string>> settings;
};

// In millimeters from the page's top left corner.
struct MagnifierPlace {
  double x;
  double y;
};
// Accepts a position such as "12.5,30". Otherwise returns false and changes
// nothing.
bool SetMagnifierPlace(const std::string& text, MagnifierPlace& place);

// Adds the command to `app`, which parses it into `options` and throws errors.
CLI::App* AddPreviewCommand(CLI::App& app, PreviewOptions& options);

}  // namespace halftoned
