// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which renderer draws which pages of a document. In order, each page goes to
// the renderer with the least work so far, among those for black if the page
// allows it. So renderers work side by side with few pages waiting, and end
// together. Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halftoned {

// What a renderer makes: gray, or one bit for pages in black and white alone.
enum class PageInk : uint8_t { kGray, kBlack };

// The work of a renderer for a page, in any unit, more than 0.
struct PageWork {
  double gray;
  std::optional<double> black;  // nothing: the page may have gray
};

class PageShares {
 public:
  struct Renderers {
    int gray = 0;
    int black = 0;

    int count() const { return gray + black; }
  };

  // Without a renderer for gray, all pages must be black.
  PageShares(const std::vector<PageWork>& pages, const Renderers& renderers);

  // The shares, for 1 … `most` renderers, that end first, with as few renderers
  // as possible if more would hardly be faster: of 20 equal pages, each of 16
  // renderers draws up to two, as does each of 10.
  static Renderers BestFor(const std::vector<PageWork>& pages, int most);
  // How many renderers, 1 … most, are worth starting.
  static int UsefulFor(const std::vector<PageWork>& pages, int most);

  int64_t pages() const { return static_cast<int64_t>(renderer_of_.size()); }
  int renderers() const { return renderers_.count(); }
  int black_renderers() const { return renderers_.black; }
  PageInk InkOf(int renderer) const {
    return renderer < renderers_.gray ? PageInk::kGray : PageInk::kBlack;
  }

  // The renderer, from 0, of a page, from 1.
  int RendererOf(int64_t page) const {
    return renderer_of_[static_cast<size_t>(page - 1)];
  }

  // Pages that one process of a renderer draws, in order, and their list as
  // Ghostscript reads it, such as "1,3,7".
  struct List {
    PageInk ink;
    std::vector<int64_t> pages;
    std::string text;
  };

  // The lists of a renderer. A list ends where its text would become too long.
  // `first`: the number of the first page in the document.
  std::vector<List> ListsOf(int renderer, int64_t first = 1) const;

 private:
  static Renderers BestOf(const std::vector<PageWork>& pages, int count);

  const Renderers renderers_;
  double longest_ = 0;  // the work of the renderer that has the most
  std::vector<int> renderer_of_;
};

}  // namespace halftoned
