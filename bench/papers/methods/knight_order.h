// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of figures 3 and 6 of Deshpande, Misra and Narayanan, "Hybrid
// Implementation of Error Diffusion Dithering": pixel (i, j) has the label
// 2i + j; pixels of one label are a knight's move apart and independent; and a
// picture is stored label by label, each from its uppermost pixel ("primal
// block") down.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace halftoned::papers {

class KnightOrder {
 public:
  KnightOrder(int width, int rows) : width_(width), rows_(rows) {
    ptrdiff_t pixels = 0;
    for (int label = 0; label < labels(); ++label) {
      bases_.push_back(pixels - FirstRow(label));
      pixels += EndRow(label) - FirstRow(label);
    }
    bases_.push_back(pixels - FirstRow(labels()));
  }

  int width() const { return width_; }
  int rows() const { return rows_; }
  int labels() const { return 2 * (rows_ - 1) + width_; }

  // Rows that have a pixel of this label; may be none. `label` is 0 …
  // labels().
  int FirstRow(int label) const {
    return std::max(0, (label - (width_ - 1) + 1) / 2);
  }
  int EndRow(int label) const { return std::min(rows_, label / 2 + 1); }

  // Where the pixel of row i is: Base(label) + i.
  ptrdiff_t Base(int label) const {
    return label < 0 ? 0 : bases_[static_cast<size_t>(label)];
  }
  // Where the pixels of a label start.
  ptrdiff_t Start(int label) const { return Base(label) + FirstRow(label); }
  const std::vector<ptrdiff_t>& bases() const { return bases_; }

 private:
  int width_;
  int rows_;
  std::vector<ptrdiff_t> bases_;
};

}  // namespace halftoned::papers
