// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/web/web_request.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "printer_app/front/callers/admission.h"
#include "printer_app/front/pappl/printer_deletion.h"
#include "printer_app/front/pappl/printer_jobs.h"
#include "printer_app/front/rules/own_addresses.h"
#include "printer_app/front/rules/request_values.h"
#include "printer_app/front/web/job_page.h"
#include "printer_app/front/web/offered.h"

namespace halftoned {
namespace {

constexpr size_t kMostForm = 64 << 10;
constexpr int kMostFields = 500;
constexpr size_t kMostPage = 16 << 20;
constexpr std::string_view kFormType = "application/x-www-form-urlencoded";
constexpr const char* kOwnToken = "jobs";

// Fields of PAPPL's answer that are passed to clients.
constexpr const char* kPassed[] = {"content-type", "location", "last-modified",
                                   "content-language"};

// PAPPL's pages of the server, of a printer and of its jobs. They search
// attributes of jobs, and a search moves a position that all readers share.
bool ListsJobs(std::string_view path) {
  return path.ends_with('/') || path.ends_with("/jobs");
}

std::string EncodePath(std::string_view path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7f && c != '"' && c != '<' && c != '>') {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return encoded;
}

}  // namespace

bool WebRequest::Serve() {
  if (is_post() && !ReadForm()) {
    client_.RespondStatus(HTTP_STATUS_BAD_REQUEST);
    return false;
  }
  std::vector<std::string> names;
  for (const LivePrinter& printer : front_.Printers()) {
    names.push_back(KeyOf(printer.name));
  }
  page_ = PageAt(client_.path(), names);
  if (page_.page == WebPage::kOwn) {
    return client_.RespondStatus(HTTP_STATUS_NOT_FOUND);
  }
  const bool has_forms =
      IsFrontPage(client_.path()) || page_.page != WebPage::kOpen;
  if (!has_forms && !is_post()) return Pass();
  front_.FindRights(client_.caller);
  // Browsers send a password that they know with every request. The forms of a
  // page have the token of the user who gets it.
  if (page_.page != WebPage::kAdmin && !client_.caller.is_admin &&
      SendsPassword()) {
    const auto forbidden = ProveUser(front_, client_);
    if (forbidden) return client_.RespondStatus(*forbidden);
  }
  if (page_.page == WebPage::kOpen && !is_post()) return Pass();
  if (client_.caller.is_admin) return ServeAsAdmin();
  if (page_.page == WebPage::kJobs) return ServeOwnJobs();
  return ServeAdminPage();
}

bool WebRequest::SendsPassword() const {
  return !front_.settings.auth_service.empty() &&
         (client_.caller.is_local || client_.is_encrypted()) &&
         !client_.Field(HTTP_FIELD_AUTHORIZATION).empty();
}

bool WebRequest::ReadForm() {
  if (!client_.Field(HTTP_FIELD_CONTENT_TYPE).starts_with(kFormType)) {
    return false;
  }
  std::string body;
  char room[4096];
  while (true) {
    const Result<size_t> size = client_.Read(room, sizeof(room));
    if (!size.ok() || body.size() + *size > kMostForm) return false;
    if (*size == 0) break;
    body.append(room, *size);
  }
  if (std::ranges::count(body, '&') > kMostFields) return false;
  form_ = ParseForm(body);
  return true;
}

bool WebRequest::HasToken(const std::string& token) const {
  return FieldOf(form_, "session") ==
         TokenFor(client_.caller, token, front_.form_key);
}

int WebRequest::JobInForm() const {
  return std::atoi(FieldOf(form_, "job-id").c_str());
}

bool WebRequest::ServeAsAdmin() {
  const std::string action = FieldOf(form_, "action");
  if (front_.is_ending &&
      (action == "pause-printer" || action == "resume-printer")) {
    return client_.RespondStatus(HTTP_STATUS_SERVICE_UNAVAILABLE);
  }
  return is_post() && Deletes(client_.path()) && !page_.printer.empty()
             ? Delete()
             : Pass();
}

void WebRequest::LogChange() const {
  front_.log.Write(
      FrontLog::kInfo,
      "POST " + client_.path() + " by " + Describe(client_.caller) + ".",
      client_.caller, FrontLog::kKept);
}

bool WebRequest::ServeAdminPage() {
  const auto forbidden = AskPassword(front_, client_, std::nullopt);
  if (!forbidden) return ServeAsAdmin();
  if (*forbidden != HTTP_STATUS_UPGRADE_REQUIRED || is_post()) {
    return client_.RespondStatus(*forbidden);
  }
  // Browsers do not upgrade a connection.
  return client_.Respond(
      HTTP_STATUS_FOUND,
      {{"location", "https://" + client_.Field(HTTP_FIELD_HOST) +
                        EncodePath(client_.path())}},
      {});
}

bool WebRequest::ServeOwnJobs() {
  if (!client_.StartWork()) return false;
  if (is_post() && FieldOf(form_, "action") != "cancel-job") {
    return client_.RespondStatus(HTTP_STATUS_FORBIDDEN);
  }
  return Send(ReplyWithOwnJobs());
}

WebRequest::Reply WebRequest::ReplyWithOwnJobs() {
  // Before the gate: the deletion of a printer waits for its users.
  WorkSlots::Slot listing(front_.listing);
  listing.Take(client_.caller.network);
  const PrinterGate::Use use(front_.gate, page_.printer);
  if (!use.is_allowed()) return {HTTP_STATUS_NOT_FOUND, {}, {}};
  const std::string said = is_post() ? CancelJob(page_.printer) : "";
  const PrinterJobs jobs(front_.behind, client_.caller.network,
                         "/ipp/print/" + page_.printer);
  return {
      HTTP_STATUS_OK,
      {{"content-type", "text/html; charset=utf-8"}},
      JobPage(page_.printer, jobs.List("all", kMostJobsOfPage), client_.caller,
              said, TokenFor(client_.caller, kOwnToken, front_.form_key))};
}

std::string WebRequest::CancelJob(const std::string& printer) {
  if (!HasToken(kOwnToken)) return "Invalid form submission.";
  const PrinterJobs jobs(front_.behind, client_.caller.network,
                         "/ipp/print/" + printer);
  const int id = JobInForm();
  const auto job = jobs.Find(id);
  if (!job || !MayTouch(client_.caller, client_.caller.name, job->owner)) {
    return "Invalid Job ID.";
  }
  if (!jobs.Cancel(id)) return "The job has ended.";
  return front_.SavesEnds(printer, {id}) ? "Job canceled."
                                         : Front::kEndNotSaved;
}

bool WebRequest::Delete() {
  if (!client_.StartWork()) return false;
  const Result<std::string> token =
      front_.behind.AskPage("/halftone-inner/token");
  if (!token.ok() || !HasToken(*token)) {
    return client_.RespondStatus(HTTP_STATUS_FORBIDDEN);
  }
  LogChange();
  client_.WaitForEver();
  Reply reply{HTTP_STATUS_SEE_OTHER, {{"location", "/"}}, {}};
  for (const LivePrinter& printer : front_.Printers()) {
    if (KeyOf(printer.name) != page_.printer) continue;
    PrinterDeletion deletion(front_, printer.name);
    if (deletion.is_allowed() && !deletion.Delete(printer.id)) {
      reply = TextReply(HTTP_STATUS_SERVER_ERROR, Front::kNotSaved);
    }
  }
  return Send(reply);
}

std::string WebRequest::Head(std::string_view method) const {
  std::string head(method);
  head += ' ' + EncodePath(client_.path());
  const std::string query = KnownQuery(client_.query());
  if (!query.empty()) head += '?' + query;
  head += " HTTP/1.1\r\nHost: " + HostForPappl(client_.Field(HTTP_FIELD_HOST)) +
          "\r\n";
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) head += std::string(name) + ": " + value + "\r\n";
  };
  add("Accept-Language", client_.Field(HTTP_FIELD_ACCEPT_LANGUAGE));
  if (!is_post()) {
    add("If-Modified-Since", client_.Field(HTTP_FIELD_IF_MODIFIED_SINCE));
  }
  if (method == "POST") add("Content-Type", std::string(kFormType));
  return head;
}

