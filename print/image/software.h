// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software text of TIFF and PNG files: the program that made them and, if
// the output options ask for it, what they were made from.

#pragma once

#include <cstdint>
#include <string>

#include "print/image/image.h"

namespace halftoned {

std::string SoftwareText(const OutputOptions& options);

// The number of pages in the TIFF or PNG file `fd`; 0 unless it is whole, and
// this is the software text of every page. Pixels are not checked.
int64_t PagesMadeBy(const std::string& software, int fd);

}  // namespace halftoned
