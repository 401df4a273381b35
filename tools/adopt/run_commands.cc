// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/run_commands.h"

#include <cups/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "adopt/adopt_commands.h"
#include "adopt/change/adoption.h"
#include "adopt/print/page_words.h"
#include "adopt/queue/named_queue.h"
#include "adopt/queue/queues.h"
#include "base/descriptor.h"
#include "base/json.h"
#include "base/text.h"
#include "config/config.h"
#include "print/file/input_file.h"
#include "print/file/last_words.h"
#include "print/file/output_file.h"
#include "print/page/test_page.h"

namespace halftoned {
namespace {

// `halftone test-page QUEUE`: prints a page that lists the queue's settings.
Result<QueueOutcome> PrintCheckPage(const std::string& name,
                                    const Config& config) {
  HALFTONED_TRY_ASSIGN(const NamedQueue queue, FindNamedQueue(name));
  HALFTONED_TRY_ASSIGN(const auto words, PageWords(queue, config));
  HALFTONED_TRY_ASSIGN(const std::string job,
                       PrintDocument(queue, "halftone check", queue.options,
                                     TestPage(words, queue.size)));
  return QueueOutcome{"prints a page", "", job};
}

// The output of `halftone list` and `halftone models`.
void PrintStatesAsJson(const std::vector<QueueState>& states) {
  for (const QueueState& state : states) {
    const Json json = {
        {"name", state.name}, {"state", state.state}, {"reason", state.reason}};
    std::fputs(JsonLine(json).c_str(), stdout);
  }
}

void PrintStatesInColumns(const std::vector<QueueState>& states) {
  size_t width = 0;
  for (const QueueState& state : states) {
    width = std::max(width, state.name.size());
  }
  for (const QueueState& state : states) {
    std::printf("%-*s  %s%s%s\n", static_cast<int>(width),
                Printable(state.name).c_str(), state.state.c_str(),
                state.reason.empty() ? "" : ": ",
                Printable(state.reason).c_str());
  }
}

// Prints a line for each queue or model, as JSON if as_json.
void PrintStates(const std::vector<QueueState>& states, bool as_json) {
  as_json ? PrintStatesAsJson(states) : PrintStatesInColumns(states);
}

constexpr size_t kMaxPpdBytes = size_t{16} << 20;

int Refuse(const std::string& message) {
  std::fprintf(stderr, "halftone: %s\n", Printable(message).c_str());
  return 1;
}

// what: a queue or a file.
int Refuse(const std::string& what, const Error& error) {
  return Refuse(what + ": " + error.message);
}

struct Closer {
  void operator()(cups_file_t* file) const { cupsFileClose(file); }
};

// Reads a PPD file, plain or compressed with gzip, as CUPS does.
Result<std::string> ReadPpd(const std::string& path) {
  const std::unique_ptr<cups_file_t, Closer> file(
      path == "-" ? cupsFileStdin() : cupsFileOpen(path.c_str(), "r"));
  if (!file) return ErrnoError(ErrorCode::kIo, "cannot read");
  std::string text;
  std::array<char, 65536> room;
  while (!cupsFileEOF(file.get())) {
    errno = 0;
    const ssize_t bytes = cupsFileRead(file.get(), room.data(), room.size());
    if (bytes < 0 && errno != 0) {
      return ErrnoError(ErrorCode::kIo, "cannot read");
    }
    if (bytes <= 0) break;
    text.append(room.data(), static_cast<size_t>(bytes));
    if (text.size() > kMaxPpdBytes) return BadInput("has more than 16 MiB");
  }
  return text;
}

Result<void> WritePpd(const std::string& path, const std::string& text,
                      bool may_replace) {
  PendingFiles pending(may_replace);
  const LastWordsFiles last_words(pending);
  HALFTONED_TRY_ASSIGN(const auto file, OutputFile::Create(path, pending));
  HALFTONED_TRY(file->Write(std::as_bytes(std::span(text))));
  return file->Commit();
}

bool IsSameFile(const std::string& in, const std::string& out) {
  const auto read =
      in == "-" ? FileIdentity::Look(STDIN_FILENO) : FileIdentity::Look(in);
  const auto written =
      out == "-" ? FileIdentity::Look(STDOUT_FILENO) : FileIdentity::Look(out);
  return read && read == written;
}

int RunOnFile(const AdoptOptions& options) {
  if (IsSameFile(options.ppd[0], options.ppd[1])) {
    return Refuse(options.ppd[1] +
                  ": is also the input; refusing to overwrite it");
  }
  const Result<std::string> text = ReadPpd(options.ppd[0]);
  if (!text.ok()) return Refuse(options.ppd[0], text.error());
  const Result<std::string> changed =
      options.releases ? Release(*text) : Adopt(*text);
  if (!changed.ok()) return Refuse(options.ppd[0], changed.error());
  const Result<void> written =
      WritePpd(options.ppd[1], *changed, !options.no_clobber);
  return written.ok() ? 0 : Refuse(options.ppd[1], written.error());
}

int Flush() {
  const Result<void> flushed = FlushStandardOutput();
  return flushed.ok() ? 0 : Refuse(flushed.error().message);
}

bool IsMeant(const QueueState& queue, const AdoptOptions& options) {
  const bool has_drifted = queue.state == "out of date";
  if (options.again) return has_drifted;
  return options.releases ? queue.state == "adopted" || has_drifted
                          : queue.state == "can be adopted";
}

// The queues that `--all` or `--again` means.
Result<std::vector<QueueState>> AllQueues(PrintServer& server,
                                          const AdoptOptions& options) {
  HALFTONED_TRY_ASSIGN(std::vector<QueueState> states, ListQueues(server));
  std::erase_if(states, [&](const QueueState& queue) {
    return !IsMeant(queue, options);
  });
  return states;
}

// Skips an outdated queue if adopting it again would not be enough.
Result<QueueOutcome> RunOnQueue(PrintServer& server, const QueueState& queue,
                                const AdoptOptions& options,
                                GivenAdvice& given) {
  if (options.releases) {
    return ReleaseQueue(server, queue.name, options.dry_run);
  }
  if (options.again && !IsMendedByAdoption(queue)) {
    return BadInput(queue.reason);
  }
  return AdoptQueue(server, queue.name, options.dry_run, given);
}

int RunOnQueues(PrintServer& server, const AdoptOptions& options) {
  std::vector<QueueState> queues;
  for (const std::string& name : options.queues)
    queues.push_back({name, "", ""});
  if (options.all || options.again) {
    auto all = AllQueues(server, options);
    if (!all.ok()) return Refuse(all.error().message);
    queues = std::move(*all);
  }
  int status = 0;
  GivenAdvice given;
  for (const QueueState& queue : queues) {
    const Result<QueueOutcome> done = RunOnQueue(server, queue, options, given);
    if (done.ok()) {
      PrintOutcome(queue.name, *done, options.json);
      // Flushed, because the next queue may take long.
      status = std::max(status, Flush());
    } else {
      status = Refuse(queue.name, done.error());
    }
  }
  return status;
}

int Conclude(const std::string& queue, const Result<QueueOutcome>& done,
             bool as_json) {
  if (!done.ok()) return Refuse(queue, done.error());
  PrintOutcome(queue, *done, as_json);
  return Flush();
}

Result<std::vector<std::string>> LookWordsOf(const std::string& queue) {
  HALFTONED_TRY_ASSIGN(const NamedQueue named, FindNamedQueue(queue));
  return LookWords(named, ReadWhatIsRight(Places::Find().configuration).config);
}

}  // namespace

int RunList(const ListOptions& options) {
  Result<PrintServer> server = PrintServer::Connect();
  if (!server.ok()) return Refuse(server.error().message);
  const Result<std::vector<QueueState>> states =
      options.model.empty() ? ListQueues(*server)
                            : ListModels(*server, options.model);
  if (!states.ok()) return Refuse(states.error().message);
  PrintStates(*states, options.json);
  return Flush();
}

int RunAdopt(const AdoptOptions& options) {
  if (!options.ppd.empty()) return RunOnFile(options);
  Result<PrintServer> server = PrintServer::Connect();
  if (!server.ok()) return Refuse(server.error().message);
  return RunOnQueues(*server, options);
}

int RunAdd(const AddOptions& options) {
  Result<PrintServer> server = PrintServer::Connect();
  if (!server.ok()) return Refuse(server.error().message);
  return Conclude(options.name, AddQueue(*server, options), options.json);
}

int RunPrint(const TestPageOptions& options) {
  // Without invalid settings, like jobs.
  const CheckedConfig checked = ReadWhatIsRight(Places::Find().configuration);
  for (const std::string& problem : checked.problems) {
    std::fprintf(stderr, "halftone: note: %s\n", Printable(problem).c_str());
  }
  return Conclude(options.queue, PrintCheckPage(options.queue, checked.config),
                  options.json);
}

int RunTarget(const CalibrateOptions& options) {
  const Result<QueueOutcome> done = PrintTarget(
      options.subject, options.is_second, Places::Find().configuration);
  return Conclude(options.subject, done, options.json);
}

int RunReport() {
  ReportQueues(Places::Find(), [](const Finding& finding) {
    std::fputs(LineOf(finding).c_str(), stdout);
    std::fflush(stdout);
  });
  return Flush();
}

int RunLook(const std::string& queue) {
  const auto words = LookWordsOf(queue);
  if (!words.ok()) return Refuse(queue, words.error());
  for (const std::string& line : *words) std::puts(line.c_str());
  return Flush();
}

}  // namespace halftoned
