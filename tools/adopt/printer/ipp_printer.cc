// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/printer/ipp_printer.h"

#include <cups/cups.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>
#include <utility>

#include "adopt/printer/ipp_answer.h"

namespace halftoned {
namespace {

constexpr std::string_view kDnssd = "dnssd://";

// The maximum number of values that a printer is believed to have.
constexpr int kMostValues = 1000;

// The values of an attribute that have the requested type.
class Attributes {
 public:
  explicit Attributes(ipp_t* message) : message_(message) {}

  std::vector<std::string> Texts(const char* name) const {
    std::vector<std::string> texts;
    ForEach(name, [&](ipp_attribute_t* found, int i) {
      const char* text = ippGetString(found, i, nullptr);
      if (text) texts.emplace_back(text);
    });
    return texts;
  }
  std::set<std::string> Set(const char* name) const {
    const auto texts = Texts(name);
    return {texts.begin(), texts.end()};
  }
  std::string Text(const char* name) const {
    const auto texts = Texts(name);
    return texts.empty() ? "" : texts.front();
  }
  std::vector<int> Numbers(const char* name) const {
    std::vector<int> numbers;
    ForEach(name, [&](ipp_attribute_t* found, int i) {
      const ipp_tag_t tag = ippGetValueTag(found);
      if (tag != IPP_TAG_INTEGER && tag != IPP_TAG_ENUM) return;
      numbers.push_back(ippGetInteger(found, i));
    });
    return numbers;
  }
  std::vector<DotsFacts> Resolutions(const char* name) const {
    std::vector<DotsFacts> all;
    ForEach(name, [&](ipp_attribute_t* found, int i) {
      if (ippGetValueTag(found) != IPP_TAG_RESOLUTION) return;
      ipp_res_t units = IPP_RES_PER_INCH;
      DotsFacts dots;
      dots.x = ippGetResolution(found, i, &dots.y, &units);
      if (units == IPP_RES_PER_INCH) all.push_back(dots);
    });
    return all;
  }
  std::vector<ipp_t*> Collections(const char* name) const {
    std::vector<ipp_t*> all;
    ForEach(name, [&](ipp_attribute_t* found, int i) {
      if (ippGetValueTag(found) != IPP_TAG_BEGIN_COLLECTION) return;
      all.push_back(ippGetCollection(found, i));
    });
    return all;
  }
  // The ends of a range, or the same number twice.
  std::optional<std::pair<int, int>> Range(const char* name) const {
    std::optional<std::pair<int, int>> range;
    ForEach(name, [&](ipp_attribute_t* found, int i) {
      int last = ippGetInteger(found, i);
      int first = last;
      if (ippGetValueTag(found) == IPP_TAG_RANGE) {
        first = ippGetRange(found, i, &last);
      }
      if (!range) range = {first, last};
    });
    return range;
  }

 private:
  template <typename Do>
  void ForEach(const char* name, const Do& take) const {
    ipp_attribute_t* found = ippFindAttribute(message_, name, IPP_TAG_ZERO);
    const int count = found ? std::min(ippGetCount(found), kMostValues) : 0;
    for (int i = 0; i < count; ++i) take(found, i);
  }

