// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a page for its driver.

#include "printer_app/system_driver/driver_ppd.h"

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

void Choose(const PpdOption& option, const std::string& name,
            PpdChoices& choices) {
  if (const PpdChoice* found = option.Find(name)) {
    choices.emplace_back(option.keyword, found->choice);
  }
}

}  // namespace

PpdChoices DriverPpd::ChoicesOf(const InkPage& page,
                                const PpdChoices& of_job) const {
  PpdChoices choices{{"PageSize", papers_.ChoiceFor(page)}};
  const std::string resolution =
      resolutions_.ChoiceFor(static_cast<int>(page.header.HWResolution[0]));
  if (!resolution.empty())
    choices.emplace_back(resolutions_.keyword, resolution);
  Choose(trays_, page.source, choices);
  Choose(types_, page.paper_type, choices);
  Choose(bins_, page.output_bin, choices);
  if (!duplex_.empty()) {
    choices.emplace_back(duplex_, !page.is_two_sided ? "None"
                                  : page.is_tumbled  ? "DuplexTumble"
                                                     : "DuplexNoTumble");
  }
  for (const auto& choice : of_job) {
    std::erase_if(choices,
                  [&](const auto& each) { return each.first == choice.first; });
    choices.push_back(choice);
  }
  return choices;
}

Result<cups_page_header2_t> DriverPpd::HeaderOf(
    const InkPage& page, const PpdChoices& of_job) const {
  HALFTONED_TRY_ASSIGN(const PpdHandle ppd, OpenPpd(path_));
  const PpdChoices choices = ChoicesOf(page, of_job);
  HALFTONED_TRY(Mark(choices, ppd.get()));
  cups_page_header2_t header;
  if (cupsRasterInterpretPPD(&header, ppd.get(), 0, nullptr, nullptr) != 0 ||
      header.cupsWidth < 1 || header.cupsHeight < 1) {
    return BadInput(path_ + ": cannot make a header for this page");
  }
  if (header.HWResolution[0] != page.header.HWResolution[0] ||
      header.HWResolution[1] != page.header.HWResolution[1]) {
    return BadInput(OptionsOf(choices) + " prints " +
                    std::to_string(header.HWResolution[0]) + " x " +
                    std::to_string(header.HWResolution[1]) +
                    " dpi, and the page has " +
                    std::to_string(page.header.HWResolution[0]));
  }
  header.NumCopies = static_cast<unsigned>(page.copies);
  header.cupsBitsPerColor = header.cupsBitsPerPixel = 1;
  header.cupsBytesPerLine = (header.cupsWidth + 7) / 8;
  header.cupsColorSpace = CUPS_CSPACE_K;
  header.cupsNumColors = 1;
  return header;
}

}  // namespace halftoned
