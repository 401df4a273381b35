// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PPD file, opened by libcups, with its defaults marked.

#ifndef HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_HANDLE_H_
#define HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_HANDLE_H_

#include <cups/ppd.h>

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"

namespace halftoned {

struct PpdCloser {
  void operator()(ppd_file_t* ppd) const;
};
using PpdHandle = std::unique_ptr<ppd_file_t, PpdCloser>;

Result<PpdHandle> OpenPpd(const std::string& path);

// Empty if the file has none.
std::string PpdAttribute(ppd_file_t* ppd, const char* keyword);

// The dpi that the marked choices ask for; nothing if they differ in the
// two directions.
std::optional<int> MarkedDpi(ppd_file_t* ppd);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_HANDLE_H_
