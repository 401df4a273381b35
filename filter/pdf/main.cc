// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pdftohalftone: a CUPS filter that turns a PDF document into 1-bit raster. The
// system's renderer makes gray raster of it, several processes at a time where
// there are pages and processors for them, and each page goes the way of
// rastertohalftone.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/renderers.h"
#include "filter/pdf/black_ppd.h"
#include "filter/pdf/pdf_job.h"
#include "filter/program.h"
#include "halftone/look/gray/cmyk_profile.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

// The renderer that is configured, or the first that is installed.
Result<std::string> FindRenderer(const FilterJob& filter) {
  const std::string folder =
      Environment("CUPS_SERVERBIN", HALFTONED_CUPS_SERVERBIN) + "/filter/";
  const auto is_there = [&folder](std::string_view name) {
    return ::access((folder + std::string(name)).c_str(), X_OK) == 0;
  };
  const std::string& wanted = filter.settings.renderer;
  if (!wanted.empty() && is_there(wanted)) return folder + wanted;
  if (!wanted.empty()) {
    filter.messages.Warning("there is no renderer " +
                            Printable(folder + wanted) +
                            ", which halftoned.conf names; another is used");
  }
  for (const KnownRenderer& known : kRenderers) {
    if (is_there(known.name)) return folder + std::string(known.name);
  }
  return BadInput("there is no renderer such as " + folder +
                  std::string(kRenderers[0].name));
}

// Others may call Ghostscript, too: their raster shows whether they take it.
bool TakesLists(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  return std::ranges::none_of(kRenderers, [name](const KnownRenderer& known) {
    return known.name == name && !known.takes_lists;
  });
}

// Readers of PDF begin at its end, so all of it is kept before a page is
// printed.
Result<void> KeepDocument(int from, const Stop& stop, const std::string& path) {
  HALFTONED_TRY_ASSIGN(
      const Descriptor file,
      Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
  HALFTONED_TRY_ASSIGN(PolledInput input, PolledInput::Make(from, stop));
  std::vector<std::byte> room(size_t{1} << 20);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, input.Read(room));
    if (got == 0) return {};
    const Result<void> kept =
        WriteFully(file.get(), std::span(room).first(got));
    if (!kept.ok()) {
      return IoError("cannot keep the document: " + kept.error().message);
    }
  }
}

Result<void> Keep(const std::string& text, const std::string& path) {
  HALFTONED_TRY_ASSIGN(
      const Descriptor file,
      Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
  const Result<void> kept =
      WriteFully(file.get(), std::as_bytes(std::span(text)));
  if (kept.ok()) return {};
  return IoError("cannot keep a file for the renderer: " +
                 kept.error().message);
}

// Whether the renderer is Ghostscript, which paints no edges gray, and black
// and white pixels are printed as they are: not as samples of several bits.
bool MayMakeBits(const FilterJob& filter, const RendererOrder& order) {
  return order.program.ends_with("/gstoraster") &&
         filter.settings.rendering.parts.levels == 2 &&
         filter.settings.rendering.look.text_edges != TextEdges::kBarcode;
}

Result<void> KeepBlackPpd(RendererOrder& order) {
  auto ppd = ReadTextFile(Environment("PPD"));
  if (!ppd.ok()) return {};
  const std::string black = BlackPpd(std::move(*ppd));
  if (black.empty()) return {};
  order.black_ppd = order.folder + "/black.ppd";
  return Keep(black, order.black_ppd);
}

Result<void> PrintPdf(const FilterJob& filter) {
  RendererOrder order;
  HALFTONED_TRY_ASSIGN(order.program, FindRenderer(filter));
  order.takes_lists = TakesLists(order.program);
  order.words = filter.words;
  HALFTONED_TRY_ASSIGN(
      const TemporaryFolder folder,
      TemporaryFolder::Make(Environment("TMPDIR", "/tmp"), "pdftohalftone-"));
  order.folder = folder.path();
  order.document = folder.path() + "/document";
  order.cmyk_profile = folder.path() + "/cmyk.icc";
  Descriptor file;
  if (filter.arguments.file) {
    HALFTONED_TRY_ASSIGN(file, OpenPrintFile(*filter.arguments.file));
  }
  HALFTONED_TRY(KeepDocument(filter.arguments.file ? file.get() : STDIN_FILENO,
                             filter.stop, order.document));
  HALFTONED_TRY(Keep(CmykProfile(), order.cmyk_profile));
  if (MayMakeBits(filter, order)) HALFTONED_TRY(KeepBlackPpd(order));
  const std::string cache = Environment("CUPS_CACHEDIR");
  return PdfJob(filter, order,
                cache.empty() ? cache : cache + "/halftoned.renderers")
      .Print();
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  return halftoned::RunFilter(
      {"pdftohalftone", "pdftohalftone " HALFTONED_VERSION "\n",
       halftoned::PrintPdf},
      argc, argv);
}
