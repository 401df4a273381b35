// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device IDs (device_id.h) as text. Printers send them, and so can any machine
// of the network. Pure.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace halftoned {

// PAPPL accepts 1023 bytes. With this limit, a printer's line in its state is
// never too long (state_file.h).
inline constexpr size_t kLongestDeviceId = 512;

// One printable line of at most `most` bytes. Quotes and backslashes become
// blanks, because PAPPL writes a backslash before each. If the ID is too long,
// the maker, the model and the commands come first, values are cut, and fields
// that do not fit are left out.
std::string CleanDeviceId(std::string_view id, size_t most = kLongestDeviceId);

// The maker, the model and the commands, for CUPS to search drivers. CUPS turns
// them into a regular expression, and `+` repeated a hundred times takes
// gigabytes of memory. So only letters, digits, blanks and some punctuation
// stay.
std::string SearchedDeviceId(std::string_view id);

}  // namespace halftoned
