// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of this program stand before libraries' of the same names, in the
// libraries' own calls too.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_OF_LIBRARY_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_OF_LIBRARY_H_

#include <dlfcn.h>

namespace halftoned {

// The library's own function of the name; null if it has none.
template <typename Function>
Function* OfLibrary(Function* /*ours*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_OF_LIBRARY_H_
