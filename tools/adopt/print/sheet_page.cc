// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/sheet_page.h"

#include <algorithm>
#include <cmath>

#include "print/page/pdf_file.h"

namespace halftoned {
namespace {

constexpr double kPointsOfInch = 72;
constexpr double kPointsOfMillimetre = kPointsOfInch / 25.4;

// One direction of the page, in points from its left or upper edge.
struct Axis {
  double At(double millimetres) const {
    return std::round(millimetres * kPointsOfMillimetre / dot) * dot;
  }
  // The unit of rulings: as many dots as come near to it.
  double Unit() const {
    return std::max(1.0, std::round(CalibrationSheet::kUnit *
                                    kPointsOfMillimetre / dot)) *
           dot;
  }

  double dot;
};

// Lines as an image of one sample a unit, in the square from 0 to 1: a
// renderer makes areas wider than they are, but not images.
std::string LinesOf(const SheetMark& mark, int count) {
  std::string hex;
  int byte = 0;
  for (int i = 0; i < count; ++i) {
    const bool is_white = i % mark.ruling.period() >= mark.ruling.black;
    char digits[3];
    if (mark.is_lying) {
      hex += is_white ? "80" : "00";  // a row each
      continue;
    }
    byte = byte << 1 | (is_white ? 1 : 0);
    if (i % 8 != 7 && i + 1 < count) continue;
    std::snprintf(digits, sizeof(digits), "%02X", byte << (7 - i % 8) & 255);
    hex += digits;
    byte = 0;
  }
  const std::string number = std::to_string(count);
  return "BI /W " + (mark.is_lying ? "1 /H " + number : number + " /H 1") +
         " /CS /G /BPC 1 /F /AHx ID " + hex + "> EI\n";
}

class Drawing {
 public:
  Drawing(const SheetPlace& place, double height,
          const SheetResolution& resolution)
      : place_(place),
        height_(height),
        across_{kPointsOfInch / resolution.across},
        down_{kPointsOfInch / resolution.down} {}

  std::string Draw(const SheetMark& mark) const {
    const double left = across_.At(place_.left + place_.scale * mark.left);
    const double right =
        across_.At(place_.left + place_.scale * (mark.left + mark.width));
    const double top = down_.At(place_.top + place_.scale * mark.top);
    const double bottom =
        down_.At(place_.top + place_.scale * (mark.top + mark.height));
    if (mark.ruling.period() == 0) {
      return PdfNumber(mark.gray / 255.0) + " g " +
             PdfNumbers({left, height_ - bottom, right - left, bottom - top}) +
             "re f\n";
    }
    const double unit = mark.is_lying ? down_.Unit() : across_.Unit();
    const double side = mark.is_lying ? bottom - top : right - left;
    const int count = static_cast<int>(side / unit);
    const double width = mark.is_lying ? right - left : count * unit;
    const double height = mark.is_lying ? count * unit : bottom - top;
    return "q " +
           PdfNumbers({width, 0, 0, height, left, height_ - top - height}) +
           "cm " + LinesOf(mark, count) + "Q\n";
  }

 private:
  const SheetPlace place_;
  const double height_;
  const Axis across_;
  const Axis down_;
};

}  // namespace

SheetPaper PaperOf(const PageSize& size) {
  return {size.width / kPointsOfMillimetre, size.height / kPointsOfMillimetre};
}

Result<std::string> SheetPage(const std::vector<SheetMark>& marks,
                              const PageSize& size,
                              const SheetResolution& resolution) {
  HALFTONED_TRY_ASSIGN(const SheetPlace place, SheetPlace::On(PaperOf(size)));
  const Drawing drawing(place, size.height, resolution);
  std::string drawn;
  for (const SheetMark& mark : marks) drawn += drawing.Draw(mark);
  return PdfDocument({"<< /Type /Catalog /Pages 2 0 R >>",
                      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " +
                          PdfNumbers({size.width, size.height}) +
                          "] /Contents 4 0 R /Resources << >> >>",
                      PdfStream("", drawn)});
}

}  // namespace halftoned
