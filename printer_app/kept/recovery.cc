// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/recovery.h"

#include <cups/cups.h>
#include <cups/ipp.h>
#include <pappl/pappl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/matching/file_format.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// A job without a format was not saved after its document arrived.
const char* FormatOf(const fs::path& document, const std::string& driver) {
  const Result<std::string> whole = DocumentOf(document);
  if (whole.ok() && HasDocument(document)) return FormatOfDocument(*whole);
  const std::string end = document.extension();
  if (end == ".jpg") return "image/jpeg";
  if (end == ".png") return "image/png";
  if (end == ".pdf") return "application/pdf";
  if (end == ".ps") return "application/postscript";
  const Driver* found = FindDriver(driver);
  return found ? found->raw_format : nullptr;
}

class Rewriter {
 public:
  Rewriter(std::map<JobNumber, SpooledJob> jobs, time_t now, bool has_crashed)
      : jobs_(std::move(jobs)),
        now_(std::to_string(now)),
        has_crashed_(has_crashed) {
    if (has_crashed_) Accuse();
  }

  Result<void> Line(const std::string& line) {
    if (line.starts_with("<Printer ")) {
      StateLine fields(line.substr(9, line.size() - 10));
      printer_ = fields.Number("id");
      printers_.insert(printer_);
      const char* driver = fields.Find("driver");
      driver_ = driver ? driver : "";
      const std::string begin =
          line.size() > kLongestStateLine ? PrinterLine(fields) : line;
      is_left_out_ = begin.size() > kLongestStateLine;
      Keep(begin);
    } else if (line.starts_with("Job ")) {
      return Job(line.substr(4));
    } else {
      Keep(line);
      if (line == "</Printer>") is_left_out_ = false;
    }
    return {};
  }

  Recovery Take() {
    NoteLost();
    return std::move(recovery_);
  }
  const std::set<JobNumber>& kept() const { return kept_; }

 private:
  void Keep(const std::string& line) {
    if (!is_left_out_ && line.size() <= kLongestStateLine) {
      recovery_.state += line + '\n';
    }
  }

  // Finds the suspect that may have crashed the program. At most one suspect
  // prints, unless one has printed for long: then the cause is the last one.
  void Accuse() {
    int64_t last = -1;
    for (const auto& [number, job] : jobs_) {
      if (!job.is_begun || job.is_sent || job.is_failed) continue;
      if (!job.is_suspect) {
        had_others_ = true;
      } else if (job.marked > last) {
        last = job.marked;
        accused_ = number;
      }
    }
  }

  Result<void> Job(const std::string& text) {
    StateLine fields(text);
    const int id = fields.Number("id");
    if (id <= 0 || !fields.Find("name") || !fields.Find("username")) return {};
    const bool was_active = fields.Number("state") < IPP_JSTATE_STOPPED;
    if (was_active) HALFTONED_TRY(Active(id, fields));
    if (!fields.Find("format"))
      fields.Set("format", "application/octet-stream");
    const std::string line = "Job" + fields.Text();
    Keep(line);
    const bool ends =
        was_active && fields.Number("state") >= IPP_JSTATE_STOPPED;
    (ends ? recovery_.ended : recovery_.others)[{printer_, id}] = line;
    return {};
  }

  // In case somebody deleted the state file, or printers in it.
  void NoteLost() {
    const auto lost = std::ranges::count_if(jobs_, [&](const auto& job) {
      return !job.second.is_sent && !printers_.contains(job.first.printer);
    });
    if (lost == 0) return;
    recovery_.notes.push_back(
        std::to_string(lost) +
        (lost == 1 ? " waiting document is" : " waiting documents are") +
        " removed: the printers are no longer in printers.state.");
  }

