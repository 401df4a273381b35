// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/recovery.h"

#include <cups/cups.h>
#include <cups/ipp.h>
#include <pappl/pappl.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/spool.h"
#include "printer_app/matching/file_format.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// The options of a line of PAPPL's state.
class Fields {
 public:
  explicit Fields(const std::string& text)
      : count_(cupsParseOptions(text.c_str(), 0, &options_)) {}
  ~Fields() { cupsFreeOptions(count_, options_); }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  const char* Find(const char* name) const {
    return cupsGetOption(name, count_, options_);
  }
  int Number(const char* name) const {
    const char* value = Find(name);
    return value ? std::atoi(value) : 0;
  }
  void Set(const char* name, const std::string& value) {
    count_ = cupsAddOption(name, value.c_str(), count_, &options_);
  }
  std::string Text() const {
    std::string text;
    for (int i = 0; i < count_; ++i) {
      text += std::string(" ") + options_[i].name + "=\"";
      for (const char* c = options_[i].value; *c; ++c) {
        if (*c == '\\' || *c == '"') text += '\\';
        text += *c;
      }
      text += '"';
    }
    return text;
  }

 private:
  cups_option_t* options_ = nullptr;
  int count_;
};

// A job that was created but never saved after its document came has no format.
const char* FormatOf(const fs::path& document, const std::string& driver) {
  if (HasDocument(document)) return FormatOfDocument(DocumentOf(document));
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
  Rewriter(const std::string& spool, time_t now, bool has_crashed)
      : jobs_(SpooledJobs(spool)),
        now_(std::to_string(now)),
        has_crashed_(has_crashed) {}

  void Line(const std::string& line) {
    if (line.starts_with("<Printer ")) {
      const Fields fields(line.substr(9, line.size() - 10));
      printer_ = fields.Number("id");
      const char* driver = fields.Find("driver");
      driver_ = driver ? driver : "";
    } else if (line.starts_with("Job ")) {
      return Job(line.substr(4));
    }
    recovery_.state += line + '\n';
  }

  Recovery Take() { return std::move(recovery_); }
  const std::set<std::string>& kept() const { return kept_; }

 private:
  void Job(const std::string& text) {
    Fields fields(text);
    const int id = fields.Number("id");
    if (id <= 0 || !fields.Find("name") || !fields.Find("username")) return;
    if (fields.Number("state") < IPP_JSTATE_STOPPED) Active(id, fields);
    if (!fields.Find("format"))
      fields.Set("format", "application/octet-stream");
    recovery_.state += "Job" + fields.Text() + '\n';
  }

  void Active(int id, Fields& fields) {
    const std::string name = SpoolName(printer_, id);
    const SpooledJob& job = jobs_[name];
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
    if (job.is_sent) {
      Note(id, "is completed: the printer has all of it");
      return End(fields, IPP_JSTATE_COMPLETED);
    }
    const bool may_have_crashed = has_crashed_ && job.is_begun;
    if (may_have_crashed && job.is_suspect) {
      Note(id, "is aborted: the application ended twice while it printed");
      return End(fields, IPP_JSTATE_ABORTED);
    }
    MarkWaiting(job.document, job.is_suspect || may_have_crashed);
    kept_.insert(name);
    fields.Set("filename", job.document);
    Wait(fields);
    Note(id, job.is_begun ? "had begun: it is printed again from its first page"
                          : "waits as before");
  }

  void End(Fields& fields, ipp_jstate_t state) {
    fields.Set("state", std::to_string(state));
    fields.Set("completed", now_);
  }

  void Wait(Fields& fields) {
    // It begins when it is its turn (job_turns.h).
    const unsigned reasons =
        static_cast<unsigned>(fields.Number("state_reasons")) |
        PAPPL_JREASON_JOB_HOLD_UNTIL_SPECIFIED;
    fields.Set("state", std::to_string(IPP_JSTATE_HELD));
    fields.Set("state_reasons", std::to_string(reasons));
    // Its pages are counted anew.
    fields.Set("imcompleted", "0");
  }

  void Note(int id, const char* what) {
    recovery_.notes.push_back("Job " + std::to_string(id) + " of printer " +
                              std::to_string(printer_) + ' ' + what + '.');
  }

  std::map<std::string, SpooledJob> jobs_;
  std::set<std::string> kept_;
  const std::string now_;
  const bool has_crashed_;
  int printer_ = 0;
  std::string driver_;
  Recovery recovery_;
};

}  // namespace

Recovery RecoverJobs(const std::string& state, const std::string& spool,
                     time_t now, bool has_crashed) {
  Rewriter rewriter(spool, now, has_crashed);
  std::istringstream lines(state);
  for (std::string line; std::getline(lines, line);) rewriter.Line(line);
  RestoreAttributes(spool, rewriter.kept());
  RemoveOthers(spool, rewriter.kept());
  return rewriter.Take();
}

}  // namespace halftoned