  ipp_t* message_;
};

int Largest(const std::vector<int>& numbers) {
  return numbers.empty() ? 0
                         : *std::max_element(numbers.begin(), numbers.end());
}

// The margins of all papers, if papers do not have their own.
PaperFacts Margins(const Attributes& printer) {
  return {.left = Largest(printer.Numbers("media-left-margin-supported")),
          .bottom = Largest(printer.Numbers("media-bottom-margin-supported")),
          .right = Largest(printer.Numbers("media-right-margin-supported")),
          .top = Largest(printer.Numbers("media-top-margin-supported"))};
}

// Sets both sizes, which are equal if the value is not a range.
bool TakeSize(const Attributes& size, PaperFacts& least, PaperFacts& most) {
  const auto width = size.Range("x-dimension");
  const auto length = size.Range("y-dimension");
  if (!width || !length) return false;
  std::tie(least.width, most.width) = *width;
  std::tie(least.length, most.length) = *length;
  return true;
}

void TakeMargins(const Attributes& media, PaperFacts& paper) {
  const auto take = [&](const char* name, int& margin) {
    const auto numbers = media.Numbers(name);
    if (!numbers.empty()) margin = numbers.front();
  };
  take("media-left-margin", paper.left);
  take("media-bottom-margin", paper.bottom);
  take("media-right-margin", paper.right);
  take("media-top-margin", paper.top);
}

void TakePaper(const Attributes& size, const PaperFacts& margins,
               PrinterFacts& facts) {
  CustomFacts custom{margins, margins};
  if (!TakeSize(size, custom.least, custom.most)) return;
  const bool is_range = custom.least.width != custom.most.width ||
                        custom.least.length != custom.most.length;
  if (!is_range) {
    facts.papers.push_back(custom.most);
  } else if (!facts.custom_paper) {
    facts.custom_paper = custom;
  }
}

void TakePapers(const Attributes& printer, PrinterFacts& facts) {
  for (ipp_t* media : printer.Collections("media-col-database")) {
    const Attributes of_media(media);
    PaperFacts margins = Margins(printer);
    TakeMargins(of_media, margins);
    for (ipp_t* size : of_media.Collections("media-size")) {
      TakePaper(Attributes(size), margins, facts);
    }
  }
  const bool has_database = !facts.papers.empty();
  for (ipp_t* size : printer.Collections("media-size-supported")) {
    PrinterFacts more;
    TakePaper(Attributes(size), Margins(printer), more);
    if (!has_database) {
      facts.papers.insert(facts.papers.end(), more.papers.begin(),
                          more.papers.end());
    }
    if (!facts.custom_paper) facts.custom_paper = more.custom_paper;
  }
  for (ipp_t* media : printer.Collections("media-col-default")) {
    for (ipp_t* size : Attributes(media).Collections("media-size")) {
      PaperFacts paper;
      if (TakeSize(Attributes(size), paper, paper)) facts.paper = paper;
    }
  }
}

// The member with this name of the default `media`.
std::string OfDefaultMedia(const Attributes& printer, const char* name) {
  for (ipp_t* media : printer.Collections("media-col-default")) {
    return Attributes(media).Text(name);
  }
  return "";
}

}  // namespace

std::string FullAddress(const std::string& word, bool is_asked) {
  const size_t colon = word.find(':');
  const std::string host = word.substr(0, colon);
  const std::string port = colon == word.npos ? "631" : word.substr(colon + 1);
  const auto is_host = [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-';
  };
  if (host.empty() || port.empty() ||
      !std::all_of(host.begin(), host.end(), is_host) ||
      port.find_first_not_of("0123456789") != port.npos) {
    return word;
  }
  return is_asked ? "ipp://" + word + "/ipp/print" : "socket://" + word;
}

bool SpeaksIpp(const std::string& uri) {
  if (uri.starts_with(kDnssd)) return uri.find("._ipp") != uri.npos;
  for (const char* scheme : {"ipp://", "ipps://", "http://", "https://"}) {
    if (uri.starts_with(scheme)) return true;
  }
  return false;
}

Result<PrinterFacts> AskPrinter(const std::string& uri,
                                std::chrono::milliseconds most) {
  HALFTONED_TRY_ASSIGN(const IppMessage answer, AskForAttributes(uri, most));
  const Attributes printer(answer.get());
  PrinterFacts facts;
  facts.make_and_model = printer.Text("printer-make-and-model");
  facts.formats = printer.Set("document-format-supported");
  facts.raster_types = printer.Set("pwg-raster-document-type-supported");
  facts.sheet_back = printer.Text("pwg-raster-document-sheet-back");
  facts.urf = printer.Texts("urf-supported");
  facts.resolutions =
      printer.Resolutions("pwg-raster-document-resolution-supported");
  const auto usual = printer.Resolutions("printer-resolution-default");
  if (!usual.empty()) facts.resolution = usual.front();
  TakePapers(printer, facts);
  facts.sources = printer.Texts("media-source-supported");
  facts.source = OfDefaultMedia(printer, "media-source");
  facts.types = printer.Texts("media-type-supported");
  facts.type = OfDefaultMedia(printer, "media-type");
  facts.sides = printer.Set("sides-supported");
  facts.default_sides = printer.Text("sides-default");
  const auto qualities = printer.Numbers("print-quality-supported");
  facts.qualities = {qualities.begin(), qualities.end()};
  const auto finishings = printer.Numbers("finishings-supported");
  facts.finishings = {finishings.begin(), finishings.end()};
  const auto copies = printer.Range("copies-supported");
  facts.makes_copies = copies && copies->second > 1;
  return facts;
}

}  // namespace halftoned
