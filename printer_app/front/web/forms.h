// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of web pages, application/x-www-form-urlencoded. Pure.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halftoned {

// Names and values, in their order.
using WebForm = std::vector<std::pair<std::string, std::string>>;

// Control characters become spaces: PAPPL writes values into lines of its
// state.
WebForm ParseForm(std::string_view body);

std::string WriteForm(const WebForm& form);

// The first value of the name; empty if there is none.
std::string FieldOf(const WebForm& form, std::string_view name);

// For text of a page.
std::string HtmlOf(std::string_view text);

}  // namespace halftoned
