// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The drivers of the system that the user has chosen: one for each adopted PPD
// file in a directory. NAME.ppd is the driver ppd-NAME.

#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "printer_app/system_driver/driver_ppd.h"

namespace halftoned {

class SystemDrivers {
 public:
  // Reads the PPD files in `folder`, which need not exist. Skips a file that
  // cannot be used, with a line on stderr that says why.
  explicit SystemDrivers(const std::string& folder);

  std::vector<const Driver*> all() const;

  // The driver of that name, from these or from the table; null if there is
  // none.
  const Driver* Find(std::string_view name) const;
  // One of these drivers for the printer; null if there is none.
  const Driver* FindFor(const DeviceId& device) const;
  // Why there is no driver of that name, and which names there are.
  std::string NoneIsCalled(std::string_view name) const;

  // Copies a PPD file into the directory, under the name `stem` or a similar
  // one. Null if the file cannot be used, or is not for the printer.
  const Driver* Add(const std::string& path, const std::string& stem,
                    const DeviceId& device);

 private:
  const std::string folder_;
  mutable std::mutex mutex_;  // guards all_, which only grows
  std::vector<std::unique_ptr<DriverPpd>> all_;
};

}  // namespace halftoned
