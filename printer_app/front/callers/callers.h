// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users of this machine, from its databases.

#pragma once

#include <sys/types.h>

#include <string>

#include "printer_app/front/callers/connection_owner.h"
#include "printer_app/front/callers/network.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {

// Whether root, the server's user or a member of lpadmin or `group`, if that is
// not empty.
bool IsAdministrator(const std::string& user, const std::string& group);
// The same for no group.
bool IsAdministrator(uid_t user);
bool IsMemberOf(const std::string& user, const std::string& group);

// Without is_admin, which asks for groups.
Caller CallerOf(const ConnectionOwner& owner, const Origin& origin);

}  // namespace halftoned
