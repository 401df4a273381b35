// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of a printer that clients and web pages need, but not its driver:
// those of IPP Everywhere, a test page and readable names.

#pragma once

#include <pappl/pappl.h>

namespace halftoned {

// Adds them to a driver's data and attributes.
void SetForClients(pappl_pr_driver_data_t& data, ipp_t* attributes);

}  // namespace halftoned
