// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adopted PPD files as the printer application reads them at its start. A file
// that it takes has all that PAPPL and a job ask a driver for.

#include <cups/cups.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/descriptor.h"
#include "printer_app/matching/device_id.h"
#include "printer_app/system_driver/driver_ppd.h"

// libcups loses a text of a file that says something twice. LeakSanitizer finds
// this name only if llvm-symbolizer is installed.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:_ppdOpen\n";
}

namespace {

using namespace halftoned;  // NOLINT

void Expect(bool is_so) {
  if (!is_so) std::abort();
}

void ExpectWhole(const Driver& driver) {
  Expect(!driver.media.empty() && !driver.sources.empty() &&
         !driver.types.empty() && !driver.resolutions.empty());
  Expect(std::ranges::is_sorted(driver.resolutions) &&
         driver.resolutions.front() > 0);
  const pwg_media_t* usual = pwgMediaForPWG(driver.default_media);
  Expect(usual && usual->width > 0 && usual->length > 0);
}

// Any page of the driver's has a header that its raster can have, or an error.
void ExpectHeader(const DriverPpd& ppd, const InkPage& page) {
  const auto header = ppd.HeaderOf(page, {});
  Expect(!header.ok() || (header->cupsWidth > 0 && header->cupsHeight > 0 &&
                          header->cupsBytesPerLine >= header->cupsWidth / 8));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Descriptor file(memfd_create("ppd", MFD_CLOEXEC));
  Expect(ftruncate(file.get(), 0) == 0 &&
         pwrite(file.get(), data, size, 0) == static_cast<ssize_t>(size));
  const auto ppd = DriverPpd::Read(
      "/proc/self/fd/" + std::to_string(file.get()), "ppd-some");
  if (!ppd.ok()) return 0;
  const Driver& driver = (*ppd)->driver();
  ExpectWhole(driver);
  InkPage page{};
  page.header.HWResolution[0] = page.header.HWResolution[1] =
      static_cast<unsigned>(driver.resolutions.front());
  for (const char* paper : {driver.default_media, driver.media.back()}) {
    page.paper = paper;
    page.source = driver.sources.back();
    page.paper_type = driver.types.back();
    ExpectHeader(**ppd, page);
  }
  (void)(*ppd)->IsFor(DeviceId::Parse("MFG:Some;MDL:Laser;CMD:PCL;"));
  return 0;
}
