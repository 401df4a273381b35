// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who a client is. What a program of this machine says of its user is not
// believed: the system knows whose the connection is. A machine far away is
// believed, as cupsd believes it, unless PAPPL asks for passwords.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_CALLER_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_CALLER_H_

#include <pappl/pappl.h>

#include <string>

namespace halftoned {

struct Caller {
  bool is_local = false;  // a program of this machine; the rest is of it
  bool is_trusted =
      false;  // root, lp or our own user: speaks for others, as CUPS
  bool is_admin = false;  // of printers
  std::string name;       // empty if nobody is known to be there
};

// Of a connection that has just been made.
Caller CallerOf(pappl_client_t* client, pappl_system_t* system);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_CALLER_H_
