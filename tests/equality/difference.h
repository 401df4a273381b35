// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where two halftoned pages differ: in words, and as a picture.

#pragma once

#include <string>

#include "tests/equality/oracle.h"

namespace halftoned::testing {

// Empty if the pages are equal, padding bits included. Otherwise names the
// first differing pixel and leaves a PPM picture in $HALFTONED_PICTURES, or
// the working directory: equal pixels gray or white, differing ones red.
std::string DescribeDifference(const BitPage& expected, const BitPage& actual,
                               const Recipe& recipe, const Page& page);

}  // namespace halftoned::testing
