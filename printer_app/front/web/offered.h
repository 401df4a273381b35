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

// A sentence about a field with a value that the page's lists, buttons and
// numbers do not offer, or about a missing field of a custom paper size; empty
// if there is none. page: HTML as PAPPL writes it. Ignores fields that the page
// does not have.
std::string WhatIsNotOffered(const WebForm& form, std::string_view page);

}  // namespace halftoned
