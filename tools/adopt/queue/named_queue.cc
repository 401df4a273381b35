// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/named_queue.h"

#include "adopt/ppd/memory_file.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/queue/application_printer.h"
#include "adopt/queue/print_server.h"

namespace halftoned {
namespace {

// Options as filters get them: "NAME=VALUE NAME=VALUE", with backslashes before
// characters that would end a value.
std::string TextOf(const PrintServer::Options& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += (text.empty() ? "" : " ") + name + "=";
    for (const char c : value) {
      if (c == ' ' || c == '\\' || c == '"' || c == '\'') text += '\\';
      text += c;
    }
  }
  return text;
}

Result<NamedQueue> FindQueueOfCups(const std::string& name) {
  HALFTONED_TRY_ASSIGN(PrintServer server, PrintServer::Connect());
  const Result<std::string> text = server.Ppd(name);
  if (!text.ok()) {
    HALFTONED_TRY(server.Queue(name));
    return BadInput(
        "it has no driver; halftone add makes a queue that has one");
  }
  HALFTONED_TRY_ASSIGN(const auto options, server.OptionsOf(name));
  return QueueOfPpd(name, *text, options);
}

}  // namespace

Result<NamedQueue> QueueOfPpd(
    const std::string& name, std::string_view text,
    const std::map<std::string, std::string>& options) {
  HALFTONED_TRY_ASSIGN(PpdFile ppd, PpdFile::Parse(text));
  HALFTONED_TRY_ASSIGN(const Descriptor file, MemoryFile(text));
  NamedQueue found;
  found.name = name;
  found.driver = ppd.nick_name();
  found.options = options;
  HALFTONED_TRY_ASSIGN(
      found.queue, Queue::Read("/proc/self/fd/" + std::to_string(file.get()),
                               TextOf(options)));
  if (const auto size = ppd.DefaultPageSize()) {
    found.size = {size->first, size->second};
  }
  found.prints_through_us = ppd.PrintsThroughUs();
  return found;
}

Result<NamedQueue> FindNamedQueue(const std::string& name) {
  const Result<NamedQueue> queue = FindQueueOfCups(name);
  const bool is_of_cups =
      queue.ok() || queue.error().code == ErrorCode::kBadInput;
  if (is_of_cups || !HasApplication()) return queue;
  const Result<NamedQueue> printer = FindApplicationPrinter(name);
  if (printer.ok()) return printer;
  return Error{queue.error().code,
               queue.error().message + "; " + printer.error().message};
}

Result<std::string> PrintDocument(const NamedQueue& queue,
                                  const std::string& title,
                                  const PrintServer::Options& options,
                                  const std::string& document) {
  if (queue.is_of_application) {
    return PrintOnApplication(queue.name, title, options, document);
  }
  HALFTONED_TRY_ASSIGN(PrintServer server, PrintServer::Connect());
  HALFTONED_TRY_ASSIGN(
      const int job,
      server.Print(queue.name, title, options, document, "application/pdf"));
  return std::to_string(job);
}

}  // namespace halftoned
