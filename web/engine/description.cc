// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "halftone/look/settings.h"
#include "halftone/page/method.h"
#include "halftone/palette/palette.h"
#include "library/handles.h"
#include "web/engine/exports.h"

namespace halftoned {
namespace {

// Objects and lists of JSON, written from left to right.
class Json {
 public:
  Json& Open(char bracket) {
    Separate();
    text_ += bracket;
    is_first_ = true;
    return *this;
  }
  Json& Close(char bracket) {
    text_ += bracket;
    is_first_ = false;
    return *this;
  }
  Json& Name(std::string_view name) {
    Text(name);
    text_ += ':';
    is_first_ = true;
    return *this;
  }
  Json& Text(std::string_view value) {
    Separate();
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }
  // A number or `true`.
  Json& Word(std::string_view word) {
    Separate();
    text_ += word;
    return *this;
  }
  Json& Word(bool value) {
    return Word(std::string_view(value ? "true" : "false"));
  }

  std::string Take() { return std::move(text_); }

 private:
  void Separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

struct Help {
  Algorithm algorithm;
  std::string_view text;
};
constexpr Help kHelp[] = {
#define HALFTONED_METHOD(Name, number, version, name, help, ...) \
  {Algorithm::k##Name, help},
#include "halftone/page/method_rows.inc"
#undef HALFTONED_METHOD
};

std::string_view HelpOn(Algorithm algorithm) {
  for (const Help& help : kHelp) {
    if (help.algorithm == algorithm) return help.text;
  }
  return "";
}

void AddTypes(Json& json) {
  json.Name("types").Open('[');
  for (const Method& method : Methods()) {
    json.Open('{').Name("name").Text(method.name);
    json.Name("version").Word(std::to_string(method.id.version));
    json.Name("help").Text(HelpOn(method.id.algorithm));
    json.Name("levels").Word(method.has_levels);
    json.Name("common").Word(method.is_in_dialogs).Close('}');
  }
  json.Close(']');
}

void AddSettings(Json& json) {
  const Look defaults;
  json.Name("settings").Open('[');
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kLibraryOption)) continue;
    json.Open('{').Name("name").Text(setting.name);
    json.Name("help").Text(setting.help);
    json.Name("values").Text(setting.Values());
    if (setting.is_number()) {
      json.Name("min").Word(std::to_string(setting.least));
      json.Name("max").Word(std::to_string(setting.most));
      json.Name("integer").Word(setting.is_whole);
    } else {
      json.Name("choices").Open('[');
      if (setting.has_auto()) json.Text("auto");
      for (const Choice& choice : setting.Choices()) json.Text(choice.name);
      json.Close(']');
    }
    json.Name("default").Text(setting.TextOf(defaults)).Close('}');
  }
  json.Close(']');
}

void AddPalettes(Json& json) {
  json.Name("palettes").Open('[');
  for (const NamedPalette& palette : NamedPalettes()) {
    json.Open('{').Name("name").Text(palette.name);
    json.Name("help").Text(palette.help);
    json.Name("colors").Text(palette.colors).Close('}');
  }
  json.Close(']');
}

}  // namespace
}  // namespace halftoned

const char* web_description() {
  try {
    static const std::string text = [] {
      halftoned::Json json;
      json.Open('{');
      AddTypes(json);
      AddSettings(json);
      AddPalettes(json);
      return json.Close('}').Take();
    }();
    return text.c_str();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void web_tones(const ht_recipe* recipe, uint16_t* tones) {
  const halftoned::ToneCurve& curve = recipe->page.recipe.curve();
  for (int gray = 0; gray < 256; ++gray) {
    tones[gray] = static_cast<uint16_t>(curve.At8(static_cast<uint8_t>(gray)));
  }
}
