// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads of HTTP requests with only one meaning (RFC 9112), so that no proxy
// reads them in another way than we do. libcups is not strict enough: it skips
// CR anywhere, ignores a field whose name ends with a blank, and takes the last
// of two fields with the same name. Pure.

#pragma once

#include <cstddef>
#include <string_view>

namespace halftoned {

// The size of the head at the start of `bytes`, with its empty line and with
// empty lines before it; 0 if it is incomplete.
size_t SizeOfHead(std::string_view bytes);

// head: complete. False if it can be read in two ways.
bool IsClearHead(std::string_view head);

// head: its start is enough.
bool HasCookies(std::string_view head);

}  // namespace halftoned
