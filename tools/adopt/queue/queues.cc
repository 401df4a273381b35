// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/queues.h"

#include <algorithm>
#include <string_view>

#include "adopt/change/adoption.h"
#include "adopt/change/drift.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/queue/data_advice.h"
#include "check/places.h"
#include "config/config.h"

namespace halftoned {
namespace {

// Refuses queues that others manage.
Result<void> CheckIsOurs(const PrintQueue& queue) {
  if (queue.is_class) {
    return BadInput("it is a class; adopt its members");
  }
  if (queue.is_remote) {
    return BadInput("it belongs to another server; adopt it there");
  }
  if (queue.is_browsed) {
    return BadInput(
        "it belongs to cups-browsed, which would create it again; create your "
        "own queue for the printer with halftone add");
  }
  if (queue.is_temporary) {
    return BadInput(
        "it is temporary; create a queue for the printer with halftone add");
  }
  return {};
}

// The reason, with the queue's name in the command to type.
Error OfQueue(const Error& error, const PrintQueue& queue) {
  constexpr std::string_view kAnyQueue = "QUEUE URI";
  std::string message = error.message;
  const size_t at = message.find(kAnyQueue);
  if (at != message.npos) {
    message.replace(at, kAnyQueue.size(),
                    ShellWord(queue.name) + " " + ShellWord(queue.device_uri));
  }
  return {error.code, message};
}

// A note about the plugin that hpcups loads for some of its printers.
std::string PluginFor(std::string_view ppd) {
  if (ppd.find("requires proprietary plugin") == ppd.npos) return "";
  return "its driver needs the HP plugin, adopted or not; to install it, type: "
         "sudo hp-plugin -i";
}

// Notes for the owner of an adopted queue.
std::string NotesOn(PrintServer& server, const PrintQueue& queue,
                    std::string_view adopted, GivenAdvice& given) {
  const std::string plugin = PluginFor(adopted);
  const auto options = server.OptionsOf(queue.name);
  const std::string advice =
      DataAdvice(queue.name, queue.device_uri, adopted,
                 options.ok() ? *options : PrintServer::Options(),
                 ReadWhatIsRight(Places::Find().configuration).config);
  const auto [first, is_new] = given.try_emplace(advice, queue.name);
  const std::string of_data =
      advice.empty() || is_new ? advice : "more data, as with " + first->second;
  return plugin + (plugin.empty() || of_data.empty() ? "" : "; ") + of_data;
}

// Whether the queue prints through us without an adoption, like the queues of
// `halftone add`.
bool IsAdded(const PrintQueue& queue, std::string_view ppd) {
  if (queue.is_marked || IsAdopted(ppd)) return false;
  const Result<PpdFile> file = PpdFile::Parse(ppd);
  return file.ok() && file->PrintsThroughUs();
}

Result<void> CheckIsIdle(const PrintQueue& queue) {
  // Refuses, because cupsd would start the job again.
  if (queue.is_printing)
    return BadInput("it is printing; wait until its job ends");
  return {};
}

// cupsd notices a missing filter only at its next start.
Result<void> CheckFilterIsThere() {
  if (!PrintServer::IsHere() || !Places::AreOfServer()) return {};
  const std::string filter = Places::Find().filter();
  if (Exists(filter)) return {};
  return Unavailable("there is no " + filter + "; " +
                     HowToInstallOurs("cups-filter-halftone"));
}

Result<std::string> PpdOf(PrintServer& server, const std::string& name) {
  Result<std::string> ppd = server.Ppd(name);
  if (!ppd.ok() && ppd.error().code == ErrorCode::kUnavailable) {
    return BadInput(
        "it has no driver; choose one that halftone models WORD lists, or "
        "create a queue with halftone add");
  }
  return ppd;
}

// Every document type that was accepted before must still be accepted.
Result<void> CheckFormats(const PrintQueue& before, const PrintQueue& now) {
  if (std::includes(now.formats.begin(), now.formats.end(),
                    before.formats.begin(), before.formats.end())) {
    return {};
  }
  return Unavailable(
      "CUPS does not find rastertohalftone; install cups-filter-halftone, or "
      "restart cupsd if it is installed (" +
      HowToRestartCups() + "); nothing was changed");
}

Result<void> PutAdopted(PrintServer& server, const PrintQueue& queue,
                        const std::string& ppd, const std::string& adopted) {
  HALFTONED_TRY(server.Change(queue.name, adopted, true));
  HALFTONED_TRY_ASSIGN(const PrintQueue now, server.Queue(queue.name));
  const Result<void> checked = CheckFormats(queue, now);
  if (checked.ok()) return {};
  HALFTONED_TRY(server.Change(queue.name, ppd, queue.is_marked));
  return checked;
}

}  // namespace

Result<QueueOutcome> AdoptQueue(PrintServer& server, const std::string& name,
                                bool dry_run, GivenAdvice& given) {
  HALFTONED_TRY_ASSIGN(const PrintQueue queue, server.Queue(name));
  HALFTONED_TRY(CheckIsOurs(queue));
  HALFTONED_TRY_ASSIGN(const std::string ppd, PpdOf(server, name));
  HALFTONED_TRY(CheckFilterIsThere());
  if (IsAdded(queue, ppd)) {
    return QueueOutcome{"already prints through rastertohalftone", "", ""};
  }
  const bool was_adopted = IsAdopted(ppd);
  const Result<std::string> adopted = was_adopted ? AdoptAnew(ppd) : Adopt(ppd);
  if (!adopted.ok()) return OfQueue(adopted.error(), queue);
  if (was_adopted && !IsDifferent(*adopted, ppd)) {
    if (!queue.is_marked && !dry_run)
      HALFTONED_TRY(server.Change(name, "", true));
    return QueueOutcome{"is already adopted", "", ""};
  }
  HALFTONED_TRY(CheckIsIdle(queue));
  if (dry_run) {
    return QueueOutcome{
        was_adopted ? "would be adopted again" : "would be adopted",
        NotesOn(server, queue, *adopted, given), ""};
  }
  HALFTONED_TRY(PutAdopted(server, queue, ppd, *adopted));
  return QueueOutcome{was_adopted ? "adopted again" : "adopted",
                      NotesOn(server, queue, *adopted, given), ""};
}

Result<QueueOutcome> ReleaseQueue(PrintServer& server, const std::string& name,
                                  bool dry_run) {
  HALFTONED_TRY_ASSIGN(const PrintQueue queue, server.Queue(name));
  HALFTONED_TRY(CheckIsOurs(queue));
  HALFTONED_TRY_ASSIGN(const std::string ppd, PpdOf(server, name));
  if (!IsAdopted(ppd)) {
    if (IsAdded(queue, ppd)) {
      return QueueOutcome{
          "is not adopted",
          "its driver is ours; to remove the queue, type: lpadmin -x " +
              ShellWord(name),
          ""};
    }
    if (!queue.is_marked) return QueueOutcome{"is not adopted", "", ""};
    if (!dry_run) HALFTONED_TRY(server.Change(name, "", false));
    return QueueOutcome{dry_run ? "would be released" : "released",
                        "its PPD file had been replaced, and stays as it is",
                        ""};
  }
  const Result<std::string> released = Release(ppd);
  if (!released.ok()) {
    return BadInput(released.error().message +
                    ": reinstall its driver with lpadmin -m");
  }
  HALFTONED_TRY(CheckIsIdle(queue));
  if (dry_run) return QueueOutcome{"would be released", "", ""};
  HALFTONED_TRY(server.Change(name, *released, false));
  return QueueOutcome{"released", "", ""};
}

QueueState StateOf(PrintServer& server, const PrintQueue& queue,
                   const std::vector<std::string>& models) {
  const Result<void> ours = CheckIsOurs(queue);
  if (!ours.ok()) return {queue.name, "no", ours.error().message};
  const Result<std::string> ppd = PpdOf(server, queue.name);
  if (!ppd.ok()) return {queue.name, "no", ppd.error().message};
  if (IsAdopted(*ppd)) {
    const std::string drift = DriftOf(*ppd, models);
    return {queue.name, drift.empty() ? "adopted" : "out of date", drift};
  }
  if (IsAdded(queue, *ppd)) {
    return {queue.name, "added", "it already prints through rastertohalftone"};
  }
  const Result<std::string> adopted = Adopt(*ppd);
  if (queue.is_marked) {
    return {
        queue.name, "out of date",
        "its PPD file was replaced after adoption" +
            (adopted.ok() ? std::string(kAdoptItAgain)
                          : ": " + OfQueue(adopted.error(), queue).message)};
  }
  if (!adopted.ok()) {
    return {queue.name, "no", OfQueue(adopted.error(), queue).message};
  }
  return {queue.name, "can be adopted", PluginFor(*ppd)};
}

bool IsMendedByAdoption(const QueueState& state) {
  return state.reason.ends_with(kAdoptItAgain) &&
         state.reason.find(';') == state.reason.size() - kAdoptItAgain.size();
}

Result<std::vector<QueueState>> ListModels(PrintServer& server,
                                           const std::string& word) {
  HALFTONED_TRY_ASSIGN(const auto models, server.Models(word));
  if (models.empty()) {
    return BadInput("CUPS has no model whose name contains '" + word +
                    "'; lpinfo -m lists all models");
  }
  std::vector<QueueState> states;
  for (const PrinterModel& model : models) {
    const Result<std::string> ppd = server.ModelPpd(model.model);
    const Result<std::string> adopted = ppd.ok() ? Adopt(*ppd) : ppd;
    states.push_back(
        {model.name, adopted.ok() ? "can be adopted" : "no",
         adopted.ok() ? PluginFor(*ppd) : adopted.error().message});
  }
  return states;
}

Result<std::vector<QueueState>> ListQueues(PrintServer& server) {
  HALFTONED_TRY_ASSIGN(const auto queues, server.Queues());
  // If this fails, newer drivers are not reported.
  const Result<std::vector<std::string>> found = server.ModelNames();
  const auto models = found.ok() ? *found : std::vector<std::string>();
  std::vector<QueueState> states;
  for (const PrintQueue& queue : queues) {
    states.push_back(StateOf(server, queue, models));
  }
  return states;
}

}  // namespace halftoned
