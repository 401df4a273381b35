// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/machine_ppds.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "base/descriptor.h"
#include "base/libexec.h"
#include "print/process/child.h"
#include "print/process/stop.h"

namespace halftoned {
namespace {

constexpr const char* kLister = HALFTONED_CUPS_SERVERBIN "/daemon/cups-driverd";

// Somebody waits for the printer to be added.
constexpr std::chrono::seconds kMostTime{60};

// In single quotes, as CUPS takes values of options apart.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace

Result<MachinePpds> MachinePpds::Make() {
  HALFTONED_TRY_ASSIGN(TemporaryFolder folder,
                       TemporaryFolder::Make("/tmp", "halftone-printer-app-"));
  return MachinePpds(std::move(folder));
}

Result<std::vector<std::string>> MachinePpds::For(
    const std::string& device_id) const {
  std::vector<std::string> names;
  if (::access(kLister, X_OK) != 0) return names;
  // Those that need no driver are no PPD files for printers without IPP.
  HALFTONED_TRY_ASSIGN(
      const std::string list,
      Run({kLister, "list", "0", "0",
           "exclude-schemes=driverless,driverless-fax ppd-device-id=" +
               Quoted(device_id)},
          "list"));
  std::ifstream lines(list);
  // "NAME (MAKE AND MODEL)"
  for (std::string line; std::getline(lines, line);) {
    names.push_back(line.substr(0, line.find(" (")));
  }
  return names;
}

Result<std::string> MachinePpds::Adopt(const std::string& name) const {
  HALFTONED_TRY_ASSIGN(const std::string made,
                       Run({kLister, "cat", name}, "made.ppd"));
  const std::string adopted = At("adopted.ppd");
  HALFTONED_TRY(Run({LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/halftone-adopt",
                     "adopt", "--ppd", made, adopted},
                    "said"));
  return adopted;
}

Result<std::string> MachinePpds::Run(std::vector<std::string> words,
                                     const std::string& file) const {
  HALFTONED_TRY_ASSIGN(const Stop stop, Stop::Make());
  HALFTONED_TRY_ASSIGN(const Descriptor none,
                       Descriptor::Open("/dev/null", O_RDWR));
  const std::string path = At(file.c_str());
  HALFTONED_TRY_ASSIGN(const Descriptor output,
                       Descriptor::Open(path, O_WRONLY | O_CREAT | O_TRUNC));
  std::vector<std::string> variables = EnvironmentWithout({"CUPS_CACHEDIR"});
  variables.push_back("CUPS_CACHEDIR=" + folder_.path());
  HALFTONED_TRY_ASSIGN(Child process,
                       Child::Start({.name = words.front(),
                                     .words = std::move(words),
                                     .environment = std::move(variables),
                                     .input = none.get(),
                                     .output = output.get(),
                                     .messages = none.get()}));
  HALFTONED_TRY(process.Finish(stop, kMostTime));
  return path;
}

}  // namespace halftoned
