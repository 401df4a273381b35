// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/driver_ppd.h"

#include <cups/cups.h>
#include <cups/ppd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "halftone/look/settings.h"

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

constexpr const char* kOfficeTypes[] = {"stationery"};
constexpr const char* kLabelTypes[] = {"labels"};

constexpr double kHundredthsPerPoint = 2540.0 / 72;
// PAPPL's room for each.
constexpr size_t kMaxPapers = 256;
constexpr size_t kMaxResolutions = 4;
constexpr size_t kMaxTrays = 16;

using PpdFilePointer = std::unique_ptr<ppd_file_t, void (*)(ppd_file_t*)>;

Result<PpdFilePointer> OpenPpd(const std::string& path) {
  PpdFilePointer ppd(ppdOpenFile(path.c_str()), ppdClose);
  if (ppd) {
    ppdMarkDefaults(ppd.get());
    return ppd;
  }
  int line = 0;
  const ppd_status_t status = ppdLastError(&line);
  return BadInput((line > 0 ? path + ", line " + std::to_string(line) : path) +
                  ": " + ppdErrorString(status));
}

std::string AttributeOf(ppd_file_t* ppd, const char* keyword) {
  const ppd_attr_t* found = ppdFindAttr(ppd, keyword, nullptr);
  return found && found->value ? found->value : "";
}

// "Tray1" is tray-1.
std::string KeywordOf(const char* choice) {
  std::string keyword;
  for (char c : std::string_view(choice)) {
    const bool is_digit = c >= '0' && c <= '9';
    const char last = keyword.empty() ? '-' : keyword.back();
    if (is_digit && last >= 'a' && last <= 'z') keyword += '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    keyword += is_digit || (c >= 'a' && c <= 'z') ? c : '-';
  }
  return keyword;
}

int Margin(double points) {
  return std::max(static_cast<int>(std::ceil(points * kHundredthsPerPoint)), 0);
}

}  // namespace

Result<std::unique_ptr<DriverPpd>> DriverPpd::Read(const std::string& path,
                                                   const std::string& name) {
  HALFTONED_TRY_ASSIGN(const PpdFilePointer ppd, OpenPpd(path));
  std::unique_ptr<DriverPpd> driver(new DriverPpd);
  driver->path_ = path;
  driver->name_ = name;
  HALFTONED_TRY(driver->ReadAdoption(ppd.get()));
  driver->ReadPapers(ppd.get());
  if (driver->papers_.empty()) return BadInput(path + ": no paper");
  HALFTONED_TRY(driver->ReadResolutions(ppd.get()));
  driver->ReadOptions(ppd.get());
  driver->FillDriver();
  return driver;
}

Result<void> DriverPpd::ReadAdoption(ppd_file_t* ppd) {
  const std::string output = AttributeOf(ppd, "halftonedOutput");
  if (output.empty()) {
    return BadInput(path_ +
                    ": not adopted: use what `halftone adopt --ppd` writes");
  }
  takes_black_ = output == "cups-raster-black";
  if (!takes_black_ && output != "cups-raster") {
    return BadInput(path_ + ": the driver takes " + output +
                    ", not CUPS raster");
  }
  for (ppd_attr_t* line = ppdFindAttr(ppd, "cupsFilter2", nullptr); line;
       line = ppdFindNextAttr(ppd, "cupsFilter2", nullptr)) {
    std::istringstream words(line->value ? line->value : "");
    std::string from, to, cost, program;
    words >> from >> to >> cost >> program;
    if (from == "application/x-halftoned-raster") program_ = program;
  }
  if (program_.empty()) return BadInput(path_ + ": names no raster driver");
  if (program_[0] != '/') {
    program_ = HALFTONED_CUPS_SERVERBIN "/filter/" + program_;
  }
  if (::access(program_.c_str(), X_OK) != 0) {
    return BadInput(path_ + ": " + program_ + " cannot be run");
  }
  constexpr std::string_view kTechnology = SettingNamed("technology").keyword;
  is_thermal_ = AttributeOf(ppd, std::string(kTechnology).c_str()) == "thermal";
  description_ = ppd->nickname ? ppd->nickname : name_;
  return {};
}

