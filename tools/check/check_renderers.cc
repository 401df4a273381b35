// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/checks.h"
#include "check/run_program.h"

namespace halftoned {
namespace {

// The renderer that pdftohalftone and the printer application run.
Finding CheckGhostscript(const CheckContext& context) {
  const std::string ends = "PDF cannot be printed: ";
  const Result<Outcome> run = RunProgram({"gs", "--version"}, context.timeout);
  if (!run.ok()) {
    return Wrong(ends + "Ghostscript is missing (" + run.error().message + ")",
                 HowToInstall("ghostscript"));
  }
  const std::string repair = HowToInstall("--reinstall ghostscript");
  if (run->is_late) {
    return Wrong(ends + "gs --version has not replied for " +
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
  return Good("Ghostscript has version " + line);
}

}  // namespace

Findings CheckRenderers(const CheckContext& context) {
  const Places& places = context.places;
  Findings findings;
  if (Exists(places.printer_app()) ||
      (Exists(places.pdf_filter()) && !places.cupsd().empty())) {
    findings.push_back(CheckGhostscript(context));
  }
  return findings;
}

}  // namespace halftoned
