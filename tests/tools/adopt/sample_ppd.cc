// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/tools/adopt/sample_ppd.h"

#include <gtest/gtest.h>

namespace halftoned {

std::string SamplePpd() {
  return R"ppd(*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "6"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "SAMPLE.PPD"
*Product: "(Sample)"
*Manufacturer: "Acme"
*ModelName: "Acme Laser"
*ShortNickName: "Acme Laser"
*NickName: "Acme Laser, using raster v6"
*PSVersion: "(3010.000) 0"
*LanguageLevel: "3"
*ColorDevice: False
*DefaultColorSpace: Gray
*cupsFilter: "application/vnd.cups-raster 33 rastertoacme"
*cupsFilter: "application/vnd.cups-command 0 commandtoacme"
*OpenUI *PageSize/Media Size: PickOne
*OrderDependency: 10 AnySetup *PageSize
*DefaultPageSize: A4
*PageSize A4/A4: "<</PageSize[595 842]/ImagingBBox null>>setpagedevice"
*PageSize Letter/US Letter: "
<</PageSize[612 792]
/ImagingBBox null>>setpagedevice"
*End
*CloseUI: *PageSize
*OpenUI *PageRegion: PickOne
*OrderDependency: 10 AnySetup *PageRegion
*DefaultPageRegion: A4
*PageRegion A4/A4: "<</PageSize[595 842]/ImagingBBox null>>setpagedevice"
*PageRegion Letter/US Letter: "<</PageSize[612 792]>>setpagedevice"
*CloseUI: *PageRegion
*DefaultImageableArea: A4
*ImageableArea A4/A4: "8 8 587 826"
*ImageableArea Letter/US Letter: "8 8 604 776"
*DefaultPaperDimension: A4
*PaperDimension A4/A4: "595 842"
*PaperDimension Letter/US Letter: "612 792"
*OpenUI *Resolution/Resolution: PickOne
*OrderDependency: 10 AnySetup *Resolution
*DefaultResolution: 600dpi
*Resolution 300dpi/300 DPI: "<</HWResolution[300 300]/cupsBitsPerColor 1/cupsColorSpace 3>>setpagedevice"
*Resolution 600dpi/600 DPI: "<</HWResolution[600 600]/cupsBitsPerColor 1/cupsColorSpace 3>>setpagedevice"
*CloseUI: *Resolution
*% End of SAMPLE.PPD
)ppd";
}

std::string Replaced(std::string text, const std::string& old_text,
                     const std::string& new_text) {
  const size_t at = text.find(old_text);
  EXPECT_NE(at, text.npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

}  // namespace halftoned
