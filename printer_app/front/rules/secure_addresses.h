// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of this server in its answers. PAPPL sees no encryption, and gives
// ipp:// and http:// to all clients; a client that must use TLS, or already
// does, gets ipps:// and https:// instead. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>

namespace halftoned {

// The host that the client's request names, with or without a port; devices
// keep theirs.
void MakeAddressesSecure(ipp_t* answer, const std::string& host);

// The lists of security and authentication get as many values as that of
// addresses, as the standard requires.
void MatchSecurities(ipp_t* answer, bool is_secure);

}  // namespace halftoned
