// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adoption: the PPD file of a driver that takes 1-bit raster, so changed that
// the raster comes from rastertohalftone, and back. Text in, text out; knows no
// queues. What is changed:
//
//   *%halftoned begins
//   *halftonedOutput: "cups-raster"
//   (the options of halftoning, of which cupsHalftoneType asks for 8-bit gray)
//   *%halftoned ends
//   *%halftoned was NickName: "Brother HL-2030, using brlaser"
//   *NickName: "Brother HL-2030, using brlaser, halftoned"
//   *%halftoned was cupsFilter: "application/vnd.cups-raster 33
//   rastertobrlaser" *cupsFilter2: "application/x-halftoned-raster
//                  application/x-halftoned-printed 33 rastertobrlaser"
//
// Each line stays where it is, so that whatever else is changed meanwhile - the
// defaults of a queue, by CUPS - is still there after the release. The driver's
// own requests for 1 bit stay too; cupsHalftoneType comes last and wins.
// Nothing leads from gray raster to the driver but the type that
// rastertohalftone makes, and that takes 8 and 16 bits only: whatever is
// missing, a job fails.

#ifndef HALFTONED_TOOLS_ADOPT_ADOPTION_H_
#define HALFTONED_TOOLS_ADOPT_ADOPTION_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// Whether `ppd` came from Adopt.
bool IsAdopted(std::string_view ppd);

// Refuses, and says why, what is adopted already and what it cannot serve: a
// driver that takes anything but raster, that asks for colour or for more than
// 1 bit, or whose file is not sound.
Result<std::string> Adopt(std::string_view ppd);

// What adoption makes today of a file that was adopted some time ago, or by
// another version. The defaults stay.
Result<std::string> AdoptAnew(std::string_view ppd);

// What Adopt was given, with what has been changed since outside of its lines.
Result<std::string> Release(std::string_view ppd);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_ADOPTION_H_
