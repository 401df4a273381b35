// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL 1.3 looks for printers of the network without asking whether Avahi
// answers. Without D-Bus it ends the program, and without avahi-daemon it keeps
// a lock for ever, as soon as somebody opens the page that adds printers. These
// functions stand before Avahi's, in PAPPL's calls too: where Avahi gives no
// browser, they give one that finds nothing.

#include <avahi-client/lookup.h>

#include "printer_app/interposed/of_library.h"

using halftoned::OfLibrary;

namespace {

AvahiServiceBrowser* EmptyBrowser() {
  static char browser;
  return reinterpret_cast<AvahiServiceBrowser*>(&browser);
}

}  // namespace

AvahiServiceBrowser* avahi_service_browser_new(
    AvahiClient* client, AvahiIfIndex interface, AvahiProtocol protocol,
    const char* type, const char* domain, AvahiLookupFlags flags,
    AvahiServiceBrowserCallback callback, void* data) {
  auto* make =
      OfLibrary(avahi_service_browser_new, "avahi_service_browser_new");
  AvahiServiceBrowser* browser = client && make
                                     ? make(client, interface, protocol, type,
                                            domain, flags, callback, data)
                                     : nullptr;
  return browser ? browser : EmptyBrowser();
}

int avahi_service_browser_free(AvahiServiceBrowser* browser) {
  if (browser == EmptyBrowser()) return 0;
  auto* free =
      OfLibrary(avahi_service_browser_free, "avahi_service_browser_free");
  return free ? free(browser) : -1;
}

// PAPPL says of null that the printer cannot be found.
AvahiServiceResolver* avahi_service_resolver_new(
    AvahiClient* client, AvahiIfIndex interface, AvahiProtocol protocol,
    const char* name, const char* type, const char* domain,
    AvahiProtocol address_protocol, AvahiLookupFlags flags,
    AvahiServiceResolverCallback callback, void* data) {
  auto* make =
      OfLibrary(avahi_service_resolver_new, "avahi_service_resolver_new");
  if (!client || !make) return nullptr;
  return make(client, interface, protocol, name, type, domain, address_protocol,
              flags, callback, data);
}
