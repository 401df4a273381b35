// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/page_form.h"

#include <cups/pwg.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr RasterType kTypes[] = {
    {"black_1", "pgmraw", 1, true, true},
    {"black_8", "pgmraw", 1, true, true},
    {"sgray_8", "pgmraw", 1, true, false},
    {"srgb_8", "ppmraw", 3, false, false},
    {"cmyk_8", "pamcmyk32", 4, false, true},
};
const RasterType& kBlack1 = kTypes[0];
constexpr int kMostDpi = 4800;
constexpr double kPointsPerInch = 72;
constexpr double kPointsPerUnit = kPointsPerInch / 2540;  // of IPP's media

struct Dpi {
  int x;
  int y;
};

Result<Dpi> DpiOf(const std::string& text) {
  Dpi dpi{};
  char rest = 0;
  const bool is_pair =
      std::sscanf(text.c_str(), "%dx%ddpi%c", &dpi.x, &dpi.y, &rest) == 2;
  if (!is_pair) {
    if (std::sscanf(text.c_str(), "%ddpi%c", &dpi.x, &rest) != 1) dpi.x = 0;
    dpi.y = dpi.x;
  }
  if (dpi.x >= 72 && dpi.y >= 72 && dpi.x <= kMostDpi && dpi.y <= kMostDpi) {
    return dpi;
  }
  return BadInput("the resolution '" + Printable(text, 100) +
                  "' is not like 600dpi or 600x300dpi");
}

// Values of print-quality.
constexpr int kDraft = 3;
constexpr int kHigh = 5;

// Of several, the first is for drafts and the last for high quality.
Result<Dpi> ChooseDpi(const TransformOrder& order, int quality) {
  if (const auto said = order.attributes.Get("printer-resolution")) {
    return DpiOf(*said);
  }
  const auto list = PartsOfList(order.resolutions);
  if (list.empty()) {
    const bool is_pclm = order.output == OutputKind::kPclm;
    return is_pclm ? Dpi{600, 600} : Dpi{300, 300};
  }
  if (quality == kDraft) return DpiOf(list.front());
  if (quality == kHigh) return DpiOf(list.back());
  return DpiOf(list[list.size() / 2]);
}

bool IsMonochrome(const std::string& mode) {
  return mode == "monochrome" || mode == "process-monochrome" ||
         mode == "auto-monochrome";
}

// The types that a job can have, the best first. Bits are made for black
// printers wherever they take them, and for colour printers for drafts: these
// have more than black and white.
std::vector<std::string_view> WantedTypes(const Attributes& attributes,
                                          int quality, bool has_color) {
  const std::string mode = attributes.Get("print-color-mode").value_or("auto");
  const bool is_bi_level = IsBiLevel(attributes);
  std::vector<std::string_view> wanted;
  if (!IsMonochrome(mode) && !is_bi_level) {
    wanted.push_back("srgb_8");
    wanted.push_back("cmyk_8");
  }
  if (!has_color || quality == kDraft || is_bi_level) {
    wanted.push_back("black_1");
  }
  for (const char* any :
       {"sgray_8", "black_8", "black_1", "srgb_8", "cmyk_8"}) {
    wanted.push_back(any);
  }
  return wanted;
}

Result<const RasterType*> ChooseType(const TransformOrder& order, int quality) {
  if (order.output == OutputKind::kPcl) return &kBlack1;
  std::vector<std::string> taken = PartsOfList(order.types);
  if (taken.empty()) {
    taken.push_back("sgray_8");
    if (order.output == OutputKind::kPclm) taken.push_back("srgb_8");
  }
  // URF has no bits.
  if (order.output == OutputKind::kUrf) std::erase(taken, "black_1");
  const auto takes = [&](std::string_view name) {
    return std::ranges::find(taken, name) != taken.end();
  };
  for (const std::string_view name : WantedTypes(
           order.attributes, quality, takes("srgb_8") || takes("cmyk_8"))) {
    if (takes(name)) return std::ranges::find(kTypes, name, &RasterType::name);
  }
  return BadInput("the printer takes none of our raster types: '" +
                  Printable(order.types, 200) + "'");
}

constexpr char kUsualSize[] = "iso_a4_210x297mm";

struct Media {
  pwg_media_t size;
  int left = 0, right = 0, top = 0, bottom = 0;  // 1/100 mm
  std::string type;
};

int NumberOf(const std::optional<std::string>& text) {
  int number = 0;
  if (text) {
    std::from_chars(text->data(), text->data() + text->size(), number);
  }
  return number;
}

Result<pwg_media_t> SizeByName(const std::string& name) {
  pwg_media_t* size = pwgMediaForPWG(name.c_str());
  if (!size) size = pwgMediaForLegacy(name.c_str());
  if (size && size->width > 0 && size->length > 0) return *size;
  return BadInput("the media size '" + Printable(name, 100) + "' is not known");
}

