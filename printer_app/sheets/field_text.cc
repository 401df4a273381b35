// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/field_text.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <qpdf/QUtil.hh>
#include <string_view>
#include <vector>

namespace halftoned {
namespace {

// From the space to the tilde.
constexpr uint16_t kHelvetica[] = {
    278, 278, 355, 556, 556,  889, 667, 191, 333, 333, 389, 584, 278, 333,
    278, 278, 556, 556, 556,  556, 556, 556, 556, 556, 556, 556, 278, 278,
    584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722,  778, 667, 778, 722, 667, 611, 722, 667, 944,
    667, 667, 611, 278, 278,  278, 469, 556, 333, 556, 556, 500, 556, 556,
    278, 556, 556, 222, 222,  500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500,  500, 500, 334, 260, 334, 584};
constexpr uint16_t kHelveticaBold[] = {
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333,
    278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333,
    584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
    667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556,
    333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};
constexpr uint16_t kTimes[] = {
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333,
    250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278,
    564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
    389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944,
    722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444,
    333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
    278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541};
constexpr uint16_t kCourier = 600;
constexpr uint16_t kOther = 556;
constexpr double kUnits = 1000;
// Letters as wide as those from 0xC0.
constexpr std::string_view kAlike =
    "AAAAAAMCEEEEIIIIDNOOOOO+OUUUUYPoaaaaaamceeeeiiiionooooo+ouuuuypy";

constexpr double kMargin = 2;  // between border and text
constexpr double kLeading = 1.15;
constexpr double kCapital = 0.72;  // the height of a capital letter
constexpr double kAscent = 0.9;
constexpr double kLeastSize = 4, kLargestOfLines = 12;
constexpr double kStep = 0.5;  // of sizes

std::string Operator(std::initializer_list<double> numbers, const char* name) {
  std::string made;
  for (const double number : numbers) {
    made += QUtil::double_to_string(number, 3) + " ";
  }
  return made + name + "\n";
}

// An operator that sets the color, or nothing.
std::string ColorOf(QPDFObjectHandle numbers, const char* const (&names)[3]) {
  if (!numbers.isArray()) return "";
  const int count = numbers.getArrayNItems();
  if (count != 1 && count != 3 && count != 4) return "";
  std::string color;
  for (QPDFObjectHandle& each : numbers.getArrayAsVector()) {
    if (!each.isNumber()) return "";
    color += QUtil::double_to_string(each.getNumericValue(), 3) + " ";
  }
  return color + names[count == 1 ? 0 : count - 2] + "\n";
}

// At a position in the field.
std::string Shown(std::string_view text, double x, double y) {
  return Operator({1, 0, 0, 1, x, y}, "Tm") +
         QPDFObjectHandle::newString(std::string(text)).unparse() + " Tj\n";
}

double WidthOf(std::string_view text, const CharacterWidths& widths) {
  double width = 0;
  for (const char c : text) width += widths[static_cast<unsigned char>(c)];
  return width;
}

class StyleReader : public QPDFObjectHandle::ParserCallbacks {
 public:
  void handleObject(QPDFObjectHandle object) override {
    constexpr size_t kMostOperands = 4;
    if (!object.isOperator()) {
      if (operands_.size() == kMostOperands) operands_.clear();
      operands_.push_back(object);
      return;
    }
    const std::string name = object.getOperatorValue();
    const size_t numbers = name == "g" ? 1 : name == "rg" ? 3 : 4;
    if (name == "Tf" && operands_.size() == 2 && operands_[0].isName() &&
        operands_[1].isNumber()) {
      style.font = operands_[0].getName();
      style.size = std::clamp(operands_[1].getNumericValue(), 0., 1000.);
    } else if ((name == "g" || name == "rg" || name == "k") &&
               operands_.size() == numbers &&
               std::ranges::all_of(operands_, [](QPDFObjectHandle& each) {
                 return each.isNumber();
               })) {
      style.color.clear();
      for (QPDFObjectHandle& each : operands_) {
        style.color += each.unparse() + " ";
      }
      style.color += name + "\n";
    }
    operands_.clear();
  }
  void handleEOF() override {}

  FieldStyle style;

 private:
  std::vector<QPDFObjectHandle> operands_;
};

// The most characters that fit into the width, in whole words if one does.
size_t Fitting(std::string_view text, const CharacterWidths& widths,
               double width) {
  size_t end = 0, words = 0;
  for (double used = 0; end < text.size(); ++end) {
    used += widths[static_cast<unsigned char>(text[end])];
    if (text[end] == ' ') {
      words = end;
    } else if (used > width) {
      return words > 0 ? words : std::max<size_t>(end, 1);
    }
  }
  return end;
}

class Drawing {
 public:
  explicit Drawing(const FieldText& text)
      : text_(text), left_(text.border + kMargin) {}

  double SizeOfLine() const;
  double SizeOfLines() const;
  std::string Line(double size) const;
  std::string Cells(double size) const;
  std::string Lines(double size) const;

 private:
  double width() const { return std::max(text_.width - 2 * left_, 1.); }
  double BaseLine(double size) const {
    return (text_.height - kCapital * size) / 2;
  }
  double Left(std::string_view line, double size) const {
    const double rest = width() - size * WidthOf(line, text_.widths);
    return left_ + std::max(rest, 0.) * text_.alignment / 2;
  }
  std::vector<std::string_view> Wrapped(double size) const;

