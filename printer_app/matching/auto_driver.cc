// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/auto_driver.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/libexec.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "print/process/child.h"
#include "print/process/stop.h"
#include "printer_app/matching/device_id.h"
#include "printer_app/matching/device_id_text.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

constexpr const char* kLister = HALFTONED_CUPS_SERVERBIN "/daemon/cups-driverd";

// Limited, because a user waits for the printer to be added.
constexpr std::chrono::seconds kMostTime{60};

// In single quotes, because CUPS splits option values at blanks.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// The PPD files that `lpinfo -m` lists: files on this machine, and output of
// CUPS' driver programs.
class MachinePpds {
 public:
  static Result<MachinePpds> Make();

  // The names of files that may be for the printer, best first; none if CUPS is
  // not installed.
  Result<std::vector<std::string>> For(const std::string& device_id) const;

  // Runs `halftone adopt` on the file. Returns the path of the result, which is
  // removed when this object is destroyed.
  Result<std::string> Adopt(const std::string& name) const;

 private:
  explicit MachinePpds(TemporaryFolder folder) : folder_(std::move(folder)) {}
  Result<std::string> Run(std::vector<std::string> words,
                          const std::string& file) const;
  std::string At(const char* file) const { return folder_.path() + "/" + file; }

  TemporaryFolder folder_;
};

Result<MachinePpds> MachinePpds::Make() {
  HALFTONED_TRY_ASSIGN(TemporaryFolder folder,
                       TemporaryFolder::Make("/tmp", "halftone-printer-app-"));
  return MachinePpds(std::move(folder));
}

Result<std::vector<std::string>> MachinePpds::For(
    const std::string& device_id) const {
  std::vector<std::string> names;
  if (::access(kLister, X_OK) != 0) return names;
  // Models without a driver have no PPD files for printers without IPP.
  HALFTONED_TRY_ASSIGN(
      const std::string list,
      Run({kLister, "list", "0", "0",
           "exclude-schemes=driverless,driverless-fax ppd-device-id=" +
               Quoted(SearchedDeviceId(device_id))},
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

constexpr const char* kChoose =
    "choose a driver with -m DRIVER; `halftone-printer-app drivers` lists them";
// The number of PPD files to try for a printer.
constexpr size_t kMostTries = 8;

// "brother-hl-2030".
std::string FileNameOf(const DeviceId& device) {
  std::string name = LowerCase(device.Key());
  std::ranges::replace_if(
      name,
      [](char c) { return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'); },
      '-');
  return name;
}

}  // namespace

const Driver* KnownDriver(const char* device_id, const SystemDrivers& drivers) {
  const DeviceId device = DeviceId::Parse(device_id);
  const Driver* adopted = drivers.FindFor(device);
  return adopted ? adopted : DriverForDevice(device);
}

Result<const Driver*> AutoDriver(const char* device_id,
                                 SystemDrivers& drivers) {
  if (const Driver* known = KnownDriver(device_id, drivers)) return known;
  const DeviceId device = DeviceId::Parse(device_id);
  if (!device.names_model()) {
    return BadInput(std::string("the printer does not say what it is; ") +
                    kChoose);
  }
  HALFTONED_TRY_ASSIGN(const MachinePpds ppds, MachinePpds::Make());
  HALFTONED_TRY_ASSIGN(std::vector<std::string> names, ppds.For(device_id));
  names.resize(std::min(names.size(), kMostTries));
  for (const std::string& name : names) {
    const Result<std::string> file = ppds.Adopt(name);
    if (!file.ok()) continue;
    if (const Driver* driver = drivers.Add(*file, FileNameOf(device), device)) {
      return driver;
    }
  }
  return BadInput("no driver is known for " + Printable(device.Key(), 80) +
                  "; " + kChoose);
}

}  // namespace halftoned
