// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <string_view>

namespace halftoned {

enum class DocumentKind { kNone, kPdf, kPostScript };

// How much of a file tells its kind.
inline constexpr size_t kStartOfDocument = 4096;

// The kind of a file that starts with these bytes. Ghostscript reads PDF also
// behind line ends and a byte order mark, and PostScript behind line ends,
// Control-D, and commands of PJL, which some printer drivers write.
DocumentKind KindOfDocument(std::string_view start);
// False: no document starts with this byte.
bool MayStartDocument(char first);

}  // namespace halftoned