  const FieldText& text_;
  const double left_;
};

double Drawing::SizeOfLine() const {
  double size = (text_.height - 2 * text_.border) * 0.7;
  const double width = WidthOf(text_.text, text_.widths);
  if (text_.cells == 0 && width > 0) {
    size = std::min(size, this->width() / width);
  }
  return std::max(size, kLeastSize);
}

double Drawing::SizeOfLines() const {
  const double height = text_.height - 2 * left_;
  double size = kLargestOfLines;
  while (size > kLeastSize &&
         double(Wrapped(size).size()) * size * kLeading > height) {
    size -= kStep;
  }
  return size;
}

std::vector<std::string_view> Drawing::Wrapped(double size) const {
  std::vector<std::string_view> wrapped;
  for (std::string_view rest = text_.text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    do {
      const size_t fits = Fitting(line, text_.widths, width() / size);
      wrapped.push_back(line.substr(0, fits));
      line.remove_prefix(fits);
      if (line.starts_with(' ')) line.remove_prefix(1);
    } while (!line.empty());
  }
  return wrapped;
}

std::string Drawing::Line(double size) const {
  return Shown(text_.text, Left(text_.text, size), BaseLine(size));
}

std::string Drawing::Cells(double size) const {
  const double cell = text_.width / text_.cells;
  const std::string_view text =
      std::string_view(text_.text).substr(0, static_cast<size_t>(text_.cells));
  const int free = text_.cells - static_cast<int>(text.size());
  double x = cell * (free * text_.alignment / 2);
  std::string drawn;
  for (const char& c : text) {
    const std::string_view one(&c, 1);
    drawn += Shown(one, x + (cell - size * WidthOf(one, text_.widths)) / 2,
                   BaseLine(size));
    x += cell;
  }
  return drawn;
}

std::string Drawing::Lines(double size) const {
  std::string drawn;
  double y = text_.height - left_ - kAscent * size;
  for (const std::string_view line : Wrapped(size)) {
    if (y < -size) break;
    drawn += Shown(line, Left(line, size), y);
    y -= kLeading * size;
  }
  return drawn;
}

}  // namespace

CharacterWidths WidthsOf(QPDFObjectHandle font) {
  CharacterWidths widths;
  widths.fill(kOther / kUnits);
  QPDFObjectHandle base = font.getKey("/BaseFont");
  const std::string name = base.isName() ? base.getName() : "";
  const auto has = [&](const char* part) {
    return name.find(part) != name.npos;
  };
  const auto& known = has("Times")  ? kTimes
                      : has("Bold") ? kHelveticaBold
                                    : kHelvetica;
  for (size_t i = 0; i < std::size(known); ++i) {
    widths[' ' + i] = (has("Courier") ? kCourier : known[i]) / kUnits;
  }
  QPDFObjectHandle given = font.getKey("/Widths");
  QPDFObjectHandle first = font.getKey("/FirstChar");
  const int begin = first.isInteger() ? first.getIntValueAsInt() : -1;
  if (given.isArray() && begin >= 0) {
    for (int i = begin; i <= '~' && i - begin < given.getArrayNItems(); ++i) {
      QPDFObjectHandle width = given.getArrayItem(i - begin);
      if (!width.isNumber() || width.getNumericValue() <= 0) continue;
      widths[size_t(i)] = std::min(width.getNumericValue() / kUnits, 10.);
    }
  }
  for (size_t i = 0; i < kAlike.size(); ++i) {
    widths[0xC0 + i] = widths[static_cast<unsigned char>(kAlike[i])];
  }
  return widths;
}

FieldStyle StyleOf(const std::string& operators, QPDF& document) {
  StyleReader reader;
  QPDFObjectHandle::newStream(&document, operators).parseAsContents(&reader);
  return reader.style;
}

std::string DrawnFrame(const FieldText& text, QPDFObjectHandle about) {
  const std::string fill = ColorOf(about.getKeyIfDict("/BG"), {"g", "rg", "k"});
  const std::string line = ColorOf(about.getKeyIfDict("/BC"), {"G", "RG", "K"});
  const auto box = [&](double inset) {
    return Operator(
        {inset, inset, text.width - 2 * inset, text.height - 2 * inset}, "re");
  };
  std::string drawn = "q\n";
  if (!fill.empty()) drawn += fill + box(0) + "f\n";
  if (!line.empty() && text.border > 0) {
    const double middle = text.border / 2;
    drawn += line + Operator({text.border}, "w") +
             (text.is_underlined ? Operator({0, middle}, "m") +
                                       Operator({text.width, middle}, "l")
                                 : box(middle)) +
             "S\n";
  }
  return drawn + "Q\n";
}

std::string Drawn(FieldText text, const std::string& color) {
  const Drawing drawing(text);
  if (text.size <= 0) {
    text.size = text.has_lines ? drawing.SizeOfLines() : drawing.SizeOfLine();
  }
  const double inset = std::min(text.border, text.height / 4);
  return "/Tx BMC\nq\n" +
         Operator(
             {inset, inset, text.width - 2 * inset, text.height - 2 * inset},
             "re") +
         "W n\nBT\n" + color + kFieldFont + " " + Operator({text.size}, "Tf") +
         (text.cells > 0   ? drawing.Cells(text.size)
          : text.has_lines ? drawing.Lines(text.size)
                           : drawing.Line(text.size)) +
         "ET\nQ\nEMC\n";
}

}  // namespace halftoned
