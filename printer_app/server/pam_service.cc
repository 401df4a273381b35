// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/pam_service.h"

#include <unistd.h>

#include <filesystem>

#include "base/text.h"

namespace halftoned {

// PAM ignores directories in a name, and turns letters to lower case. Instead
// of a file that it cannot read, it uses the service `other`.
Result<void> CheckPamService(const std::string& name,
                             std::span<const char* const> folders) {
  std::string looked;
  for (const std::filesystem::path folder : folders) {
    std::error_code error;
    const bool is_plain = name.find('/') == name.npos;
    const std::filesystem::path file = folder / std::string(LowerCase(name));
    if (is_plain && std::filesystem::is_regular_file(file, error) &&
        access(file.c_str(), R_OK) == 0) {
      return {};
    }
    looked += (looked.empty() ? "" : " or ") + folder.string();
  }
  return BadInput("auth-service: no PAM service " + Printable(name) +
                  " that the server can read in " + looked);
}

}  // namespace halftoned
