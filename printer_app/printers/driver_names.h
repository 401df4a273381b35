// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names by which device IDs call the languages of the table's drivers, and
// models of printers, in capitals.

#pragma once

#include <string_view>

namespace halftoned {

inline constexpr std::string_view kNamesOfPwg[] = {"PWGRASTER"};
inline constexpr std::string_view kNamesOfPcl[] = {"PCL5E", "PCL5C", "PCL5",
                                                   "PCL"};
inline constexpr std::string_view kNamesOfZpl[] = {"ZPL", "ZPL2", "ZPL II",
                                                   "ZPLII"};
inline constexpr std::string_view kNamesOfEpl[] = {"EPL", "EPL2"};
inline constexpr std::string_view kNamesOfTspl[] = {"TSPL", "TSPL2", "TSPL-EZ"};
inline constexpr std::string_view kNamesOfEscPos[] = {"ESC/POS", "ESCPOS"};

// How files in the languages begin.
inline constexpr std::string_view kStartsOfPcl[] = {"\x1b%-12345X",
                                                    "\x1b"
                                                    "E"};
inline constexpr std::string_view kStartsOfZpl[] = {"^XA"};
inline constexpr std::string_view kStartsOfEpl[] = {"N\n", "N\r\n"};
inline constexpr std::string_view kStartsOfEscPos[] = {"\x1b@"};

// Names that tell the language or the resolution. Those of Eltron's line end
// in -Z where they speak ZPL; 203 dpi have 24 and 44, 300 dpi 42 and 44
// after 38.
inline constexpr std::string_view kZplModels203[] = {"203DPI", "200DPI",
                                                     "2824-Z", "2844-Z"};
inline constexpr std::string_view kZplModels300[] = {
    "300DPI", "3842-Z", "3844-Z", "GX430", "GT830", "ZP230"};
inline constexpr std::string_view kZplModels600[] = {"600DPI"};
inline constexpr std::string_view kEplModels203[] = {
    "LP2824", "LP 2824", "LP2844", "LP 2844", "LP2742", "LP 2742"};
inline constexpr std::string_view kEplModels300[] = {
    "300DPI", "LP3842", "LP 3842", "LP3844", "LP 3844", "GX430"};
inline constexpr std::string_view kTsplModels203[] = {"203DPI", "TTP-24",
                                                      "TE200", "DA210"};
inline constexpr std::string_view kTsplModels300[] = {
    "300DPI", "TTP-34", "TE300", "TE310", "DA310", "DA320"};
inline constexpr std::string_view kReceiptModels180[] = {"TM-T88", "TM-T70",
                                                         "TM-T90"};
inline constexpr std::string_view kReceiptModels58[] = {"TM-P20", "TM-M10",
                                                        "58MM"};

}  // namespace halftoned
