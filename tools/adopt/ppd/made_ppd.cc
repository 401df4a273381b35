// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/made_ppd.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "adopt/change/our_lines.h"
#include "adopt/ppd/made_options.h"

namespace halftoned {
namespace {

// The numbers of PWG raster's MediaPosition. Trays begin at 20, and rolls at
// 40.
constexpr std::string_view kPositions[] = {
    "auto",           "main",  "alternate", "large-capacity", "manual",
    "envelope",       "disc",  "photo",     "hagaki",         "main-roll",
    "alternate-roll", "top",   "middle",    "bottom",         "side",
    "left",           "right", "center",    "rear",           "by-pass-tray"};

bool IsKeyword(const std::string& text) {
  return !text.empty() && text.size() <= kMostNameBytes &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '-' || c == '_' ||
                  c == '.';
         });
}

// The text without characters that a quoted line cannot hold.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) ||
        std::string_view(" -_.+").find(c) != std::string::npos;
    if (is_plain && plain.size() < kMostNameBytes) plain += c;
  }
  return plain.empty() ? "Printer" : plain;
}

std::string NameOf(const DotsFacts& dots) {
  const std::string x = std::to_string(dots.x);
  return (dots.x == dots.y ? x : x + "x" + std::to_string(dots.y)) + "dpi";
}

// The format in which pages are sent.
struct Form {
  std::string output;  // *halftonedOutput
  std::string type;    // of MIME
  std::string words;   // for people
  std::vector<DotsFacts> resolutions;
  std::string back;  // *cupsBackSide
};

std::string BackOf(const std::string& sheet_back) {
  return sheet_back == "flipped"         ? "Flipped"
         : sheet_back == "rotated"       ? "Rotated"
         : sheet_back == "manual-tumble" ? "ManualTumble"
                                         : "Normal";
}

// "W8" means that gray is accepted, "RS300-600" lists resolutions, and "DM1" …
// "DM4" state the orientation of the back of a sheet.
std::optional<Form> UrfOf(const PrinterFacts& facts) {
  Form form{"urf", "image/urf", "URF", {}, "Normal"};
  bool takes_gray = false;
  for (const std::string& word : facts.urf) {
    takes_gray = takes_gray || word == "W8";
    if (word.starts_with("RS")) {
      std::istringstream numbers(word.substr(2));
      for (std::string number; std::getline(numbers, number, '-');) {
        const int dots = number.size() > 5 ? 0 : std::atoi(number.c_str());
        form.resolutions.push_back({dots, dots});
      }
    }
    if (word == "DM2") form.back = "Flipped";
    if (word == "DM3") form.back = "Rotated";
    if (word == "DM4") form.back = "ManualTumble";
  }
  if (!takes_gray || !facts.formats.contains(form.type)) return std::nullopt;
  return form;
}

std::string Listed(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text.empty() ? "nothing" : text;
}

// 1-bit raster if the printer takes it, otherwise black and white as gray.
Result<Form> FormFor(const PrinterFacts& facts) {
  Form pwg{"pwg-raster", "image/pwg-raster", "PWG raster", facts.resolutions,
           BackOf(facts.sheet_back)};
  if (facts.formats.contains(pwg.type)) {
    if (facts.raster_types.contains("black_1")) return pwg;
    if (facts.raster_types.contains("sgray_8")) {
      pwg.output = "pwg-raster-gray";
      pwg.words = "PWG raster in gray";
      return pwg;
    }
  }
  const auto urf = UrfOf(facts);
  if (urf) return *urf;
  const bool has_pcl = facts.formats.contains("application/vnd.hp-pcl");
  return BadInput(
      "the printer does not accept black or gray raster (black_1 or sgray_8 of "
      "PWG raster, W8 of URF), only " +
      Listed(facts.formats) +
      (has_pcl ? "; to use its PCL, give --language pcl5e"
               : "; to print with its own halftoning, create its queue with "
                 "lpadmin -m everywhere"));
}

