// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/auto_driver.h"

#include <algorithm>

#include "base/text.h"
#include "printer_app/matching/device_id.h"
#include "printer_app/matching/machine_ppds.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

constexpr const char* kChoose =
    "choose a driver with -m DRIVER; `halftone-printer-app drivers` lists them";
// PPD files that are tried for a printer.
constexpr size_t kMostTries = 8;

// "brother-hl-2030".
std::string FileNameOf(const DeviceId& device) {
  std::string name = LowerCase(device.Key());
  std::ranges::replace_if(
      name,
      [](char c) { return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'); },
      '-');
  return name;
}

}  // namespace

const Driver* KnownDriver(const char* device_id, const SystemDrivers& drivers) {
  const DeviceId device = DeviceId::Parse(device_id);
  const Driver* adopted = drivers.FindFor(device);
  return adopted ? adopted : DriverForDevice(device);
}

Result<const Driver*> AutoDriver(const char* device_id,
                                 SystemDrivers& drivers) {
  if (const Driver* known = KnownDriver(device_id, drivers)) return known;
  const DeviceId device = DeviceId::Parse(device_id);
  if (!device.names_model()) {
    return BadInput(std::string("the printer does not say what it is; ") +
                    kChoose);
  }
  HALFTONED_TRY_ASSIGN(const MachinePpds ppds, MachinePpds::Make());
  HALFTONED_TRY_ASSIGN(std::vector<std::string> names, ppds.For(device_id));
  names.resize(std::min(names.size(), kMostTries));
  for (const std::string& name : names) {
    const Result<std::string> file = ppds.Adopt(name);
    if (!file.ok()) continue;
    if (const Driver* driver = drivers.Add(*file, FileNameOf(device), device)) {
      return driver;
    }
  }
  return BadInput("no driver is known for " + Printable(device.Key(), 80) +
                  "; " + kChoose);
}

}  // namespace halftoned
