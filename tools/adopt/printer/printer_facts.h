// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of a network printer that its PPD file needs. Printers may
// send anything, so made_ppd.h checks the values.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace halftoned {

// All lengths are in hundredths of a millimeter.
struct PaperFacts {
  int width = 0;
  int length = 0;
  int left = 0;  // margins
  int bottom = 0;
  int right = 0;
  int top = 0;
};

// A range of sizes.
struct CustomFacts {
  PaperFacts least;
  PaperFacts most;
};

struct DotsFacts {
  int x = 0;  // dpi
  int y = 0;
  friend bool operator==(const DotsFacts&, const DotsFacts&) = default;
};

struct PrinterFacts {
  std::string make_and_model;
  std::set<std::string> formats;        // MIME types
  std::set<std::string> raster_types;   // of PWG raster: "black_1" …
  std::string sheet_back;               // of PWG raster
  std::vector<std::string> urf;         // "W8", "RS300-600", "DM1" …
  std::vector<DotsFacts> resolutions;   // of PWG raster
  std::optional<DotsFacts> resolution;  // the default
  std::vector<PaperFacts> papers;
  std::optional<CustomFacts> custom_paper;
  std::optional<PaperFacts> paper;   // the default; only its size is used
  std::vector<std::string> sources;  // "auto", "tray-1" …
  std::string source;                // the default
  std::vector<std::string> types;    // of paper: "stationery" …
  std::string type;
  std::set<std::string> sides;  // "one-sided", "two-sided-long-edge" …
  std::string default_sides;
  std::set<int> qualities;   // 3 … 5
  std::set<int> finishings;  // 4 is a staple
  bool makes_copies = true;
};

}  // namespace halftoned
