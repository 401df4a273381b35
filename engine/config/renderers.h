// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The filters of CUPS that render PDF for pdftohalftone where halftoned.conf
// names none.

#ifndef HALFTONED_CONFIG_RENDERERS_H_
#define HALFTONED_CONFIG_RENDERERS_H_

#include <string_view>

namespace halftoned {

struct KnownRenderer {
  std::string_view name;
  bool takes_lists;  // of pages, through Ghostscript
};

// What cupsd would run, in the order in which it prefers them.
inline constexpr KnownRenderer kRenderers[] = {
    {"gstoraster", true}, {"pdftoraster", false}, {"mupdftoraster", false}};

}  // namespace halftoned

#endif  // HALFTONED_CONFIG_RENDERERS_H_
