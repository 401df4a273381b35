// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users apart. PAPPL 1.3 believes whatever name a client says, lets each client
// cancel any job, shows all of them, and lets each program of the machine
// change printers. These functions stand before PAPPL's own, in its own calls
// too. A server does not start where PAPPL has no functions of these names
// (library_check.h).
//
// Each request passes here, so what else is done with one is called from here:
// its texts (texts.h) and values (request_values.h), its options (options.h),
// and printers that go (deletion.h).

#include <cups/http.h>
#include <cups/ipp.h>
#include <pappl/pappl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "printer_app/interposed/caller.h"
#include "printer_app/interposed/deletion.h"
#include "printer_app/interposed/of_library.h"
#include "printer_app/interposed/options.h"
#include "printer_app/interposed/texts.h"
#include "printer_app/server/request_values.h"
#include "printer_app/server/stop_signal.h"

using halftoned::Caller;
using halftoned::CallerOf;
using halftoned::OfLibrary;

#define OF_PAPPL(name) OfLibrary(name, #name)

namespace {

// What everybody may know of a job, sorted.
constexpr std::string_view kPublic[] = {"date-time-at-completed",
                                        "date-time-at-creation",
                                        "date-time-at-processing",
                                        "job-id",
                                        "job-impressions",
                                        "job-impressions-completed",
                                        "job-k-octets",
                                        "job-printer-up-time",
                                        "job-printer-uri",
                                        "job-state",
                                        "job-state-message",
                                        "job-state-reasons",
                                        "job-uri",
                                        "job-uuid",
                                        "time-at-completed",
                                        "time-at-creation",
                                        "time-at-processing"};
static_assert(std::ranges::is_sorted(kPublic));

constexpr const char* kWithheld = "Withheld";

// The request of this thread.
struct Request {
  pappl_client_t* client = nullptr;
  pappl_client_t* called = nullptr;  // whose `caller` this is
  Caller caller;
};
thread_local Request request;

bool IsWeb() {
  return request.client && !papplClientGetRequest(request.client);
}

std::string_view OwnerOf(pappl_job_t* job) {
  static auto* const get = OF_PAPPL(papplJobGetUsername);
  const char* name = get(job);
  return name ? name : "";
}

bool HasPasswords(pappl_client_t* client) {
  return papplSystemGetAuthService(papplClientGetSystem(client)) != nullptr;
}

bool IsUnixSocket(pappl_client_t* client) {
  return httpAddrFamily(httpGetAddress(papplClientGetHTTP(client))) == AF_LOCAL;
}

bool HasWebPassword(pappl_client_t* client) {
  char hash[256] = "";
  papplSystemGetPassword(papplClientGetSystem(client), hash, sizeof(hash));
  return *hash != '\0';
}

http_status_t AskPappl(pappl_client_t* client) {
  static auto* const ask = OF_PAPPL(papplClientIsAuthorized);
  return ask(client);
}

const char* NameSaid(pappl_client_t* client) {
  ipp_t* message = papplClientGetRequest(client);
  return ippGetString(
      ippFindAttribute(message, "requesting-user-name", IPP_TAG_NAME), 0,
      nullptr);
}

// Of PAPPL's web pages: somebody who had the password.
bool IsWebAdmin(pappl_client_t* client) {
  const char* name = papplClientGetUsername(client);
  return IsWeb() && name &&
         (HasPasswords(client) || !std::strcmp(name, "web-admin"));
}

// Whether the client of this thread may see and change the job.
bool MayTouch(pappl_client_t* client, pappl_job_t* job) {
  const Caller& caller = request.caller;
  if (IsWebAdmin(client)) return true;
  if (caller.is_local) {
    return caller.is_trusted || caller.is_admin ||
           (!caller.name.empty() && caller.name == OwnerOf(job));
  }
  if (IsWeb()) return false;
  const char* name = papplClientGetUsername(client);
  if (!name) name = NameSaid(client);
  return (name && name == OwnerOf(job)) ||
         (HasPasswords(client) && AskPappl(client) == HTTP_STATUS_CONTINUE);
}

// Nothing of another user's job is to be known or done in this request.
bool IsAnothers(pappl_job_t* job) {
  return IsWeb() && !MayTouch(request.client, job);
}

void FindPrinting(pappl_job_t* job, void* found) {
  const ipp_jstate_t state = papplJobGetState(job);
  if (state == IPP_JSTATE_PROCESSING || state == IPP_JSTATE_STOPPED) {
    *static_cast<pappl_job_t**>(found) = job;
  }
}

// That the request is about; null if none.
pappl_job_t* JobOf(pappl_client_t* client) {
  pappl_job_t* job = papplClientGetJob(client);
  if (ippGetOperation(papplClientGetRequest(client)) ==
      IPP_OP_CANCEL_CURRENT_JOB) {
    papplPrinterIterateActiveJobs(papplClientGetPrinter(client), FindPrinting,
                                  &job, 1, 0);
  }
  return job;
}

struct OwnJobs {
  std::string_view owner;
  std::vector<int> ids;
};

void CollectOwn(pappl_job_t* job, void* data) {
  auto& own = *static_cast<OwnJobs*>(data);
  if (OwnerOf(job) == own.owner) own.ids.push_back(papplJobGetID(job));
}

// PAPPL would cancel everybody's.
void CancelOwnJobs(pappl_client_t* client) {
  const char* name = papplClientGetUsername(client);
  if (!name) name = NameSaid(client);
  if (!name) {
    papplClientRespondIPP(client, IPP_STATUS_ERROR_BAD_REQUEST,
                          "Whose jobs are to be canceled?");
    return;
  }
  OwnJobs own{name, {}};
  pappl_printer_t* printer = papplClientGetPrinter(client);
  papplPrinterIterateActiveJobs(printer, CollectOwn, &own, 1, 0);
  ipp_attribute_t* wanted = ippFindAttribute(papplClientGetRequest(client),
                                             "job-ids", IPP_TAG_INTEGER);
  for (const int id : own.ids) {
    if (!wanted || ippContainsInteger(wanted, id)) {
      papplJobCancel(papplPrinterFindJob(printer, id));
    }
  }
  papplClientRespondIPP(client, IPP_STATUS_OK, nullptr);
}

// PAPPL's own answer is 0 for a printer that was added since the server's
// start, and `delete` and `default` ask for it.
void TellPrinterId(pappl_client_t* client) {
  ipp_t* answer = papplClientGetResponse(client);
  pappl_printer_t* printer = papplClientGetPrinter(client);
  ipp_attribute_t* id =
      answer ? ippFindAttribute(answer, "printer-id", IPP_TAG_INTEGER)
             : nullptr;
  if (printer && id) {
    ippSetInteger(answer, &id, 0, papplPrinterGetID(printer));
  }
}

bool Forbid(pappl_client_t* client) {
  papplClientRespond(client, HTTP_STATUS_FORBIDDEN, nullptr, nullptr, 0, 0);
  return false;
}

bool MayChangePrinters(pappl_client_t* client) {
  const Caller& caller = request.caller;
  return !caller.is_local || caller.is_admin || IsWebAdmin(client);
}

}  // namespace