  Result<void> Active(int id, StateLine& fields) {
    const JobNumber number{printer_, id};
    const SpooledJob& job = jobs_[number];
    if (!job.document.empty() && !fields.Find("format")) {
      const char* format = FormatOf(job.document, driver_);
      if (format) fields.Set("format", format);
    }
    if (job.document.empty() || !fields.Find("format")) {
      Note(id,
           "is aborted: it ended or its document was incomplete when the "
           "application ended");
      return End(fields, IPP_JSTATE_ABORTED);
    }
    if (job.is_failed) {
      Note(id, "is aborted: it had failed");
      return End(fields, IPP_JSTATE_ABORTED);
    }
    if (job.is_sent) {
      Note(id, "is completed: the printer has all of it");
      return End(fields, IPP_JSTATE_COMPLETED);
    }
    if (!job.damage.empty()) return EndDamaged(id, job.damage, fields);
    const Result<bool> has_settings = HasAttributes(job.document);
    if (!has_settings.ok()) {
      const auto& [code, message] = has_settings.error();
      if (code != ErrorCode::kIo) return has_settings.error();
      return EndDamaged(id, message, fields);
    }
    if (!*has_settings) {
      Note(id,
           "is aborted: its settings were not kept, perhaps because the disk "
           "was full");
      return End(fields, IPP_JSTATE_ABORTED);
    }
    const bool is_accused = accused_ == number;
    if (is_accused && (job.is_spared || !had_others_)) {
      Note(id, "is aborted: the application ended twice while it printed");
      return End(fields, IPP_JSTATE_ABORTED);
    }
    SpooledJob waiting = job;
    waiting.is_suspect |= has_crashed_ && job.is_begun;
    waiting.is_spared |= is_accused;
    MarkWaiting(waiting);
    kept_.insert(number);
    if (job.is_begun) ForgetHold(job.document);
    fields.Set("filename", job.document);
    Wait(fields);
    Note(id, job.is_begun ? "had begun: it is printed again from its first page"
                          : "waits as before");
    return {};
  }

  Result<void> EndDamaged(int id, const std::string& damage,
                          StateLine& fields) {
    Note(id, "is aborted: " + damage);
    return End(fields, IPP_JSTATE_ABORTED);
  }

  Result<void> End(StateLine& fields, ipp_jstate_t state) {
    fields.Set("state", state);
    fields.Set("completed", now_);
    return {};
  }

  void Wait(StateLine& fields) {
    // The job begins when it is its turn (job_turns.h).
    const unsigned reasons =
        static_cast<unsigned>(fields.Number("state_reasons")) |
        PAPPL_JREASON_JOB_HOLD_UNTIL_SPECIFIED;
    fields.Set("state", IPP_JSTATE_HELD);
    fields.Set("state_reasons", std::to_string(reasons));
    // The job's pages are counted again.
    fields.Set("imcompleted", "0");
  }

  void Note(int id, const std::string& what) {
    recovery_.notes.push_back("Job " + std::to_string(id) + " of printer " +
                              std::to_string(printer_) + ' ' + what + '.');
  }

  std::map<JobNumber, SpooledJob> jobs_;
  std::set<JobNumber> kept_;
  const std::string now_;
  const bool has_crashed_;
  std::optional<JobNumber> accused_;
  bool had_others_ = false;  // jobs that printed and were no suspects
  int printer_ = 0;
  std::set<int> printers_;
  bool is_left_out_ = false;  // the printer of the lines
  std::string driver_;
  Recovery recovery_;
};

}  // namespace

std::string WithJobs(const std::string& state,
                     const std::map<JobNumber, std::string>& jobs) {
  constexpr std::string_view kNextJob = "NextJobId ";
  std::string whole;
  int printer = 0;
  std::istringstream lines(state);
  for (std::string line; std::getline(lines, line);) {
    const auto first = jobs.lower_bound({printer, 0});
    const auto end = jobs.lower_bound({printer + 1, 0});
    if (line.starts_with("<Printer ")) {
      printer = StateLine(line.substr(9, line.size() - 10)).Number("id");
    } else if (line.starts_with("Job ") &&
               jobs.contains(
                   {printer, StateLine(line.substr(4)).Number("id")})) {
      continue;
    } else if (line == "</Printer>") {
      for (auto job = first; job != end; ++job) whole += job->second + '\n';
    } else if (line.starts_with(kNextJob) && first != end) {
      const int next = std::atoi(line.c_str() + kNextJob.size());
      line.resize(kNextJob.size());
      line += std::to_string(std::max(next, std::prev(end)->first.job + 1));
    }
    whole += line + '\n';
  }
  return whole;
}

Result<Recovery> RecoverJobs(const std::string& state, const std::string& spool,
                             time_t now, bool has_crashed) {
  HALFTONED_TRY_ASSIGN(auto jobs, SpooledJobs(spool));
  Rewriter rewriter(std::move(jobs), now, has_crashed);
  std::istringstream lines(state);
  for (std::string line; std::getline(lines, line);) {
    HALFTONED_TRY(rewriter.Line(line));
  }
  RemoveOthers(spool, rewriter.kept());
  return rewriter.Take();
}

}  // namespace halftoned
