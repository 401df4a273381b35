// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers, trays and kinds of paper of the drivers of the table, as IPP
// names them.

#pragma once

namespace halftoned {

inline constexpr const char* kOfficeMedia[] = {
    "iso_a4_210x297mm",         "iso_a3_297x420mm",
    "iso_a5_148x210mm",         "iso_a6_105x148mm",
    "iso_b5_176x250mm",         "jis_b5_182x257mm",
    "na_letter_8.5x11in",       "na_legal_8.5x14in",
    "na_ledger_11x17in",        "na_executive_7.25x10.5in",
    "na_number-10_4.125x9.5in", "na_monarch_3.875x7.5in",
    "iso_c5_162x229mm",         "iso_dl_110x220mm",
};
inline constexpr const char* kLabelMedia[] = {
    "na_index-4x6_4x6in",       "oe_4x4-label_4x4in",
    "oe_4x3-label_4x3in",       "oe_4x2-label_4x2in",
    "oe_4x1-label_4x1in",       "oe_3x2-label_3x2in",
    "oe_3x1-label_3x1in",       "oe_2.25x1.25-label_2.25x1.25in",
    "oe_2x1-label_2x1in",       "om_100x150-label_100x150mm",
    "om_100x50-label_100x50mm", "roll_max_4x39.6in",
    "roll_min_0.75x0.25in",
};
// Paper of 80 and 58 mm, of which 72 and 48 are printed; and these alone.
inline constexpr const char* kReceiptMedia80[] = {
    "om_80x100-receipt_80x100mm", "om_80x200-receipt_80x200mm",
    "om_80x297-receipt_80x297mm", "om_72x100-receipt_72x100mm",
    "om_72x200-receipt_72x200mm", "om_58x100-receipt_58x100mm",
    "om_58x200-receipt_58x200mm", "roll_max_80x1200mm",
    "roll_min_40x25mm",
};
inline constexpr const char* kReceiptMedia58[] = {
    "om_58x100-receipt_58x100mm", "om_58x200-receipt_58x200mm",
    "om_58x297-receipt_58x297mm", "om_48x100-receipt_48x100mm",
    "om_48x200-receipt_48x200mm", "roll_max_58x1200mm",
    "roll_min_40x25mm",
};

inline constexpr const char* kMain[] = {"main"};
inline constexpr const char* kTrays[] = {
    "auto", "tray-1", "tray-2", "tray-3", "tray-4", "manual", "envelope"};
inline constexpr const char* kRoll[] = {"main-roll"};
inline constexpr const char* kStationery[] = {"stationery"};
inline constexpr const char* kLabels[] = {"labels", "labels-continuous"};
inline constexpr const char* kContinuous[] = {"continuous"};

}  // namespace halftoned
