// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's address must not lead to this server. The server would read a raw
// document as requests of its own user, and this user has all rights. An
// administrator can give such an address, and so can another machine, by DNS or
// DNS-SD. The address can also lead to another user's server, which this one
// cannot recognize. No raw document is therefore sent that is a request.

#pragma once

#include <string_view>

namespace halftoned {

// For this process and those that it starts. Call it before there are threads.
void SetServerPort(int port);

// connection: TCP.
bool IsToThisServer(int connection);

// The same for all ports. Other machines choose where the name of a printer
// leads (DNS-SD, SNMP), and must not reach servers that serve only this
// machine.
bool IsToThisMachine(int connection);

// Whether a document with this beginning is a request to a server. No language
// of printers begins like one.
bool IsHttpRequest(std::string_view beginning);

}  // namespace halftoned
