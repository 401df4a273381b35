// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "check/checks.h"
#include "check/program.h"
#include "config/renderers.h"

namespace halftoned {
namespace {

constexpr KnownRenderer kGhostscripts = kRenderers[0];

// The filter of CUPS that pdftohalftone runs; empty if there is none.
std::string RendererOf(const CheckContext& context) {
  const std::string folder = context.places.server_bin + "/filter/";
  const std::string& named = context.config.renderer;
  if (!named.empty()) return Exists(folder + named) ? named : "";
  const auto* found =
      std::ranges::find_if(kRenderers, [&](const KnownRenderer& known) {
        return Exists(folder + std::string(known.name));
      });
  return found == std::end(kRenderers) ? "" : std::string(found->name);
}

Finding NoRenderer(const CheckContext& context) {
  const std::string folder = context.places.server_bin + "/filter/";
  const std::string& named = context.config.renderer;
  if (!named.empty()) {
    return Wrong("halftoned.conf names the renderer " + named +
                     ", which is not in " + folder,
                 "type: sudoedit " + context.places.configuration);
  }
  return Wrong("PDF cannot be printed: there is no renderer such as " + folder +
                   std::string(kRenderers[0].name),
               HowToInstall("cups-filters"));
}

// gstoraster and the printer application run it.
Finding CheckGhostscript(const CheckContext& context) {
  const std::string ends = "PDF cannot be printed: ";
  const Result<Outcome> run = RunProgram({"gs", "--version"}, context.timeout);
  if (!run.ok()) {
    return Wrong(ends + "Ghostscript is missing (" + run.error().message + ")",
                 HowToInstall("ghostscript"));
  }
  const std::string repair = HowToInstall("--reinstall ghostscript");
  if (run->is_late) {
    return Wrong(ends + "gs --version has not answered for " +
                     std::to_string(context.timeout) + " seconds",
                 repair);
  }
  const std::string& said = run->status == 0 ? run->out : run->errors;
  const std::string line = said.substr(0, said.find('\n'));
  if (run->status != 0) {
    return Wrong(
        ends + "gs --version fails" + (line.empty() ? "" : " (" + line + ")"),
        repair);
  }
  return Good("Ghostscript is of version " + line);
}

}  // namespace

Findings CheckRenderers(const CheckContext& context) {
  const Places& places = context.places;
  Findings findings;
  bool needs_ghostscript = Exists(places.printer_app());
  if (Exists(places.pdf_filter()) && !places.cupsd().empty()) {
    const std::string renderer = RendererOf(context);
    findings.push_back(renderer.empty()
                           ? NoRenderer(context)
                           : Good("there is the renderer " + renderer));
    needs_ghostscript |= renderer == kGhostscripts.name;
  }
  if (needs_ghostscript) findings.push_back(CheckGhostscript(context));
  return findings;
}

}  // namespace halftoned
