// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passwords of this machine's users, by PAM.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace halftoned {

struct Password {
  std::string user;
  std::string text;
};

// From an Authorization header; nothing unless it is Basic.
std::optional<Password> PasswordIn(std::string_view authorization);

// service: of PAM. host: the client's, for PAM's log.
bool IsRight(const Password& password, const std::string& service,
             const std::string& host);

}  // namespace halftoned
