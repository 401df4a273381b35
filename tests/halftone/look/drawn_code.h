// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes of square modules as tests draw them: at any angle, on pages of one
// tone.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "halftone/look/settings.h"
#include "halftone/page/page.h"
#include "tests/halftone/look/edges_definition.h"

namespace halftoned {

// Rows of modules; # is dark.
using Modules = std::vector<std::string>;

struct Print {
  double module = 3.3, degrees = 0;
  int black = 60, white = 200;
  Depth depth = Depth::k8;
  int quarters = 0;
};

Modules Turned(Modules modules, int quarters);

// The modules on their page: the middle of both is the same.
class DrawnCode {
 public:
  DrawnCode(const Modules& modules, const Print& print);

  int side() const { return side_; }
  // Modules right of the code's left side and below its upper one.
  std::pair<double, double> Module(double x, double y) const;
  // How far away the middle of a pixel is from the code, in modules.
  double Away(int i, int j) const;
  // How much of a pixel is dark: 0 … 1.
  double Cover(int i, int j) const;
  SamplePage Page() const;

 private:
  const Modules modules_;
  const Print print_;
  const double wide_, high_;
  const int side_;
};

// Everything up to one and a half modules around the code, or within it, is
// solid, and dark where it was; what is farther away than its quiet zone stays.
void ExpectSolidCode(const Modules& modules, const Print& print,
                     TextEdges edges, double beside = 1.5, double far = 4.6);

// What is within the code is solid, or nothing has changed. True if it is.
bool IsWholeOrUnchanged(const Modules& modules, const Print& print);

}  // namespace halftoned
