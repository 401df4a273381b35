// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_handle.h"

#include <cups/raster.h>
#include <sys/stat.h>

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {

void PpdCloser::operator()(ppd_file_t* ppd) const { ppdClose(ppd); }

Result<PpdHandle> OpenPpd(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return BadInput(path + ": is not a file");
  }
  PpdHandle ppd(ppdOpenFile(path.c_str()));
  if (ppd) {
    ppdMarkDefaults(ppd.get());
    return ppd;
  }
  int line = 0;
  const ppd_status_t error = ppdLastError(&line);
  return BadInput((line > 0 ? path + ", line " + std::to_string(line) : path) +
                  ": " + ppdErrorString(error));
}

std::string PpdAttribute(ppd_file_t* ppd, const char* keyword) {
  const ppd_attr_t* found = ppdFindAttr(ppd, keyword, nullptr);
  return found && found->value ? found->value : "";
}

std::optional<int> MarkedDpi(ppd_file_t* ppd) {
  cups_page_header2_t header;
  if (cupsRasterInterpretPPD(&header, ppd, 0, nullptr, nullptr) != 0 ||
      header.HWResolution[0] != header.HWResolution[1] ||
      header.HWResolution[0] < 1) {
    return std::nullopt;
  }
  return static_cast<int>(header.HWResolution[0]);
}

}  // namespace halftoned
