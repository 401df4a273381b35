// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/print_server.h"

#include <cups/cups.h>

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "adopt/ppd/memory_file.h"
#include "adopt/queue/queue_ipp.h"
#include "base/text.h"

namespace halftoned {
namespace {

// Debian's default; elsewhere the group may have another name.
constexpr char kWhoMay[] =
    "; this requires root or the group lpadmin (SystemGroup in "
    "cups-files.conf)";

http_t* Http(void* connection) { return static_cast<http_t*>(connection); }

struct Freer {
  void operator()(ipp_t* message) const { ippDelete(message); }
};
using Message = std::unique_ptr<ipp_t, Freer>;

bool IsOk(ipp_status_t status) { return status <= IPP_STATUS_OK_CONFLICTING; }

Error LastError(const std::string& what) {
  const ipp_status_t status = cupsLastError();
  const char* why = cupsLastErrorString();
  if (!why || !*why) why = ippErrorString(status);
  // libcups does not always say so.
  if (IsOk(status) || std::string_view(why) == std::strerror(0)) {
    why = "the connection ended";
  }
  const std::string text = what + ": " + OneLine(why);
  if (status == IPP_STATUS_ERROR_NOT_FOUND) return Unavailable(text);
  const bool is_refused = status == IPP_STATUS_ERROR_FORBIDDEN ||
                          status == IPP_STATUS_ERROR_NOT_AUTHENTICATED ||
                          status == IPP_STATUS_ERROR_NOT_AUTHORIZED;
  return IoError(text + (is_refused ? kWhoMay : ""));
}

Message NewRequest(ipp_op_t operation) {
  Message request(ippNewRequest(operation));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME,
               "requesting-user-name", nullptr, cupsUser());
  return request;
}

Message NewRequest(ipp_op_t operation, const std::string& queue) {
  std::array<char, HTTP_MAX_URI> uri;
  httpAssembleURIf(HTTP_URI_CODING_ALL, uri.data(), uri.size(), "ipp", nullptr,
                   "localhost", 0, "/printers/%s", queue.c_str());
  Message request(ippNewRequest(operation));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, uri.data());
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME,
               "requesting-user-name", nullptr, cupsUser());
  return request;
}

bool Succeeded(const Message& response) {
  return response && IsOk(cupsLastError());
}

// cupsDoIORequest would not notice that a file ends too early.
Result<std::string> AskForPpd(http_t* http, const Message& request) {
  Message response;
  for (int tries = 0; !response && tries < 3; ++tries) {
    const http_status_t sent =
        cupsSendRequest(http, request.get(), "/", ippLength(request.get()));
    // If CUPS wants a password, this asks for it, and there is no response yet.
    if (sent == HTTP_STATUS_CONTINUE) {
      response.reset(cupsGetResponse(http, "/"));
    }
  }
  if (!response || !Succeeded(response)) {
    return LastError("CUPS refuses to send its PPD file");
  }
  std::string ppd;
  char room[16 << 10];
  for (;;) {
    const ssize_t bytes = httpRead2(http, room, sizeof(room));
    if (bytes <= 0) break;
    ppd.append(room, static_cast<size_t>(bytes));
  }
  const bool is_whole = httpGetState(http) == HTTP_STATE_WAITING;
  httpFlush(http);
  if (!is_whole) {
    return IoError("CUPS ended the connection while it sent its PPD file");
  }
  return ppd;
}

}  // namespace

void PrintServer::Closer::operator()(void* connection) const {
  httpClose(Http(connection));
}

