// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software text of TIFF and PNG files: which program made them, and, if the
// options of output say so, of what.

#pragma once

#include <cstdint>
#include <string>

#include "print/image/image.h"

namespace halftoned {

std::string SoftwareText(const OutputOptions& options);

// How many pages the TIFF or PNG file `fd` has; 0 unless it is whole, and this
// is the software text of every page. What pixels are is not looked at.
int64_t PagesMadeBy(const std::string& software, int fd);

}  // namespace halftoned
