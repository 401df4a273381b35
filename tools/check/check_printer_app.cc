// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <sstream>

#include "base/text.h"
#include "check/checks.h"
#include "check/run_program.h"

namespace halftoned {
namespace {

constexpr char kAppService[] = "halftone-printer-app.service";
constexpr char kEnableApp[] =
    "type: sudo systemctl enable --now halftone-printer-app";

bool Has(std::string_view shown, std::string_view line) {
  return ("\n" + std::string(shown)).find("\n" + std::string(line) + "\n") !=
         std::string::npos;
}

// The program's report about running servers.
Findings AskServers(const CheckContext& context, int port) {
  const std::string program = context.places.printer_app();
  const Result<Outcome> run =
      RunProgram({program, "report", std::to_string(port)}, context.timeout);
  if (!run.ok()) {
    return {
        Wrong(run.error().message, HowToInstallOurs("halftone-printer-app"))};
  }
  Findings findings;
  std::istringstream lines(run->out);
  for (std::string line; std::getline(lines, line);) {
    auto finding = FindingIn(line);
    if (finding) findings.push_back(std::move(*finding));
  }
  if (run->is_late) {
    findings.push_back(
        Wrong("a server of halftone-printer-app has not replied for " +
                  std::to_string(context.timeout) + " seconds",
              port ? "type: sudo systemctl restart halftone-printer-app"
                   : "type: halftone-printer-app shutdown"));
  } else if (run->status != 0) {
    findings.push_back(Wrong(program + " has failed",
                             HowToInstallOurs("halftone-printer-app")));
  }
  return findings;
}

}  // namespace

Findings ServiceFindings(std::string_view shown) {
  const bool is_enabled = !Has(shown, "UnitFileState=disabled");
  if (Has(shown, "LoadState=not-found")) {
    return {Wrong("systemd does not know halftone-printer-app",
                  "type: sudo systemctl daemon-reload")};
  }
  if (Has(shown, "LoadState=masked")) {
    return {Good("the service halftone-printer-app is masked")};
  }
  if (Has(shown, "ActiveState=failed")) {
    return {Wrong("halftone-printer-app.service has failed",
                  "type: journalctl -u halftone-printer-app -n 20")};
  }
  if (!Has(shown, "ActiveState=active")) {
    if (!is_enabled) {
      return {
          Good("the service halftone-printer-app is disabled; users can run "
               "their own servers")};
    }
    return {Wrong("halftone-printer-app.service is not active",
                  "type: sudo systemctl start halftone-printer-app")};
  }
  if (!is_enabled) {
    return {
        Wrong("halftone-printer-app.service will not start at the next boot",
              kEnableApp)};
  }
  return {Good("the service halftone-printer-app is active")};
}

int ServicePort(std::string_view shown) {
  constexpr std::string_view kOption = "server-port=";
  const size_t at = shown.find(kOption);
  if (at == shown.npos || !Has(shown, "ActiveState=active")) return 0;
  shown.remove_prefix(at + kOption.size());
  return TakeNumber<int>(shown).value_or(0);
}

Findings CheckPrinterApp(const CheckContext& context) {
  const std::string program = context.places.printer_app();
  if (!Exists(program)) {
    return {Good("halftone-printer-app is not installed")};
  }
  Findings findings;
  int port = 0;
  // Like sd_booted(3).
  if (Exists("/run/systemd/system")) {
    const Result<Outcome> shown = RunProgram(
        {"systemctl", "show", "--no-pager", "-p",
         "LoadState,ActiveState,UnitFileState,ExecStart", kAppService},
        context.timeout);
    if (!shown.ok() || shown->status != 0) {
      findings.push_back(Unseen("the unit of halftone-printer-app"));
    } else {
      findings = ServiceFindings(shown->out);
      port = ServicePort(shown->out);
    }
  }
  // Root does not run a program that CheckVersions has rejected.
  if (::access(program.c_str(), X_OK) != 0) return findings;
  if (::geteuid() == 0 && !IsRootsAlone(program)) return findings;
  for (Finding& finding : AskServers(context, port)) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace halftoned
