// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the web pages: names of our settings and of their values, in the
// languages that the printer models of CUPS have, and help in English.

#ifndef HALFTONED_PRINTER_APP_WEB_TEXT_H_
#define HALFTONED_PRINTER_APP_WEB_TEXT_H_

#include <pappl/pappl.h>

namespace halftoned {

// Below each page. PAPPL 1.3 ends at its first page if there is none.
inline constexpr char kWebFooter[] =
    "halftoned prints black dots. halftone-settings(7) describes its settings.";

// Does nothing if the system has them.
void AddWebText(pappl_system_t* system);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_WEB_TEXT_H_
