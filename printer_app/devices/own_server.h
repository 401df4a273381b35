// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's address must not lead to this server, which would take a raw
// document for requests of its own user, who may change everything. The address
// can say so itself, or come from another machine by DNS or DNS-SD.

#pragma once

namespace halftoned {

// For this process and those that it starts. Call it before there are threads.
void SetServerPort(int port);

// connection: TCP.
bool IsToThisServer(int connection);

// Whether one of this process' connections is.
bool HasConnectionToThisServer();

}  // namespace halftoned
