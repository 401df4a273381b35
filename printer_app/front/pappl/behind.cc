// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/behind.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/text.h"
#include "base/unix_socket.h"
#include "printer_app/front/rules/rights.h"
#include "printer_app/handover/job_lock.h"

namespace halftoned {
namespace {

constexpr size_t kMostHead = 64 << 10;
constexpr size_t kMostIpp = 64 << 20;
constexpr size_t kMostInnerPage = 1 << 20;
constexpr std::chrono::seconds kStartOfServer{10};
// PAPPL rarely misses a printer, so after this many attempts it does not exist.
constexpr int kMostAsked = 10;

bool Send(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

// Once there.
bool ChangesJobs(ipp_op_t operation) {
  switch (operation) {
    case IPP_OP_CANCEL_JOB:
    case IPP_OP_CANCEL_JOBS:
    case IPP_OP_CANCEL_MY_JOBS:
    case IPP_OP_CANCEL_CURRENT_JOB:
    case IPP_OP_PURGE_JOBS:
    case IPP_OP_HOLD_JOB:
    case IPP_OP_RELEASE_JOB:
    case IPP_OP_HOLD_NEW_JOBS:
    case IPP_OP_RELEASE_HELD_NEW_JOBS:
    case IPP_OP_DELETE_PRINTER:
      return true;
    default:
      return SwitchesPrinters(operation);
  }
}

// Lists attributes of jobs.
bool ReadsJobs(ipp_op_t operation) {
  return operation == IPP_OP_GET_JOBS || operation == IPP_OP_GET_JOB_ATTRIBUTES;
}

// Waits for the network or a printer, and copies no attributes that other
// requests copy.
bool MayTakeLong(ipp_op_t operation) {
  return operation == IPP_OP_CREATE_PRINTER || FindsDevices(operation);
}

bool ChangesHolds(ipp_op_t operation) {
  return operation == IPP_OP_HOLD_JOB || operation == IPP_OP_RELEASE_JOB ||
         operation == IPP_OP_RELEASE_HELD_NEW_JOBS;
}

// PAPPL's threads disturb one another when they iterate a list at the same time
// (kept/live_printers.h). Then one of them does not find a printer and does
// nothing, or it lists one job twice and misses another one.
bool HasMissedSomething(ipp_t* answer, ipp_op_t operation) {
  if (operation == IPP_OP_GET_JOBS && NamesAJobTwice(answer)) return true;
  if (ippGetStatusCode(answer) != IPP_STATUS_ERROR_NOT_FOUND) return false;
  const std::string_view why = TextIn(answer, "status-message", IPP_TAG_TEXT);
  return why.starts_with("printer-uri ") || why.starts_with("job-uri ") ||
         why == "Printer not found.";
}

Result<uint64_t> ReadLength(std::string_view text, int base) {
  const auto number = TakeNumber<uint64_t>(text, base);
  if (!number) return IoError("PAPPL's answer has no length");
  return *number;
}

}  // namespace

std::string BehindAnswer::Field(std::string_view name) const {
  const auto found = std::ranges::find_if(
      fields_, [&](const auto& field) { return field.first == name; });
  return found == fields_.end() ? "" : found->second;
}

// False at the end of the answer.
Result<bool> BehindAnswer::Fill() {
  char room[16 << 10];
  while (true) {
    const ssize_t size = recv(connection_.get(), room, sizeof(room), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoError(ErrorCode::kIo, "PAPPL");
    buffer_.append(room, static_cast<size_t>(size));
    return size > 0;
  }
}

Result<std::string> BehindAnswer::ReadLine() {
  while (true) {
    const size_t end = buffer_.find("\r\n");
    if (end != buffer_.npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 2);
      return line;
    }
    if (buffer_.size() > kMostHead) return IoError("PAPPL's head has no end");
    HALFTONED_TRY_ASSIGN(const bool more, Fill());
    if (!more) return IoError("PAPPL ends without an answer");
  }
}

Result<void> BehindAnswer::ReadHead() {
  do {
    HALFTONED_TRY_ASSIGN(const std::string line, ReadLine());
    if (!line.starts_with("HTTP/1.") || line.size() < 12) {
      return IoError("PAPPL's answer is not HTTP");
    }
    HALFTONED_TRY_ASSIGN(const uint64_t status, ReadLength(line.substr(9), 10));
    status_ = static_cast<int>(status);
    fields_.clear();
    while (true) {
      HALFTONED_TRY_ASSIGN(const std::string field, ReadLine());
      if (field.empty()) break;
      const size_t colon = std::min(field.find(':'), field.size());
      const size_t value = field.find_first_not_of(' ', colon + 1);
      fields_.emplace_back(LowerCase(field.substr(0, colon)),
                           value == field.npos ? "" : field.substr(value));
    }
  } while (status_ == 100);
  const std::string length = Field("content-length");
  if (Field("transfer-encoding") == "chunked") {
    body_ = Body::kChunks;
  } else if (!length.empty()) {
    body_ = Body::kLength;
    HALFTONED_TRY_ASSIGN(left_, ReadLength(length, 10));
  } else if (status_ != 204 && status_ != 304) {
    body_ = Body::kRest;
  }
  return {};
}

Result<std::string> BehindAnswer::Take(size_t most) {
  if (buffer_.empty()) {
    HALFTONED_TRY_ASSIGN(const bool more, Fill());
    if (!more) return std::string();
  }
  std::string taken = buffer_.substr(0, most);
  buffer_.erase(0, taken.size());
  return taken;
}

Result<std::string> BehindAnswer::ReadMore() {
  if (body_ == Body::kNone) return std::string();
  if (body_ == Body::kRest) return Take(buffer_.npos);
  if (body_ == Body::kChunks && left_ == 0) {
    if (is_in_chunk_) HALFTONED_TRY(ReadLine());
    HALFTONED_TRY_ASSIGN(const std::string line, ReadLine());
    HALFTONED_TRY_ASSIGN(left_, ReadLength(line, 16));
    is_in_chunk_ = true;
    if (left_ == 0) body_ = Body::kNone;
  }
  if (left_ == 0) return std::string();
  HALFTONED_TRY_ASSIGN(std::string taken, Take(left_));
  if (taken.empty()) return IoError("PAPPL's answer is truncated");
  left_ -= taken.size();
  return taken;
}

Result<std::string> BehindAnswer::ReadAll(size_t most) {
  std::string all;
  while (true) {
    HALFTONED_TRY_ASSIGN(const std::string more, ReadMore());
    if (more.empty()) return all;
    all += more;
    if (all.size() > most) return IoError("PAPPL's answer is too large");
  }
}

// PAPPL deletes them before it reads the connection's next request.
void BehindAnswer::AwaitDeletion() {
  (void)(Send(connection_.get(),
              "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n"
              "Connection: close\r\n\r\n") &&
         ReadHead().ok());
}

Result<Descriptor> Behind::Connect() const {
  const auto last = std::chrono::steady_clock::now() + kStartOfServer;
  while (true) {
    const Result<SocketAddress> address = AddressOf(socket_);
    Descriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (address.ok() && connection.open() &&
        connect(connection.get(), address->get(), address->size()) == 0) {
      return connection;
    }
    if (std::chrono::steady_clock::now() > last) {
      return ErrnoError(ErrorCode::kIo, socket_);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Descriptor Behind::LockTurns() const { return LockJobs(turn_file_); }

Descriptor Behind::LockHolds(bool changes) const {
  return changes ? LockToChangeHolds(turn_file_) : LockToReadHolds(turn_file_);
}

Result<BehindAnswer> Behind::AskOpen(std::string head,
                                     std::string_view body) const {
  HALFTONED_TRY_ASSIGN(Descriptor connection, Connect());
  if (!body.empty()) {
    head += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  // If sending fails, PAPPL has answered early, with the reason.
  (void)Send(connection.get(), head.append("\r\n").append(body));
  BehindAnswer answer(std::move(connection));
  HALFTONED_TRY(answer.ReadHead());
  return answer;
}

Result<Ipp> Behind::AskIpp(ipp_t* request, const Asker& asker,
                           std::string_view document) const {
  const ipp_op_t operation = ippGetOperation(request);
  WorkSlots::Slot turn(turns_);
  if (!MayTakeLong(operation)) turn.Take(asker.network);
  const Descriptor lock = ChangesJobs(operation) ? LockTurns() : Descriptor();
  const bool changes_holds = ChangesHolds(operation);
  const Descriptor holds = changes_holds || ReadsJobs(operation)
                               ? LockHolds(changes_holds)
                               : Descriptor();
  const std::string_view which = TextIn(request, "which-jobs", IPP_TAG_KEYWORD);
  return operation == IPP_OP_GET_JOBS && which == "all"
             ? AskForAllJobs(request, asker)
             : AskUntilFound(request, asker, document);
}

Result<Ipp> Behind::AskForAllJobs(ipp_t* request, const Asker& asker) const {
  ipp_attribute_t* which =
      ippFindAttribute(request, "which-jobs", IPP_TAG_KEYWORD);
  ippSetString(request, &which, 0, "not-completed");
  Result<Ipp> jobs = AskUntilFound(request, asker, {});
  if (jobs.ok() && IsDone(jobs->get())) {
    ippSetString(request, &which, 0, "completed");
    const Result<Ipp> ended = AskUntilFound(request, asker, {});
    ipp_attribute_t* limit =
        ippFindAttribute(request, "limit", IPP_TAG_INTEGER);
    if (ended.ok()) {
      AddJobs(jobs->get(), ended->get(), ippGetInteger(limit, 0));
    } else {
      jobs = ended.error();
    }
  }
  ippSetString(request, &which, 0, "all");
  return jobs;
}

Result<Ipp> Behind::AskUntilFound(ipp_t* request, const Asker& asker,
                                  std::string_view document) const {
  for (int asked = 1;; ++asked) {
    HALFTONED_TRY_ASSIGN(Ipp answer, AskIppOnce(request, asker.host, document));
    if (asked == kMostAsked ||
        !HasMissedSomething(answer.get(), ippGetOperation(request)) ||
        (asked == 1 && !asker.printer.empty() && !HasPrinter(asker.printer))) {
      return answer;
    }
  }
}

bool Behind::HasPrinter(const std::string& name) const {
  const Result<std::string> page = AskPage(kPrintersPage);
  return !page.ok() ||
         LowerCase(*page).find(" /" + LowerCase(name) + '\n') != page->npos;
}

Result<Ipp> Behind::AskIppOnce(ipp_t* request, const std::string& host,
                               std::string_view document) const {
  const std::string body = WriteIpp(request).append(document);
  Descriptor copies;
  if (!MayTakeLong(ippGetOperation(request))) copies = LockCopies(turn_file_);
  HALFTONED_TRY_ASSIGN(BehindAnswer answer,
                       AskOpen("POST /ipp HTTP/1.1\r\nHost: " + host +
                                   "\r\nContent-Type: application/ipp\r\n",
                               body));
  HALFTONED_TRY_ASSIGN(const std::string message, answer.ReadAll(kMostIpp));
  answer.AwaitDeletion();
  copies = {};
  Ipp parsed = ParseIpp(message);
  if (answer.status() != 200 || !parsed) {
    return IoError("PAPPL answers with status " +
                   std::to_string(answer.status()));
  }
  return parsed;
}

void Behind::Tidy() const {
  WorkSlots::Slot turn(turns_);
  turn.Take("");
  const Descriptor turns = LockTurns();
  const Descriptor holds = LockHolds(true);
  const Descriptor copies = LockCopies(turn_file_);
  (void)AskPage("/halftone-inner/tidy").ok();
}

Result<std::string> Behind::AskPage(const std::string& path) const {
  HALFTONED_TRY_ASSIGN(
      BehindAnswer answer,
      Ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n", {}));
  HALFTONED_TRY_ASSIGN(std::string page, answer.ReadAll(kMostInnerPage));
  if (answer.status() != 200) {
    return IoError(path + ": status " + std::to_string(answer.status()));
  }
  return page;
}

}  // namespace halftoned
