// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/test_page.h"

#include <algorithm>
#include <cstdio>

#include "print/page/pdf_file.h"

namespace halftoned {
namespace {

// The page is drawn as A4, and scaled to the printer's size.
constexpr double kWidth = 595;
constexpr double kHeight = 842;
constexpr double kLeft = 50;
constexpr double kRight = 545;

// As a PDF string.
std::string Quoted(const std::string& words) {
  std::string text = "(";
  for (const char c : words) {
    if (c == '(' || c == ')' || c == '\\') text += '\\';
    // Only the first byte of a character of several bytes is shown.
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xC0) continue;
    text += byte < 0x20 || byte >= 0x7F ? '?' : c;
  }
  return text + ")";
}

std::string TextAt(double x, double y, double points,
                   const std::string& words) {
  return "BT /F " + PdfNumber(points) + " Tf " + PdfNumbers({x, y}) + "Td " +
         Quoted(words) + " Tj ET\n";
}

std::string DrawnWords(const std::vector<std::string>& words) {
  double y = 780;
  std::string text;
  for (size_t i = 0; i < std::min(words.size(), kMostLines + 1); ++i) {
    text += TextAt(kLeft, y, i == 0 ? 18 : 10.5, words[i]);
    y -= i == 0 ? 24 : 13.5;
  }
  return text;
}

// From white to black, with the gray value from 255 to 0 below each step.
std::string Wedge(double y) {
  constexpr int kSteps = 17;
  constexpr double kStep = (kRight - kLeft) / kSteps;
  std::string text;
  for (int i = 0; i < kSteps; ++i) {
    const double light = 1 - i / double{kSteps - 1};
    const double x = kLeft + i * kStep;
    text += PdfNumber(light) + " g " + PdfNumbers({x, y, kStep, 36}) + "re f\n";
    text +=
        "0 g " + TextAt(x + 4, y - 10, 7,
                        std::to_string(static_cast<int>(light * 255 + 0.5)));
  }
  return text + "0.5 w " + PdfNumbers({kLeft, y, kRight - kLeft, 36}) +
         "re S\n";
}

std::string Gradient(double y) {
  return "q " + PdfNumbers({kRight - kLeft, 0, 0, 36, kLeft, y}) +
         "cm /Gradient Do Q\n";
}

// Thin lines, vertical, horizontal and slanted, and small text, black and gray.
std::string FineParts(double y) {
  std::string text;
  double x = kLeft;
  for (const double width : {0.12, 0.25, 0.5, 1.0, 2.0}) {
    text += PdfNumber(width) + " w " + PdfNumbers({x, y}) + "m " +
            PdfNumbers({x, y + 36}) + "l " + PdfNumbers({x + 6, y}) + "m " +
            PdfNumbers({x + 36, y}) + "l " + PdfNumbers({x + 6, y + 4}) + "m " +
            PdfNumbers({x + 36, y + 34}) + "l S\n";
    x += 48;
  }
  const std::string sample = "Sphinx of black quartz, judge my vow: 0123456789";
  double line = y + 32;
  for (const double points : {4.0, 5.0, 6.0, 8.0}) {
    text += TextAt(x + 10, line, points, sample);
    line -= points + 3;
  }
  return text + "0.5 g " + TextAt(x + 10, line, 8, sample) + "0 g\n";
}

// A row of an image, each sample in two digits.
std::string Samples() {
  std::string text;
  char digits[3];
  for (int light = 255; light >= 0; --light) {
    std::snprintf(digits, sizeof(digits), "%02X", unsigned(light));
    text += digits;
  }
  return text + ">";
}

}  // namespace

std::string TestPage(const std::vector<std::string>& words,
                     const PageSize& size) {
  const double scale = std::min(size.width / kWidth, size.height / kHeight);
  const std::string drawn =
      "q " +
      PdfNumbers({scale, 0, 0, scale, (size.width - scale * kWidth) / 2,
                  (size.height - scale * kHeight) / 2}) +
      "cm\n" + DrawnWords(words) + Wedge(240) + Gradient(170) + FineParts(100) +
      "Q\n";
  return PdfDocument(
      {"<< /Type /Catalog /Pages 2 0 R >>",
       "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
       "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " +
           PdfNumbers({size.width, size.height}) +
           "] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << "
           "/Gradient 6 0 R >> >> >>",
       PdfStream("", drawn),
       "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding "
       "/WinAnsiEncoding >>",
       PdfStream(
           "/Type /XObject /Subtype /Image /Width 256 /Height 1 /ColorSpace "
           "/DeviceGray /BitsPerComponent 8 /Interpolate true /Filter "
           "/ASCIIHexDecode",
           Samples())});
}

}  // namespace halftoned
