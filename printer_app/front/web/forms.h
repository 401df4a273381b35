// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of web pages, application/x-www-form-urlencoded. Pure.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace halftoned {

// Values by their names.
using WebForm = std::map<std::string, std::string, std::less<>>;

// As PAPPL reads it: names have no case, and the last value of a name counts.
// Control characters become spaces: PAPPL writes values into lines of its
// state.
WebForm ParseForm(std::string_view body);

std::string WriteForm(const WebForm& form);

// The value of the lowercase name; empty if there is none.
std::string FieldOf(const WebForm& form, std::string_view name);

// For text of a page.
std::string HtmlOf(std::string_view text);

}  // namespace halftoned
