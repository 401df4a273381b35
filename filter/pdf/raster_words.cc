// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/raster_words.h"

#include <cups/cups.h>
#include <cups/ppd.h>
#include <cupsfilters/colormanager.h>
#include <cupsfilters/raster.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "filter/program.h"

// CUPS has deprecated PPD files, but filters have no other way yet to learn the
// settings of their queue.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

struct Options {
  explicit Options(const std::string& text)
      : count(cupsParseOptions(text.c_str(), 0, &all)) {}
  ~Options() { cupsFreeOptions(count, all); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  cups_option_t* all = nullptr;
  int count;
};

bool IsTrue(const std::optional<std::string>& value) {
  return value && (::strcasecmp(value->c_str(), "true") == 0 ||
                   ::strcasecmp(value->c_str(), "on") == 0 ||
                   ::strcasecmp(value->c_str(), "yes") == 0);
}

bool IsPwg(const Queue& queue) {
  const std::string type = Environment("FINAL_CONTENT_TYPE");
  return ::strcasestr(type.c_str(), "pwg") || IsTrue(queue.Ppd("PWGRaster"));
}

// If nothing sets a resolution, libcups leaves 100 dpi.
void SetResolution(const Queue& queue, PageHeader& header) {
  auto& dots = header.HWResolution;
  if (dots[0] != 100 || dots[1] != 100) return;
  int across = 0, down = 0;
  const auto usual = queue.Ppd("DefaultResolution");
  const int read =
      usual ? std::sscanf(usual->c_str(), "%dx%d", &across, &down) : 0;
  if (read < 2) down = across;
  dots[0] = static_cast<unsigned>(across > 0 ? across : 300);
  dots[1] = down > 0 ? static_cast<unsigned>(down) : dots[0];
}

// The printer's profile, from the system's color management; or empty.
std::string ProfileOf(const Queue& queue) {
  char* path = nullptr;
  cmGetPrinterIccProfile(std::getenv("PRINTER"), &path, queue.ppd());
  const std::unique_ptr<char, void (*)(void*)> freed(path, std::free);
  return path ? path : "";
}

bool HasColourManagement(const Options& options) {
  return cmGetCupsColorCalibrateMode(options.all, options.count) !=
             CM_CALIBRATION_ENABLED &&
         !cmIsPrinterCmDisabled(std::getenv("PRINTER"));
}

std::string Decimals(double number, int count) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.*f", count, number);
  return text.data();
}

