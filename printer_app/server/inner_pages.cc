// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/inner_pages.h"

#include <mutex>
#include <utility>
#include <vector>

#include "printer_app/handover/spooled_document.h"
#include "printer_app/matching/file_format.h"
#include "printer_app/server/inner_answer.h"

namespace halftoned {
namespace {

std::mutex refusal_lock;
std::string refusal;

// The text that a PAPPL function writes into a buffer of 256 bytes.
template <typename Object>
std::string TextOf(char* (*get)(Object*, char*, size_t), Object* object) {
  char text[256] = "";
  get(object, text, sizeof(text));
  return text;
}

bool TellSettings(pappl_client_t* client, void* data) {
  auto* system = static_cast<pappl_system_t*>(data);
  return AnswerFront(
      client, "admin-group=" + TextOf(papplSystemGetAdminGroup, system) +
                  "\nhost-name=" + TextOf(papplSystemGetHostName, system) +
                  '\n');
}

// Lines "ID GROUP /NAME", the default printer first.
bool TellPrinters(pappl_client_t* client, void* printers) {
  const int first =
      papplSystemGetDefaultPrinterID(papplClientGetSystem(client));
  std::string lines;
  static_cast<LivePrinters*>(printers)->ForEach([&](pappl_printer_t* printer) {
    const int id = papplPrinterGetID(printer);
    lines.insert(id == first ? 0 : lines.size(),
                 std::to_string(id) + ' ' +
                     TextOf(papplPrinterGetPrintGroup, printer) + ' ' +
                     LivePrinters::PathOf(printer) + '\n');
  });
  return AnswerFront(client, lines);
}

bool TellRefusal(pappl_client_t* client, void* /*data*/) {
  const std::lock_guard lock(refusal_lock);
  return AnswerFront(client, std::exchange(refusal, {}));
}

// The IEEE 1284 device ID of the printer at the URI that the query gives; empty
// if the printer does not tell it.
bool TellDeviceId(pappl_client_t* client, void* system) {
  const char* uri = papplClientGetOptions(client);
  pappl_device_t* device =
      papplDeviceOpen(uri ? uri : "", "auto", papplLogDevice, system);
  char id[1024] = "";
  if (device) {
    papplDeviceGetID(device, id, sizeof(id));
    papplDeviceClose(device);
  }
  return AnswerFront(client, id);
}

bool TellToken(pappl_client_t* client, void* /*data*/) {
  return AnswerFront(client, TextOf(papplClientGetCSRFToken, client));
}

// PAPPL removes ended jobs above its limit only if no job has ended for a
// minute, so if jobs end all the time, it keeps them all. While it preserves
// documents, it removes all jobs that have ended longer ago.
bool TidyJobs(pappl_client_t* client, void* printers) {
  constexpr int kMostEnded = 300;
  std::vector<pappl_printer_t*> full;
  static_cast<LivePrinters*>(printers)->ForEach([&](pappl_printer_t* printer) {
    if (papplPrinterGetNumberOfCompletedJobs(printer) > kMostEnded) {
      full.push_back(printer);
    }
  });
  for (pappl_printer_t* each : full) papplPrinterSetMaxPreservedJobs(each, 1);
  if (!full.empty()) papplSystemCleanJobs(papplClientGetSystem(client));
  for (pappl_printer_t* each : full) papplPrinterSetMaxPreservedJobs(each, 0);
  return AnswerFront(client, "");
}

// The format of the document in the spool whose number the query gives; empty
// if it is unknown.
bool TellFormat(pappl_client_t* client, void* spool) {
  const char* number = papplClientGetOptions(client);
  const std::string name = DocumentName(number ? number : "");
  if (!IsDocumentName(name)) return RefuseFront(client, HTTP_STATUS_NOT_FOUND);
  const char* format =
      FormatOfDocument(*static_cast<const std::string*>(spool) + '/' + name);
  return AnswerFront(client, std::string(format ? format : "") + '\n');
}

}  // namespace

void RefuseDriver(std::string why) {
  const std::lock_guard lock(refusal_lock);
  refusal = std::move(why);
}

void AddInnerPages(pappl_system_t* system, Application& application) {
  LivePrinters& printers = application.keeper->live();
  const auto add = [&](const char* path, pappl_resource_cb_t tell, void* data) {
    papplSystemAddResourceCallback(system, path, "text/plain", tell, data);
  };
  add("/halftone-inner/settings", TellSettings, system);
  add("/halftone-inner/printers", TellPrinters, &printers);
  add("/halftone-inner/refusal", TellRefusal, system);
  add("/halftone-inner/device-id", TellDeviceId, system);
  add("/halftone-inner/token", TellToken, system);
  add("/halftone-inner/tidy", TidyJobs, &printers);
  add("/halftone-inner/format", TellFormat, &application.spool);
}

}  // namespace halftoned
