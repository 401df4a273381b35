// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/form_fields.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <iterator>
#include <map>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFFormFieldObjectHelper.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QUtil.hh>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/render/unpacked_size.h"
#include "printer_app/sheets/field_text.h"

namespace halftoned {
namespace {

constexpr int kMostFields = 10'000;
constexpr size_t kMostOfFields = size_t{16} << 20;  // values, appearances
constexpr size_t kMostShown = size_t{64} << 10;     // of a value
constexpr size_t kBytesOfObject = 64;
constexpr int kMostLevels = 64;                          // of fields in fields
constexpr int kPassword = 1 << 13, kComboBox = 1 << 17;  // flags

bool IsDeep(QPDFObjectHandle field) {
  int levels = 0;
  while (field.isDictionary() && levels <= kMostLevels) {
    field = field.getKey("/Parent");
    ++levels;
  }
  return levels > kMostLevels;
}

// left: bytes that are still read.
bool Take(size_t& left, size_t bytes) {
  const bool has_room = bytes <= left;
  left = has_room ? left - bytes : 0;
  return has_room;
}

// A choice has a value, and a text that shows it.
std::string TextOfChoice(const std::string& value, QPDFObjectHandle choices,
                         size_t& left) {
  const int count = choices.isArray() ? choices.getArrayNItems() : 0;
  for (int i = 0; i < count; ++i) {
    QPDFObjectHandle each = choices.getArrayItem(i);
    if (!Take(left, kBytesOfObject)) break;
    if (!each.isArray() || each.getArrayNItems() != 2 ||
        !each.getArrayItem(0).isString() || !each.getArrayItem(1).isString()) {
      continue;
    }
    const std::string name = each.getArrayItem(0).getUTF8Value();
    if (!Take(left, name.size())) break;
    if (name == value) return each.getArrayItem(1).getUTF8Value();
  }
  return value;
}

// Several choices are on a line each. Empty if nothing is left.
std::string TextOf(QPDFFormFieldObjectHelper field, size_t& left) {
  QPDFObjectHandle value = field.getValue();
  QPDFObjectHandle choices = field.getInheritableFieldValue("/Opt");
  std::vector<QPDFObjectHandle> chosen = {value};
  if (field.isChoice() && value.isArray()) {
    const auto count = static_cast<size_t>(value.getArrayNItems());
    if (!Take(left, count * kBytesOfObject)) return "";
    chosen = value.getArrayAsVector();
  }
  std::string text;
  for (QPDFObjectHandle& each : chosen) {
    if (!each.isString()) continue;
    if (!text.empty()) text += '\n';
    const std::string shown = each.getUTF8Value();
    text += field.isChoice() ? TextOfChoice(shown, choices, left) : shown;
    if (!Take(left, text.size())) return "";
  }
  return text;
}

// In WinAnsiEncoding, which has few of the blanks and hyphens.
std::string InWinAnsi(std::string_view text) {
  using Pair = std::pair<std::string_view, char>;
  constexpr Pair kReplaced[] = {
      {"\u2007", ' '}, {"\u2009", ' '}, {"\u202f", ' '}, {"\u2010", '-'},
      {"\u2011", '-'}, {"\u2012", '-'}, {"\u2212", '-'}};
  std::string made;
  while (!text.empty()) {
    const auto* const found = std::ranges::find_if(
        kReplaced,
        [&](const Pair& each) { return text.starts_with(each.first); });
    const bool is_found = found != std::end(kReplaced);
    made += is_found ? found->second : text.front();
    text.remove_prefix(is_found ? found->first.size() : 1);
  }
  return QUtil::utf8_to_win_ansi(made, '?');
}

// Without control characters, except ends of lines.
std::string Cleaned(std::string_view text, bool has_lines) {
  std::string made;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\r\n")) continue;
    const bool is_end = text[i] == '\r' || text[i] == '\n';
    const bool is_control = static_cast<unsigned char>(text[i]) < ' ';
    made += is_end && has_lines ? '\n' : is_control ? ' ' : text[i];
  }
  return made;
}

// Letters and digits are the same in all encodings, on one line or several.
std::string Comparable(const std::string& text) {
  std::string same;
  std::ranges::copy_if(text, std::back_inserter(same), [](unsigned char c) {
    return c < 0x80 && std::isalnum(c) != 0;
  });
  return same;
}

// Collects the text that an appearance draws.
class Strings : public QPDFObjectHandle::ParserCallbacks {
 public:
  void handleObject(QPDFObjectHandle object) override {
    if (object.isString()) text += object.getStringValue();
    if (!object.isArray()) return;
    for (QPDFObjectHandle& each : object.getArrayAsVector()) {
      if (each.isString()) text += each.getStringValue();
    }
  }
  void handleEOF() override {}

