// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which renderer makes which pages of a document. Renderers take sheets, pairs
// of pages, in turn: so they work side by side with few pages waiting, and each
// makes front and back in turn, as a renderer of the whole document would; it
// turns the backs of some printers, and counts its own pages for that. Pure.

#ifndef HALFTONED_FILTER_PDF_PAGE_SHARES_H_
#define HALFTONED_FILTER_PDF_PAGE_SHARES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace halftoned {

class PageShares {
 public:
  // Both at least 1.
  PageShares(int64_t pages, int renderers)
      : pages_(pages), renderers_(renderers) {}

  int64_t pages() const { return pages_; }
  int renderers() const { return renderers_; }

  // The renderer, from 0, of a page, from 1.
  int RendererOf(int64_t page) const {
    return static_cast<int>((page - 1) / 2 % renderers_);
  }

  // Pages that one process of a renderer makes, in order, and their list as
  // Ghostscript reads it, such as "1-2,5-6,9".
  struct List {
    std::vector<int64_t> pages;
    std::string text;
  };

  // The lists of a renderer. A list is cut where its text would be too long.
  std::vector<List> ListsOf(int renderer) const;

 private:
  const int64_t pages_;
  const int renderers_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_PAGE_SHARES_H_
