// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a form with its page. Browsers send only values that the page
// offers, but PAPPL saves any others, too, such as a paper without a size, on
// which no job can print. Pure.

#pragma once

#include <string>
#include <string_view>

#include "printer_app/front/web/forms.h"

namespace halftoned {

// A sentence about a field whose value the page's lists, buttons and numbers do
// not offer, or that a paper of a custom size lacks; empty if there is none.
// page: HTML as PAPPL writes it. Fields that it does not have are not looked
// at.
std::string WhatIsNotOffered(const WebForm& form, std::string_view page);

}  // namespace halftoned
