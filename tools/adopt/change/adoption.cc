// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/adoption.h"

#include <algorithm>
#include <map>
#include <vector>

#include "adopt/change/filter_line.h"
#include "adopt/change/ghostscript_driver.h"
#include "adopt/change/our_lines.h"
#include "adopt/change/raster_drivers.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/ppd/statements.h"

namespace halftoned {
namespace {

constexpr std::string_view kWas = "*%halftoned was ";

// The limit of lpadmin.
constexpr size_t kMaxLineBytes = 255;

// Replaces a line that does not accept our dots.
constexpr std::string_view kLeftOut = "*%halftoned leaves this out";

constexpr char kOurOption[] = "cupsHalftoneType";

// What to do about a driver that cannot be adopted, if nothing better is known.
constexpr char kOtherDriver[] =
    "; halftone models WORD lists drivers that can be adopted";
constexpr char kColorDriver[] =
    "; color printers cannot be adopted; if this one prints only black, "
    "halftone models WORD lists other drivers";
constexpr char kAskPrinter[] =
    "; to send it 1-bit raster, type: halftone add QUEUE URI";
constexpr char kInBlack[] =
    "; to print only black on it, type: halftone add QUEUE URI";
constexpr char kAsGray[] =
    "; to send it halftoned pages as black and white, type: halftone add QUEUE "
    "URI";
constexpr char kOurPcl[] =
    "; if the printer supports PCL 5e, type: halftone add QUEUE URI "
    "--language pcl5e";

const char* FilterKeyword(const PpdFile& ppd) {
  return ppd.HasAttribute("cupsFilter2") ? "cupsFilter2" : "cupsFilter";
}

Result<std::vector<FilterLine>> FiltersOf(const PpdFile& ppd) {
  std::vector<FilterLine> filters;
  const bool has_destination = ppd.HasAttribute("cupsFilter2");
  for (const std::string& value : ppd.FilterLines()) {
    HALFTONED_TRY_ASSIGN(FilterLine filter,
                         FilterLine::Parse(value, has_destination));
    filters.push_back(std::move(filter));
  }
  return filters;
}

bool IsOurs(const FilterLine& filter) {
  return filter.source == kHalftonedRaster ||
         filter.names_program(kOurFilter) ||
         filter.names_program(kOurPdfFilter) ||
         filter.names_program(kHalftoneRip);
}

Result<void> CheckIsNotOurs(const std::vector<FilterLine>& filters) {
  if (std::ranges::none_of(filters, IsOurs)) return {};
  return BadInput("it already prints through rastertohalftone; nothing to do");
}

Result<void> CheckFilter(const FilterLine& filter) {
  if (!filter.is_for_raster() && !filter.is_for_commands()) {
    return BadInput("its driver accepts " + filter.source +
                    ", and only raster can be halftoned");
  }
  return {};
}

bool IsWithoutDriver(const std::vector<FilterLine>& filters) {
  return std::ranges::any_of(filters, &FilterLine::is_without_driver);
}

// The driver of a queue that lpadmin -m everywhere has created. Its 1-bit
// choice is the printer's black_1.
Result<RasterDriver> DriverOfPrinter(PpdFile& ppd,
                                     const std::vector<FilterLine>& filters) {
  std::string types;
  bool takes_pwg = false;
  bool has_driver = !ppd.HasAttribute("cupsFilter2");
  for (const FilterLine& filter : filters) {
    has_driver = has_driver || !filter.is_without_driver();
    takes_pwg = takes_pwg || filter.is_for_pwg_printer();
    if (!filter.is_without_driver()) continue;
    types += (types.empty() ? "" : ", ") + filter.source;
  }
  const std::string what = "its printer accepts " + types + " without a driver";
  if (has_driver || !takes_pwg) return BadInput(what + kAskPrinter);
  if (ppd.is_colour()) {
    return BadInput(what + ", and prints in color" + kInBlack);
  }
  if (!ppd.MayAskFor("ColorModel", kBlackBits)) {
    return BadInput(what + ", but not 1-bit raster, and halftones gray itself" +
                    kAsGray);
  }
  return RasterDriver{.output = "pwg-raster last", .is_without = true};
}

bool IsForGhostscript(const std::vector<FilterLine>& filters) {
  return std::ranges::any_of(filters, &FilterLine::is_for_ghostscript);
}

Result<RasterDriver> DriverOfGhostscript(
    std::string_view text, const std::vector<FilterLine>& filters) {
  for (const FilterLine& filter : filters) {
    if (filter.is_for_ghostscript() || filter.is_for_commands()) continue;
    HALFTONED_TRY(CheckFilter(filter));
  }
  const Result<RasterDriver> driver = GhostscriptDriverOf(text);
  if (driver.ok()) return driver;
  return Error{driver.error().code, driver.error().message + kOurPcl};
}

Result<RasterDriver> DriverOfRaster(PpdFile& ppd,
                                    const std::vector<FilterLine>& filters) {
  for (const FilterLine& filter : filters) HALFTONED_TRY(CheckFilter(filter));
  if (std::ranges::none_of(filters, &FilterLine::is_for_raster)) {
    return BadInput("its driver does not accept raster");
  }
  const Result<RasterDriver> driver = RasterDriverOf(ppd, filters);
  if (driver.ok() || !ppd.is_colour()) return driver;
  return Error{driver.error().code, driver.error().message + kColorDriver};
}

Result<RasterDriver> DriverOf(std::string_view text, PpdFile& ppd,
                              const std::vector<FilterLine>& filters) {
  if (filters.empty()) {
    return BadInput(
        "it has no *cupsFilter, so its printer accepts PostScript, and only "
        "raster can be halftoned" +
        std::string(kOurPcl));
  }
  HALFTONED_TRY(CheckIsNotOurs(filters));
  if (ppd.HasAttribute("cupsPreFilter")) {
    return BadInput(
        "it has a cupsPreFilter, which would run between rastertohalftone and "
        "the driver");
  }
  if (ppd.HasOption(kOurOption) || ppd.HasAttribute(kOurOption)) {
    return BadInput("its driver has its own cupsHalftoneType");
  }
  if (ppd.nick_name().empty()) return BadInput("it has no NickName");
  if (IsWithoutDriver(filters)) return DriverOfPrinter(ppd, filters);
  return IsForGhostscript(filters) ? DriverOfGhostscript(text, filters)
                                   : DriverOfRaster(ppd, filters);
}

// The line that replaces `statement`; nothing if it stays.
Result<std::string> Replacement(const Statement& statement,
                                std::string_view filter_keyword,
                                const RasterDriver& driver) {
  if (statement.keyword == "NickName") {
    std::string line("*NickName: \"");
    return line.append(statement.value).append(driver.name_end).append("\"");
  }
  if (statement.keyword != filter_keyword) return std::string();
  HALFTONED_TRY_ASSIGN(
      const FilterLine filter,
      FilterLine::Parse(statement.value, filter_keyword == "cupsFilter2"));
  const std::string adopted = filter.Adopted();
  if (adopted.empty()) return std::string(kLeftOut);
  // A driver that runs Ghostscript keeps its input and output types.
  const std::string keyword(filter.is_for_ghostscript() ? filter_keyword
                                                        : "cupsFilter2");
  return "*" + keyword + ": \"" + adopted + "\"";
}

Result<void> CheckLine(const Statement& statement,
                       const std::string& replacement) {
  const std::string keyword(statement.keyword);
  if (!statement.is_one_line()) {
    return BadInput("its " + keyword + " spans several lines");
  }
  if (kWas.size() + statement.text.size() > kMaxLineBytes ||
      replacement.size() > kMaxLineBytes) {
    return BadInput("its " + keyword + " is too long");
  }
  return {};
}

Result<std::string> Rewrite(std::string_view ppd, const PpdFile& file,
                            const std::vector<FilterLine>& filters,
                            const RasterDriver& driver) {
  const std::vector<Statement> statements = SplitStatements(ppd);
  const std::string_view eol = statements.front().eol;
  std::string adopted;
  bool has_our_lines = false;
  for (const Statement& statement : statements) {
    HALFTONED_TRY_ASSIGN(const std::string replacement,
                         Replacement(statement, FilterKeyword(file), driver));
    if (!replacement.empty()) {
      HALFTONED_TRY(CheckLine(statement, replacement));
      if (!has_our_lines) adopted += OurLines(file, filters, driver, eol);
      has_our_lines = true;
      adopted.append(kWas).append(statement.text.substr(1)).append(eol);
    }
    adopted += replacement.empty() ? statement.text : replacement;
    adopted += statement.eol;
  }
  return adopted;
}

// Whether the release may replace `now` by the commented-out line `was`. A file
// must not be able to activate any other line in this way, or to run another
// program.
bool MayComeBack(std::string_view was, const Statement& now) {
  std::string line("*");
  line.append(was);
  const Statement original = SplitStatements(line).front();
  if (now.keyword == "NickName") return original.keyword == "NickName";
  const bool has_destination = original.keyword == "cupsFilter2";
  const bool had_destination = now.keyword == "cupsFilter2";
  if (now.text == kLeftOut) {
    const auto left_out = FilterLine::Parse(original.value, true);
    return has_destination && left_out.ok() && left_out->is_without_driver();
  }
  if ((now.keyword != "cupsFilter" && !had_destination) ||
      (original.keyword != "cupsFilter" && !has_destination)) {
    return false;
  }
  const auto before = FilterLine::Parse(original.value, has_destination);
  const auto after = FilterLine::Parse(now.value, had_destination);
  if (!before.ok() || !after.ok()) return false;
  if (before->is_without_driver()) return after->program == kOurFilter;
  return before->is_for_ghostscript() ? after->program == kHalftoneRip
                                      : before->program == after->program;
}

// Detects errors of the adoption before a page is printed.
Result<void> CheckAdopted(std::string_view adopted, std::string_view ppd) {
  HALFTONED_TRY_ASSIGN(PpdFile file, PpdFile::Parse(adopted));
  HALFTONED_TRY_ASSIGN(const auto filters, FiltersOf(file));
  bool has_raster = false;
  for (const FilterLine& filter : filters) {
    const bool is_raster =
        filter.source == kHalftonedRaster || filter.names_program(kOurFilter);
    has_raster = has_raster || is_raster;
    if (!is_raster && !filter.is_for_commands() &&
        !filter.names_program(kOurPdfFilter) &&
        !filter.names_program(kHalftoneRip)) {
      return BadInput("its filter for " + filter.source + " cannot be changed");
    }
  }
  if (has_raster) HALFTONED_TRY(file.CheckAsksFor(kGrayBytes));
  HALFTONED_TRY_ASSIGN(const std::string released, Release(adopted));
  if (released != ppd) return Bug("it could not be released");
  return {};
}

// `ppd` with the defaults of `other`.
std::string WithDefaultsOf(std::string_view ppd, std::string_view other) {
  std::map<std::string_view, std::string_view> defaults;
  for (const Statement& statement : SplitStatements(other)) {
    if (statement.keyword.starts_with("Default")) {
      defaults.emplace(statement.keyword, statement.text);
    }
  }
  std::string text;
  for (const Statement& statement : SplitStatements(ppd)) {
    const auto found = defaults.find(statement.keyword);
    text += found == defaults.end() ? statement.text : found->second;
    text += statement.eol;
  }
  return text;
}

Result<std::string> AdoptDriver(std::string_view ppd) {
  if (IsAdopted(ppd)) {
    return BadInput("it is already adopted; nothing to do");
  }
  HALFTONED_TRY_ASSIGN(PpdFile file, PpdFile::Parse(ppd));
  HALFTONED_TRY_ASSIGN(const auto filters, FiltersOf(file));
  HALFTONED_TRY_ASSIGN(const RasterDriver driver, DriverOf(ppd, file, filters));
  HALFTONED_TRY_ASSIGN(std::string adopted,
                       Rewrite(ppd, file, filters, driver));
  HALFTONED_TRY(CheckAdopted(adopted, ppd));
  return adopted;
}

}  // namespace

bool IsAdopted(std::string_view ppd) {
  const std::vector<Statement> statements = SplitStatements(ppd);
  return std::any_of(statements.begin(), statements.end(),
                     [](const Statement& statement) {
                       return statement.text.starts_with(kBegins);
                     });
}

Result<std::string> Adopt(std::string_view ppd) {
  Result<std::string> adopted = AdoptDriver(ppd);
  if (adopted.ok()) return adopted;
  const Error& error = adopted.error();
  const bool says_what_to_do = error.message.find("; ") != std::string::npos;
  return Error{error.code,
               error.message + (says_what_to_do ? "" : kOtherDriver)};
}

Result<std::string> AdoptAnew(std::string_view ppd) {
  HALFTONED_TRY_ASSIGN(const std::string released, Release(ppd));
  HALFTONED_TRY_ASSIGN(const std::string adopted, Adopt(released));
  return WithDefaultsOf(adopted, ppd);
}

Result<std::string> Release(std::string_view ppd) {
  if (!IsAdopted(ppd)) return BadInput("it is not adopted");
  std::string released;
  const Statement* was = nullptr;
  bool is_ours = false;
  const std::vector<Statement> statements = SplitStatements(ppd);
  for (const Statement& statement : statements) {
    if (statement.text.starts_with(kBegins)) is_ours = true;
    const bool keeps = !is_ours;
    if (statement.text.starts_with(kEnds)) is_ours = false;
    if (!keeps) continue;
    if (was) {
      if (!MayComeBack(was->text.substr(kWas.size()), statement)) {
        return BadInput("the lines that adoption added have been changed");
      }
      released.append("*").append(was->text.substr(kWas.size()));
      released += statement.eol;
      was = nullptr;
    } else if (statement.text.starts_with(kWas)) {
      was = &statement;
    } else {
      released.append(statement.text).append(statement.eol);
    }
  }
  if (was || is_ours) {
    return BadInput("the lines that adoption added are incomplete");
  }
  return released;
}

}  // namespace halftoned
