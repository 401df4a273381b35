// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/renderer_bugs.h"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDFObjGen.hh>
#include <set>
#include <utility>

#include "print/render/unpacked_size.h"

namespace halftoned {
namespace {

// Functions beyond these bytes together stay as they are.
constexpr size_t kMostOfFunctions = size_t{4} << 20;

// Ghostscript 10.00 reads them as ge, le, le and cvi.
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"gt", "2 copy ge 3 1 roll ne and"},
    {"lt", "2 copy le 3 1 roll ne and"},
    {"ln", "log 2.302585093 mul"},
    {"cvr", "1.0 mul"}};

// A calculator function without the operators above.
std::string FunctionWithout(std::string_view function) {
  std::string made;
  while (!function.empty()) {
    // A comment, a word, or what is between words.
    size_t size = function.find_first_of(std::string_view("\0\t\n\f\r {}%", 9));
    if (function.front() == '%') size = function.find_first_of("\r\n");
    const std::string_view part = function.substr(0, std::max<size_t>(size, 1));
    const auto* const found = std::ranges::find(
        kOperators, part, [](auto& each) { return each.first; });
    made += found == std::end(kOperators) ? part : found->second;
    function.remove_prefix(part.size());
  }
  return made;
}

bool IsNumber(QPDFObjectHandle& object, const char* key, int number) {
  QPDFObjectHandle value = object.getKey(key);
  return value.isInteger() && value.getIntValue() == number;
}

void MendFunction(QPDFObjectHandle& stream, size_t& left) {
  QPDFObjectHandle about = stream.getDict();
  if (!IsNumber(about, "/FunctionType", 4) || !UnpacksWithin(stream, left)) {
    return;
  }
  std::shared_ptr<Buffer> data;
  try {
    data = stream.getStreamData(qpdf_dl_all);
  } catch (const std::exception&) {  // libqpdf does not know its filter
    return;
  }
  const std::string_view before(
      reinterpret_cast<const char*>(data->getBuffer()), data->getSize());
  const std::string after = FunctionWithout(before);
  if (after == before) return;
  stream.replaceStreamData(after, QPDFObjectHandle::newNull(),
                           QPDFObjectHandle::newNull());
}

using Range = std::pair<double, double>;

std::optional<Range> RangeAt(QPDFObjectHandle numbers, int first) {
  if (!numbers.isArray() || numbers.getArrayNItems() < first + 2) {
    return std::nullopt;
  }
  QPDFObjectHandle one = numbers.getArrayItem(first);
  QPDFObjectHandle other = numbers.getArrayItem(first + 1);
  if (!one.isNumber() || !other.isNumber()) return std::nullopt;
  return std::minmax(one.getNumericValue(), other.getNumericValue());
}

// Ghostscript reads numbers into 32 bits: the same one as from the document.
QPDFObjectHandle NumberFor(double number) {
  constexpr int kDecimals = 12;
  return QPDFObjectHandle::newReal(number, kDecimals);
}

QPDFObjectHandle ArrayOf(std::initializer_list<double> numbers) {
  QPDFObjectHandle array = QPDFObjectHandle::newArray();
  for (const double number : numbers) {
    array.appendItem(NumberFor(number));
  }
  return array;
}

// Functions of one number. Outside of its domain, a function has the value of
// the nearest number in it; Ghostscript calls that an error.
class Widener {
 public:
  // A function with the same values, in a domain that contains the range.
  QPDFObjectHandle Widened(QPDFObjectHandle function, Range range,
                           int depth = 0);

 private:
  // The parts of a stitching function.
  void WidenParts(QPDFObjectHandle& function, int depth);

  int left_ = 10'000;  // functions: one can be a part of itself
};

void Widener::WidenParts(QPDFObjectHandle& function, int depth) {
  QPDFObjectHandle parts = function.getKey("/Functions");
  QPDFObjectHandle encode = function.getKey("/Encode");
  if (!parts.isArray()) return;
  for (int i = 0; i < parts.getArrayNItems(); ++i) {
    if (const auto range = RangeAt(encode, 2 * i)) {
      parts.setArrayItem(i, Widened(parts.getArrayItem(i), *range, depth + 1));
    }
  }
}

