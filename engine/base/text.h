// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that comes from outside - names of files, what a file says of itself -
// made safe for terminals, logs and formats that take nothing but UTF-8.

#ifndef HALFTONED_BASE_TEXT_H_
#define HALFTONED_BASE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace halftoned {

// Bytes of the character with which `text`, not empty, begins; 0 if it begins
// with none. Surrogates and forms that are too long are none.
size_t Utf8Bytes(std::string_view text);

// Whether a character is one of those that steer terminals: C0, DEL, C1.
bool IsControl(std::string_view character);

// One printable line: each byte of a control, and each that belongs to no
// character, becomes "?". At most `most` bytes, in whole characters.
std::string Printable(std::string_view text,
                      size_t most = std::string_view::npos);

// `text` as it is if it is UTF-8; if not, its bytes are taken for Latin-1,
// which is what old files hold.
std::string Utf8FromAny(std::string_view text);
std::string Utf8FromLatin1(std::string_view latin1);

// A string of JSON with its quotes. Controls are escaped; each byte that
// belongs to no character becomes U+FFFD.
std::string JsonString(std::string_view text);

// `text` in quotes, as JSON has it. It is UTF-8 if `text` is.
std::string JsonString(std::string_view text);

}  // namespace halftoned

#endif  // HALFTONED_BASE_TEXT_H_
