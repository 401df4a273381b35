// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/drivers.h"

#include <algorithm>

namespace halftoned {
namespace {

// The names by which device IDs call the languages of the table's drivers, and
// models of printers, in capitals.
constexpr std::string_view kNamesOfPwg[] = {"PWGRASTER"};
constexpr std::string_view kNamesOfPcl[] = {"PCL5E", "PCL5C", "PCL5", "PCL"};
constexpr std::string_view kNamesOfZpl[] = {"ZPL", "ZPL2", "ZPL II", "ZPLII"};
constexpr std::string_view kNamesOfEpl[] = {"EPL", "EPL2"};
constexpr std::string_view kNamesOfTspl[] = {"TSPL", "TSPL2", "TSPL-EZ"};
constexpr std::string_view kNamesOfEscPos[] = {"ESC/POS", "ESCPOS"};

// The first bytes of files in these languages.
constexpr std::string_view kStartsOfPcl[] = {"\033%", "\033&", "\033(",
                                             "\033)", "\033*", "\033E"};
constexpr std::string_view kStartsOfZpl[] = {"^XA"};
constexpr std::string_view kStartsOfEpl[] = {"N\n", "N\r\n"};
constexpr std::string_view kStartsOfEscPos[] = {"\033!", "\033@", "\033a",
                                                "\033p", "\033t", "\x1d"};

// Names that show the language or the resolution. Names of former Eltron models
// end in -Z if the model uses ZPL. 2824 and 2844 have 203 dpi, 3842 and 3844
// have 300 dpi.
constexpr std::string_view kZplModels203[] = {"203DPI", "200DPI", "2824-Z",
                                              "2844-Z"};
constexpr std::string_view kZplModels300[] = {"300DPI", "3842-Z", "3844-Z",
                                              "GX430",  "GT830",  "ZP230"};
constexpr std::string_view kZplModels600[] = {"600DPI"};
constexpr std::string_view kEplModels203[] = {"LP2824",  "LP 2824", "LP2844",
                                              "LP 2844", "LP2742",  "LP 2742"};
constexpr std::string_view kEplModels300[] = {"300DPI", "LP3842",  "LP 3842",
                                              "LP3844", "LP 3844", "GX430"};
constexpr std::string_view kTsplModels203[] = {"203DPI", "TTP-24", "TE200",
                                               "DA210"};
constexpr std::string_view kTsplModels300[] = {"300DPI", "TTP-34", "TE300",
                                               "TE310",  "DA310",  "DA320"};
constexpr std::string_view kReceiptModels180[] = {"TM-T88", "TM-T70", "TM-T90"};
constexpr std::string_view kReceiptModels58[] = {"TM-P20", "TM-M10", "58MM"};

// The papers, trays and kinds of paper of the drivers, as IPP names them.
constexpr const char* kOfficeMedia[] = {
    "iso_a4_210x297mm",         "iso_a3_297x420mm",
    "iso_a5_148x210mm",         "iso_a6_105x148mm",
    "iso_b5_176x250mm",         "jis_b5_182x257mm",
    "na_letter_8.5x11in",       "na_legal_8.5x14in",
    "na_ledger_11x17in",        "na_executive_7.25x10.5in",
    "na_number-10_4.125x9.5in", "na_monarch_3.875x7.5in",
    "iso_c5_162x229mm",         "iso_dl_110x220mm",
};
constexpr const char* kLabelMedia[] = {
    "na_index-4x6_4x6in",       "oe_4x4-label_4x4in",
    "oe_4x3-label_4x3in",       "oe_4x2-label_4x2in",
    "oe_4x1-label_4x1in",       "oe_3x2-label_3x2in",
    "oe_3x1-label_3x1in",       "oe_2.25x1.25-label_2.25x1.25in",
    "oe_2x1-label_2x1in",       "om_100x150-label_100x150mm",
    "om_100x50-label_100x50mm", "roll_max_4x39.6in",
    "roll_min_0.75x0.25in",
};
// Paper of 80 and 58 mm, of which 72 and 48 mm are printable, and paper of
// those widths.
constexpr const char* kReceiptMedia80[] = {
    "om_80x100-receipt_80x100mm", "om_80x200-receipt_80x200mm",
    "om_80x297-receipt_80x297mm", "om_72x100-receipt_72x100mm",
    "om_72x200-receipt_72x200mm", "om_58x100-receipt_58x100mm",
    "om_58x200-receipt_58x200mm", "roll_max_80x1200mm",
    "roll_min_40x25mm",
};
constexpr const char* kReceiptMedia58[] = {
    "om_58x100-receipt_58x100mm", "om_58x200-receipt_58x200mm",
    "om_58x297-receipt_58x297mm", "om_48x100-receipt_48x100mm",
    "om_48x200-receipt_48x200mm", "roll_max_58x1200mm",
    "roll_min_40x25mm",
};

constexpr const char* kMain[] = {"main"};
constexpr const char* kTrays[] = {"auto",   "tray-1", "tray-2",  "tray-3",
                                  "tray-4", "manual", "envelope"};
constexpr const char* kRoll[] = {"main-roll"};
constexpr const char* kStationery[] = {"stationery"};
constexpr const char* kLabels[] = {"labels", "labels-continuous"};
constexpr const char* kContinuous[] = {"continuous"};

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

// kHeadDots: the number of dots of the head, which is centered on the paper.
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