QPDFObjectHandle Widener::Widened(QPDFObjectHandle function, Range range,
                                  int depth) {
  constexpr int kMostDepth = 8;
  QPDFObjectHandle about = function.isStream() ? function.getDict() : function;
  if (!about.isDictionary() || depth > kMostDepth || --left_ < 0) {
    return function;
  }
  if (IsNumber(about, "/FunctionType", 3)) WidenParts(about, depth);
  QPDFObjectHandle domain = about.getKey("/Domain");
  const auto known = RangeAt(domain, 0);
  if (!known || domain.getArrayNItems() != 2 ||
      (known->first <= range.first && range.second <= known->second)) {
    return function;
  }
  const auto [low, high] = *known;
  QPDFObjectHandle wide = QPDFObjectHandle::newDictionary();
  wide.replaceKey("/FunctionType", QPDFObjectHandle::newInteger(3));
  wide.replaceKey("/Domain", ArrayOf({std::min(low, range.first),
                                      std::max(high, range.second)}));
  QPDFObjectHandle parts = QPDFObjectHandle::newArray();
  QPDFObjectHandle bounds = QPDFObjectHandle::newArray();
  QPDFObjectHandle encode = QPDFObjectHandle::newArray();
  const auto add = [&](double first, double last) {
    parts.appendItem(function);
    encode.appendItem(NumberFor(first));
    encode.appendItem(NumberFor(last));
  };
  if (range.first < low) {
    add(low, low);
    bounds.appendItem(NumberFor(low));
  }
  add(low, high);
  if (range.second > high) {
    add(high, high);
    bounds.appendItem(NumberFor(high));
  }
  wide.replaceKey("/Functions", parts);
  wide.replaceKey("/Bounds", bounds);
  wide.replaceKey("/Encode", encode);
  return wide;
}

// Along a line, or between circles.
void MendGradient(QPDFObjectHandle& shading, Widener& widener) {
  const Range range =
      RangeAt(shading.getKey("/Domain"), 0).value_or(Range(0, 1));
  QPDFObjectHandle function = shading.getKey("/Function");
  if (!function.isArray()) {
    shading.replaceKey("/Function", widener.Widened(function, range));
    return;
  }
  for (int i = 0; i < function.getArrayNItems(); ++i) {
    function.setArrayItem(i, widener.Widened(function.getArrayItem(i), range));
  }
}

void MendShading(QPDFObjectHandle& shading, Widener& widener) {
  // Ghostscript draws no shading of type 1 without a matrix.
  if (IsNumber(shading, "/ShadingType", 1) && !shading.hasKey("/Matrix")) {
    shading.replaceKey("/Matrix", QPDFObjectHandle::parse("[1 0 0 1 0 0]"));
  }
  if ((IsNumber(shading, "/ShadingType", 2) ||
       IsNumber(shading, "/ShadingType", 3)) &&
      shading.hasKey("/Function")) {
    MendGradient(shading, widener);
  }
}

// Ghostscript calls such a pattern an error, but draws it.
void MendPattern(QPDFObjectHandle& pattern) {
  if (IsNumber(pattern, "/PatternType", 1) && !pattern.hasKey("/Resources")) {
    pattern.replaceKey("/Resources", QPDFObjectHandle::newDictionary());
  }
}

}  // namespace

void AvoidRendererBugs(std::vector<QPDFObjectHandle> pages) {
  std::vector<QPDFObjectHandle> left = std::move(pages);
  size_t room = kMostOfFunctions;
  Widener widener;
  std::set<QPDFObjGen> seen;
  const auto add = [&](QPDFObjectHandle object) {
    if (object.isIndirect() ? seen.insert(object.getObjGen()).second
                            : object.isDictionary() || object.isArray()) {
      left.push_back(object);
    }
  };
  while (!left.empty()) {
    QPDFObjectHandle object = left.back();
    left.pop_back();
    if (object.isArray()) {
      for (QPDFObjectHandle& item : object.getArrayAsVector()) add(item);
      continue;
    }
    if (object.isStream()) MendFunction(object, room);
    if (!object.isStream() && !object.isDictionary()) continue;
    QPDFObjectHandle about = object.isStream() ? object.getDict() : object;
    MendShading(about, widener);
    MendPattern(about);
    for (const std::string& key : about.getKeys()) {
      if (key != "/Parent") add(about.getKey(key));
    }
  }
}

}  // namespace halftoned
