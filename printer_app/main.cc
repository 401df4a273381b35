// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone-printer-app: IPP printers that halftone, by PAPPL's main loop.

#include <pappl/pappl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "printer_app/application.h"
#include "printer_app/drivers.h"
#include "printer_app/folders.h"
#include "printer_app/printer_data.h"
#include "printer_app/server_report.h"
#include "printer_app/stop_signal.h"
#include "printer_app/system.h"
#include "printer_app/web_text.h"

namespace halftoned {
namespace {

// PAPPL starts a server by the name that this program was called by, which is
// no path if the shell found it in PATH.
std::string OwnPath(const char* called) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? called : path.string();
}

// PAPPL 1.3 does not know its own option for copies behind `submit`.
std::vector<std::string> WordsOf(int argc, char* argv[]) {
  std::vector<std::string> words(argv, argv + argc);
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "-n") continue;
    words[i] = "-o";
    words[i + 1] = "copies=" + words[i + 1];
  }
  return words;
}

int Main(int argc, char* argv[]) {
  if (argc > 1 && !std::strcmp(argv[1], "report")) {
    return RunServerReport(argc > 2 ? std::atoi(argv[2]) : 0);
  }
  // Other sub-commands are ended by signals as any program is.
  const bool may_serve =
      std::find(argv, argv + argc, std::string_view("server")) != argv + argc;
  if (may_serve) HoldStopSignals();
  const Folders folders =
      FoldersOf([](const char* name) { return getenv(name); }, getuid() == 0);
  // Never ends: the keeper's thread uses it as long as there is a process.
  Application& application = *new Application(folders.PpdFolder(), may_serve);
  for (const Driver& driver : Drivers()) {
    application.drivers.push_back(
        {driver.name, driver.description, nullptr, nullptr});
  }
  for (const Driver* driver : application.system_drivers.all()) {
    application.drivers.push_back(
        {driver->name, driver->description, nullptr, nullptr});
  }
  std::vector<std::string> texts = WordsOf(argc, argv);
  texts[0] = OwnPath(argv[0]);
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  return papplMainloop(argc, words.data(), HALFTONED_VERSION, kWebFooter,
                       static_cast<int>(application.drivers.size()),
                       application.drivers.data(), AutoAdd, SetUpDriver,
                       nullptr, nullptr, MakeSystem, nullptr, &application);
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) { return halftoned::Main(argc, argv); }
