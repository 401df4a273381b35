// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of this server in its answers. PAPPL knows only some of the names
// of this machine, compares their case, and encodes the brackets of IPv6
// addresses, so it hears of localhost in place of all. It sees no encryption,
// and gives ipp:// and http:// to all clients; a client that must use TLS, or
// already does, gets ipps:// and https:// instead. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <string_view>

namespace halftoned {

// The Host header for PAPPL. In this file, host is that of the client.
std::string HostForPappl(std::string_view host);

// The address for a client; empty if PAPPL did not mean this server.
std::string AddressFor(std::string_view host, bool is_secure,
                       std::string_view address);

// The same for all addresses; devices keep theirs.
void SetAddresses(std::string_view host, bool is_secure, ipp_t* answer);

// The same for the links of a web page.
std::string WithLinksFor(const std::string& host, bool is_secure,
                         const std::string& page);

// The lists of security and authentication get as many values as that of
// addresses, as the standard requires.
void MatchSecurities(ipp_t* answer, bool is_secure);

}  // namespace halftoned
