// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the name of a PAM service, because PAM uses the service `other` in
// place of one that does not exist.

#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace halftoned {

// Where pam(7) looks for services.
inline constexpr const char* kPamFolders[] = {"/etc/pam.d", "/usr/lib/pam.d"};

// An error if no directory has a file for the service.
Result<void> CheckPamService(
    const std::string& name,
    std::span<const char* const> folders = kPamFolders);

}  // namespace halftoned
