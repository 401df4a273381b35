// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/black_content.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {
namespace {

template <size_t kCount>
bool Has(const std::string_view (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// What follows needs to know no more of a space than how many numbers it has.
bool IsPlainSpace(QPDFObjectHandle space) {
  constexpr std::string_view kPlain[] = {"/DeviceGray", "/DeviceRGB",
                                         "/DeviceCMYK", "/G"};
  return space.isName() && Has(kPlain, space.getName());
}

bool AreAll(std::span<const QPDFObjectHandle> numbers, double value) {
  return std::ranges::all_of(numbers, [&](QPDFObjectHandle number) {
    return number.isNumber() && number.getNumericValue() == value;
  });
}

// Gray, RGB, or the black of CMYK.
bool IsBlackOrWhite(std::span<const QPDFObjectHandle> color) {
  if (color.size() == 1 || color.size() == 3) {
    return AreAll(color, 0) || AreAll(color, 1);
  }
  return color.size() == 4 && AreAll(color.first(3), 0) &&
         (AreAll(color.last(1), 0) || AreAll(color.last(1), 1));
}

// A picture of one bit for a pixel. Interpolation would make it gray.
bool IsBlackPicture(QPDFObjectHandle picture) {
  const auto entry = [&](const char* name, const char* brief) {
    QPDFObjectHandle value = picture.getKey(name);
    return value.isNull() ? picture.getKey(brief) : value;
  };
  const auto is_true = [](QPDFObjectHandle value) {
    return value.isBool() && value.getBoolValue();
  };
  if (is_true(entry("/Interpolate", "/I"))) return false;
  if (picture.hasKey("/SMask") || picture.hasKey("/Mask")) return false;
  if (is_true(entry("/ImageMask", "/IM"))) return true;
  QPDFObjectHandle bits = entry("/BitsPerComponent", "/BPC");
  QPDFObjectHandle space = entry("/ColorSpace", "/CS");
  return bits.isInteger() && bits.getIntValue() == 1 &&
         (space.isNameAndEquals("/DeviceGray") || space.isNameAndEquals("/G"));
}

// Reads operators until one may paint gray.
class Operators : public QPDFObjectHandle::ParserCallbacks {
 public:
  bool are_black() const { return are_black_; }

  void handleObject(QPDFObjectHandle object, size_t, size_t) override {
    if (!object.isOperator()) {
      operands_.push_back(object);
      return;
    }
    are_black_ = IsBlack(object.getOperatorValue());
    if (!are_black_) terminateParsing();
    operands_.clear();
  }
  void handleEOF() override {}

 private:
  bool IsBlack(const std::string& name) {
    constexpr std::string_view kColors[] = {"g", "G",  "rg", "RG",  "k",
                                            "K", "sc", "SC", "scn", "SCN"};
    if (Has(kColors, name)) return IsBlackOrWhite(operands_);
    if (name == "cs" || name == "CS") {
      return operands_.size() == 1 && IsPlainSpace(operands_[0]);
    }
    if (name == "ID") return IsBlackInlinePicture();
    return name != "sh";
  }

  bool IsBlackInlinePicture() const {
    QPDFObjectHandle picture = QPDFObjectHandle::newDictionary();
    for (size_t at = 0; at + 1 < operands_.size(); at += 2) {
      if (!QPDFObjectHandle(operands_[at]).isName()) return false;
      picture.replaceKey(QPDFObjectHandle(operands_[at]).getName(),
                         operands_[at + 1]);
    }
    return IsBlackPicture(picture);
  }

  std::vector<QPDFObjectHandle> operands_;
  bool are_black_ = true;
};

bool IsOneOrNormal(const std::string& key, QPDFObjectHandle value) {
  constexpr std::string_view kHarmless[] = {
      "/Type", "/LW",  "/LC",   "/LJ", "/ML", "/D",  "/RI",  "/OP",
      "/op",   "/OPM", "/Font", "/FL", "/SM", "/SA", "/AIS", "/TK"};
  if (Has(kHarmless, key)) return true;
  if (key == "/CA" || key == "/ca") {
    return value.isNumber() && value.getNumericValue() == 1;
  }
  if (key == "/BM") {
    return value.isNameAndEquals("/Normal") ||
           value.isNameAndEquals("/Compatible");
  }
  return key == "/SMask" && value.isNameAndEquals("/None");
}

bool IsBlackState(QPDFObjectHandle state) {
  if (!state.isDictionary()) return false;
  return std::ranges::all_of(state.getKeys(), [&](const std::string& key) {
    return IsOneOrNormal(key, state.getKey(key));
  });
}

// Whether `is_black` is true of all that a kind of resource has.
template <class Check>
bool AreAllBlack(QPDFObjectHandle resources, const char* kind, Check is_black) {
  QPDFObjectHandle all = resources.getKey(kind);
  if (all.isNull()) return true;
  if (!all.isDictionary()) return false;
  return std::ranges::all_of(all.getKeys(), [&](const std::string& key) {
    return is_black(all.getKey(key));
  });
}

// Default spaces replace the plain ones.
bool HasPlainSpaces(QPDFObjectHandle resources) {
  QPDFObjectHandle spaces = resources.getKey("/ColorSpace");
  return !spaces.isDictionary() ||
         std::ranges::none_of(spaces.getKeys(), [](const std::string& key) {
           return key.starts_with("/Default");
         });
}

}  // namespace

bool BlackContent::IsBlack(QPDFPageObjectHelper page,
                           QPDFObjectHandle resources) {
  Operators operators;
  page.parseContents(&operators);
  return operators.are_black() && HasBlackResources(resources);
}

bool BlackContent::HasBlackResources(QPDFObjectHandle resources) {
  if (resources.isNull() || !IsNew(resources)) return true;
  return resources.isDictionary() && HasPlainSpaces(resources) &&
         AreAllBlack(resources, "/ExtGState", IsBlackState) &&
         AreAllBlack(
             resources, "/XObject",
             [&](QPDFObjectHandle each) { return IsBlackObject(each); }) &&
         AreAllBlack(resources, "/Font",
                     [&](QPDFObjectHandle each) { return IsBlackFont(each); });
}

bool BlackContent::IsBlackObject(QPDFObjectHandle object) {
  if (!object.isStream()) return false;
  if (!IsNew(object)) return true;
  QPDFObjectHandle dictionary = object.getDict();
  if (dictionary.getKey("/Subtype").isNameAndEquals("/Image")) {
    return IsBlackPicture(dictionary);
  }
  return dictionary.getKey("/Subtype").isNameAndEquals("/Form") &&
         IsBlack(QPDFPageObjectHelper(object), dictionary.getKey("/Resources"));
}

// Letters of the third type are drawn as pages are.
bool BlackContent::IsBlackFont(QPDFObjectHandle font) {
  if (!font.isDictionary()) return false;
  if (!font.getKey("/Subtype").isNameAndEquals("/Type3") || !IsNew(font)) {
    return true;
  }
  QPDFObjectHandle letters = font.getKey("/CharProcs");
  if (!letters.isDictionary()) return false;
  const bool are_black =
      std::ranges::all_of(letters.getKeys(), [&](const std::string& key) {
        QPDFObjectHandle letter = letters.getKey(key);
        Operators operators;
        if (!letter.isStream()) return false;
        QPDFObjectHandle::parseContentStream(letter, &operators);
        return operators.are_black();
      });
  return are_black && HasBlackResources(font.getKey("/Resources"));
}

bool BlackContent::IsNew(const QPDFObjectHandle& object) {
  QPDFObjectHandle handle(object);
  return !handle.isIndirect() || seen_.insert(handle.getObjGen()).second;
}

}  // namespace halftoned