void DriverPpd::ReadPapers(ppd_file_t* ppd) {
  for (int i = 0; i < ppd->num_sizes; ++i) {
    const ppd_size_t& size = ppd->sizes[i];
    if (!std::strcmp(size.name, "Custom") || papers_.size() == kMaxPapers) {
      continue;
    }
    const pwg_media_t* media = pwgMediaForSize(
        static_cast<int>(std::lround(double{size.width} * kHundredthsPerPoint)),
        static_cast<int>(
            std::lround(double{size.length} * kHundredthsPerPoint)));
    if (!media || !media->pwg) continue;
    // The file's default stands for all of its size.
    const auto same = std::ranges::find(papers_, media->pwg, &PpdPaper::name);
    PpdPaper paper{media->pwg, size.name, size.width, size.length};
    if (same == papers_.end()) {
      papers_.push_back(paper);
    } else if (size.marked) {
      *same = paper;
    }
    if (!size.marked && !default_paper_.empty()) continue;
    default_paper_ = media->pwg;
    left_right_ = std::max(Margin(size.left), Margin(size.width - size.right));
    bottom_top_ = std::max(Margin(size.bottom), Margin(size.length - size.top));
  }
}

Result<void> DriverPpd::ReadResolutions(ppd_file_t* ppd) {
  const ppd_option_t* option = ppdFindOption(ppd, "Resolution");
  const auto add = [&](const std::string& choice) {
    cups_page_header2_t header;
    if (cupsRasterInterpretPPD(&header, ppd, 0, nullptr, nullptr) != 0) return;
    const int dpi = static_cast<int>(header.HWResolution[0]);
    if (header.HWResolution[0] != header.HWResolution[1] || dpi < 1 ||
        resolutions_.size() == kMaxResolutions ||
        std::ranges::find(resolutions_, dpi) != resolutions_.end()) {
      return;
    }
    const auto at = std::ranges::lower_bound(resolutions_, dpi);
    resolution_choices_.insert(
        resolution_choices_.begin() + (at - resolutions_.begin()), choice);
    resolutions_.insert(at, dpi);
    if (!option || choice == option->defchoice) default_resolution_ = dpi;
  };
  for (int i = 0; option && i < option->num_choices; ++i) {
    ppdMarkOption(ppd, "Resolution", option->choices[i].choice);
    add(option->choices[i].choice);
  }
  if (option) ppdMarkOption(ppd, "Resolution", option->defchoice);
  if (resolutions_.empty()) add("");
  if (resolutions_.empty()) {
    return BadInput(path_ + ": no resolution that is the same both ways");
  }
  return {};
}

void DriverPpd::ReadOptions(ppd_file_t* ppd) {
  const ppd_option_t* slot = ppdFindOption(ppd, "InputSlot");
  for (int i = 0; slot && i < slot->num_choices; ++i) {
    const std::string keyword = KeywordOf(slot->choices[i].choice);
    const bool is_default =
        !std::strcmp(slot->choices[i].choice, slot->defchoice);
    if (trays_.size() == kMaxTrays ||
        std::ranges::find(trays_, keyword) != trays_.end()) {
      continue;
    }
    // The default is the first.
    trays_.insert(is_default ? trays_.begin() : trays_.end(), keyword);
    tray_choices_.insert(
        is_default ? tray_choices_.begin() : tray_choices_.end(),
        slot->choices[i].choice);
  }
  // PAPPL is not told of backs that are to be turned.
  const std::string back = AttributeOf(ppd, "cupsBackSide");
  if (!back.empty() && back != "Normal") return;
  for (const char* name : {"Duplex", "JCLDuplex"}) {
    ppd_option_t* option = ppdFindOption(ppd, name);
    if (option && ppdFindChoice(option, "DuplexNoTumble") &&
        ppdFindChoice(option, "DuplexTumble") && duplex_.empty()) {
      duplex_ = name;
    }
  }
}