Result<PrintServer> PrintServer::Connect() {
  http_t* connection = httpConnect2(cupsServer(), ippPort(), nullptr, AF_UNSPEC,
                                    cupsEncryption(), 1, 30'000, nullptr);
  if (connection) return PrintServer(connection);
  return IoError(NoAnswer() + "; is cupsd running?");
}

std::string PrintServer::Name() { return cupsServer(); }

std::string PrintServer::NoAnswer() {
  return "CUPS does not reply at " + Name();
}

bool PrintServer::IsHere() {
  const std::string server = Name();
  return server.starts_with('/') || server == "localhost";
}

Result<std::vector<PrintQueue>> PrintServer::Queues() {
  Message request = NewRequest(IPP_OP_CUPS_GET_PRINTERS);
  AskForQueues(request.get());
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  if (cupsLastError() == IPP_STATUS_ERROR_NOT_FOUND) {
    return std::vector<PrintQueue>();
  }
  if (!Succeeded(response)) return LastError("CUPS cannot list its queues");
  return QueuesIn(response.get());
}

Result<PrintQueue> PrintServer::Queue(const std::string& name) {
  Message request = NewRequest(IPP_OP_GET_PRINTER_ATTRIBUTES, name);
  AskForQueues(request.get());
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  if (cupsLastError() == IPP_STATUS_ERROR_NOT_FOUND) {
    return Unavailable("CUPS has no such queue; lpstat -e lists all");
  }
  if (!Succeeded(response)) return LastError("CUPS cannot find the queue");
  std::vector<PrintQueue> queues = QueuesIn(response.get());
  if (queues.size() != 1) return IoError("unexpected reply from CUPS");
  return queues.front();
}

Result<std::vector<PrintJob>> PrintServer::Jobs(const std::string& name) {
  Message request = NewRequest(IPP_OP_GET_JOBS, name);
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "which-jobs",
               nullptr, "not-completed");
  ippAddStrings(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kJobAttributes), nullptr,
                kJobAttributes);
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  if (!Succeeded(response)) return LastError("CUPS cannot list its jobs");
  return JobsIn(response.get());
}

bool PrintServer::HasType(const std::string& type) {
  // cupsd checks the type first, so the queue need not exist.
  Message request = NewRequest(IPP_OP_VALIDATE_JOB, "halftone-check");
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_MIMETYPE,
               "document-format", nullptr, type.c_str());
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  return !response ||
         cupsLastError() != IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED;
}

Result<std::string> PrintServer::Ppd(const std::string& name) {
  return AskForPpd(Http(connection_.get()),
                   NewRequest(IPP_OP_CUPS_GET_PPD, name));
}

Result<void> PrintServer::Change(const std::string& name,
                                 const std::string& ppd, bool is_marked) {
  Message request = NewRequest(IPP_OP_CUPS_ADD_MODIFY_PRINTER, name);
  Mark(request.get(), is_marked);
  Descriptor file;
  if (!ppd.empty()) {
    HALFTONED_TRY_ASSIGN(file, MemoryFile(ppd));
  }
  const Message response(cupsDoIORequest(
      Http(connection_.get()), request.release(), "/admin/", file.get(), -1));
  if (!Succeeded(response)) {
    return LastError("CUPS refuses to change the queue");
  }
  return {};
}

Result<void> PrintServer::Add(const std::string& name, const std::string& uri,
                              const std::string& ppd, bool is_marked) {
  Message request = NewRequest(IPP_OP_CUPS_ADD_MODIFY_PRINTER, name);
  ippAddString(request.get(), IPP_TAG_PRINTER, IPP_TAG_URI, "device-uri",
               nullptr, uri.c_str());
  ippAddBoolean(request.get(), IPP_TAG_PRINTER, "printer-is-accepting-jobs", 1);
  ippAddInteger(request.get(), IPP_TAG_PRINTER, IPP_TAG_ENUM, "printer-state",
                IPP_PSTATE_IDLE);
  Mark(request.get(), is_marked);
  HALFTONED_TRY_ASSIGN(const Descriptor file, MemoryFile(ppd));
  const Message response(cupsDoIORequest(
      Http(connection_.get()), request.release(), "/admin/", file.get(), -1));
  if (!Succeeded(response)) return LastError("CUPS refuses to add the queue");
  return {};
}

Result<void> PrintServer::Delete(const std::string& name) {
  const Message response(cupsDoRequest(
      Http(connection_.get()),
      NewRequest(IPP_OP_CUPS_DELETE_PRINTER, name).release(), "/admin/"));
  if (!Succeeded(response)) {
    return LastError("CUPS refuses to delete the queue");
  }
  return {};
}

