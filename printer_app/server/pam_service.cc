// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/pam_service.h"

#include <filesystem>

#include "base/text.h"

namespace halftoned {

// PAM ignores directories in a name, and turns letters to lower case.
Result<void> CheckPamService(const std::string& name,
                             std::span<const char* const> folders) {
  std::string looked;
  for (const std::filesystem::path folder : folders) {
    std::error_code error;
    const bool is_plain = name.find('/') == name.npos;
    if (is_plain && std::filesystem::is_regular_file(
                        folder / std::string(LowerCase(name)), error)) {
      return {};
    }
    looked += (looked.empty() ? "" : " or ") + folder.string();
  }
  return BadInput("auth-service: no PAM service " + Printable(name) + " in " +
                  looked);
}

}  // namespace halftoned
