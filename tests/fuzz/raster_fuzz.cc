// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole filter, from the first byte of its input to the last of its output;
// and the PWG raster sheet that a header asks for, without its rows, which may
// be many.
//
// libcups allocates a row before anybody can look at its header, and never
// touches it: run with -malloc_limit_mb=8192 beside a smaller -rss_limit_mb.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "base/descriptor.h"
#include "filter/job.h"
#include "filter/page_printer.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/run/pool.h"

namespace {

using namespace halftoned;  // NOLINT: everything here is about it

void PlaceOnSheet(std::span<const std::byte> bytes) {
  PageHeader header;
  if (bytes.size() < sizeof(header)) return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const Result<RasterForm> form = FormOf(header);
  if (!form.ok()) return;
  for (BackSide side : {BackSide::kFlipped, BackSide::kRotated}) {
    (void)PwgPage(header, *form, side, true).ok();
  }
}

void Print(std::span<const std::byte> raster) {
  static Pool pool(1);
  static const EngineList engines = LocalEngines(pool);
  static const Engine* engine =
      *ChooseEngine(engines, "auto", Recipe::FloydSteinberg());
  static const Stop stop = std::move(*Stop::Make());
  static const Descriptor nothing =
      std::move(*Descriptor::Open("/dev/null", O_WRONLY));

  const Descriptor file(::memfd_create("raster", MFD_CLOEXEC));
  if (!WriteFully(file.get(), raster).ok()) return;
  ::lseek(file.get(), 0, SEEK_SET);
  Result<PolledInput> input = PolledInput::Make(file.get(), stop);
  if (!input.ok()) return;
  Settings settings;
  settings.is_last = true;
  Messages messages(nothing.get());
  PolledOutput output(nothing.get(), stop);
  PagePrinter printer(settings, output, messages);
  Job job(settings, *engine, printer);
  // Good or bad: that it returns, and cleanly, is all.
  (void)job.Print(*input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  Print(bytes);
  if (bytes.size() > 4) PlaceOnSheet(bytes.subspan(4));
  return 0;
}
