// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/renderer_bugs.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDFObjGen.hh>
#include <set>
#include <utility>

#include "print/render/unpacked_size.h"

namespace halftoned {
namespace {

// Functions beyond these bytes together stay as they are.
constexpr size_t kMostOfFunctions = size_t{4} << 20;

constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"gt", "2 copy ge 3 1 roll ne and"},
    {"lt", "2 copy le 3 1 roll ne and"},
    {"ln", "log 2.302585093 mul"},
    {"cvr", "1.0 mul"}};

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

// Ghostscript draws no shading of type 1 without a matrix.
void MendShading(QPDFObjectHandle& shading) {
  if (IsNumber(shading, "/ShadingType", 1) && !shading.hasKey("/Matrix")) {
    shading.replaceKey("/Matrix", QPDFObjectHandle::parse("[1 0 0 1 0 0]"));
  }
}

// Ghostscript calls such a pattern an error, but draws it.
void MendPattern(QPDFObjectHandle& pattern) {
  if (IsNumber(pattern, "/PatternType", 1) && !pattern.hasKey("/Resources")) {
    pattern.replaceKey("/Resources", QPDFObjectHandle::newDictionary());
  }
}

}  // namespace

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

void AvoidRendererBugs(std::vector<QPDFObjectHandle> pages) {
  std::vector<QPDFObjectHandle> left = std::move(pages);
  size_t room = kMostOfFunctions;
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
    MendShading(about);
    MendPattern(about);
    for (const std::string& key : about.getKeys()) {
      if (key != "/Parent") add(about.getKey(key));
    }
  }
}

}  // namespace halftoned