void DriverPpd::FillDriver() {
  for (const PpdPaper& paper : papers_) media_.push_back(paper.name.c_str());
  for (const std::string& tray : trays_) sources_.push_back(tray.c_str());
  if (sources_.empty()) sources_ = {is_thermal_ ? "main-roll" : "main"};
  driver_.name = name_.c_str();
  driver_.description = description_.c_str();
  driver_.technology = is_thermal_ ? Technology::kThermal : Technology::kLaser;
  driver_.resolutions = resolutions_;
  driver_.media = media_;
  driver_.default_media = default_paper_.c_str();
  driver_.left_right = left_right_;
  driver_.bottom_top = bottom_top_;
  driver_.is_for_labels = is_thermal_;
  driver_.has_duplex = !duplex_.empty();
  driver_.sources = sources_;
  driver_.types = is_thermal_ ? std::span(kLabelTypes) : std::span(kOfficeTypes);
  driver_.default_resolution = default_resolution_;
  driver_.ppd = this;
}

DriverPpd::Choices DriverPpd::ChoicesOf(const InkPage& page) const {
  Choices choices;
  auto paper = std::ranges::find(papers_, page.paper, &PpdPaper::name);
  if (paper == papers_.end()) {
    paper = std::ranges::find_if(papers_, [&](const PpdPaper& each) {
      return std::abs(each.width - page.header.PageSize[0]) <= 2 &&
             std::abs(each.length - page.header.PageSize[1]) <= 2;
    });
  }
  if (paper == papers_.end()) {
    paper = std::ranges::find(papers_, default_paper_, &PpdPaper::name);
  }
  choices.emplace_back("PageSize", paper->choice);
  const auto dpi = std::ranges::find(
      resolutions_, static_cast<int>(page.header.HWResolution[0]));
  if (dpi != resolutions_.end()) {
    const auto at = static_cast<size_t>(dpi - resolutions_.begin());
    if (!resolution_choices_[at].empty()) {
      choices.emplace_back("Resolution", resolution_choices_[at]);
    }
  }
  const auto tray = std::ranges::find(trays_, page.source);
  if (tray != trays_.end()) {
    choices.emplace_back(
        "InputSlot", tray_choices_[static_cast<size_t>(tray - trays_.begin())]);
  }
  if (!duplex_.empty()) {
    choices.emplace_back(duplex_, !page.is_two_sided ? "None"
                                  : page.is_tumbled  ? "DuplexTumble"
                                                     : "DuplexNoTumble");
  }
  return choices;
}

Result<cups_page_header2_t> DriverPpd::HeaderOf(const InkPage& page) const {
  HALFTONED_TRY_ASSIGN(const PpdFilePointer ppd, OpenPpd(path_));
  for (const auto& [name, choice] : ChoicesOf(page)) {
    ppdMarkOption(ppd.get(), name.c_str(), choice.c_str());
  }
  cups_page_header2_t header;
  if (cupsRasterInterpretPPD(&header, ppd.get(), 0, nullptr, nullptr) != 0 ||
      header.cupsWidth < 1 || header.cupsHeight < 1 ||
      header.HWResolution[0] != page.header.HWResolution[0] ||
      header.HWResolution[1] != page.header.HWResolution[1]) {
    return BadInput(path_ + ": makes no header of this page");
  }
  header.NumCopies = static_cast<unsigned>(page.copies);
  header.cupsBitsPerColor = header.cupsBitsPerPixel = 1;
  header.cupsBytesPerLine = (header.cupsWidth + 7) / 8;
  header.cupsColorSpace = CUPS_CSPACE_K;
  header.cupsNumColors = 1;
  return header;
}

}  // namespace halftoned
