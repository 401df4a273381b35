// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone-transform: what ipptransform does for CUPS 3, with our dots.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "file/pending_files.h"
#include "file/signal_watch.h"
#include "printer_app/transform/transform_job.h"
#include "printer_app/transform/transform_log.h"
#include "printer_app/transform/transform_order.h"

namespace halftoned {
namespace {

constexpr char kHelp[] =
    "Usage: halftone-transform [OPTIONS] DOCUMENT...\n"
    "Makes what printers take of documents, in place of ipptransform.\n"
    "\n"
    "  -d URI         send it to this device: socket, ipp or ipps\n"
    "  -f FILE        write it to this file\n"
    "  -i TYPE        the media type of the next document\n"
    "  -m TYPE        the media type of the output: image/pwg-raster,\n"
    "                 image/urf, application/vnd.hp-pcl, application/pdf,\n"
    "                 application/postscript, application/PCLm\n"
    "  -o 'NAME=VALUE ...'   attributes of the job\n"
    "  -r RESOLUTION[,...]   that the printer has, such as 600dpi\n"
    "  -s BACK        of duplex: normal, flipped, rotated, manual-tumble\n"
    "  -t TYPE[,...]  raster types that the printer takes: black_1, black_8,\n"
    "                 sgray_8, srgb_8, cmyk_8\n"
    "  -v             say more; twice: even more\n"
    "  --help, --version\n";

int Run(std::span<char* const> words, TransformLog& log) {
  const auto order = ReadOrder(words);
  if (!order.ok()) {
    log.Error(order.error().message);
    return EXIT_FAILURE;
  }
  if (order->wants_help || order->wants_version) {
    std::fputs(order->wants_help ? kHelp : HALFTONED_VERSION "\n", stdout);
    return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  for (int i = 0; i < order->verbosity; ++i) log.AddVerbosity();
  PendingFiles pending;
  const SignalWatch watch(pending);
  const auto done = RunTransform(*order, pending, log);
  if (done.ok()) return EXIT_SUCCESS;
  log.Error(done.error().message);
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  halftoned::OpenStandardDescriptors();
  halftoned::TransformLog log("halftone-transform");
  try {
    return halftoned::Run(
        std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1),
        log);
  } catch (const std::exception& error) {
    log.Error(error.what());
    return EXIT_FAILURE;
  }
}