extern "C" bool _papplClientProcessHTTP(pappl_client_t* client) {
  static auto* const process = OF_PAPPL(_papplClientProcessHTTP);
  const halftoned::ClientThread thread;
  if (request.called != client) {
    request.caller = CallerOf(client, papplClientGetSystem(client));
    request.called = client;
  }
  request.client = client;
  const bool goes_on = process(client);
  request.client = nullptr;
  return goes_on;
}

extern "C" bool _papplClientProcessIPP(pappl_client_t* client) {
  static auto* const process = OF_PAPPL(_papplClientProcessIPP);
  const Caller& caller = request.caller;
  halftoned::BeginRequestUse();
  halftoned::CleanTexts(papplClientGetRequest(client));
  for (const std::string& line :
       halftoned::LeaveOutWrongValues(papplClientGetRequest(client))) {
    papplLogClient(client, PAPPL_LOGLEVEL_WARN, "Left out: %s.", line.c_str());
  }
  papplClientSetUsername(client, nullptr);
  if (caller.is_local && !caller.is_trusted) {
    papplClientSetUsername(client, caller.name.c_str());
    ipp_t* message = papplClientGetRequest(client);
    ipp_attribute_t* said =
        ippFindAttribute(message, "requesting-user-name", IPP_TAG_NAME);
    if (said) ippSetString(message, &said, 0, caller.name.c_str());
  }
  // PAPPL itself would do it some time later, and keep no job.
  const bool stops = ippGetOperation(papplClientGetRequest(client)) ==
                         IPP_OP_SHUTDOWN_ALL_PRINTERS &&
                     papplClientIsAuthorized(client) == HTTP_STATUS_CONTINUE;
  const bool goes_on = process(client);
  // PAPPL deletes one that prints when its job ends.
  pappl_printer_t* printer = papplClientGetPrinter(client);
  if (printer && !halftoned::HasDeleted(printer) &&
      papplPrinterIsDeleted(printer)) {
    papplPrinterDelete(printer);
  }
  if (stops &&
      ippGetStatusCode(papplClientGetResponse(client)) == IPP_STATUS_OK) {
    httpFlushWrite(papplClientGetHTTP(client));
    halftoned::RaiseStopSignal();
  }
  return goes_on;
}

