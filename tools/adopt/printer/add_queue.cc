// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <optional>
#include <string_view>

#include "adopt/adopt_commands.h"
#include "adopt/change/adoption.h"
#include "adopt/ppd/made_ppd.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/printer/ipp_printer.h"
#include "adopt/queue/data_advice.h"
#include "base/text.h"
#include "check/places.h"
#include "config/config.h"

namespace halftoned {
namespace {

// The future driver of a queue.
struct Driver {
  std::string ppd;
  bool is_adopted = false;
  std::string words;  // for people

  // The words, with advice for the owner.
  std::string NotesOn(const AddOptions& options) const {
    const std::string advice =
        DataAdvice(options.name, options.uri, ppd, {},
                   ReadWhatIsRight(Places::Find().configuration).config);
    return words + (advice.empty() ? "" : "; ") + advice;
  }
};

// Accepts names that cupsd accepts and that need no quotes in a shell.
Result<void> CheckName(const std::string& name) {
  constexpr size_t kMostBytes = 127;
  const bool is_plain =
      std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return c > ' ' && c < 127 &&
               std::string_view("/\\#?'\"").find(static_cast<char>(c)) ==
                   std::string_view::npos;
      });
  if (is_plain && !name.empty() && name.size() <= kMostBytes) return {};
  return BadInput(
      "a queue's name has 1 … 127 letters, digits and symbols, without spaces, "
      "/, \\, #, ? and quotes");
}

std::string Counted(size_t count, const std::string& one,
                    const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

Result<Driver> DriverOfPrinter(const std::string& uri) {
  HALFTONED_TRY_ASSIGN(const PrinterFacts facts, AskPrinter(uri));
  Driver driver;
  HALFTONED_TRY_ASSIGN(driver.ppd, MakePpd(facts));
  HALFTONED_TRY_ASSIGN(PpdFile file, PpdFile::Parse(driver.ppd));
  HALFTONED_TRY(file.CheckAsksFor(kGrayBytes));
  driver.words =
      file.nick_name() + ", " +
      Counted(file.ChoicesOf("PageSize"), "size", "sizes") + " of paper, " +
      Counted(file.ChoicesOf("Resolution"), "resolution", "resolutions") +
      (file.HasOption("Duplex") ? ", two-sided" : ", one-sided") +
      (file.HasOption("StapleLocation") ? ", staples" : "") +
      (file.HasOption("PunchMedia") ? ", punches" : "");
  return driver;
}

Result<Driver> DriverOfModel(PrintServer& server, const std::string& model) {
  auto ppd = server.ModelPpd(model);
  if (!ppd.ok()) {
    return Error{ppd.error().code,
                 "unknown model " + model + "; lpinfo -m lists the models"};
  }
  Driver driver;
  driver.ppd = *ppd;
  HALFTONED_TRY_ASSIGN(const PpdFile file, PpdFile::Parse(*ppd));
  // Our own models already have the filter.
  if (!file.HasAttribute("halftonedOutput")) {
    HALFTONED_TRY_ASSIGN(driver.ppd, Adopt(*ppd));
    driver.is_adopted = true;
  }
  driver.words = file.nick_name();
  return driver;
}

Result<Driver> DriverFor(PrintServer& server, const AddOptions& options) {
  if (!options.model.empty()) return DriverOfModel(server, options.model);
  for (const PrinterLanguage& language : kPrinterLanguages) {
    if (language.name == LowerCase(options.language)) {
      return DriverOfModel(server, std::string(language.model));
    }
  }
  if (SpeaksIpp(options.uri)) return DriverOfPrinter(options.uri);
  return BadInput("a printer at " + options.uri +
                  " cannot report what it accepts; give --language or --model, "
                  "or its ipp:// address; ippfind lists printers on this "
                  "network");
}

// The queue of this name, if it may get a new driver.
Result<std::optional<PrintQueue>> Existing(PrintServer& server,
                                           const AddOptions& options) {
  auto queue = server.Queue(options.name);
  if (!queue.ok()) {
    if (queue.error().code != ErrorCode::kUnavailable) return queue.error();
    return std::optional<PrintQueue>();
  }
  if (queue->device_uri != options.uri) {
    return BadInput("a queue of this name exists, for " + queue->device_uri +
                    "; choose another name");
  }
  if (queue->is_printing)
    return BadInput("it is printing; wait until its job ends");
  return std::optional<PrintQueue>(*queue);
}

// Restores the queue's previous state.
Result<void> TakeBack(PrintServer& server, const std::string& name,
                      const std::optional<PrintQueue>& before,
                      const std::string& ppd) {
  if (!before) return server.Delete(name);
  return server.Change(name, ppd, before->is_marked);
}

}  // namespace

Result<QueueOutcome> AddQueue(PrintServer& server, const AddOptions& told) {
  AddOptions options = told;
  options.uri =
      FullAddress(told.uri, told.language.empty() && told.model.empty());
  HALFTONED_TRY(CheckName(options.name));
  HALFTONED_TRY_ASSIGN(const auto before, Existing(server, options));
  HALFTONED_TRY_ASSIGN(const Driver driver, DriverFor(server, options));
  if (options.dry_run) {
    return QueueOutcome{"would be added", driver.NotesOn(options), ""};
  }
  const auto old_ppd =
      before ? server.Ppd(options.name) : Result<std::string>(std::string());
  if (before && !old_ppd.ok()) {
    return BadInput(
        "a queue of this name exists, without a driver; choose another name");
  }
  HALFTONED_TRY(
      server.Add(options.name, options.uri, driver.ppd, driver.is_adopted));
  HALFTONED_TRY_ASSIGN(const PrintQueue now, server.Queue(options.name));
  if (!now.formats.contains("application/pdf")) {
    HALFTONED_TRY(TakeBack(server, options.name, before, *old_ppd));
    return Unavailable(
        "CUPS does not find rastertohalftone; install cups-filter-halftone, or "
        "restart cupsd if it is installed (" +
        HowToRestartCups() + "); nothing was changed");
  }
  return QueueOutcome{before ? "has a new driver" : "added",
                      driver.NotesOn(options), ""};
}

}  // namespace halftoned
