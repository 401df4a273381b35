// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a TOML file on its way to toml++, and what toml++ says of it.
//
// toml++ 3.3 has undefined behavior for some characters beyond ASCII outside
// of quotes, but for none of the private use area. So it is given each byte of
// such a character as the one of U+E080 to U+E0FF that ends like it: lifted.
// What it returns is lowered again.

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
