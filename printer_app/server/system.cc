// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/system.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/result.h"
#include "base/unix_socket.h"
#include "printer_app/application.h"
#include "printer_app/devices/device_program.h"
#include "printer_app/devices/own_server.h"
#include "printer_app/documents/document_filters.h"
#include "printer_app/documents/document_job.h"
#include "printer_app/front/pappl/user_subscriptions.h"
#include "printer_app/front/run.h"
#include "printer_app/matching/file_format.h"
#include "printer_app/printers/printer_data.h"
#include "printer_app/server/folders.h"
#include "printer_app/server/inner_pages.h"
#include "printer_app/server/of_command.h"
#include "printer_app/server/server_options.h"
#include "printer_app/server/web_text.h"
#include "printer_app/system_driver/ppd/ppd_texts.h"

namespace halftoned {
namespace {

constexpr const char* kName = "halftone-printer-app";
// Each subscription keeps up to 100 events. The limit is twice that of other
// machines, so that users of this machine get some.
constexpr size_t kMostSubscriptions = 2 * UserSubscriptions::kMostOfOthers;

pappl_system_t* Refuse(const Error& error) {
  std::fprintf(stderr, "%s: %s\n", kName, error.message.c_str());
  return nullptr;
}

pappl_system_t* Refuse(const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s: %s\n", kName, what, why);
  return nullptr;
}

// The front end limits the lines of the pipe. A page of PAPPL shows the file.
std::string LogOfPappl(const ServerOptions& options, const Folders& folders) {
  const bool shows_log = (*options.Server() & PAPPL_SOPTIONS_WEB_LOG) != 0;
  const bool is_limited =
      *options.Level() != PAPPL_LOGLEVEL_DEBUG && !shows_log;
  return is_limited ? folders.LogPipe() : options.LogFile(folders);
}

// The options are valid. Without a log file, PAPPL would leave a new log in the
// temporary directory each time. The front end limits the size of the log;
// PAPPL would try to do so at its first line. Only a server uses the directory
// for documents.
pappl_system_t* Create(const ServerOptions& options, const Folders& folders,
                       bool may_serve) {
  const std::string log =
      may_serve ? LogOfPappl(options, folders) : std::string("/dev/null");
  pappl_system_t* system = papplSystemCreate(
      *options.Server(), kName, *options.Number("server-port", 65535, 0),
      "_print,_universal", may_serve ? folders.spool.c_str() : "/tmp",
      log.c_str(), PAPPL_LOGLEVEL_FATAL, options.Find("auth-service"),
      /*tls_only=*/false);
  if (!system) return nullptr;
  papplSystemSetMaxLogSize(system, 0);
  papplSystemSetMaxSubscriptions(system, kMostSubscriptions);
  // At level info, PAPPL logs several lines for each request. The front end
  // logs requests, and the application logs printers and jobs.
  const pappl_loglevel_t level = *options.Level();
  papplSystemSetLogLevel(
      system, level == PAPPL_LOGLEVEL_INFO ? PAPPL_LOGLEVEL_WARN : level);
  return system;
}

// PAPPL gives printers a name for DNS-SD, and would announce it. A name that a
// user has chosen is kept.
void LeaveUnannounced(pappl_printer_t* printer, void* /*data*/) {
  char name[256] = "";
  papplPrinterGetDNSSDName(printer, name, sizeof(name));
  if (std::string_view(name) == papplPrinterGetName(printer)) {
    papplPrinterSetDNSSDName(printer, nullptr);
  }
}

// PAPPL's DNS-SD stops the server if a name is taken, so D-Bus is hidden from
// it. Our program that lists devices still finds D-Bus.
void HideSystemBus() {
  constexpr char kBus[] = "DBUS_SYSTEM_BUS_ADDRESS";
  if (const char* address = std::getenv(kBus)) {
    setenv(kSystemBus, address, 1);
  }
  setenv(kBus, "unix:path=/dev/null", 1);
}

void SetTexts(pappl_system_t* system) {
  pappl_version_t version = {};
  papplCopyString(version.name, "Halftone Printer Application",
                  sizeof(version.name));
  papplCopyString(version.sversion, HALFTONED_VERSION,
                  sizeof(version.sversion));
  std::sscanf(HALFTONED_VERSION, "%hu.%hu.%hu", version.version,
              version.version + 1, version.version + 2);
  papplSystemSetVersions(system, 1, &version);
  papplSystemSetFooterHTML(
      system, "halftone-printer-app " HALFTONED_VERSION ", part of halftoned");
}

}  // namespace

pappl_system_t* MakeSystem(int num_options, cups_option_t* options_data,
                           void* data) {
  const ServerOptions options(num_options, options_data);
  const auto server = options.Server();
  const auto level = options.Level();
  const auto port = options.Number("server-port", 65535, 0);
  const auto files = options.Truth("file-devices");
  const auto page = options.Number("page-timeout", 86400, kPageTimeout);
  const auto has_crashed = options.Truth(kAfterCrash);
  if (!server || !level || !port || !files || !page || !has_crashed) {
    return Refuse("options", "bad");
  }
  Folders folders = FoldersOf(getenv, getuid() == 0);
  if (const char* spool = options.Find("spool-directory")) {
    folders.spool = spool;
  }
  auto& application = *static_cast<Application*>(data);
  application.has_file_devices = *files;
  application.page_timeout = std::chrono::seconds(*page);
  if (application.may_serve) {
    application.log.emplace(options.LogFile(folders),
                            static_cast<FrontLog::Level>(*level));
    HideSystemBus();
    SetServerPort(*port);
  }
  pappl_system_t* system = Create(options, folders, application.may_serve);
  if (!system) return Refuse("server", "cannot be created");
  if (const char* host = options.Find("server-hostname")) {
    papplSystemSetHostName(system, host);
  }
  SetTexts(system);
  AddWebText(system);
  AddPpdTexts(system, application.system_drivers.all());
  AddDocumentFilters(system, application);
  application.spool = folders.spool;
  application.turn_file = folders.TurnFile();
  papplSystemSetMIMECallback(system, FileFormat, &application.spool);
  papplSystemSetPrinterDrivers(
      system, static_cast<int>(application.drivers.size()),
      application.drivers.data(), AutoAdd, LeaveUnannounced, SetUpDriver, data);
  if (!application.may_serve) return system;
  RemoveLeftDocuments();
  application.keeper.emplace(folders, *has_crashed, *application.log);
  AddInnerPages(system, application);
  const char* group = options.Find("admin-group");
  const Result<void> begun =
      application.keeper->Begin(system, group ? group : "");
  if (!begun.ok()) return Refuse(begun.error());
  // The front end announces the printers (announcer.h).
  papplSystemSetDNSSDName(system, nullptr);
  papplSystemIteratePrinters(system, LeaveUnannounced, nullptr);
  // Listens only after all jobs are read: the front end waits for the listener
  // without limit, but kills a process that listens and does not respond
  // (pulse.h).
  Result<SocketAddress> inner = AddressOf(folders.InnerSocket());
  if (!inner.ok()) return Refuse(inner.error());
  application.inner_socket.emplace(std::move(*inner));
  papplSystemAddListeners(system, application.inner_socket->path());
  if (IsOfCommand()) LetGoOfOutput();
  return system;
}

}  // namespace halftoned
