// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of the web pages: names of our settings and of their values, in the
// languages of the printer models for CUPS, and help in English.

#pragma once

#include <pappl/pappl.h>

#include <string>
#include <string_view>

namespace halftoned {

// The footer of each page. Without a footer, PAPPL 1.3 crashes at its first
// page.
inline constexpr char kWebFooter[] =
    "halftoned prints black dots. halftone-settings(7) describes its settings.";

// The languages that PAPPL has, too.
inline constexpr const char* kWebLanguages[] = {"en", "de", "es", "fr", "ja"};

// Does nothing if the system already has the texts.
void AddWebText(pappl_system_t* system);

// Formats a line of a strings file.
std::string StringsLine(std::string_view key, std::string_view text);

// Adds such lines. name: a name for these lines in that language.
void AddStrings(pappl_system_t* system, std::string_view name,
                const char* language, const std::string& lines);

}  // namespace halftoned
