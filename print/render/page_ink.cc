// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_ink.h"

#include <algorithm>
#include <exception>
#include <qpdf/QPDFObjectHandle.hh>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "print/render/unpacked_size.h"

namespace halftoned {
namespace {

using Object = QPDFObjectHandle;
using Objects = std::vector<Object>;

// Bytes of one stream, packed: text has 2 … 20 KB per page.
constexpr size_t kMostOfStream = size_t{64} << 10;
// Bytes of the same, unpacked.
constexpr size_t kMostUnpacked = size_t{4} << 20;

// Operators that have no color, sorted. Others are checked below, or mean that
// the page may have gray: patterns, shadings, pictures within the content.
constexpr std::string_view kPlain[] = {
    "\"", "'",  "B",  "B*", "BDC", "BI", "BMC", "BT", "DP", "EI", "EMC",
    "ET", "F",  "J",  "M",  "MP",  "Q",  "S",   "T*", "TD", "TJ", "TL",
    "Tc", "Td", "Tj", "Tm", "Tr",  "Ts", "Tw",  "Tz", "W",  "W*", "b",
    "b*", "c",  "cm", "d",  "f",   "f*", "h",   "i",  "j",  "l",  "m",
    "n",  "q",  "re", "ri", "s",   "v",  "w",   "y"};
static_assert(std::ranges::is_sorted(kPlain));

bool Is(Object number, double value) {
  return number.isNumber() && number.getNumericValue() == value;
}

bool IsName(Object object, std::initializer_list<const char*> names) {
  return std::ranges::any_of(
      names, [&](const char* name) { return object.isNameAndEquals(name); });
}

// Gray, RGB or CMYK.
bool IsBlackOrWhite(const Objects& colour) {
  const auto all = [&colour](size_t count, double value) {
    return std::all_of(colour.begin(),
                       colour.begin() + static_cast<ptrdiff_t>(count),
                       [value](Object part) { return Is(part, value); });
  };
  switch (colour.size()) {
    case 1:
    case 3:
      return all(colour.size(), 0) || all(colour.size(), 1);
    case 4:
      return all(3, 0) && (Is(colour[3], 0) || Is(colour[3], 1));
    default:
      return false;
  }
}

// An ExtGState: one that neither mixes nor changes colors.
bool IsPlainState(Object state) {
  if (!state.isDictionary()) return false;
  return std::ranges::all_of(state.getKeys(), [&state](const auto& key) {
    static const std::set<std::string> kHarmless = {
        "/Type", "/LW", "/LC", "/LJ",  "/ML", "/D",  "/RI",
        "/FL",   "/SM", "/SA", "/AIS", "/TK", "/OPM"};
    if (kHarmless.contains(key)) return true;
    Object value = state.getKey(key);
    if (key == "/ca" || key == "/CA") return Is(value, 1);
    if (key == "/OP" || key == "/op") {
      return value.isBool() && !value.getBoolValue();
    }
    if (key == "/BM") return IsName(value, {"/Normal", "/Compatible"});
    return key == "/SMask" && IsName(value, {"/None"});
  });
}

bool IsTrue(Object object) { return object.isBool() && object.getBoolValue(); }

// A picture that is a stencil, painted with the current color, and whose edges
// Ghostscript does not smooth.
bool IsStencil(Object dictionary) {
  return IsTrue(dictionary.getKey("/ImageMask")) &&
         !IsTrue(dictionary.getKey("/Interpolate"));
}

// The same for a picture within the content, from its keys and values.
bool IsInlineStencil(const Objects& entries) {
  bool is_mask = false;
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    if (IsName(entries[i], {"/IM", "/ImageMask"})) {
      is_mask = IsTrue(entries[i + 1]);
    } else if (IsName(entries[i], {"/I", "/Interpolate"})) {
      return false;
    }
  }
  return is_mask;
}

Object Found(Object resources, const char* kind, Object name) {
  if (!resources.isDictionary() || !name.isName()) {
    return Object::newNull();
  }
  Object all = resources.getKey(kind);
  return all.isDictionary() ? all.getKey(name.getName()) : Object::newNull();
}

// Whether a document replaces the color spaces of devices.
bool RedefinesColours(Object resources) {
  if (!resources.isDictionary()) return false;
  Object spaces = resources.getKey("/ColorSpace");
  return spaces.isDictionary() &&
         (spaces.hasKey("/DefaultGray") || spaces.hasKey("/DefaultRGB") ||
          spaces.hasKey("/DefaultCMYK"));
}

// Everything that a page draws, directly and in forms.
class Drawing {
 public:
  explicit Drawing(size_t& most_bytes) : most_bytes_(most_bytes) {}