std::string ResolutionLines(const PrinterFacts& facts,
                            const std::vector<DotsFacts>& resolutions) {
  // The printer's default, or else the middle one.
  DotsFacts usual = resolutions[resolutions.size() / 2];
  for (const DotsFacts& dots : resolutions) {
    if (facts.resolution == dots) usual = dots;
  }
  PpdOption option{"Resolution", "Resolution", 5, NameOf(usual), ""};
  for (const DotsFacts& dots : resolutions) {
    option.AddChoice(NameOf(dots), NameOf(dots),
                     "/HWResolution[" + std::to_string(dots.x) + " " +
                         std::to_string(dots.y) + "]");
  }
  return option.Lines();
}

std::vector<DotsFacts> ResolutionsOf(const Form& form) {
  std::vector<DotsFacts> sane;
  for (const DotsFacts& dots : form.resolutions) {
    const bool is_sane =
        dots.x >= 50 && dots.x <= 4800 && dots.y >= 50 && dots.y <= 4800;
    if (is_sane && std::find(sane.begin(), sane.end(), dots) == sane.end() &&
        sane.size() < kMostChoices) {
      sane.push_back(dots);
    }
  }
  return sane;
}

std::string QualityLines(const PrinterFacts& facts) {
  struct Quality {
    int number;
    const char* name;
  };
  constexpr Quality kAll[] = {{3, "Draft"}, {4, "Normal"}, {5, "High"}};
  PpdOption option{"cupsPrintQuality", "Print Quality", 10, "", ""};
  for (const auto& [number, name] : kAll) {
    if (!facts.qualities.contains(number)) continue;
    option.AddChoice(name, name, "/cupsInteger8 " + std::to_string(number));
    if (option.usual.empty() || number == 4) option.usual = name;
  }
  return option.choices.empty() ? "" : option.Lines();
}

// -1 if PWG raster has no number for the source.
int PositionOf(const std::string& source) {
  const auto* const found =
      std::find(std::begin(kPositions), std::end(kPositions), source);
  if (found != std::end(kPositions)) {
    return static_cast<int>(found - std::begin(kPositions));
  }
  int number = 0;
  char end = 0;
  if (std::sscanf(source.c_str(), "tray-%2d%c", &number, &end) == 1 &&
      number >= 1 && number <= 20) {
    return 19 + number;
  }
  if (std::sscanf(source.c_str(), "roll-%2d%c", &number, &end) == 1 &&
      number >= 1 && number <= 10) {
    return 39 + number;
  }
  return -1;
}

// An option for keywords of the printer; empty if there is no choice.
template <typename Dictionary>
std::string KeywordLines(PpdOption option,
                         const std::vector<std::string>& keywords,
                         const std::string& usual,
                         const Dictionary& dictionary_of) {
  std::set<std::string> known;
  for (const std::string& keyword : keywords) {
    if (!IsKeyword(keyword) || known.size() >= kMostChoices) continue;
    const std::string dictionary = dictionary_of(keyword);
    const std::string name = ChoiceOf(keyword);
    if (dictionary.empty() || name.empty() || !known.insert(name).second) {
      continue;
    }
    option.AddChoice(name, WordsOf(keyword), dictionary);
    if (option.usual.empty() || keyword == usual) option.usual = name;
  }
  return known.size() < 2 ? "" : option.Lines();
}

std::string TrayLines(const PrinterFacts& facts) {
  return KeywordLines({"InputSlot", "Media Source", 10, "", ""}, facts.sources,
                      facts.source, [](const std::string& source) {
                        const int position = PositionOf(source);
                        if (position < 0) return std::string();
                        return "/MediaPosition " + std::to_string(position);
                      });
}

std::string TypeLines(const PrinterFacts& facts) {
  return KeywordLines(
      {"MediaType", "Media Type", 10, "", ""}, facts.types, facts.type,
      [](const std::string& type) { return "/MediaType(" + type + ")"; });
}

