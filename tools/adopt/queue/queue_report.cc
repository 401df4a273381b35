// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "adopt/adopt_commands.h"
#include "adopt/change/drift.h"
#include "adopt/change/filter_line.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/printer/printer_report.h"
#include "adopt/queue/print_server.h"
#include "adopt/queue/queues.h"

namespace halftoned {
namespace {

constexpr char kFilter[] = "rastertohalftone";

std::string HowToStart() {
  return Exists("/run/systemd/system") ? "type: sudo systemctl restart cups"
                                       : "type: sudo cupsd";
}

// The programs that the PPD file names; none if it cannot be read.
std::vector<std::string> ProgramsOf(const PpdFile& ppd) {
  const bool has_destination = ppd.HasAttribute("cupsFilter2");
  std::vector<std::string> programs;
  for (const std::string& value : ppd.FilterLines()) {
    const auto line = FilterLine::Parse(value, has_destination);
    if (!line.ok() || line->program == "-") continue;
    const std::string& program = line->program;
    programs.push_back(program.substr(program.find_last_of(" \t)") + 1));
  }
  return programs;
}

class QueueReport {
 public:
  QueueReport(PrintServer& server, const Places& places,
              const std::function<void(const Finding&)>& tell)
      : server_(server), places_(places), tell_(tell) {}

  // cupsd reads MIME types and finds filters when it starts.
  void TellOfTypes() {
    if (!IsOfPlaces() || !Exists(places_.filter()) ||
        !Exists(places_.data_dir + "/mime/halftoned.types")) {
      return;  // CheckCupsFiles reports this
    }
    knows_us_ = server_.HasType(kHalftonedRaster);
    if (knows_us_) return;
    tell_(
        Wrong("cupsd does not know rastertohalftone: it was started before "
              "the filter was installed",
              "type: " + HowToRestartCups()));
  }

  void Tell(const PrintQueue& queue, const std::vector<std::string>& models) {
    const QueueState state = StateOf(server_, queue, models);
    TellState(state);
    const Result<std::string> ppd = server_.Ppd(queue.name);
    if (!ppd.ok()) return;
    const Result<PpdFile> file = PpdFile::Parse(*ppd);
    if (!file.ok()) return;
    const std::vector<std::string> programs = ProgramsOf(*file);
    const bool is_adopted = file->HasAttribute("halftonedOutput");
    if (!is_adopted && std::ranges::count(programs, kFilter) == 0) return;
    ++through_us_;
    TellOfPrograms(queue, programs);
    TellOfFormats(queue);
    TellOfPrinter(queue);
  }

  int through_us() const { return through_us_; }

 private:
  void TellState(const QueueState& state) {
    if (state.state != "out of date") {
      tell_(Good(state.name + ": " + state.state +
                 (state.reason.empty() ? "" : ": " + state.reason)));
      return;
    }
    std::string why = state.reason;
    const bool is_enough = IsMendedByAdoption(state);
    if (is_enough) why.resize(why.size() - kAdoptItAgain.size());
    tell_(Wrong(state.name + " is out of date: " + why,
                is_enough ? "type: halftone adopt " + state.name : ""));
  }

  // Programs of other servers are not on this machine.
  void TellOfPrograms(const PrintQueue& queue,
                      const std::vector<std::string>& programs) {
    if (!IsOfPlaces()) return;
    for (const std::string& program : programs) {
      if (program == kFilter) continue;  // one line about it is enough
      const std::string path = program.starts_with('/')
                                   ? program
                                   : places_.server_bin + "/filter/" + program;
      if (Exists(path)) continue;
      tell_(Wrong(queue.name + ": its driver is missing: " + path,
                  "reinstall the package of the driver"));
    }
  }

  // Checks that cupsd, with the filters that it has found, can convert
  // documents for the driver.
  void TellOfFormats(const PrintQueue& queue) {
    if (!knows_us_ || queue.formats.contains(kCupsRaster) ||
        queue.formats.contains(kCupsPdf)) {
      return;
    }
    tell_(Wrong(
        queue.name + " cannot print: CUPS has not found " + kFilter,
        "type: " + HowToRestartCups() + ", once the filter is installed"));
  }

  void TellOfPrinter(const PrintQueue& queue) {
    const std::string why =
        queue.state_message.empty() ? "" : ": " + queue.state_message;
    if (queue.has_wrong_ppd) {
      tell_(
          Wrong(queue.name + " could not print: its PPD file is invalid" + why,
                "type: lpoptions -p " + queue.name +
                    " -l, and see rastertohalftone(8)"));
    } else if (queue.is_misconfigured) {
      tell_(Wrong(
          queue.name + " ignores invalid settings in halftoned.conf" + why,
          "see halftoned.conf(5)"));
    }
    const auto jobs = server_.Jobs(queue.name);
    const auto findings =
        PrinterFindings(queue, jobs.ok() ? *jobs : std::vector<PrintJob>(),
                        places_.data_dir + "/locale");
    for (const Finding& finding : findings) tell_(finding);
    if (!jobs.ok()) tell_(Unseen("the jobs of " + queue.name));
  }

  // Whether the server's files are on this machine.
  static bool IsOfPlaces() {
    return PrintServer::IsHere() && Places::AreOfServer();
  }

  PrintServer& server_;
  const Places& places_;
  const std::function<void(const Finding&)>& tell_;
  int through_us_ = 0;
  bool knows_us_ = true;
};

}  // namespace

void ReportQueues(const Places& places,
                  const std::function<void(const Finding&)>& tell) {
  Result<PrintServer> server = PrintServer::Connect();
  if (!server.ok()) return tell(Wrong(PrintServer::NoAnswer(), HowToStart()));
  if (!PrintServer::IsHere()) {
    tell(Unseen("the files of CUPS at " + PrintServer::Name()));
  }
  const auto queues = server->Queues();
  if (!queues.ok()) return tell(Wrong(queues.error().message, HowToStart()));
  tell(Good("CUPS has " + std::to_string(queues->size()) + " queues"));
  // Without the models, newer drivers are not noticed.
  const auto models = server->ModelNames();
  QueueReport report(*server, places, tell);
  report.TellOfTypes();
  for (const PrintQueue& queue : *queues) {
    report.Tell(queue, models.ok() ? *models : std::vector<std::string>());
  }
  if (report.through_us() == 0) {
    tell(Advice("no queue prints through rastertohalftone yet",
                "type: halftone list"));
  }
}

}  // namespace halftoned
