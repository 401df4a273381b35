// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_papers.h"

#include <cups/cups.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace halftoned {
namespace {

constexpr double kHundredthsPerPoint = 2540.0 / 72;
// PAPPL's room.
constexpr size_t kMaxPapers = 256;

// Numbers of a damaged file can be of any size, or none.
bool IsPlausible(const ppd_size_t& size) {
  constexpr double kMost = 100'000;  // points, 35 m
  const double numbers[] = {size.width,  size.length, size.left,
                            size.bottom, size.right,  size.top};
  return std::ranges::all_of(
      numbers, [](double each) { return std::abs(each) <= kMost; });
}

int Margin(double points) {
  return std::max(static_cast<int>(std::ceil(points * kHundredthsPerPoint)), 0);
}

int Hundredths(double points) {
  return static_cast<int>(std::lround(points * kHundredthsPerPoint));
}

}  // namespace

PpdPapers PpdPapers::Read(ppd_file_t* ppd) {
  PpdPapers papers;
  for (int i = 0; i < ppd->num_sizes; ++i) {
    const ppd_size_t& size = ppd->sizes[i];
    if (std::string_view(size.name) == "Custom" || !IsPlausible(size) ||
        papers.all.size() == kMaxPapers) {
      continue;
    }
    const pwg_media_t* media =
        pwgMediaForSize(Hundredths(size.width), Hundredths(size.length));
    if (!media || !media->pwg) continue;
    // The file's default stands for all of its size.
    const auto same =
        std::ranges::find(papers.all, media->pwg, &PpdPaper::name);
    PpdPaper paper{media->pwg, size.name, size.width, size.length};
    if (same == papers.all.end()) {
      papers.all.push_back(std::move(paper));
    } else if (size.marked) {
      *same = std::move(paper);
    }
    if (!size.marked && !papers.usual.empty()) continue;
    papers.usual = media->pwg;
    papers.left_right =
        std::max(Margin(size.left), Margin(size.width - size.right));
    papers.bottom_top =
        std::max(Margin(size.bottom), Margin(size.length - size.top));
  }
  return papers;
}

const std::string& PpdPapers::ChoiceFor(const InkPage& page) const {
  auto paper = std::ranges::find(all, page.paper, &PpdPaper::name);
  if (paper == all.end()) {
    paper = std::ranges::find_if(all, [&](const PpdPaper& each) {
      return std::abs(each.width - page.header.PageSize[0]) <= 2 &&
             std::abs(each.length - page.header.PageSize[1]) <= 2;
    });
  }
  if (paper == all.end())
    paper = std::ranges::find(all, usual, &PpdPaper::name);
  return paper->choice;
}

}  // namespace halftoned