  bool IsBlack(QPDFPageObjectHelper page) {
    Object resources = page.getAttribute("/Resources", false);
    Object contents = page.getObjectHandle().getKey("/Contents");
    if (contents.isNull()) return true;
    const Objects streams =
        contents.isArray() ? contents.getArrayAsVector() : Objects{contents};
    if (!std::ranges::all_of(streams, [this](Object s) { return Takes(s); })) {
      return false;
    }
    Operators operators(*this, resources);
    page.parseContents(&operators);
    return operators.is_black() && !RedefinesColours(resources);
  }

 private:
  // What libqpdf reads, operator by operator.
  class Operators : public Object::ParserCallbacks {
   public:
    Operators(Drawing& drawing, Object resources)
        : drawing_(drawing), resources_(std::move(resources)) {}

    bool is_black() const { return is_black_; }

    void handleObject(Object object) override {
      if (!object.isOperator()) {
        if (operands_.size() == kMostOperands) return Stop();
        operands_.push_back(object);
        return;
      }
      if (!Allows(object.getOperatorValue())) return Stop();
      operands_.clear();
    }
    void handleEOF() override {}

   private:
    static constexpr size_t kMostOperands = 33;  // PDF's limit

    void Stop() {
      is_black_ = false;
      terminateParsing();
    }

    bool Allows(const std::string& name) {
      if (std::ranges::binary_search(kPlain, name)) return true;
      if (name == "g" || name == "G" || name == "rg" || name == "RG" ||
          name == "k" || name == "K" || name == "sc" || name == "SC" ||
          name == "scn" || name == "SCN") {
        return IsBlackOrWhite(operands_);
      }
      if (name == "ID") return IsInlineStencil(operands_);
      if (operands_.empty()) return false;
      if (name == "cs" || name == "CS") {
        return IsName(operands_[0],
                      {"/DeviceGray", "/DeviceRGB", "/DeviceCMYK"});
      }
      if (name == "gs") {
        return IsPlainState(Found(resources_, "/ExtGState", operands_[0]));
      }
      if (name == "Tf")
        return IsOutline(Found(resources_, "/Font", operands_[0]));
      return name == "Do" && drawing_.IsBlackObject(
                                 Found(resources_, "/XObject", operands_[0]));
    }

    // A font whose letters have no colors of their own.
    static bool IsOutline(Object font) {
      return font.isDictionary() &&
             !IsName(font.getKey("/Subtype"), {"/Type3"});
    }

    Drawing& drawing_;
    Object resources_;
    Objects operands_;
    bool is_black_ = true;
  };

  // Whether the stream may be read.
  bool Takes(Object stream) {
    if (!stream.isStream()) return false;
    Object length = stream.getDict().getKey("/Length");
    if (!length.isInteger()) return false;
    const auto bytes = length.getIntValue();
    if (bytes < 0 || bytes > static_cast<long long>(kMostOfStream) ||
        static_cast<size_t>(bytes) > most_bytes_) {
      return false;
    }
    most_bytes_ -= static_cast<size_t>(bytes);
    size_t unpacked = kMostUnpacked;
    return UnpacksWithin(stream, unpacked);
  }

  bool IsBlackObject(Object object) {
    if (!object.isStream()) return false;
    Object dictionary = object.getDict();
    if (IsName(dictionary.getKey("/Subtype"), {"/Image"})) {
      return IsStencil(dictionary);
    }
    if (!IsName(dictionary.getKey("/Subtype"), {"/Form"})) return false;
    if (!seen_.insert(object.getObjGen()).second) return true;
    if (!Takes(object)) return false;
    Object resources = dictionary.getKey("/Resources");
    Operators operators(*this, resources);
    object.parseAsContents(&operators);
    return operators.is_black() && !RedefinesColours(resources);
  }

  size_t& most_bytes_;
  std::set<QPDFObjGen> seen_;  // forms: broken documents draw one in itself
};

// Notes in the margin have drawings of their own; links have none.
bool HasNotes(QPDFPageObjectHelper page) {
  Object notes = page.getObjectHandle().getKey("/Annots");
  if (notes.isNull()) return false;
  if (!notes.isArray()) return true;
  return std::ranges::any_of(notes.getArrayAsVector(), [](Object note) {
    return !note.isDictionary() || note.hasKey("/AP") || note.hasKey("/C") ||
           !IsName(note.getKey("/Subtype"), {"/Link"});
  });
}

}  // namespace

bool IsBlack(QPDFPageObjectHelper page, size_t& most_bytes) {
  try {
    return !HasNotes(page) && Drawing(most_bytes).IsBlack(page);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace halftoned
