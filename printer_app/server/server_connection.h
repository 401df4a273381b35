// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections of sub-commands to running servers. Starts no server.

#pragma once

#include <cups/cups.h>

#include <memory>
#include <string>

namespace halftoned {

struct CloseConnection {
  void operator()(http_t* http) const { httpClose(http); }
  void operator()(ipp_t* ipp) const { ippDelete(ipp); }
};
using Connection = std::unique_ptr<http_t, CloseConnection>;
using Answer = std::unique_ptr<ipp_t, CloseConnection>;

// Null if nobody listens. host: a name, or the path of a socket, whose port is
// 0.
Connection Connect(const std::string& host, int port);

// Where root's server listens, which is the service.
std::string RootsSocket();

// The server of this user; null if it does not run.
Connection ConnectToOwnServer();

// Makes PAPPL's sub-commands, too, look for the server in this user's state
// directory. PAPPL itself would look in $TMPDIR. Call it first, and once. False
// if there is no such directory, or others can write to it.
bool ShowOwnServerToPappl();

// The server that sub-commands of this user talk to; null if none runs.
Connection ConnectToServer();

// The same, or else the service, which other users reach only at its port. Use
// it only to ask questions and to print what is no secret: the service may
// restart, and another user may take the port meanwhile.
Connection ConnectToServerOrService();

// Asks for all attributes of the system, or of its printers. Null if there is
// no reply.
Answer Ask(http_t* http, ipp_op_t operation);

// The first value of a text attribute; empty if there is none.
std::string TextIn(ipp_t* ipp, const char* name);

}  // namespace halftoned
