// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configurations: whatever the text is, parsing it ends, and an error is one
// line that names the file.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = halftoned::ParseConfig(text, "/f.conf");
  if (config.ok()) return 0;
  const std::string& message = config.error().message;
  if (!message.starts_with("/f.conf") ||
      message.find('\n') != std::string::npos) {
    std::abort();
  }
  return 0;
}
