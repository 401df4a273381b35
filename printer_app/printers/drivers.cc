// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/drivers.h"

#include <algorithm>

#include "printer_app/printers/driver_names.h"
#include "printer_app/printers/driver_papers.h"

namespace halftoned {
namespace {

using Words = std::span<const std::string_view>;

constexpr int kOfOffices[] = {300, 600};
constexpr int k180[] = {180};
constexpr int k203[] = {203};
constexpr int k300[] = {300};
constexpr int k600[] = {600};

struct LabelLanguage {
  Words names;
  std::unique_ptr<PageEncoder> (*make_encoder)();
  const char* format;
  Words starts;
};
constexpr LabelLanguage kEpl = {kNamesOfEpl, MakeEplEncoder,
                                "application/vnd.eltron-epl", kStartsOfEpl};
constexpr LabelLanguage kTspl = {
    kNamesOfTspl, MakeTsplEncoder, "application/vnd.tsc-tspl", {}};
constexpr LabelLanguage kZpl = {kNamesOfZpl, MakeZplEncoder,
                                "application/vnd.zebra-zpl", kStartsOfZpl};

constexpr Driver Label(const char* name, const char* description,
                       std::span<const int> resolutions,
                       const LabelLanguage& language, Words models) {
  return {.name = name,
          .description = description,
          .command_sets = language.names,
          .models = models,
          .make_encoder = language.make_encoder,
          .raw_format = language.format,
          .raw_starts = language.starts,
          .technology = Technology::kThermal,
          .resolutions = resolutions,
          .media = kLabelMedia,
          .default_media = "na_index-4x6_4x6in",
          .sources = kRoll,
          .types = kLabels,
          .left_right = 1,
          .bottom_top = 1,
          .is_for_labels = true};
}

template <int kHeadDots>
std::unique_ptr<PageEncoder> MakeReceiptEncoder() {
  return MakeEscPosEncoder(kHeadDots);
}

// kHeadDots: how many the head has, in the middle of the paper.
template <int kHeadDots>
constexpr Driver Receipt(const char* name, const char* description,
                         std::span<const int> resolutions, Words models,
                         bool is_narrow) {
  return {.name = name,
          .description = description,
          .command_sets = kNamesOfEscPos,
          .models = models,
          .make_encoder = MakeReceiptEncoder<kHeadDots>,
          .raw_format = "application/vnd.epson-escpos",
          .raw_starts = kStartsOfEscPos,
          .technology = Technology::kThermal,
          .resolutions = resolutions,
          .media = is_narrow ? std::span<const char* const>(kReceiptMedia58)
                             : std::span<const char* const>(kReceiptMedia80),
          .default_media = is_narrow ? "om_58x200-receipt_58x200mm"
                                     : "om_80x200-receipt_80x200mm",
          .sources = kRoll,
          .types = kContinuous,
          .left_right = is_narrow ? 500 : 400,
          .bottom_top = 0,
          .is_for_receipts = true,
          .has_cutter = !is_narrow};
}

constexpr Driver kDrivers[] = {
    {.name = "pwg",
     .description = "PWG raster, black and white",
     .command_sets = kNamesOfPwg,
     .models = {},
     .make_encoder = MakePwgEncoder,
     .raw_format = nullptr,
     .resolutions = kOfOffices,
     .media = kOfficeMedia,
     .default_media = "iso_a4_210x297mm",
     .sources = kMain,
     .types = kStationery,
     .left_right = 423,
     .bottom_top = 423,
     .has_duplex = true},
    {.name = "pcl5e",
     .description = "PCL 5e laser, black and white",
     .command_sets = kNamesOfPcl,
     .models = {},
     .make_encoder = MakePclEncoder,
     .raw_format = "application/vnd.hp-pcl",
     .raw_starts = kStartsOfPcl,
     .resolutions = kOfOffices,
     .media = kOfficeMedia,
     .default_media = "iso_a4_210x297mm",
     .sources = kTrays,
     .types = kStationery,
     .left_right = 635,
     .bottom_top = 423,
     .has_duplex = true},
    Label("zpl-203dpi", "ZPL label printer, 203 dpi", k203, kZpl,
          kZplModels203),
    Label("zpl-300dpi", "ZPL label printer, 300 dpi", k300, kZpl,
          kZplModels300),
    Label("zpl-600dpi", "ZPL label printer, 600 dpi", k600, kZpl,
          kZplModels600),
    Label("epl2-203dpi", "EPL2 label printer, 203 dpi", k203, kEpl,
          kEplModels203),
    Label("epl2-300dpi", "EPL2 label printer, 300 dpi", k300, kEpl,
          kEplModels300),
    Label("tspl-203dpi", "TSPL label printer, 203 dpi", k203, kTspl,
          kTsplModels203),
    Label("tspl-300dpi", "TSPL label printer, 300 dpi", k300, kTspl,
          kTsplModels300),
    Receipt<576>("escpos-80mm", "ESC/POS receipt printer, 80 mm, 203 dpi", k203,
                 {}, false),
    Receipt<384>("escpos-58mm", "ESC/POS receipt printer, 58 mm, 203 dpi", k203,
                 kReceiptModels58, true),
    Receipt<512>("escpos-80mm-180dpi",
                 "ESC/POS receipt printer, 80 mm, 180 dpi", k180,
                 kReceiptModels180, false),
    Receipt<360>("escpos-58mm-180dpi",
                 "ESC/POS receipt printer, 58 mm, 180 dpi", k180, {}, true),
};

}  // namespace

std::span<const Driver> Drivers() { return kDrivers; }

const Driver* FindDriver(std::string_view name) {
  const auto* found = std::ranges::find(kDrivers, name, &Driver::name);
  return found == std::end(kDrivers) ? nullptr : found;
}

}  // namespace halftoned
