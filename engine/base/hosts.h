// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of this machine. A page of another site could reach this machine's
// servers under a name of that site (DNS rebinding), or send forms from another
// origin. Pure functions.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

// The names of a machine whose name is `host`: itself, its first label, and
// that label in mDNS.
std::vector<std::string> NamesOfMachine(std::string_view host);

// field: of the Host header: a name or an address, and a port or none. True
// for numeric addresses, localhost and `names`, in any case of letters.
bool IsOurHost(std::string_view field, const std::vector<std::string>& names);

// True for localhost and the addresses that no other machine can have.
bool IsThisMachine(std::string_view field);

// Whether a page came from `host`, a Host header. page: its address, or its
// origin. is_encrypted: the page must have been, too.
bool IsFromHost(std::string_view page, std::string_view host,
                bool is_encrypted);

}  // namespace halftoned
