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

// The names of the machine `host`: the whole name, its first label, and that
// label with ".local", for mDNS.
std::vector<std::string> NamesOfMachine(std::string_view host);

// field: of the Host header: a name or an address, perhaps with a port. True
// for numeric addresses, localhost and `names`, ignoring case.
bool IsOurHost(std::string_view field, const std::vector<std::string>& names);

// True for localhost and loopback addresses.
bool IsThisMachine(std::string_view field);

// Whether a page came from `host`, a Host header. page: its address, or its
// origin. is_encrypted: it must have come over HTTPS.
bool IsFromHost(std::string_view page, std::string_view host,
                bool is_encrypted);

}  // namespace halftoned
