// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/drawing.h"

#include <array>
#include <cstdio>

namespace halftoned {
namespace {

std::string Number(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6f", number);
  return text.data();
}

void AddSizes(const Drawing& drawing, std::vector<std::string>& words) {
  const auto& size = drawing.fit ? drawing.fit : drawing.usual_size;
  if (size) {
    words.push_back("-dDEVICEWIDTHPOINTS=" + Number(size->first));
    words.push_back("-dDEVICEHEIGHTPOINTS=" + Number(size->second));
  }
  if (drawing.fit) {
    words.insert(words.end(), {"-dFIXEDMEDIA", "-dFitPage"});
  } else if (drawing.is_eps) {
    words.emplace_back("-dEPSCrop");
  }
  if (drawing.pixels) {
    words.push_back("-g" + std::to_string(drawing.pixels->first) + "x" +
                    std::to_string(drawing.pixels->second));
    words.emplace_back("-dFIXEDMEDIA");
  }
}

}  // namespace

std::vector<std::string> WordsFor(const Drawing& drawing) {
  std::vector<std::string> words = {
      "-r" + Number(drawing.dots_across) + "x" + Number(drawing.dots_down),
      std::string("-sDEVICE=") + drawing.device};
  if (drawing.first_page > 1) {
    words.push_back("-dFirstPage=" + std::to_string(drawing.first_page));
  }
  if (drawing.last_page) {
    words.push_back("-dLastPage=" + std::to_string(*drawing.last_page));
  }
  AddSizes(drawing, words);
  return words;
}

}  // namespace halftoned
