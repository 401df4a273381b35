// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page header of CUPS and PWG raster under our own name, so that the few
// files that read its fields share one include.

#pragma once

#include <cups/raster.h>

#include <cstdint>
#include <cstring>

namespace halftoned {

using PageHeader = cups_page_header2_t;

// A header field as the received number. A field with an enumeration type may
// hold any number, and must be checked before it is read as that type.
template <typename Field>
uint32_t NumberIn(const Field& field) {
  uint32_t number;
  static_assert(sizeof(number) == sizeof(field));
  std::memcpy(&number, &field, sizeof(number));
  return number;
}

}  // namespace halftoned
