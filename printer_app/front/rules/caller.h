// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of a client. A program of this machine cannot choose its user:
// the kernel knows the owner of the connection. Another machine is believed, as
// cupsd believes it.

#pragma once

#include <string>
#include <string_view>

namespace halftoned {

struct Caller {
  bool is_local = false;      // a program of this machine
  bool is_trusted = false;    // root, lp or our own user: speaks for others
  bool is_admin = false;      // may change printers
  bool is_lured = false;      // perhaps by another site: no administrator
  bool has_password = false;  // the name is proven
  bool is_nameless = false;   // a local user whom this machine does not know
  // The user of a local caller, or of a password. Empty: unknown.
  std::string name;
  std::string place;  // the user or the address
  // `place`, its IPv6 network, or all nameless users: counts as one client.
  std::string network;
};

// The user of a request. said: its requesting-user-name, or empty.
inline std::string UserOf(const Caller& caller, std::string_view said) {
  const bool may_say =
      caller.is_local ? caller.is_trusted : !caller.has_password;
  if (!may_say) return caller.name;
  return said.empty() ? caller.name : std::string(said);
}

// For the log.
inline std::string Describe(const Caller& caller) {
  return caller.has_password ? caller.place + " as " + caller.name
                             : caller.place;
}

// True if the caller may see and change a job. user: from UserOf.
inline bool MayTouch(const Caller& caller, std::string_view user,
                     std::string_view owner) {
  return caller.is_admin || caller.is_trusted ||
         (!user.empty() && user == owner);
}

}  // namespace halftoned
