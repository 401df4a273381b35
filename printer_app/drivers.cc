// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/drivers.h"

#include <algorithm>

#include "printer_app/driver_papers.h"

namespace halftoned {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kNamesOfPwg[] = {"PWGRASTER"};
constexpr std::string_view kNamesOfPcl[] = {"PCL5E", "PCL5C", "PCL5", "PCL"};
constexpr std::string_view kNamesOfZpl[] = {"ZPL", "ZPL2", "ZPL II", "ZPLII"};
constexpr std::string_view kNamesOfEpl[] = {"EPL", "EPL2"};
constexpr std::string_view kNamesOfEscPos[] = {"ESC/POS", "ESCPOS"};

// Names that tell the language or the resolution. Those of Eltron's line end
// in -Z where they speak ZPL; 203 dpi have 24 and 44, 300 dpi 42 and 44 after 38.
constexpr std::string_view kZplModels203[] = {"203DPI", "200DPI", "2824-Z",
                                              "2844-Z"};
constexpr std::string_view kZplModels300[] = {"300DPI", "3842-Z", "3844-Z",
                                              "GX430", "GT830", "ZP230"};
constexpr std::string_view kZplModels600[] = {"600DPI"};
constexpr std::string_view kEplModels203[] = {"LP2824", "LP 2824", "LP2844",
                                              "LP 2844", "LP2742", "LP 2742"};
constexpr std::string_view kEplModels300[] = {"300DPI", "LP3842", "LP 3842",
                                              "LP3844", "LP 3844", "GX430"};
constexpr std::string_view kReceiptModels180[] = {"TM-T88", "TM-T70", "TM-T90"};
constexpr std::string_view kReceiptModels58[] = {"TM-P20", "TM-M10", "58MM"};
constexpr int kOfOffices[] = {300, 600};
constexpr int k180[] = {180};
constexpr int k203[] = {203};
constexpr int k300[] = {300};
constexpr int k600[] = {600};

constexpr Driver Label(const char* name, const char* description,
                       std::span<const int> resolutions, Words command_sets,
                       Words models) {
  const bool is_zpl = command_sets.data() == kNamesOfZpl;
  return {.name = name,
          .description = description,
          .command_sets = command_sets,
          .models = models,
          .make_encoder = is_zpl ? MakeZplEncoder : MakeEplEncoder,
          .raw_format = is_zpl ? "application/vnd.zebra-zpl"
                               : "application/vnd.eltron-epl",
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
     .technology = Technology::kLaser,
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
     .technology = Technology::kLaser,
     .resolutions = kOfOffices,
     .media = kOfficeMedia,
     .default_media = "iso_a4_210x297mm",
     .sources = kTrays,
     .types = kStationery,
     .left_right = 635,
     .bottom_top = 423,
     .has_duplex = true},
    Label("zpl-203dpi", "ZPL label printer, 203 dpi", k203, kNamesOfZpl,
          kZplModels203),
    Label("zpl-300dpi", "ZPL label printer, 300 dpi", k300, kNamesOfZpl,
          kZplModels300),
    Label("zpl-600dpi", "ZPL label printer, 600 dpi", k600, kNamesOfZpl,
          kZplModels600),
    Label("epl2-203dpi", "EPL2 label printer, 203 dpi", k203, kNamesOfEpl,
          kEplModels203),
    Label("epl2-300dpi", "EPL2 label printer, 300 dpi", k300, kNamesOfEpl,
          kEplModels300),
    Receipt<576>("escpos-80mm", "ESC/POS receipt printer, 80 mm, 203 dpi", k203,
                 {}, false),
    Receipt<384>("escpos-58mm", "ESC/POS receipt printer, 58 mm, 203 dpi", k203,
                 kReceiptModels58, true),
    Receipt<512>("escpos-80mm-180dpi", "ESC/POS receipt printer, 80 mm, 180 dpi",
                 k180, kReceiptModels180, false),
    Receipt<360>("escpos-58mm-180dpi", "ESC/POS receipt printer, 58 mm, 180 dpi",
                 k180, {}, true),
};

}  // namespace

std::span<const Driver> Drivers() { return kDrivers; }

const Driver* FindDriver(std::string_view name) {
  const auto* found = std::ranges::find(kDrivers, name, &Driver::name);
  return found == std::end(kDrivers) ? nullptr : found;
}

}  // namespace halftoned
