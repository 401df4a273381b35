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
  // Those in `folder`, which need not exist. A file that cannot be used is left
  // out, and a line on stderr says why.
  explicit SystemDrivers(const std::string& folder);

  std::vector<const Driver*> all() const;

  // The driver of that name, one of these or of the table; null: none.
  const Driver* Find(std::string_view name) const;
  // One of these for the printer; null: none.
  const Driver* FindFor(const DeviceId& device) const;
  // Why there is none of that name, and which names there are.
  std::string NoneIsCalled(std::string_view name) const;

  // Copies a PPD file into the directory, named `stem` or nearly so. Null: it
  // cannot be used, or is not for the printer.
  const Driver* Add(const std::string& path, const std::string& stem,
                    const DeviceId& device);

 private:
  const std::string folder_;
  mutable std::mutex mutex_;  // of all_, which only grows
  std::vector<std::unique_ptr<DriverPpd>> all_;
};

}  // namespace halftoned
