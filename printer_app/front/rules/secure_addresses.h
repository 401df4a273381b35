// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of this server in its answers. PAPPL sees no encryption and gives
// ipp:// and http:// to all; a client that must use TLS, or does so already,
// gets ipps:// and https://. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>

namespace halftoned {

// The host that the client's request names, with or without a port; devices
// keep theirs.
void MakeAddressesSecure(ipp_t* answer, const std::string& host);

// The securities and ways to prove a name become as many as the addresses, as
// the standard says.
void MatchSecurities(ipp_t* answer, bool is_secure);

}  // namespace halftoned
