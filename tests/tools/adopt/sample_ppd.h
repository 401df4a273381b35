// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small PPD file of a 1-bit driver, for tests to change.

#pragma once

#include <string>

namespace halftoned {

std::string SamplePpd();

// `text` with every `old_text` replaced; there must be at least one.
std::string Replaced(std::string text, const std::string& old_text,
                     const std::string& new_text);

}  // namespace halftoned