std::string DuplexLines(const PrinterFacts& facts, const Form& form) {
  constexpr char kLong[] = "two-sided-long-edge";
  constexpr char kShort[] = "two-sided-short-edge";
  if (!facts.sides.contains(kLong) && !facts.sides.contains(kShort)) return "";
  PpdOption option{"Duplex", "2-Sided Printing", 10, "None", ""};
  option.AddChoice("None", "Off", "/Duplex false");
  if (facts.sides.contains(kLong)) {
    option.AddChoice("DuplexNoTumble", "Long Edge",
                     "/Duplex true/Tumble false");
    if (facts.default_sides == kLong) option.usual = "DuplexNoTumble";
  }
  if (facts.sides.contains(kShort)) {
    option.AddChoice("DuplexTumble", "Short Edge", "/Duplex true/Tumble true");
    if (facts.default_sides == kShort) option.usual = "DuplexTumble";
  }
  return "*cupsBackSide: \"" + form.back + "\"\n" + option.Lines();
}

std::string Head(const PrinterFacts& facts, const Form& form) {
  const std::string name = Plain(facts.make_and_model);
  return "*PPD-Adobe: \"4.3\"\n"
         "*FormatVersion: \"4.3\"\n"
         "*FileVersion: \"0.1\"\n"
         "*LanguageVersion: English\n"
         "*LanguageEncoding: UTF-8\n"
         "*PCFileName: \"HTMADE.PPD\"\n"
         "*Manufacturer: \"" +
         name.substr(0, name.find(' ')) + "\"\n*Product: \"(" + name +
         ")\"\n*ModelName: \"" + name + "\"\n*ShortNickName: \"" +
         name.substr(0, 31) + "\"\n*NickName: \"" + name + ", " + form.words +
         ", halftoned\"\n"
         "*PSVersion: \"(3010.000) 0\"\n"
         "*LanguageLevel: \"3\"\n"
         "*ColorDevice: False\n"
         "*DefaultColorSpace: Gray\n"
         "*FileSystem: False\n"
         "*Throughput: \"1\"\n"
         "*LandscapeOrientation: Plus90\n"
         "*TTRasterizer: Type42\n"
         "*cupsVersion: 2.3\n"
         "*cupsModelNumber: 0\n"
         "*cupsManualCopies: " +
         (facts.makes_copies ? "False" : "True") +
         "\n*cupsFilter2: \"application/vnd.cups-raster " + form.type +
         " 10 rastertohalftone\"\n*cupsFilter2: \"application/vnd.cups-pdf " +
         form.type + " 105 pdftohalftone\"\n*halftonedOutput: \"" +
         form.output + " last\"\n";
}

std::string Gray() {
  PpdOption option{"ColorModel", "Color Mode", 10, "Gray", ""};
  option.AddChoice("Gray", "Grayscale",
                   "/cupsColorSpace 18/cupsBitsPerColor 8");
  return option.Lines();
}

}  // namespace

Result<std::string> MakePpd(const PrinterFacts& facts) {
  HALFTONED_TRY_ASSIGN(const Form form, FormFor(facts));
  const auto papers = PapersOf(facts);
  const std::string without = "; create its queue with lpadmin -m";
  if (papers.empty()) {
    return BadInput("the printer reports no paper size" + without);
  }
  const auto resolutions = ResolutionsOf(form);
  if (resolutions.empty()) {
    return BadInput("the printer reports no resolution" + without);
  }
  std::string ppd = Head(facts, form) + PaperLines(facts, papers);
  if (facts.custom_paper) ppd += CustomPaperLines(*facts.custom_paper);
  ppd += Gray() + ResolutionLines(facts, resolutions) + QualityLines(facts) +
         TrayLines(facts) + TypeLines(facts) + DuplexLines(facts, form) +
         FinishingLines(facts);
  return ppd + OurOptions();
}

}  // namespace halftoned
