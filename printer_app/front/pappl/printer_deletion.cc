// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/printer_deletion.h"

#include <cups/cups.h>

#include <string>

#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

// Each waits for the end of the printer's last job, some seconds.
constexpr int kMostAsks = 8;

}  // namespace

void PrinterDeletion::Prepare() {
  deletion_.WaitForItsRequests();
  for (int asks = 0; asks < kMostAsks; ++asks) {
    // PAPPL refuses URLs that are not ASCII.
    const std::string page = "/halftone-inner/let-go?" + Escaped(name_);
    if (front_.behind.AskPage(page).ok()) break;
  }
  deletion_.WaitForAll();
}

bool PrinterDeletion::Delete(int id) {
  Prepare();
  const Ipp request(ippNewRequest(IPP_OP_DELETE_PRINTER));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
               nullptr, "ipp://localhost/ipp/system");
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "printer-id",
                id);
  const Result<Ipp> answer = front_.behind.AskIpp(request.get(), {});
  return answer.ok() && ippGetStatusCode(answer->get()) == IPP_STATUS_OK &&
         front_.SavesPrinters();
}

}  // namespace halftoned
