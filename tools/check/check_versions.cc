// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <dlfcn.h>
#include <unistd.h>

#include "base/text.h"
#include "check/checks.h"
#include "check/run_program.h"

namespace halftoned {
namespace {

constexpr char kHowTo[] =
    "install all parts from the same packages or the same build";

// The version in the output of `--version`, such as "halftoned 0.1.0".
std::string VersionIn(const std::string& printed) {
  const std::string line = OneLine(printed.substr(0, printed.find('\n')));
  const std::string last = line.substr(line.rfind(' ') + 1);
  const bool is_number = last != "" && last[0] >= '0' && last[0] <= '9';
  return is_number ? last : "";
}

Finding Compared(const std::string& what, const std::string& version) {
  if (version == HALFTONED_VERSION) {
    return Good(what + " has version " + version);
  }
  return Wrong(what + " has version " + version +
                   ", but halftone has version " + HALFTONED_VERSION,
               kHowTo);
}

Findings VersionOf(const std::string& program, int timeout) {
  if (!Exists(program)) return {};
  if (::access(program.c_str(), X_OK) != 0) {
    return {Wrong(program + " is not executable by this user",
                  "type: sudo chmod 755 " + program)};
  }
  // Root does not run programs that others can change.
  if (::geteuid() == 0 && !IsRootsAlone(program)) {
    return {Wrong(
        program + " is writable by users other than root",
        "type: sudo chown root: " + program + " && sudo chmod 755 " + program)};
  }
  const Result<Outcome> run = RunProgram({program, "--version"}, timeout);
  if (!run.ok()) return {Wrong(run.error().message, kHowTo)};
  const std::string version =
      run->status == 0 ? VersionIn(run->out) : std::string();
  if (!version.empty()) return {Compared(program, version)};
  return {Wrong(program + " does not print its version: it is broken, or its "
                          "version differs from that of halftone",
                kHowTo)};
}

// The version of the C library, if it is installed.
Findings VersionOfLibrary() {
  constexpr char kLibrary[] = "libhalftone.so.0";
  void* library = ::dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return {};
  Findings findings;
  using Version = const char*();
  if (auto* version =
          reinterpret_cast<Version*>(::dlsym(library, "ht_version"))) {
    findings.push_back(Compared(kLibrary, version()));
  }
  ::dlclose(library);
  return findings;
}

}  // namespace

Findings CheckVersions(const CheckContext& context) {
  const Places& places = context.places;
  Findings findings = VersionOfLibrary();
  for (const std::string& program :
       {places.daemon, places.libexec + "/worker-cpu",
        places.libexec + "/worker-cuda", places.helper(), places.filter(),
        places.pdf_filter(), places.rip_filter(), places.printer_app(),
        places.sheets()}) {
    for (Finding& finding : VersionOf(program, context.timeout)) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace halftoned
