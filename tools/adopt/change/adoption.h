// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adoption: changes the PPD file of a driver that takes 1-bit raster, so that
// the raster comes from rastertohalftone, and undoes this. Text in, text out;
// does not deal with queues. An adopted file has these lines:
//
// clang-format off
//   *%halftoned begins
//   *halftonedOutput: "cups-raster"
//   (the halftone options; cupsHalftoneType asks for 8-bit gray)
//   *%halftoned ends
//   *%halftoned was NickName: "Brother HL-2030, using brlaser"
//   *NickName: "Brother HL-2030, using brlaser, halftoned"
//   *%halftoned was cupsFilter: "application/vnd.cups-raster 33 rastertobrlaser"
//   *cupsFilter2: "application/x-halftoned-raster application/x-halftoned-printed 33 rastertobrlaser"
// clang-format on
//
// Each line stays in its place, so that other changes, such as a queue's
// defaults, which CUPS writes, survive the release. The driver's own requests
// for 1 bit stay too; cupsHalftoneType comes last and wins. The driver gets
// raster only as the type that rastertohalftone makes, and rastertohalftone
// accepts only 8 and 16 bits. So if anything is missing, the job fails.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// Whether `ppd` came from Adopt.
bool IsAdopted(std::string_view ppd);

// Adopts `ppd`. Refuses, with a reason, a file that is adopted already or
// invalid, and a driver that takes anything except raster, or asks for color or
// for more than 1 bit. The reason ends with what to do instead. There, QUEUE
// stands for the queue's name, and URI for its address.
Result<std::string> Adopt(std::string_view ppd);

// Adopts a file again that was adopted earlier, or by another version. Keeps
// the defaults.
Result<std::string> AdoptAnew(std::string_view ppd);

// Undoes Adopt. Keeps later changes to lines that Adopt did not add.
Result<std::string> Release(std::string_view ppd);

}  // namespace halftoned
