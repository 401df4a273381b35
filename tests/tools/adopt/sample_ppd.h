// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small PPD file of a 1-bit driver, for tests to change.

#ifndef HALFTONED_TESTS_TOOLS_ADOPT_SAMPLE_PPD_H_
#define HALFTONED_TESTS_TOOLS_ADOPT_SAMPLE_PPD_H_

#include <string>

namespace halftoned {

std::string SamplePpd();

// `text` with every `old_text` replaced; there must be at least one.
std::string Replaced(std::string text, const std::string& old_text,
                     const std::string& new_text);

}  // namespace halftoned

#endif  // HALFTONED_TESTS_TOOLS_ADOPT_SAMPLE_PPD_H_