bool WebRequest::TakeToken() {
  const auto token = front_.behind.AskPage("/halftone-inner/token");
  if (!token.ok() || !HasToken(*token)) return false;
  form_["session"] = *token;
  return true;
}

// The page for new printers is not compared: its list of devices changes.
std::string WebRequest::WhatForbidsForm() const {
  if (AddsPrinter()) {
    const std::string device = FieldOf(form_, "device_uri");
    if (IsTooLongUri(device.substr(0, device.find('|')))) {
      return "The device's address is too long.";
    }
    return "";
  }
  if (page_.printer.empty()) return "";
  Result<BehindAnswer> answer = front_.behind.Ask(Head("GET"), {});
  if (!answer.ok()) return "";  // the form gets none, either
  const Result<std::string> page = answer->ReadAll(kMostPage);
  return page.ok() ? WhatIsNotOffered(form_, *page) : "";
}

// The page for new printers lists devices, and asks a new one what it is. Each
// can take a minute, in which others print and can be deleted.
std::string WebRequest::PrinterOfGate() const {
  if (!AddsPrinter()) return page_.printer;
  return is_post() ? Front::KeyOfNew(FieldOf(form_, "printer_name"))
                   : PrinterGate::kNone;
}

bool WebRequest::Pass() { return client_.StartWork() && Send(ReplyOfPappl()); }

