// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pdftohalftone: a CUPS filter that turns a PDF document into 1-bit raster.
// Ghostscript renders gray raster as it does for CUPS's gstoraster, in several
// processes if there are enough pages and processors. Each page then goes the
// way of rastertohalftone.

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_folder.h"
#include "filter/pdf/pdf_job.h"
#include "filter/pdf/raster_words.h"
#include "filter/program.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

// pdftopdf's remarks on the document are at its start.
constexpr size_t kStartBytes = size_t{1} << 16;

// PDF is read from its end, so the whole document is stored before a page is
// printed.
Result<void> KeepDocument(int from, const Stop& stop, const Descriptor& to) {
  HALFTONED_TRY_ASSIGN(PolledInput input, PolledInput::Make(from, stop));
  std::vector<std::byte> room(size_t{1} << 20);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, input.Read(room));
    if (got == 0) return {};
    const Result<void> kept = WriteFully(to.get(), std::span(room).first(got));
    if (!kept.ok()) {
      return IoError("cannot store the document: " + kept.error().message);
    }
  }
}

Result<std::string> StartOf(const Descriptor& document) {
  std::string start(kStartBytes, '\0');
  const ssize_t read = ::pread(document.get(), start.data(), start.size(), 0);
  if (read < 0) return ErrnoError(ErrorCode::kIo, "cannot read the document");
  start.resize(static_cast<size_t>(read));
  return start;
}

// Whether black and white pixels are printed as they are: not as samples of
// several bits.
bool MayMakeBits(const Settings& settings) {
  return settings.rendering.parts.levels == 2 &&
         settings.rendering.look.keeps_pure_pixels();
}

Result<void> PrintPdf(const FilterJob& filter, PagesReader& reader) {
  HALFTONED_TRY_ASSIGN(
      const RasterWords words,
      RasterWords::Make(filter.queue, filter.arguments.options));
  HALFTONED_TRY_ASSIGN(
      const TemporaryFolder folder,
      TemporaryFolder::Make(Environment("TMPDIR", "/tmp"), "pdftohalftone-"));
  const std::string path = folder.path() + "/document";
  HALFTONED_TRY_ASSIGN(const Descriptor document,
                       Descriptor::Open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
  const std::string cache = Environment("CUPS_CACHEDIR");
  const GhostscriptOrder ghostscript{
      .document = document.get(),
      .folder = folder.path(),
      .words = words.words(),
      .cups_log = [&](std::string_view line) { filter.messages.Debug(line); },
      .warn = [&](std::string_view line) { filter.messages.Warning(line); }};
  PdfDocument kept{path,
                   {ghostscript, ghostscript,
                    MayMakeBits(filter.settings) ? words.ForBlack() : "", ""},
                   cache.empty() ? cache : cache + "/halftoned.renderers"};
  Renderers renderers(filter.stop);
  // Starts while the document arrives.
  renderers.StartAhead(ghostscript);
  Descriptor file;
  if (filter.arguments.file) {
    HALFTONED_TRY_ASSIGN(file, OpenPrintFile(*filter.arguments.file));
  }
  HALFTONED_TRY(KeepDocument(filter.arguments.file ? file.get() : STDIN_FILENO,
                             filter.stop, document));
  HALFTONED_TRY_ASSIGN(const std::string start, StartOf(document));
  kept.order.first = words.ProgramFor(start);
  Settings settings = filter.settings;
  settings.is_black_solid = settings.takes_bits = true;
  const FilterJob job{filter.arguments, filter.queue,   settings,
                      filter.engine,    filter.printer, filter.messages,
                      filter.stop};
  return PdfJob(job, kept, reader, renderers).Print();
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  halftoned::OpenStandardDescriptors();
  auto reader = halftoned::PagesReader::Start();
  return halftoned::RunFilter(
      {"pdftohalftone", "pdftohalftone " HALFTONED_VERSION "\n",
       [&](const halftoned::FilterJob& job) {
         return reader.ok() ? halftoned::PrintPdf(job, *reader)
                            : reader.error();
       }},
      argc, argv);
}
