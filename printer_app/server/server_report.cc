// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/server_report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/finding.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/server/folders.h"
#include "printer_app/server/server_connection.h"

namespace halftoned {
namespace {

void Tell(const Finding& finding) {
  std::fputs(LineOf(finding).c_str(), stdout);
  std::fflush(stdout);
}

// A server that replies, and the command by which its user runs sub-commands.
class Server {
 public:
  Server(std::string name, std::string program, std::string restart,
         Folders folders)
      : name_(std::move(name)),
        program_(std::move(program)),
        restart_(std::move(restart)),
        folders_(std::move(folders)) {}

  void TellOf(http_t* http) const {
    const Answer answer = Ask(http, IPP_OP_GET_SYSTEM_ATTRIBUTES);
    if (!answer ||
        ippGetStatusCode(answer.get()) >= IPP_STATUS_ERROR_BAD_REQUEST) {
      return Tell(
          Wrong(name_ + " does not reply: " + cupsLastErrorString(), restart_));
    }
    const std::string version =
        TextIn(answer.get(), "system-firmware-string-version");
    if (version != HALFTONED_VERSION) {
      Tell(Wrong(name_ + " is version " + version +
                     ", but its program is version " HALFTONED_VERSION,
                 restart_));
    }
    TellOfPrinters(answer.get());
  }

 private:
  void TellOfPrinters(ipp_t* answer) const {
    ipp_attribute_t* printers = ippFindAttribute(
        answer, "system-configured-printers", IPP_TAG_BEGIN_COLLECTION);
    const int count = ippGetCount(printers);
    if (count == 0) {
      const Result<int> lost = CountPrintersIn(folders_.LastGoodFile());
      if (lost.ok() && *lost > 0) {
        return Tell(Wrong(name_ + " has lost its printers, " +
                              std::to_string(*lost) + " of them",
                          "stop it, copy " + folders_.LastGoodFile() +
                              " with its owner to " + folders_.StateFile() +
                              ", and start it"));
      }
      return Tell(
          Advice(name_ + " runs, but has no printers",
                 "type: " + program_ + " add -d NAME -m DRIVER -v URI"));
    }
    std::string names;
    for (int i = 0; i < count; ++i) {
      ipp_t* printer = ippGetCollection(printers, i);
      names += (i ? ", " : ": ") + TextIn(printer, "printer-name");
      TellOfPrinter(printer);
    }
    Tell(Good(name_ + " serves " + std::to_string(count) + " printer" +
              (count == 1 ? "" : "s") + names));
  }

  void TellOfPrinter(ipp_t* printer) const {
    const std::string name = TextIn(printer, "printer-name");
    const int state = ippGetInteger(
        ippFindAttribute(printer, "printer-state", IPP_TAG_ENUM), 0);
    const std::string reason = TextIn(printer, "printer-state-reasons");
    if (state == IPP_PSTATE_STOPPED) {
      Tell(Wrong("the printer " + name + " of " + name_ + " is stopped",
                 "type: " + program_ + " resume -d " + name));
    } else if (!reason.empty() && reason != "none") {
      Tell(Advice("the printer " + name + " of " + name_ + " says: " + reason,
                  "check the printer"));
    }
  }

  const std::string name_, program_, restart_;
  const Folders folders_;  // only its user, and root, can read them
};

void TellOfService(int port) {
  const std::string restart =
      "type: sudo systemctl restart halftone-printer-app";
  const Server service("the service halftone-printer-app",
                       "sudo halftone-printer-app", restart,
                       FoldersOf(getenv, true));
  if (const Connection http = Connect("localhost", port)) {
    service.TellOf(http.get());
  } else {
    Tell(Wrong("the service halftone-printer-app cannot be reached at port " +
                   std::to_string(port),
               "type: journalctl -u halftone-printer-app -n 20"));
  }
  // Root's sub-commands connect there, and start a second server if the link is
  // missing.
  if (getuid() == 0 && !ConnectToOwnServer()) {
    Tell(Wrong(RootsSocket() + " does not lead to the service",
               "type: sudo systemd-tmpfiles --create halftone-printer-app.conf "
               "&& sudo systemctl restart halftone-printer-app"));
  }
}

void TellOfOwn() {
  const Connection http = ConnectToOwnServer();
  if (!http) return Tell(Good("this user runs no halftone-printer-app"));
  const std::string program = "halftone-printer-app";
  Server("your halftone-printer-app", program,
         "type: " + program + " shutdown, and start it again",
         FoldersOf(getenv, getuid() == 0))
      .TellOf(http.get());
}

}  // namespace

int RunServerReport(int port) {
  if (port != 0) TellOfService(port);
  if (port == 0 || getuid() != 0) TellOfOwn();
  return 0;
}

}  // namespace halftoned
