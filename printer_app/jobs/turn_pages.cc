// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/turn_pages.h"

#include <chrono>

#include "printer_app/front/rules/texts.h"
#include "printer_app/jobs/test_sheet.h"
#include "printer_app/server/inner_answer.h"

namespace halftoned {
namespace {

constexpr std::chrono::seconds kMostWait{10};

// Null if no printer has the name that the page's query gives.
pappl_printer_t* PrinterOf(pappl_client_t* client, LivePrinters& live) {
  const char* name = papplClientGetOptions(client);
  return name ? live.Find(Unescaped(name)) : nullptr;
}

bool LetGo(pappl_client_t* client, void* data) {
  JobTurns& turns = *static_cast<JobTurns*>(data);
  pappl_printer_t* printer = PrinterOf(client, turns.live());
  if (!printer) return RefuseFront(client, HTTP_STATUS_NOT_FOUND);
  if (!turns.LetGo(printer, kMostWait)) {
    return RefuseFront(client, HTTP_STATUS_CONFLICT);
  }
  return AnswerFront(client, "unused\n");
}

bool ShowTestPage(pappl_client_t* client, void* live) {
  pappl_printer_t* printer =
      PrinterOf(client, *static_cast<LivePrinters*>(live));
  if (!printer) return RefuseFront(client, HTTP_STATUS_NOT_FOUND);
  return AnswerFront(client, TestSheet(printer), "application/pdf");
}

}  // namespace

void AddTurnPages(pappl_system_t* system, JobTurns& turns) {
  papplSystemAddResourceCallback(system, "/halftone-inner/let-go", "text/plain",
                                 LetGo, &turns);
  papplSystemAddResourceCallback(system, "/halftone-inner/test-page",
                                 "application/pdf", ShowTestPage,
                                 &turns.live());
}

}  // namespace halftoned
