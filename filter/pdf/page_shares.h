// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which renderer makes which pages of a document. Each page goes, in their
// order, to the renderer that has the least work so far: so renderers work side
// by side with few pages waiting, and end together. Pure.

#ifndef HALFTONED_FILTER_PDF_PAGE_SHARES_H_
#define HALFTONED_FILTER_PDF_PAGE_SHARES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halftoned {

class PageShares {
 public:
  // work: of each page, in any unit, more than 0. renderers: at least 1.
  PageShares(const std::vector<double>& work, int renderers);

  // The fewest renderers that need as long as `most`, or hardly longer: of 20
  // equal pages, 16 renderers make two at most, as 10 do.
  static int FewestFor(const std::vector<double>& work, int most);

  int64_t pages() const { return static_cast<int64_t>(renderer_of_.size()); }
  int renderers() const { return renderers_; }

  // The renderer, from 0, of a page, from 1.
  int RendererOf(int64_t page) const {
    return renderer_of_[static_cast<size_t>(page - 1)];
  }

  // Pages that one process of a renderer makes, in order, and their list as
  // Ghostscript reads it, such as "1,3,7".
  struct List {
    std::vector<int64_t> pages;
    std::string text;
  };

  // The lists of a renderer. A list is cut where its text would be too long.
  std::vector<List> ListsOf(int renderer) const;

 private:
  const int renderers_;
  double longest_ = 0;  // the work of the renderer that has the most
  std::vector<int> renderer_of_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_PAGE_SHARES_H_