// Whether it may change printers.
extern "C" http_status_t papplClientIsAuthorized(pappl_client_t* client) {
  // Over a Unix socket PAPPL asks nobody for a password.
  if (request.client == client && !MayChangePrinters(client) &&
      (!HasPasswords(client) || IsUnixSocket(client))) {
    return HTTP_STATUS_FORBIDDEN;
  }
  return AskPappl(client);
}

// Whether it may print, or do what it asks with a job.
extern "C" bool _papplPrinterIsAuthorized(pappl_client_t* client) {
  static auto* const ask = OF_PAPPL(_papplPrinterIsAuthorized);
  pappl_job_t* job = JobOf(client);
  if (job &&
      ippGetOperation(papplClientGetRequest(client)) !=
          IPP_OP_GET_JOB_ATTRIBUTES &&
      !MayTouch(client, job)) {
    papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_AUTHORIZED,
                          "Job %d is another user's.", papplJobGetID(job));
    return false;
  }
  return ask(client);
}

extern "C" void _papplPrinterProcessIPP(pappl_client_t* client) {
  static auto* const process = OF_PAPPL(_papplPrinterProcessIPP);
  if (papplClientGetPrinter(client) &&
      ippGetOperation(papplClientGetRequest(client)) == IPP_OP_CANCEL_MY_JOBS) {
    if (_papplPrinterIsAuthorized(client)) CancelOwnJobs(client);
    return;
  }
  if (halftoned::CheckOptions(client)) process(client);
  TellPrinterId(client);
}

extern "C" void _papplJobCopyAttributesNoLock(pappl_job_t* job,
                                              pappl_client_t* client,
                                              cups_array_t* wanted) {
  static auto* const copy = OF_PAPPL(_papplJobCopyAttributesNoLock);
  if (MayTouch(client, job)) return copy(job, client, wanted);
  cups_array_t* allowed = cupsArrayNew(
      [](void* a, void* b, void*) {
        return std::strcmp(static_cast<char*>(a), static_cast<char*>(b));
      },
      nullptr);
  for (const std::string_view name : kPublic) {
    void* word = const_cast<char*>(name.data());
    if (!wanted || cupsArrayFind(wanted, word)) cupsArrayAdd(allowed, word);
  }
  copy(job, client, allowed);
  cupsArrayDelete(allowed);
}

// Pages that change printers, and those of jobs, on which each sees its own.
extern "C" bool papplClientHTMLAuthorize(pappl_client_t* client) {
  static auto* const authorize = OF_PAPPL(papplClientHTMLAuthorize);
  const char* page = papplClientGetURI(client);
  const bool is_of_jobs = page && std::string_view(page).ends_with("/jobs");
  if (request.client == client && !is_of_jobs && !MayChangePrinters(client) &&
      !HasPasswords(client) && !HasWebPassword(client)) {
    return Forbid(client);
  }
  return authorize(client);
}

// A printer's page pauses it, and more.
extern "C" void _papplPrinterWebHome(pappl_client_t* client,
                                     pappl_printer_t* printer) {
  static auto* const show = OF_PAPPL(_papplPrinterWebHome);
  if (papplClientGetMethod(client) != HTTP_STATE_POST ||
      papplClientHTMLAuthorize(client)) {
    show(client, printer);
  }
}

extern "C" pappl_job_t* papplPrinterFindJob(pappl_printer_t* printer, int id) {
  static auto* const find = OF_PAPPL(papplPrinterFindJob);
  pappl_job_t* job = find(printer, id);
  return job && IsAnothers(job) ? nullptr : job;
}

extern "C" const char* papplJobGetName(pappl_job_t* job) {
  static auto* const get = OF_PAPPL(papplJobGetName);
  return job && IsAnothers(job) ? kWithheld : get(job);
}

extern "C" const char* papplJobGetUsername(pappl_job_t* job) {
  static auto* const get = OF_PAPPL(papplJobGetUsername);
  return job && IsAnothers(job) ? kWithheld : get(job);
}
