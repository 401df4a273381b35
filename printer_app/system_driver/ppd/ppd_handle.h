// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PPD file, opened by libcups, with its defaults marked.

#pragma once

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
