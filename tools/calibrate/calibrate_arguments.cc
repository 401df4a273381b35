// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/calibrate_arguments.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "command/command_help.h"
#include "command/command_line.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kClusterSize = SettingNamed("cluster-size");

struct NamedPaper {
  std::string_view name;
  SheetPaper paper;
};

constexpr NamedPaper kPapers[] = {{"a4", {210, 297}},
                                  {"a5", {148, 210}},
                                  {"a6", {105, 148}},
                                  {"letter", {215.9, 279.4}},
                                  {"legal", {215.9, 355.6}}};

// "A" means A by A; "AxB" gives both numbers.
std::optional<std::pair<double, double>> TwoNumbers(std::string_view text) {
  const auto first = TakeNumber<double>(text);
  if (!first) return std::nullopt;
  if (text.empty()) return std::pair(*first, *first);
  if (!text.starts_with('x')) return std::nullopt;
  const auto second = ParseNumber<double>(text.substr(1));
  if (!second) return std::nullopt;
  return std::pair(*first, *second);
}

std::vector<std::string_view> NamesOfSteps() {
  std::vector<std::string_view> names;
  for (const CalibrateStep& step : kCalibrateSteps) names.push_back(step.name);
  return names;
}

void AddSubject(CLI::App& command, CalibrateOptions& options) {
  const auto names = NamesOfSteps();
  command.add_option("STEP", options.step, "Step: " + Listed(names))
      ->check(MustBe(Listed(names), [names](const std::string& text) {
        return std::ranges::count(names, text) > 0;
      }));
  command
      .add_option("SUBJECT", options.subject,
                  "print: a CUPS queue, or a printer of halftone-printer-app; "
                  "read and verify: a scan (TIFF, PNG, JPEG, PNM), or - for "
                  "standard input")
      ->check(MustBeSaid("the name of a queue or of a scan"));
}

void AddPrint(CLI::App& command, CalibrateOptions& options) {
  command
      .add_option(
          "-o,--output", options.output,
          "print: write the chart to this file, for a printer without a queue")
      ->check(MustBeSaid("the name of a file"))
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          OptionOf(kType),
          [&options](const std::string& text) {
            kType.Set(LowerCase(text), options.look);
          },
          "print -o: halftone type: " + kType.Values())
      ->check(MustBeOf(kType))
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          OptionOf(kClusterSize),
          [&options](const std::string& text) {
            kClusterSize.Set(text, options.look);
          },
          "print -o: dots per cluster, for clustered: " + kClusterSize.Values())
      ->check(MustBeOf(kClusterSize))
      ->type_name("NUMBER");
  command
      .add_option("--dpi", options.resolution,
                  "print -o: resolution in dpi, such as 600 or 600x300")
      ->check(MustBe("a resolution in dpi, such as 600 or 600x300",
                     [](const std::string& text) {
                       SheetResolution tried;
                       return SetResolution(text, tried);
                     }))
      ->type_name("NUMBER")
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--paper",
          [&options](const std::string& text) {
            SetPaper(text, options.paper);
          },
          "print -o: " + PaperValues())
      ->check(MustBe(PaperValues(),
                     [](const std::string& text) {
                       SheetPaper tried;
                       return SetPaper(text, tried);
                     }))
      ->type_name("SIZE")
      ->default_str("a4");
  command.add_flag(
      "--second", options.is_second,
      "print: print with the measured curve, for calibrate verify");
}

void AddRead(CLI::App& command, CalibrateOptions& options) {
  command
      .add_option("--queue", options.queue,
                  "read: refuse a chart of any other queue")
      ->check(MustBeSaid("the name of a queue"))
      ->type_name("QUEUE");
  command
      .add_option("--curve", options.curve,
                  "read: write the curve to this file; print -o --second: "
                  "print with it")
      ->check(MustBeSaid("the name of a file"))
      ->type_name("FILE");
  command
      .add_option(
          "--picture", options.picture,
          "read: plot the tones before and after correction in this PNG file")
      ->check(MustBeSaid("the name of a file"))
      ->type_name("FILE");
  command.add_flag("-n,--dry-run", options.dry_run,
                   "read: change nothing; show the tones only");
  AddJson(command, options.json,
          "for the job, with print QUEUE, or the tones, with read and verify");
  AddNoClobber(command, options.no_clobber);
  AddConfig(command);
}

void Require(bool is_right, const std::string& message) {
  if (!is_right) throw CLI::ValidationError(message);
}

void CheckIsComplete(const CLI::App& command, const CalibrateOptions& options) {
  Require(!options.step.empty(),
          "missing step: print, read or verify; see --help");
  const bool is_print = options.step == "print";
  const auto only_of = [&](const char* name, bool is_right,
                           const std::string& what) {
    Require(is_right || command.get_option(name)->count() == 0,
            std::string(name) + ": only for calibrate " + what);
  };
  const bool is_file = is_print && !options.output.empty();
  only_of("--output", is_print, "print");
  only_of("--second", is_print, "print");
  for (const char* name :
       {"--halftone-type", "--cluster-size", "--dpi", "--paper"}) {
    only_of(name, is_file, "print -o");
  }
  for (const char* name : {"--queue", "--picture", "--dry-run"}) {
    only_of(name, options.step == "read", "read");
  }
  only_of("--json", !is_file, "print QUEUE, read and verify");
  only_of("--no-clobber", is_file || options.step == "read",
          "print -o and read");
  only_of("--curve", options.step == "read" || (is_file && options.is_second),
          "read, and for calibrate print -o --second");
  Require(!is_file || options.subject.empty(),
          "--output cannot be given with a queue");
  Require(!is_file || !options.is_second || !options.curve.empty(),
          "missing --curve, which --second requires");
  Require(is_file || !options.subject.empty(),
          is_print ? "missing queue, or --output; see --help"
                   : "missing scan; see --help");
}

}  // namespace

bool SetResolution(const std::string& text, SheetResolution& resolution) {
  const auto numbers = TwoNumbers(text);
  if (!numbers || !(numbers->first > 0 && numbers->second > 0)) return false;
  resolution = {numbers->first, numbers->second};
  return true;
}

bool SetPaper(const std::string& text, SheetPaper& paper) {
  for (const NamedPaper& named : kPapers) {
    if (named.name != LowerCase(text)) continue;
    paper = named.paper;
    return true;
  }
  constexpr double kMost = 2000;
  const auto numbers = TwoNumbers(text);
  if (!numbers || text.find('x') == text.npos || !(numbers->first > 0) ||
      !(numbers->second > 0) ||
      std::max(numbers->first, numbers->second) > kMost) {
    return false;
  }
  paper = {numbers->first, numbers->second};
  return true;
}

std::string PaperValues() {
  std::vector<std::string_view> names;
  for (const NamedPaper& named : kPapers) names.push_back(named.name);
  names.push_back("WIDTHxHEIGHT in millimeters");
  return Listed(names);
}

CLI::App* AddCalibrateCommand(CLI::App& app, CalibrateOptions& options) {
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measure the tones of a printer from a scanned chart");
  SetHelp(
      *command,
      {{"calibrate print [--second] QUEUE", "calibrate print -o FILE [OPTIONS]",
        "calibrate read [OPTIONS] SCAN", "calibrate verify SCAN"},
       {"calibrate print laser", "calibrate read scan.png",
        "calibrate print --second laser", "calibrate verify second.png"},
       "Each option names the steps that it applies to."});
  AddSubject(*command, options);
  AddPrint(*command, options);
  AddRead(*command, options);
  command->callback(
      [command, &options] { CheckIsComplete(*command, options); });
  return command;
}

}  // namespace halftoned
