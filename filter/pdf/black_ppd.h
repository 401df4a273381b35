// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue's PPD file as a renderer needs it that is to write one bit a pixel:
// the code of our option, which comes last and asks for gray, asks for black.

#ifndef HALFTONED_FILTER_PDF_BLACK_PPD_H_
#define HALFTONED_FILTER_PDF_BLACK_PPD_H_

#include <string>

namespace halftoned {

// Empty if `ppd` has no such code.
std::string BlackPpd(std::string ppd);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_BLACK_PPD_H_
