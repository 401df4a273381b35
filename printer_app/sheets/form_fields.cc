// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/form_fields.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFFormFieldObjectHelper.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QUtil.hh>
#include <string>

#include "print/render/unpacked_size.h"

namespace halftoned {
namespace {

constexpr int kMostFields = 10'000;
constexpr size_t kMostOfFields = size_t{16} << 20;       // values, appearances
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

// A choice has a value, and a text that shows it.
std::string TextOf(QPDFFormFieldObjectHelper field) {
  std::string value = field.getValueAsString();
  QPDFObjectHandle choices = field.getInheritableFieldValue("/Opt");
  if (!field.isChoice() || !choices.isArray()) return value;
  for (QPDFObjectHandle& each : choices.getArrayAsVector()) {
    if (each.isArray() && each.getArrayNItems() == 2 &&
        each.getArrayItem(0).isString() && each.getArrayItem(1).isString() &&
        each.getArrayItem(0).getUTF8Value() == value) {
      return each.getArrayItem(1).getUTF8Value();
    }
  }
  return value;
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

// Its strings are numbers of glyphs.
bool HasGlyphs(QPDFObjectHandle appearance) {
  QPDFObjectHandle fonts =
      appearance.getDict().getKey("/Resources").getKeyIfDict("/Font");
  if (!fonts.isDictionary()) return false;
  const auto keys = fonts.getKeys();
  return std::ranges::any_of(keys, [&](const std::string& key) {
    return fonts.getKey(key).getKeyIfDict("/Subtype").isNameAndEquals("/Type0");
  });
}

// left: bytes of appearances that are still read.
bool Shows(QPDFAnnotationObjectHelper widget, const std::string& value,
           size_t& left) {
  QPDFObjectHandle appearance = widget.getAppearanceStream("/N");
  if (!appearance.isStream()) return false;
  if (!UnpacksWithin(appearance, left)) return true;
  Strings strings;
  QPDFObjectHandle::parseContentStream(appearance, &strings);
  if (strings.text.empty()) return false;
  const std::string wanted = Comparable(value);
  return wanted.empty() || HasGlyphs(appearance) ||
         Comparable(strings.text) == wanted;
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
  const auto number = [](double value) {
    return QUtil::double_to_string(value, 3) + " ";
  };
  QPDFObjectHandle mark = QPDFObjectHandle::newStream(
      &document, "q BT 0 g /Marks " + number(size) + "Tf " +
                     number(width / 2 - 0.4 * size) +
                     number(height / 2 - 0.35 * size) + "Td " +
                     text.unparseBinary() + " Tj ET Q\n");
  QPDFObjectHandle dictionary = QPDFObjectHandle::parse(
      "<</Type/XObject/Subtype/Form/Resources<</Font<</Marks<</Type/Font"
      "/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>>>");
  dictionary.replaceKey(
      "/BBox", QPDFObjectHandle::newFromRectangle({0, 0, width, height}));
  mark.replaceDict(dictionary);
  QPDFObjectHandle appearances = QPDFObjectHandle::newDictionary();
  appearances.replaceKey("/N", document.makeIndirectObject(mark));
  widget.getObjectHandle().replaceKey("/AP", appearances);
}

// The renderer draws fields without an appearance, but reads their values as
// text of one byte per character.
void LeaveToRenderer(QPDFAnnotationObjectHelper widget,
                     const std::string& value) {
  QPDFObjectHandle field = widget.getObjectHandle();
  field.removeKey("/AP");
  field.replaceKey(
      "/V", QPDFObjectHandle::newString(QUtil::utf8_to_pdf_doc(value, '?')));
}

void Show(QPDF& document, QPDFFormFieldObjectHelper field,
          QPDFAnnotationObjectHelper widget, bool is_shown, size_t& left) {
  if (field.isText() || field.isChoice()) {
    // A list box shows other choices, too.
    const bool is_list = field.isChoice() &&
                         (field.getFlags() & kComboBox) == 0 &&
                         widget.getAppearanceDictionary().isDictionary();
    const bool is_password =
        field.isText() && (field.getFlags() & kPassword) != 0;
    if (is_shown || is_list || is_password) return;
    const std::string value = TextOf(field);
    if (value.empty() || value.size() > left) return;
    left -= value.size();
    if (!Shows(widget, value, left)) LeaveToRenderer(widget, value);
  } else if (field.isCheckbox() || field.isRadioButton()) {
    const std::string state = widget.getAppearanceState();
    if (!state.empty() && state != "/Off" &&
        !widget.getAppearanceDictionary().isDictionary()) {
      DrawMark(document, widget);
    }
  }
}

}  // namespace

void ShowFieldValues(QPDF& document) {
  QPDFAcroFormDocumentHelper form(document);
  const bool needs_appearances = form.getNeedAppearances();
  int fields = 0;
  size_t left = kMostOfFields;
  for (const QPDFPageObjectHelper& page :
       QPDFPageDocumentHelper(document).getAllPages()) {
    for (QPDFAnnotationObjectHelper& widget :
         form.getWidgetAnnotationsForPage(page)) {
      if (++fields > kMostFields) return;
      if (IsDeep(widget.getObjectHandle())) continue;
      const bool is_shown =
          !needs_appearances && widget.getAppearanceDictionary().isDictionary();
      try {
        Show(document, form.getFieldForAnnotation(widget), widget, is_shown,
             left);
      } catch (const std::exception&) {
        // A field that is damaged stays as it is.
      }
    }
  }
}

}  // namespace halftoned
