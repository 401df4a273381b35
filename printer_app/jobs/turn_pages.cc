// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/turn_pages.h"

#include <cups/http.h>

#include <chrono>
#include <string>
#include <string_view>

#include "printer_app/jobs/test_sheet.h"

namespace halftoned {
namespace {

constexpr std::chrono::seconds kMostWait{10};

bool Answer(pappl_client_t* client, http_status_t status, const char* type,
            std::string_view body) {
  if (!papplClientRespond(client, status, nullptr, type, 0, body.size())) {
    return false;
  }
  http_t* http = papplClientGetHTTP(client);
  if (!body.empty()) httpWrite2(http, body.data(), body.size());
  httpFlushWrite(http);
  return true;
}

bool Refuse(pappl_client_t* client, http_status_t status) {
  return papplClientRespond(client, status, nullptr, nullptr, 0, 0);
}

// Null if there is none of the name that the page is asked for.
pappl_printer_t* PrinterOf(pappl_client_t* client) {
  const char* name = papplClientGetOptions(client);
  if (!name) return nullptr;
  return papplSystemFindPrinter(papplClientGetSystem(client),
                                ("/ipp/print/" + std::string(name)).c_str(), 0,
                                nullptr);
}

bool LetGo(pappl_client_t* client, void* turns) {
  pappl_printer_t* printer = PrinterOf(client);
  if (!printer) return Refuse(client, HTTP_STATUS_NOT_FOUND);
  if (!static_cast<JobTurns*>(turns)->LetGo(printer, kMostWait)) {
    return Refuse(client, HTTP_STATUS_CONFLICT);
  }
  return Answer(client, HTTP_STATUS_OK, "text/plain", "unused\n");
}

bool ShowTestPage(pappl_client_t* client, void* /*data*/) {
  pappl_printer_t* printer = PrinterOf(client);
  if (!printer) return Refuse(client, HTTP_STATUS_NOT_FOUND);
  return Answer(client, HTTP_STATUS_OK, "application/pdf", TestSheet(printer));
}

}  // namespace

void AddTurnPages(pappl_system_t* system, JobTurns& turns) {
  papplSystemAddResourceCallback(system, "/halftone-inner/let-go", "text/plain",
                                 LetGo, &turns);
  papplSystemAddResourceCallback(system, "/halftone-inner/test-page",
                                 "application/pdf", ShowTestPage, nullptr);
}

}  // namespace halftoned