bool WebRequest::Send(const Reply& reply) {
  return reply.fields.empty()
             ? client_.RespondStatus(reply.status)
             : client_.Respond(reply.status, reply.fields, reply.body);
}

WebRequest::Reply WebRequest::ReplyOfPappl() {
  client_.WaitForEver();
  WorkSlots::Slot listing(front_.listing);
  if (ListsJobs(client_.path())) listing.Take(client_.caller.network);
  const PrinterGate::Use use(front_.gate, PrinterOfGate());
  if (!use.is_allowed()) return {HTTP_STATUS_NOT_FOUND, {}, {}};
  std::optional<Front::NewName> name;
  if (is_post()) {
    if (!TakeToken()) return {HTTP_STATUS_FORBIDDEN, {}, {}};
    // Only queries may have it (KnownQuery).
    form_.erase("job-index");
    if (AddsPrinter()) name.emplace(front_, FieldOf(form_, "printer_name"));
    const std::string why_not =
        name && !name->why_not().empty() ? name->why_not() : WhatForbidsForm();
    if (!why_not.empty()) return TextReply(HTTP_STATUS_BAD_REQUEST, why_not);
    LogChange();
  }
  const Descriptor lock =
      is_post() && !AddsPrinter() ? front_.behind.LockTurns() : Descriptor();
  const Descriptor holds =
      (is_post() && !AddsPrinter()) || ListsJobs(client_.path())
          ? front_.behind.LockHolds(true)
          : Descriptor();
  Result<BehindAnswer> answer =
      front_.behind.Ask(Head(is_post()   ? "POST"
                             : is_head() ? "HEAD"
                                         : "GET"),
                        is_post() ? WriteForm(form_) : "");
  client_.WaitForSilence();
  if (answer.ok() && is_post() && !front_.SavesPrinters()) {
    return TextReply(HTTP_STATUS_SERVER_ERROR, Front::kNotSaved);
  }
  if (answer.ok() && is_post() && CancelsJobs(client_.path()) &&
      !front_.SavesEnds(page_.printer, {JobInForm()})) {
    return TextReply(HTTP_STATUS_SERVER_ERROR, Front::kEndNotSaved);
  }
  Result<Reply> reply =
      answer.ok() ? ReplyFrom(*answer) : Result<Reply>(answer.error());
  if (reply.ok()) return *std::move(reply);
  front_.log.Write(FrontLog::kError, reply.error().message, client_.caller);
  return {HTTP_STATUS_SERVICE_UNAVAILABLE, {}, {}};
}

WebRequest::Reply WebRequest::TextReply(http_status_t status,
                                        const std::string& text) {
  return {status, {{"content-type", "text/plain; charset=utf-8"}}, text + '\n'};
}

Result<WebRequest::Reply> WebRequest::ReplyFrom(BehindAnswer& answer) const {
  const std::string host = client_.Field(HTTP_FIELD_HOST);
  Reply reply{static_cast<http_status_t>(answer.status()), {}, {}};
  for (const char* name : kPassed) {
    reply.fields.emplace_back(name, answer.Field(name));
  }
  std::string& location = reply.fields[1].second;
  const std::string address =
      AddressFor(host, client_.is_encrypted(), location);
  if (!address.empty()) location = address;
  if (is_head()) return reply;
  HALFTONED_TRY_ASSIGN(reply.body, answer.ReadAll(kMostPage));
  if (answer.Field("content-type").starts_with("text/html")) {
    reply.body = WithTokensFor(
        client_.caller, WithLinksFor(host, client_.is_encrypted(), reply.body),
        front_.form_key);
  }
  return reply;
}

}  // namespace halftoned
