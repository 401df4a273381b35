// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws codes of square modules for tests, at any angle, on pages of one tone.

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

// A code in the center of its page.
class DrawnCode {
 public:
  DrawnCode(const Modules& modules, const Print& print);

  int side() const { return side_; }
  // The distances of a point from the code's left and upper side, in modules.
  std::pair<double, double> Module(double x, double y) const;
  // How far the center of a pixel is from the code, in modules; negative
  // inside.
  double Away(int i, int j) const;
  // The dark share of a pixel: 0 … 1.
  double Cover(int i, int j) const;
  SamplePage Page() const;

 private:
  const Modules modules_;
  const Print print_;
  const double wide_, high_;
  const int side_;
  const double cosine_, sine_;
};

// Expects solid pixels in the code and up to `beside` modules around it, dark
// where they were dark. With soft, expects no change more than `far` modules
// away.
void ExpectSolidCode(const Modules& modules, const Print& print,
                     TextEdges edges, double beside = 1.5, double far = 4.6);

// Expects that all pixels of the code are solid or that nothing has changed.
// False if nothing has.
bool IsWholeOrUnchanged(const Modules& modules, const Print& print);

}  // namespace halftoned
