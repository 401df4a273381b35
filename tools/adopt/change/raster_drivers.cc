// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/raster_drivers.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace halftoned {
namespace {

// The requests of drivers for black printers.
constexpr RasterKind kDymoKinds[] = {kBlackBits, {8, CUPS_CSPACE_RGB}};
constexpr RasterKind kGutenprintKinds[] = {{8, CUPS_CSPACE_W},
                                           {16, CUPS_CSPACE_W},
                                           {8, CUPS_CSPACE_K},
                                           {16, CUPS_CSPACE_K}};

// DYMO's drivers check the header of each page, and print 1-bit raster
// unchanged.
constexpr RasterDriver kDymo{"cups-raster", ", halftoned", true};
// Reads a version at the end of the NickName, or before a blank.
constexpr RasterDriver kGutenprint{"cups-raster-black", " (halftoned)", false};

struct KnownDriver {
  std::string_view program;
  std::span<const RasterKind> kinds;
  RasterDriver driver;
  // An attribute of the PPD file, whose value must end in value_end.
  const char* attribute = nullptr;
  std::string_view value_end;
};

constexpr KnownDriver kKnown[] = {
    {"raster2dymolm", kDymoKinds, kDymo},
    {"raster2dymolw", kDymoKinds, kDymo},
    {"rastertogutenprint.5.3", kGutenprintKinds, kGutenprint,
     "StpDriverModelFamily", "_pcl"}};

bool Is(const KnownDriver& driver, const PpdFile& ppd,
        const std::vector<FilterLine>& filters) {
  const bool is_program =
      std::ranges::all_of(filters, [&](const FilterLine& filter) {
        return filter.is_for_commands() || filter.names_program(driver.program);
      });
  if (!is_program || !driver.attribute) return is_program;
  const std::vector<std::string> values = ppd.ValuesOf(driver.attribute);
  return values.size() == 1 && values.front().ends_with(driver.value_end);
}

const KnownDriver* Known(const PpdFile& ppd,
                         const std::vector<FilterLine>& filters) {
  const auto* const known = std::ranges::find_if(
      kKnown, [&](const auto& driver) { return Is(driver, ppd, filters); });
  return known == std::end(kKnown) ? nullptr : known;
}

bool HasProgram(const std::vector<FilterLine>& filters, std::string_view name) {
  return std::ranges::any_of(filters, [&](const FilterLine& filter) {
    return filter.names_program(name);
  });
}

}  // namespace

Result<RasterDriver> RasterDriverOf(PpdFile& ppd,
                                    const std::vector<FilterLine>& filters) {
  const Result<void> asks_for_bits = ppd.CheckAsksFor(kBlackBits);
  if (asks_for_bits.ok()) {
    return RasterDriver{.output = "cups-raster",
                        .is_thermal = HasProgram(filters, "rastertolabel")};
  }
  const KnownDriver* const known = Known(ppd, filters);
  if (!known || ppd.is_colour()) return asks_for_bits.error();
  HALFTONED_TRY(ppd.CheckAsksFor(known->kinds));
  return known->driver;
}

}  // namespace halftoned