Result<PrintServer::Options> PrintServer::OptionsOf(const std::string& name) {
  cups_dest_t* found =
      cupsGetNamedDest(Http(connection_.get()), name.c_str(), nullptr);
  if (!found) return LastError("CUPS cannot find the queue");
  Options options;
  for (int i = 0; i < found->num_options; ++i) {
    options.emplace(found->options[i].name, found->options[i].value);
  }
  cupsFreeDests(1, found);
  return options;
}

Result<int> PrintServer::Print(const std::string& name,
                               const std::string& title, const Options& options,
                               const std::string& document,
                               const std::string& type) {
  http_t* http = Http(connection_.get());
  cups_option_t* added = nullptr;
  int count = 0;
  for (const auto& [option, value] : options) {
    count = cupsAddOption(option.c_str(), value.c_str(), count, &added);
  }
  const int job =
      cupsCreateJob(http, name.c_str(), title.c_str(), count, added);
  cupsFreeOptions(count, added);
  if (job == 0) return LastError("CUPS refuses the job");
  const bool is_sent =
      cupsStartDocument(http, name.c_str(), job, title.c_str(), type.c_str(),
                        1) == HTTP_STATUS_CONTINUE &&
      cupsWriteRequestData(http, document.data(), document.size()) ==
          HTTP_STATUS_CONTINUE;
  if (cupsFinishDocument(http, name.c_str()) > IPP_STATUS_OK_CONFLICTING ||
      !is_sent) {
    const Error error = LastError("CUPS refuses the page");
    cupsCancelJob2(http, name.c_str(), job, 0);
    return error;
  }
  return job;
}

Result<std::vector<PrinterModel>> PrintServer::Models(const std::string& word) {
  constexpr const char* kModelAttributes[] = {"ppd-name", "ppd-make-and-model"};
  Message request = NewRequest(IPP_OP_CUPS_GET_PPDS);
  ippAddStrings(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kModelAttributes), nullptr,
                kModelAttributes);
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  if (cupsLastError() == IPP_STATUS_ERROR_NOT_FOUND) {
    return std::vector<PrinterModel>();
  }
  if (!Succeeded(response)) return LastError("CUPS cannot list its models");
  std::vector<PrinterModel> models;
  const auto take = [&](const PrinterModel& model) {
    const bool is_meant =
        LowerCase(model.name).find(LowerCase(word)) != std::string::npos;
    if (is_meant && !model.model.empty()) models.push_back(model);
  };
  PrinterModel model;
  for (ipp_attribute_t* attribute = ippFirstAttribute(response.get());
       attribute; attribute = ippNextAttribute(response.get())) {
    const std::string name = ippGetName(attribute) ? ippGetName(attribute) : "";
    if (name == "ppd-name") model.model = StringOf(attribute);
    if (name == "ppd-make-and-model") model.name = StringOf(attribute);
    if (name.empty()) take(std::exchange(model, PrinterModel()));
  }
  take(model);
  return models;
}

Result<std::string> PrintServer::ModelPpd(const std::string& model) {
  Message request = NewRequest(IPP_OP_CUPS_GET_PPD);
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME, "ppd-name",
               nullptr, model.c_str());
  return AskForPpd(Http(connection_.get()), request);
}

Result<std::vector<std::string>> PrintServer::ModelNames() {
  Message request = NewRequest(IPP_OP_CUPS_GET_PPDS);
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, "ppd-make-and-model");
  const Message response(
      cupsDoRequest(Http(connection_.get()), request.release(), "/"));
  if (!Succeeded(response)) return LastError("CUPS cannot list its models");
  std::vector<std::string> names;
  for (ipp_attribute_t* found =
           ippFindAttribute(response.get(), "ppd-make-and-model", IPP_TAG_TEXT);
       found; found = ippFindNextAttribute(response.get(), "ppd-make-and-model",
                                           IPP_TAG_TEXT)) {
    names.push_back(StringOf(found));
  }
  return names;
}

}  // namespace halftoned
