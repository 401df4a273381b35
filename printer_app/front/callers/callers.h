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

// True for root, the server's user, and members of lpadmin or of `group`. An
// empty `group` has no members.
bool IsAdministrator(const std::string& user, const std::string& group);
// As above, with an empty `group`.
bool IsAdministrator(uid_t user);
bool IsMemberOf(const std::string& user, const std::string& group);

// Leaves is_admin unset, because that needs a lookup of groups.
Caller CallerOf(const ConnectionOwner& owner, const Origin& origin);

}  // namespace halftoned
