// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear codes for tests, as widths of elements.

#pragma once

#include <string>

namespace halftoned {

// Widths of elements in modules, starting with a bar. zint encoded "Page 12",
// 4006381333931, and 12345678901231 with wide elements of 3 modules.
inline const std::string kCode128 =
    "211214"
    "313121"
    "121124"
    "122114"
    "112214"
    "212222"
    "123221"
    "223211"
    "122411"
    "2331112";
inline const std::string kEan =
    "111"
    "3211"
    "1123"
    "1114"
    "1411"
    "3121"
    "1222"
    "11111"
    "1411"
    "1411"
    "1411"
    "3112"
    "1411"
    "2221"
    "111";
inline const std::string kItf =
    "1111"
    "3113111133"
    "3131131113"
    "3113331111"
    "1311113331"
    "1131133311"
    "3113111133"
    "3331111113"
    "311";

}  // namespace halftoned
