// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PPD files: the statements of a file are the file, and what Adopt accepts
// Release restores to the byte. A file that was crafted to look adopted is
// released without a line that was not in it.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "adopt/change/adoption.h"
#include "adopt/ppd/statements.h"

// libcups loses a text of a file that says something twice. LeakSanitizer finds
// this name only if llvm-symbolizer is installed.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:_ppdOpen\n";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halftoned;  // NOLINT
  const std::string_view ppd(reinterpret_cast<const char*>(data), size);
  std::string joined;
  for (const Statement& statement : SplitStatements(ppd)) {
    joined.append(statement.text).append(statement.eol);
  }
  if (joined != ppd) std::abort();
  const auto adopted = Adopt(ppd);
  if (adopted.ok()) {
    const auto released = Release(*adopted);
    if (!released.ok() || *released != ppd) std::abort();
  }
  const auto released = Release(ppd);
  if (released.ok() && released->size() > ppd.size()) std::abort();
  (void)AdoptAnew(ppd).ok();
  return 0;
}
