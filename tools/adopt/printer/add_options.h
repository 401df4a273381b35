// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `halftone add`.

#pragma once

#include <string>
#include <string_view>

namespace halftoned {

// The models for printers that cannot be asked: ours, and CUPS' own drivers,
// which are adopted.
struct PrinterLanguage {
  std::string_view name;
  std::string_view model;
};
inline constexpr PrinterLanguage kPrinterLanguages[] = {
    {"pcl5e", "drv:///halftoned.drv/htpcl.ppd"},
    {"zpl", "drv:///sample.drv/zebra.ppd"},
    {"epl1", "drv:///sample.drv/zebraep1.ppd"},
    {"epl2", "drv:///sample.drv/zebraep2.ppd"},
    {"cpcl", "drv:///sample.drv/zebracpl.ppd"},
};

// At most one of `language` and `model` is set.
struct AddOptions {
  std::string name;
  std::string uri;
  std::string language;
  std::string model;  // as lpinfo -m lists it
  bool dry_run = false;
  bool json = false;
};

}  // namespace halftoned
