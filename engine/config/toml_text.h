// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares the text of a TOML file for toml++, and rewords its messages.
//
// toml++ 3.3 has undefined behavior for some non-ASCII characters outside of
// quotes, but not for those of the private use area. Therefore, each byte of a
// non-ASCII character is *lifted* before toml++ reads it: replaced by the
// character of U+E080 to U+E0FF with the same low byte. Texts that toml++
// returns are lowered again.

#pragma once

#include <string>
#include <string_view>

namespace halftoned {

// The first line that is not UTF-8; 0 if there is none.
int LineThatIsNotUtf8(std::string_view text);

std::string LiftedToml(std::string_view text);
// Characters that were not lifted, from escapes such as \u00fc, stay.
std::string LoweredToml(std::string_view lifted);

// toml++'s description of the first mistake in `text`, in the words of our
// messages.
std::string ExplainToml(std::string_view description, std::string_view text);

}  // namespace halftoned
