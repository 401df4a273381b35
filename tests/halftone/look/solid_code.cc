// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What text edges make of a drawn code.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/halftone/look/drawn_code.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {

void ExpectSolidCode(const Modules& modules, const Print& print,
                     TextEdges edges, double beside, double far) {
  const DrawnCode drawn(modules, print);
  const SamplePage page = drawn.Page();
  const SamplePage out = Through(page, edges);
  const int white = print.depth == Depth::k8 ? 255 : 65535;
  for (int i = 0; i < out.rows; ++i) {
    for (int j = 0; j < out.width; ++j) {
      const double away = drawn.Away(i, j);
      const int a = out.at(i, j);
      if (away > far && edges == TextEdges::kSoft) {
        ASSERT_EQ(a, page.at(i, j)) << i << ", " << j;
      }
      if (away > beside) continue;
      ASSERT_TRUE(a == 0 || a == white) << i << ", " << j << ": " << a;
      const double dark = drawn.Cover(i, j);
      if (std::abs(dark - 0.5) < 0.07) continue;
      ASSERT_EQ(a == 0, dark > 0.5) << i << ", " << j;
    }
  }
}

bool IsWholeOrUnchanged(const Modules& modules, const Print& print) {
  const DrawnCode drawn(modules, print);
  const SamplePage page = drawn.Page();
  const SamplePage out = Through(page, TextEdges::kSoft);
  if (out.samples == page.samples) return false;
  for (int i = 0; i < out.rows; ++i) {
    for (int j = 0; j < out.width; ++j) {
      const int a = out.at(i, j);
      if (drawn.Away(i, j) > 0 || a == 0 || a == 255) continue;
      ADD_FAILURE() << i << ", " << j << ": " << a;
      return true;
    }
  }
  return true;
}

}  // namespace halftoned
