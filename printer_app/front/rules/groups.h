// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups of attributes in a request. PAPPL gets only those that belong to
// the operation. Pure.

#pragma once

#include "printer_app/front/rules/message.h"

namespace halftoned {

// Leaves out groups that the operation does not have, as RFC 8011 lets a
// printer do. False: the request does not begin with its operation attributes,
// or a group comes before one that must precede it.
bool SettleGroups(Ipp& request);

}  // namespace halftoned