Result<pwg_media_t> SizeOf(const Collection& media) {
  if (const auto said = media.Get("media-size")) {
    const Collection size(*said);
    const int width = NumberOf(size.Get("x-dimension"));
    const int length = NumberOf(size.Get("y-dimension"));
    // 1 mm … 10 m.
    const auto is_length = [](int units) {
      return units >= 100 && units <= 1000000;
    };
    if (!is_length(width) || !is_length(length)) {
      return BadInput("the media-size '" + Printable(*said, 100) +
                      "' is not a size");
    }
    return *pwgMediaForSize(width, length);
  }
  for (const char* name : {"media-size-name", "media-key"}) {
    if (const auto said = media.Get(name)) return SizeByName(*said);
  }
  return SizeByName(kUsualSize);
}

// What the job says goes before what is usual for the printer.
std::string MediaText(const Attributes& attributes) {
  if (auto col = attributes.OfJob("media-col")) return *col;
  if (auto name = attributes.OfJob("media")) return *name;
  if (auto col = attributes.Get("media-col")) return *col;
  return attributes.Get("media").value_or(kUsualSize);
}

Result<Media> MediaOf(const Attributes& attributes) {
  const std::string text = MediaText(attributes);
  Media media{};
  if (!text.starts_with('{')) {
    HALFTONED_TRY_ASSIGN(media.size, SizeByName(text));
    return media;
  }
  const Collection members(text);
  HALFTONED_TRY_ASSIGN(media.size, SizeOf(members));
  const auto margin = [&](const char* side) {
    return std::clamp(
        NumberOf(members.Get(std::string("media-") + side + "-margin")), 0,
        std::min(media.size.width, media.size.length) / 3);
  };
  media.left = margin("left"), media.right = margin("right");
  media.top = margin("top"), media.bottom = margin("bottom");
  media.type = members.Get("media-type").value_or("");
  return media;
}

Result<std::vector<PageRange>> RangesOf(const Attributes& attributes) {
  std::vector<PageRange> ranges;
  for (const std::string& part :
       PartsOfList(attributes.Get("page-ranges").value_or(""))) {
    PageRange range{};
    char rest = 0;
    const int count =
        std::sscanf(part.c_str(), "%u-%u%c", &range.first, &range.last, &rest);
    if (count == 1 && part.ends_with('-')) {
      range.last = std::numeric_limits<unsigned>::max();
    } else if (count == 1) {
      range.last = range.first;
    }
    if (count < 1 || count > 2 || part.starts_with('-') || range.first == 0 ||
        range.last < range.first) {
      return BadInput("page-ranges: '" + Printable(part, 100) +
                      "' is not like 2-5");
    }
    ranges.push_back(range);
  }
  return ranges;
}

constexpr const char* kSides[] = {"one-sided", "two-sided-long-edge",
                                  "two-sided-short-edge"};

Result<void> SetHeaders(const TransformOrder& order, const Media& media,
                        const Dpi& dpi, PageForm& form) {
  HALFTONED_TRY_ASSIGN(
      const size_t sides,
      order.attributes.Keyword("sides", {kSides[0], kSides[1], kSides[2]}));
  // The back of what is no raster is the printer's business.
  const bool is_raster =
      order.output == OutputKind::kPwg || order.output == OutputKind::kUrf;
  const std::string back =
      order.sheet_back.empty() || !is_raster ? "normal" : order.sheet_back;
  constexpr std::string_view kBacks[] = {"normal", "flipped", "rotated",
                                         "manual-tumble"};
  if (std::ranges::find(kBacks, back) == std::end(kBacks)) {
    return BadInput("the back side '" + Printable(back, 100) +
                    "' is none of normal, flipped, rotated, manual-tumble");
  }
  pwg_media_t size = media.size;
  std::memset(&form.front, 0, sizeof(form.front));
  for (cups_page_header2_t* header : {&form.front, &form.back}) {
    const bool is_back = header == &form.back;
    if (!cupsRasterInitPWGHeader(header, &size, form.type->name, dpi.x, dpi.y,
                                 kSides[sides],
                                 is_back ? back.c_str() : nullptr)) {
      return BadInput(std::string("libcups cannot describe the page: ") +
                      cupsRasterErrorString());
    }
    std::snprintf(header->MediaType, sizeof(header->MediaType), "%s",
                  media.type.c_str());
  }
  return {};
}

SheetPaper PaperOf(const cups_page_header2_t& header, const Media& media) {
  const double dot = kPointsPerInch / header.HWResolution[0];
  return {{header.cupsWidth * dot,
           header.cupsHeight * kPointsPerInch / header.HWResolution[1]},
          media.left * kPointsPerUnit,
          media.right * kPointsPerUnit,
          media.top * kPointsPerUnit,
          media.bottom * kPointsPerUnit,
          dot};
}

Result<void> SetPlacement(const Attributes& attributes, PageForm& form) {
  constexpr PageFit kFits[] = {PageFit::kAuto, PageFit::kAutoFit,
                               PageFit::kFill, PageFit::kFit, PageFit::kNone};
  HALFTONED_TRY_ASSIGN(
      const size_t fit,
      attributes.Keyword("print-scaling",
                         {"auto", "auto-fit", "fill", "fit", "none"}));
  form.fit = kFits[fit];
  HALFTONED_TRY_ASSIGN(const int orientation,
                       attributes.Enum("orientation-requested"));
  switch (orientation) {
    case IPP_ORIENT_PORTRAIT:
      form.turns = 0;
      break;
    case IPP_ORIENT_LANDSCAPE:
      form.turns = 1;
      break;
    case IPP_ORIENT_REVERSE_PORTRAIT:
      form.turns = 2;
      break;
    case IPP_ORIENT_REVERSE_LANDSCAPE:
      form.turns = 3;
      break;
    default:
      break;
  }
  return {};
}

