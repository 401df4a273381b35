// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects to a printer in the network. It can take 30 s, unless its job is
// canceled.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// False if the URI has the scheme `socket`, but no host.
bool NamesHost(std::string_view uri);

// For every TCP connection to a printer: small writes are sent at once, and
// closing it neither waits nor drops what is on its way.
void SetPrinterOptions(int connection);

// host: a name or an address. If it has several addresses, tries the next one
// once the others have failed or have not answered for a moment.
Result<Descriptor> ConnectToHost(const std::string& host, int port,
                                 const std::function<bool()>& is_canceled);

}  // namespace halftoned
