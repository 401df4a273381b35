// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function here stands before PAPPL's own, in its own calls too. Where PAPPL
// no longer calls one of this name, or says other words, clients get PAPPL's.

#include "printer_app/interposed/refusal.h"

#include <pappl/pappl.h>

#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "printer_app/interposed/of_library.h"

namespace halftoned {
namespace {

std::string& RefusalOfThread() {
  static thread_local std::string why;
  return why;
}

}  // namespace

void RefuseDriver(std::string why) { RefusalOfThread() = std::move(why); }

}  // namespace halftoned

ipp_t* papplClientRespondIPP(pappl_client_t* client, ipp_status_t status,
                             const char* message, ...) {
  static auto* const respond =
      halftoned::OfLibrary(papplClientRespondIPP, "papplClientRespondIPP");
  if (!message) return respond(client, status, nullptr);
  const std::string why =
      std::exchange(halftoned::RefusalOfThread(), std::string());
  if (!why.empty() &&
      std::string_view(message).starts_with("Driver '%s' cannot be used")) {
    return respond(client, status, "%s", why.c_str());
  }
  char text[1024];  // of which IPP allows less
  va_list values;
  va_start(values, message);
  std::vsnprintf(text, sizeof(text), message, values);
  va_end(values);
  return respond(client, status, "%s", text);
}