Result<void> SetCopies(const Attributes& attributes, PageForm& form) {
  HALFTONED_TRY_ASSIGN(const int copies,
                       attributes.Number("copies", 1, 999, 1));
  form.copies = static_cast<unsigned>(copies);
  constexpr size_t kUncollated = 1;
  HALFTONED_TRY_ASSIGN(
      const size_t handling,
      attributes.Keyword("multiple-document-handling",
                         {"separate-documents-collated-copies",
                          "separate-documents-uncollated-copies",
                          "single-document", "single-document-new-sheet"}));
  form.is_collated = handling != kUncollated;
  for (cups_page_header2_t* header : {&form.front, &form.back}) {
    header->NumCopies = form.is_collated ? 1 : form.copies;
  }
  return {};
}

}  // namespace

Result<PageForm> FormOfJob(const TransformOrder& order) {
  const Attributes& attributes = order.attributes;
  HALFTONED_TRY_ASSIGN(const int quality, attributes.Enum("print-quality"));
  HALFTONED_TRY_ASSIGN(const Dpi dpi, ChooseDpi(order, quality));
  PageForm form{};
  HALFTONED_TRY_ASSIGN(form.type, ChooseType(order, quality));
  form.is_halftoned = form.type == &kBlack1;
  if (order.output == OutputKind::kPcl && dpi.x != dpi.y) {
    return BadInput("PCL has no resolution that differs by direction");
  }
  HALFTONED_TRY_ASSIGN(const Media media, MediaOf(attributes));
  HALFTONED_TRY(SetHeaders(order, media, dpi, form));
  for (cups_page_header2_t* header : {&form.front, &form.back}) {
    header->cupsInteger[CUPS_RASTER_PWG_PrintQuality] =
        static_cast<unsigned>(std::clamp(quality, 0, 5));
  }
  form.paper = PaperOf(form.front, media);
  HALFTONED_TRY(SetPlacement(attributes, form));
  HALFTONED_TRY(SetCopies(attributes, form));
  HALFTONED_TRY_ASSIGN(form.ranges, RangesOf(attributes));
  return form;
}

bool IsBiLevel(const Attributes& attributes) {
  const auto mode = attributes.Get("print-color-mode");
  return mode == "bi-level" || mode == "process-bi-level";
}

void MakeOneSided(PageForm& form) {
  form.front.Duplex = form.front.Tumble = CUPS_FALSE;
}

Result<PageForm> FormOfRaster(const TransformOrder& order,
                              const cups_page_header2_t& header) {
  const bool is_gray = header.cupsBitsPerPixel == 8 &&
                       header.cupsBitsPerColor == 8 &&
                       (header.cupsColorSpace == CUPS_CSPACE_W ||
                        header.cupsColorSpace == CUPS_CSPACE_SW ||
                        header.cupsColorSpace == CUPS_CSPACE_K);
  const bool is_rgb = header.cupsBitsPerPixel == 24 &&
                      header.cupsBitsPerColor == 8 &&
                      (header.cupsColorSpace == CUPS_CSPACE_RGB ||
                       header.cupsColorSpace == CUPS_CSPACE_SRGB);
  if (!is_gray && !is_rgb) {
    return BadInput("the raster is neither gray nor RGB of 8 bits");
  }
  // The type is chosen from those that need no change of colours.
  TransformOrder fitting = order;
  if (is_rgb) {
    fitting.types = "srgb_8";
    if (order.output == OutputKind::kPcl ||
        order.types.find("srgb_8") == std::string::npos) {
      return BadInput("the raster is in colours, which the output has not");
    }
  } else {
    fitting.attributes.Add("print-color-mode=monochrome");
  }
  fitting.attributes.Add(
      "printer-resolution=" + std::to_string(header.HWResolution[0]) + "x" +
      std::to_string(header.HWResolution[1]) + "dpi");
  HALFTONED_TRY_ASSIGN(PageForm form, FormOfJob(fitting));
  if (is_gray && !form.type->is_gray) {
    return BadInput("the raster is gray, which the printer does not take");
  }
  return form;
}

cups_page_header2_t HeaderFor(const cups_page_header2_t& page,
                              cups_page_header2_t header) {
  header.cupsWidth = page.cupsWidth;
  header.cupsHeight = page.cupsHeight;
  header.cupsBytesPerLine =
      (header.cupsBitsPerPixel * header.cupsWidth + 7) / 8;
  std::ranges::copy(page.PageSize, header.PageSize);
  std::ranges::copy(page.cupsPageSize, header.cupsPageSize);
  std::ranges::copy(page.cupsPageSizeName, header.cupsPageSizeName);
  return header;
}

}  // namespace halftoned
