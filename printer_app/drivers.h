// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The drivers: which language a kind of printer speaks, its resolutions and
// papers, and the device ids that it is known by. One table.

#ifndef HALFTONED_PRINTER_APP_DRIVERS_H_
#define HALFTONED_PRINTER_APP_DRIVERS_H_

#include <memory>
#include <span>
#include <string_view>

#include "halftone/look/settings.h"
#include "printer_app/language/page_encoder.h"

namespace halftoned {

struct Driver {
  const char* name;
  const char* description;
  // A printer's command set that names one of these, in capitals, has this
  // driver. Of several drivers the first in the table is taken.
  std::span<const std::string_view> command_sets;
  std::unique_ptr<PageEncoder> (*make_encoder)();
  const char* raw_format;  // what is passed on as it is; null: nothing
  Technology technology;
  std::span<const int> resolutions;  // dots an inch, from low to high
  std::span<const char* const> media;
  const char* default_media;
  int left_right;  // margins, in 1/100 mm
  int bottom_top;
  bool is_for_labels;
  bool has_duplex;
};

std::span<const Driver> Drivers();

// Null if there is none.
const Driver* FindDriver(std::string_view name);

// The driver for a printer with this IEEE 1284 device id; null if it is not
// known.
const Driver* DriverForDevice(const char* device_id);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DRIVERS_H_