// A string of PostScript.
std::string Quoted(const std::string& text) {
  std::string quoted = "(";
  for (const char c : text) {
    if (c == '(' || c == ')' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + ")";
}

struct Text {
  const char* name;
  const char* value;
};

struct Count {
  const char* name;
  unsigned value;
};

}  // namespace

Result<RasterWords> RasterWords::Make(const Queue& queue,
                                      const std::string& job_options) {
  if (!queue.has_ppd()) return BadInput("the queue has no PPD file");
  const Options options(job_options);
  PageHeader header;
  cupsRasterInterpretPPD(&header, queue.ppd(), options.count, options.all,
                         nullptr);
  if (IsPwg(queue)) {
    cupsRasterParseIPPOptions(&header, options.count, options.all, 1, 0);
  }
  SetResolution(queue, header);
  RasterWords made(header);
  std::vector<std::string>& words = made.words_;
  words = {"-dNOINTERPOLATE", "-dNOMEDIAATTRS", "-dShowAcroForm"};
  made.AddHeader();
  words.push_back("-I" + Environment("CUPS_FONTPATH", HALFTONED_CUPS_FONTPATH));
  if (HasColourManagement(options)) {
    const std::string profile = ProfileOf(queue);
    if (!profile.empty()) words.push_back("-sOutputICCProfile=" + profile);
  } else {
    words.emplace_back("-dUseFastColor");
  }
  made.AddPrograms(queue);
  return made;
}

// pdftopdf has already mirrored and turned the pages.
void RasterWords::AddHeader() {
  const PageHeader& header = header_;
  const auto number = [](auto value) {
    return std::to_string(static_cast<int>(value));
  };
  const auto& dots = header.HWResolution;
  words_.insert(
      words_.end(),
      {"-sDEVICE=cups", "-r" + number(dots[0]) + "x" + number(dots[1]),
       "-dDEVICEWIDTHPOINTS=" + number(header.PageSize[0]),
       "-dDEVICEHEIGHTPOINTS=" + number(header.PageSize[1]),
       "-dcupsBitsPerColor=" + number(header.cupsBitsPerColor),
       "-dcupsColorOrder=" + number(header.cupsColorOrder),
       "-dcupsColorSpace=" + number(header.cupsColorSpace)});
  for (const auto& [name, value] : std::initializer_list<Text>{
           {"MediaClass", header.MediaClass},
           {"MediaColor", header.MediaColor},
           {"MediaType", header.MediaType},
           {"OutputType", header.OutputType},
           {"cupsMarkerType", header.cupsMarkerType},
           {"cupsRenderingIntent", header.cupsRenderingIntent},
           {"cupsPageSizeName", header.cupsPageSizeName}}) {
    if (*value) words_.push_back(std::string("-s") + name + "=" + value);
  }
  for (const auto& [name, value] :
       std::initializer_list<Count>{{"Collate", header.Collate},
                                    {"Duplex", header.Duplex},
                                    {"InsertSheet", header.InsertSheet},
                                    {"ManualFeed", header.ManualFeed},
                                    {"NegativePrint", header.NegativePrint},
                                    {"OutputFaceUp", header.OutputFaceUp},
                                    {"Separations", header.Separations},
                                    {"TraySwitch", header.TraySwitch},
                                    {"Tumble", header.Tumble}}) {
    if (value) words_.push_back(std::string("-d") + name);
  }
  for (const auto& [name, value] : std::initializer_list<Count>{
           {"AdvanceDistance", header.AdvanceDistance},
           {"AdvanceMedia", header.AdvanceMedia},
           {"CutMedia", header.CutMedia},
           {"Jog", header.Jog},
           {"LeadingEdge", header.LeadingEdge},
           {"MediaPosition", header.MediaPosition},
           {"MediaWeight", header.MediaWeight},
           {"NumCopies", header.NumCopies == 1 ? 0 : header.NumCopies},
           {"cupsMediaType", header.cupsMediaType},
           {"cupsCompression", header.cupsCompression},
           {"cupsRowCount", header.cupsRowCount},
           {"cupsRowFeed", header.cupsRowFeed},
           {"cupsRowStep", header.cupsRowStep}}) {
    if (value) words_.push_back(std::string("-d") + name + "=" + number(value));
  }
  if (header.cupsBorderlessScalingFactor != 1) {
    words_.push_back("-dcupsBorderlessScalingFactor=" +
                     Decimals(header.cupsBorderlessScalingFactor, 4));
  }
  for (size_t i = 0; i < std::size(header.cupsInteger); ++i) {
    const std::string at = std::to_string(i) + "=";
    if (header.cupsInteger[i]) {
      words_.push_back("-dcupsInteger" + at + number(header.cupsInteger[i]));
    }
    if (header.cupsReal[i] != 0) {
      words_.push_back("-dcupsReal" + at + Decimals(header.cupsReal[i], 4));
    }
    if (*header.cupsString[i]) {
      words_.push_back("-scupsString" + at + header.cupsString[i]);
    }
  }
}

void RasterWords::AddPrograms(const Queue& queue) {
  words_.emplace_back("-c");
  const auto& box = header_.cupsImagingBBox;
  if (box[3] > 0) {
    words_.push_back("<</.HWMargins[" + Decimals(box[0], 6) + " " +
                     Decimals(box[1], 6) + " " +
                     Decimals(header_.cupsPageSize[0] - box[2], 6) + " " +
                     Decimals(header_.cupsPageSize[1] - box[3], 6) +
                     "] /Margins[0 0]>>setpagedevice");
  }
  if (const auto profile = queue.Job("profile")) {
    words_.push_back("<</cupsProfile" + Quoted(*profile) + ">>setpagedevice");
  }
  // For bar codes on label printers: paints only pixels whose center is within
  // a shape.
  std::optional<std::string> centre = queue.Job("CenterOfPixel");
  if (!centre) centre = queue.Job("center-of-pixel");
  if (!centre) centre = queue.Ppd("DefaultCenterOfPixel");
  if (IsTrue(centre)) words_.emplace_back("0 0 .setfilladjust2");
  words_.emplace_back("-f");
}

std::string RasterWords::ProgramFor(std::string_view start) const {
  constexpr int kMostLines = 20;
  constexpr std::string_view kCopies = "%%PDFTOPDFNumCopies";
  std::string changes;
  start.remove_prefix(std::min(start.find("%PDF"), start.size()));
  for (int i = 0; i <= kMostLines && !start.empty(); ++i) {
    const size_t end = std::min(start.find('\n'), start.size());
    const std::string line(start.substr(0, end));
    start.remove_prefix(std::min(end + 1, start.size()));
    if (line.starts_with(kCopies) && line.find(':') != line.npos) {
      const int copies = std::atoi(line.c_str() + line.find(':') + 1);
      changes += "/NumCopies " + std::to_string(copies);
    } else if (line.starts_with("%%PDFTOPDFCollate") && header_.Collate) {
      changes += "/Collate false";
    }
  }
  return changes.empty() ? "" : "<<" + changes + ">>setpagedevice ";
}

std::string RasterWords::ForBlack() const {
  if (header_.cupsColorSpace != CUPS_CSPACE_SW ||
      header_.cupsBitsPerColor != 8) {
    return {};
  }
  return "<</cupsBitsPerColor 1/cupsColorSpace 3>>setpagedevice ";
}

}  // namespace halftoned
