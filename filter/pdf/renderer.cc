// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pages Ghostscript makes, and what it takes CMYK for, is told by the
// variable GS_OPTIONS, whose options it takes before those of its command line:
// so the renderer remains the system's, and its command line what it is. A mark
// goes with them, and comes back in each header (page_mark.h).

#include "filter/pdf/renderer.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "filter/program.h"
#include "print/raster/page_mark.h"

namespace halftoned {
namespace {

std::vector<std::string> EnvironmentOf(const RendererOrder& order,
                                       const std::string& pages, PageInk ink) {
  std::vector<std::string> variables =
      EnvironmentWithout({"GS_OPTIONS", "TMPDIR", "PPD"});
  variables.push_back(
      "PPD=" + (ink == PageInk::kBlack ? order.black_ppd : Environment("PPD")));
  variables.push_back("TMPDIR=" + order.folder);
  std::string options = Environment("GS_OPTIONS");
  if (!options.empty()) options += " ";
  options += "-sDefaultCMYKProfile=" + order.cmyk_profile;
  if (!pages.empty()) options += " -sPageList=" + pages;
  options += " -sOutputType=";
  options += pages.empty() ? kRenderedMark : kListedMark;
  variables.push_back("GS_OPTIONS=" + options);
  return variables;
}

}  // namespace

Result<Renderer> Renderer::Start(const RendererOrder& order,
                                 const std::string& pages, PageInk ink) {
  HALFTONED_TRY_ASSIGN(const Descriptor document,
                       Descriptor::Open(order.document, O_RDONLY));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a pipe");
  }
  Descriptor raster(ends[0]);
  const Descriptor written(ends[1]);
  std::vector<std::string> words = {order.program};
  // Without the file that cupsd may name: the document comes on stdin.
  for (char* word : order.words.first(5)) words.emplace_back(word);
  HALFTONED_TRY_ASSIGN(Child process,
                       Child::Start({"the renderer", std::move(words),
                                     EnvironmentOf(order, pages, ink),
                                     document.get(), written.get()}));
  return Renderer(std::move(process), std::move(raster));
}

}  // namespace halftoned