  std::string text;
};

bool HasAppearance(QPDFAnnotationObjectHelper widget) {
  QPDFObjectHandle normal = widget.getAppearanceDictionary().getKeyIfDict("/N");
  // A button has one for each state.
  return normal.isStream() ||
         (normal.isDictionary() && !normal.getKeys().empty());
}

// Its strings are numbers of glyphs.
bool HasGlyphs(QPDFObjectHandle appearance, size_t& left) {
  QPDFObjectHandle fonts =
      appearance.getDict().getKey("/Resources").getKeyIfDict("/Font");
  if (!fonts.isDictionary()) return false;
  const auto keys = fonts.getKeys();
  if (!Take(left, keys.size() * kBytesOfObject)) return true;
  return std::ranges::any_of(keys, [&](const std::string& key) {
    return fonts.getKey(key).getKeyIfDict("/Subtype").isNameAndEquals("/Type0");
  });
}

// value: empty if any text will do. left: bytes of appearances that are still
// read.
bool Shows(QPDFAnnotationObjectHelper widget, const std::string& value,
           size_t& left) {
  QPDFObjectHandle appearance = widget.getAppearanceStream("/N");
  if (!appearance.isStream()) return false;
  if (!UnpacksWithin(appearance, left)) return true;
  Strings strings;
  QPDFObjectHandle::parseContentStream(appearance, &strings);
  if (strings.text.empty()) return false;
  const std::string wanted = Comparable(value);
  return wanted.empty() || HasGlyphs(appearance, left) ||
         Comparable(strings.text) == wanted;
}

std::string Number(double value) {
  return QUtil::double_to_string(value, 3) + " ";
}

// How often the field is turned to the left.
int QuarterTurns(QPDFObjectHandle degrees) {
  return degrees.isInteger() ? (degrees.getIntValueAsInt() / 90 % 4 + 4) % 4
                             : 0;
}

// contents: of the field before it is turned, from its lower left corner.
void Replace(QPDF& document, QPDFAnnotationObjectHelper widget,
             const std::string& contents, const QPDFObjectHandle& resources,
             int turns) {
  constexpr const char* kTurns[] = {"[1 0 0 1 0 0]", "[0 1 -1 0 0 0]",
                                    "[-1 0 0 -1 0 0]", "[0 -1 1 0 0 0]"};
  const auto box = widget.getRect();
  double width = box.urx - box.llx, height = box.ury - box.lly;
  if (turns % 2 != 0) std::swap(width, height);
  QPDFObjectHandle drawing = QPDFObjectHandle::newStream(&document, contents);
  QPDFObjectHandle dictionary =
      QPDFObjectHandle::parse("<</Type/XObject/Subtype/Form>>");
  dictionary.replaceKey("/Resources", resources);
  dictionary.replaceKey("/Matrix", QPDFObjectHandle::parse(kTurns[turns]));
  dictionary.replaceKey(
      "/BBox", QPDFObjectHandle::newFromRectangle({0, 0, width, height}));
  drawing.replaceDict(dictionary);
  QPDFObjectHandle appearances = QPDFObjectHandle::newDictionary();
  appearances.replaceKey("/N", document.makeIndirectObject(drawing));
  widget.getObjectHandle().replaceKey("/AP", appearances);
}

// For a box or button that is on.
void DrawMark(QPDF& document, QPDFAnnotationObjectHelper widget) {
  const auto box = widget.getRect();
  const double width = box.urx - box.llx, height = box.ury - box.lly;
  const double size = std::min(width, height);
  QPDFObjectHandle given =
      widget.getObjectHandle().getKeyIfDict("/MK").getKeyIfDict("/CA");
  // Most marks are 0.8 as wide and 0.7 as high as their size.
  QPDFObjectHandle text = QPDFObjectHandle::newString(
      given.isString() ? given.getStringValue().substr(0, 1) : "4");
  Replace(document, widget,
          "q BT 0 g /Marks " + Number(size) + "Tf " +
              Number(width / 2 - 0.4 * size) +
              Number(height / 2 - 0.35 * size) + "Td " + text.unparseBinary() +
              " Tj ET Q\n",
          QPDFObjectHandle::parse("<</Font<</Marks<</Type/Font/Subtype/Type1"
                                  "/BaseFont/ZapfDingbats>>>>>>"),
          0);
}

struct Font {
  QPDFObjectHandle font;  // in WinAnsiEncoding
  CharacterWidths widths;
};

Font FontFor(QPDF& document, QPDFObjectHandle given) {
  QPDFObjectHandle about = given.getKeyIfDict("/FontDescriptor");
  const bool is_embedded =
      about.isDictionary() &&
      (about.hasKey("/FontFile") || about.hasKey("/FontFile2") ||
       about.hasKey("/FontFile3"));
  QPDFObjectHandle type = given.getKeyIfDict("/Subtype");
  QPDFObjectHandle base = given.getKeyIfDict("/BaseFont");
  const std::string name = base.isName() ? base.getName() : "";
  // Parts of fonts, whose names begin with a tag, may lack characters.
  const bool is_usable =
      (type.isNameAndEquals("/Type1") || type.isNameAndEquals("/TrueType")) &&
      name.find('+') == name.npos &&
      (!is_embedded ||
       given.getKey("/Encoding").isNameAndEquals("/WinAnsiEncoding"));
  QPDFObjectHandle font =
      is_usable ? given.shallowCopy()
                : QPDFObjectHandle::parse(
                      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  font.replaceKey("/Encoding", QPDFObjectHandle::newName("/WinAnsiEncoding"));
  return {document.makeIndirectObject(font), WidthsOf(font)};
}

// For all fields of a document.
struct Work {
  QPDF& document;
  size_t left = kMostOfFields;
  std::map<std::string, Font> fonts = {};  // by their names in fields
};

void DrawText(Work& work, QPDFFormFieldObjectHelper field,
              QPDFAnnotationObjectHelper widget, const std::string& value) {
  constexpr int kLines = 1 << 12, kComb = 1 << 24;  // flags
  constexpr int kMostCells = 1000;
  QPDFObjectHandle about = widget.getObjectHandle().getKeyIfDict("/MK");
  const auto box = widget.getRect();
  FieldText text;
  text.width = std::max(box.urx - box.llx, 1.);
  text.height = std::max(box.ury - box.lly, 1.);
  const int turns = QuarterTurns(about.getKeyIfDict("/R"));
  if (turns % 2 != 0) std::swap(text.width, text.height);
  QPDFObjectHandle style = widget.getObjectHandle().getKey("/BS");
  QPDFObjectHandle border = style.getKeyIfDict("/W");
  QPDFObjectHandle radii = widget.getObjectHandle().getKey("/Border");
  if (!style.isDictionary() && radii.isArray() && radii.getArrayNItems() > 2) {
    border = radii.getArrayItem(2);
  }
  text.border = border.isNumber() ? border.getNumericValue() : 1;
  text.is_underlined = style.getKeyIfDict("/S").isNameAndEquals("/U");
  text.border = std::clamp(text.border, 0., text.height / 4);
  text.has_lines = field.isChoice() ? field.getValue().isArray()
                                    : (field.getFlags() & kLines) != 0;
  QPDFObjectHandle most = field.getInheritableFieldValue("/MaxLen");
  if (field.isText() && (field.getFlags() & kComb) != 0 && most.isInteger()) {
    text.cells = std::clamp(most.getIntValueAsInt(), 0, kMostCells);
  }
  text.alignment = std::clamp(field.getQuadding(), 0, 2);
  text.text = Cleaned(InWinAnsi(value.substr(0, kMostShown)), text.has_lines);
  const FieldStyle looks = StyleOf(field.getDefaultAppearance(), work.document);
  text.size = looks.size;
  auto font = work.fonts.find(looks.font);
  if (font == work.fonts.end()) {
    QPDFObjectHandle given =
        field.getDefaultResources().getKeyIfDict("/Font").getKeyIfDict(
            looks.font);
    font = work.fonts.emplace(looks.font, FontFor(work.document, given)).first;
  }
  text.widths = font->second.widths;
  QPDFObjectHandle resources = QPDFObjectHandle::parse("<</Font<<>>>>");
  resources.getKey("/Font").replaceKey(kFieldFont, font->second.font);
  std::string drawn = DrawnFrame(text, about);
  drawn += Drawn(std::move(text), looks.color);
  Replace(work.document, widget, drawn, resources, turns);
}

void Show(Work& work, QPDFFormFieldObjectHelper field,
          QPDFAnnotationObjectHelper widget, bool is_shown) {
  if (field.isText() || field.isChoice()) {
    // A list box shows other choices, too.
    const bool is_list =
        field.isChoice() && (field.getFlags() & kComboBox) == 0;
    const bool is_password =
        field.isText() && (field.getFlags() & kPassword) != 0;
    if (is_shown || is_password) return;
    const std::string value = TextOf(field, work.left);
    if (value.empty()) return;
    const std::string style = field.getDefaultAppearance();
    if (!Shows(widget, is_list ? "" : value, work.left) &&
        Take(work.left, style.size())) {
      DrawText(work, field, widget, value);
    }
  } else if (field.isCheckbox() || field.isRadioButton()) {
    const std::string state = widget.getAppearanceState();
    if (!state.empty() && state != "/Off" && !HasAppearance(widget)) {
      DrawMark(work.document, widget);
    }
  }
}

void ShowAll(QPDF& document) {
  QPDFAcroFormDocumentHelper form(document);
  const bool needs_appearances = form.getNeedAppearances();
  if (needs_appearances) form.setNeedAppearances(false);
  int fields = 0;
  Work work{document};
  for (const QPDFPageObjectHelper& page :
       QPDFPageDocumentHelper(document).getAllPages()) {
    for (QPDFAnnotationObjectHelper& widget :
         form.getWidgetAnnotationsForPage(page)) {
      if (++fields > kMostFields || work.left == 0) return;
      if (IsDeep(widget.getObjectHandle())) continue;
      const bool is_shown = !needs_appearances && HasAppearance(widget);
      try {
        Show(work, form.getFieldForAnnotation(widget), widget, is_shown);
      } catch (const std::exception&) {
        // A field that is damaged stays as it is.
      }
    }
  }
}

}  // namespace

void ShowFieldValues(QPDF& document) {
  QPDFObjectHandle root = document.getRoot();
  const bool has_form = root.getKey("/AcroForm").isDictionary();
  // Some programs copy pages without their form.
  if (!has_form) {
    root.replaceKey("/AcroForm", QPDFObjectHandle::parse("<</Fields[]>>"));
  }
  ShowAll(document);
  if (!has_form) root.removeKey("/AcroForm");
}

}  // namespace halftoned
