// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the text of form fields, by operators of PDF.

#pragma once

#include <array>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <string>

namespace halftoned {

// Fields' fonts have this name in the resources of their appearances.
inline constexpr char kFieldFont[] = "/FieldFont";

// The widths of characters in WinAnsiEncoding, as parts of the size.
using CharacterWidths = std::array<double, 256>;
CharacterWidths WidthsOf(QPDFObjectHandle font);

// How the text looks.
struct FieldStyle {
  std::string font;             // its name
  double size = 0;              // 0: as it fits
  std::string color = "0 g\n";  // an operator
};
// operators: those of a field's /DA.
FieldStyle StyleOf(const std::string& operators, QPDF& document);

struct FieldText {
  std::string text;  // in WinAnsiEncoding
  double width = 0, height = 0;
  double border = 0;           // the width of its line
  bool is_underlined = false;  // instead of a border on all sides
  bool has_lines = false;      // breaks lines that are too wide
  int cells = 0;               // equally wide, for one character each; or 0
  int alignment = 0;           // 0: left, 1: centered, 2: right
  double size = 0;             // of the font; 0: as it fits
  CharacterWidths widths = {};
};

// The border and the background. about: the field's /MK.
std::string DrawnFrame(const FieldText& text, QPDFObjectHandle about);

std::string Drawn(FieldText text, const std::string& color);

}  // namespace halftoned
