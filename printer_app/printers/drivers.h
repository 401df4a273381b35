// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of drivers: the language of a kind of printer, its resolutions and
// papers, and the device IDs that match it.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "halftone/look/settings.h"
#include "print/language/page_encoder.h"

namespace halftoned {

class DriverPpd;
struct DeviceId;

struct Driver {
  const char* name;
  const char* description;
  // Names of command sets, in capitals. A printer whose command set has one of
  // them gets this driver, unless another driver has such a name and a part of
  // the printer's model, too.
  std::span<const std::string_view> command_sets;
  // Parts of models, in capitals. They also identify printers without a command
  // set. If several drivers match, the first in the table is used.
  std::span<const std::string_view> models;
  std::unique_ptr<PageEncoder> (*make_encoder)();
  const char* raw_format;  // a format that is passed on unchanged; null: none
  // The first bytes of such files; empty if the files could be text.
  std::span<const std::string_view> raw_starts;
  // If nothing, the technology is that of halftoned.conf, or else laser.
  std::optional<Technology> technology;
  std::span<const int> resolutions;  // dpi, from low to high
  std::span<const char* const> media;
  const char* default_media;
  std::span<const char* const> sources;  // where paper is; the first is default
  std::span<const char* const> types;    // of paper; the first is default
  std::span<const char* const> bins;     // for what comes out; may be empty
  int left_right;                        // margins, in 1/100 mm
  int bottom_top;
  bool is_for_labels = false;
  bool is_for_receipts = false;
  bool has_duplex = false;
  bool has_cutter = false;
  int default_resolution = 0;  // 0: the highest
  // Set for a system driver, which has no make_encoder.
  const DriverPpd* ppd = nullptr;
};

std::span<const Driver> Drivers();

// Null if there is none.
const Driver* FindDriver(std::string_view name);

// The driver of the table for this printer; null if it is not known.
const Driver* DriverForDevice(const DeviceId& device);

}  // namespace halftoned
