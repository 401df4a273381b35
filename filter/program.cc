// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "base/sanitizers.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/config.h"
#include "filter/engines.h"
#include "print/process/message_reader.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

// Reasons in the printer's state: what stopped this job, and what it ignored.
constexpr char kPpdReason[] = "halftoned-configuration-error";
constexpr char kProblemReason[] = "halftoned-configuration-warning";

std::string UsageOf(const FilterProgram& program) {
  const std::string name = program.name;
  return "usage: " + name +
         " job-id user title copies options [file]\n"
         "       " +
         name + " --version | --help\nCUPS runs this filter; " + name +
         "(8) describes it.\n";
}

// Raster and pictures, in any form that CUPS gives them, have no CMYK black
// that a renderer would give a color.
bool IsPicture(std::string_view content_type) {
  return content_type.starts_with("image/") ||
         content_type == "application/vnd.cups-raster";
}

Result<Settings> ReadSettings(const Queue& queue) {
  CheckedConfig checked = ReadWhatIsRight(ConfPath());
  HALFTONED_TRY_ASSIGN(Settings settings,
                       ResolveSettings(queue, Environment("PRINTER"),
                                       checked.config, ReadTextFile));
  settings.problems.insert(settings.problems.begin(), checked.problems.begin(),
                           checked.problems.end());
  settings.is_black_solid = IsPicture(Environment("CONTENT_TYPE"));
  return settings;
}

// Reports problems as one warning, which cupsd keeps with the queue, and in the
// printer's state.
void Report(const std::vector<std::string>& problems, Messages& messages) {
  messages.Reason(kProblemReason, !problems.empty());
  if (problems.empty()) return;
  const size_t others = problems.size() - 1;
  messages.Warning(
      "invalid settings are ignored: " + problems.front() +
      (others > 0 ? " (and " + std::to_string(others) + " more)" : ""));
}

// Filters of all jobs run as the same user, who owns this folder.
std::string SlotsFile() {
  const std::string folder = Environment("CUPS_CACHEDIR");
  return folder.empty() ? folder : folder + "/halftoned.slots";
}

Result<void> RunJob(const FilterProgram& program, std::span<char* const> argv,
                    const Stop& stop, Messages& messages) {
  HALFTONED_TRY_ASSIGN(const Arguments arguments,
                       ParseArguments(program.name, argv));
  const Result<Queue> queue =
      Queue::Read(Environment("PPD"), arguments.options);
  Result<Settings> settings = queue.ok() ? ReadSettings(*queue) : queue.error();
  messages.Reason(kPpdReason, !settings.ok());
  if (!settings.ok()) return settings.error();
  for (const std::string& note : settings->notes) messages.Info(note);
  for (const std::string& warning : settings->warnings) {
    messages.Warning(warning);
  }

  Engines engines(*settings,
                  {.job = arguments.job,
                   .printer = Environment("PRINTER"),
                   .title = arguments.title},
                  SlotsFile(), stop, messages);
  const auto engine = engines.Choose(settings->problems);
  Report(settings->problems, messages);
  if (!engine.ok()) return engine.error();
  messages.Debug(engines.description());
  PolledOutput output(STDOUT_FILENO, stop);
  PagePrinter printer(*settings, output, messages);
  const Result<void> printed = program.print(
      {arguments, *queue, *settings, **engine, printer, messages, stop});
  if (const std::string moves = engines.Moves(); !moves.empty()) {
    messages.Debug(moves);
  }
  return printed;
}

// Our code returns results; libraries throw when memory runs out.
Result<void> Run(const FilterProgram& program, std::span<char* const> argv,
                 const Stop& stop, Messages& messages) {
  try {
    return RunJob(program, argv, stop, messages);
  } catch (const std::bad_alloc&) {
    return Unavailable("not enough memory");
  } catch (const std::exception& exception) {
    return Bug(exception.what());
  }
}

// From now on, what libraries and child processes write to stderr becomes debug
// messages: cupsd obeys lines such as "PPD:", and a job's document and options
// can determine some of these lines.
Result<std::unique_ptr<MessageReader>> MessagesOfOthers(
    Messages& messages) try {
  HALFTONED_TRY_ASSIGN(auto reader,
                       MessageReader::Start([&](std::string_view line) {
                         constexpr std::string_view kDebug = "DEBUG: ";
                         if (line.starts_with(kDebug)) {
                           line.remove_prefix(kDebug.size());
                         }
                         messages.Debug(line);
                       }));
  if (::dup2(reader->writing().get(), STDERR_FILENO) < 0) {
    return ErrnoError(ErrorCode::kIo, "cannot replace stderr");
  }
  reader->writing().Close();
  return reader;
} catch (const std::bad_alloc&) {
  return Unavailable("not enough memory");
}

// Returns the exit status.
int Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  const Result<void> printed = FlushStandardOutput();
  if (printed.ok()) return EXIT_SUCCESS;
  Messages(STDERR_FILENO).Error(printed.error().message);
  return EXIT_FAILURE;
}

int Main(const FilterProgram& program, std::span<char* const> argv) {
  if (argv.size() == 1 && argv[0] == std::string_view("--version")) {
    return Print(program.version);
  }
  if (argv.size() == 1 && argv[0] == std::string_view("--help")) {
    return Print(UsageOf(program));
  }
  Result<Stop> stop = Stop::Make();
  if (!stop.ok()) {
    Messages(STDERR_FILENO).Error(stop.error().message);
    return EXIT_FAILURE;
  }
  const Descriptor to_cupsd(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!to_cupsd.open()) {
    Messages(STDERR_FILENO).Error("cannot print: no file descriptors are left");
    return EXIT_FAILURE;
  }
  Messages messages(to_cupsd.get(), &*stop);
  StopOnSignals(*stop);
  SetReportFile(to_cupsd.get());
  const auto others = MessagesOfOthers(messages);
  if (!others.ok()) {
    messages.Error("cannot print: " + others.error().message);
    return EXIT_FAILURE;
  }
  const Result<void> result = Run(program, argv, *stop, messages);
  ::dup2(to_cupsd.get(), STDERR_FILENO);
  SetReportFile(STDERR_FILENO);
  (*others)->End();
  if (result.ok()) return EXIT_SUCCESS;
  // A canceled job needs no error message.
  if (stop->requested()) {
    messages.Debug("canceled");
  } else {
    messages.Error("cannot print: " + result.error().message);
  }
  return EXIT_FAILURE;
}

}  // namespace

std::string Environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

Result<Descriptor> OpenPrintFile(const std::string& path) {
  Result<Descriptor> file = Descriptor::Open(path, O_RDONLY | O_NONBLOCK);
  if (!file.ok()) {
    return ErrnoError(ErrorCode::kIo,
                      "cannot open the print file " + Printable(path));
  }
  struct stat status;
  if (::fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return BadInput("the print file is not a regular file");
  }
  return file;
}

int RunFilter(const FilterProgram& program, int argc, char* argv[]) {
  OpenStandardDescriptors();
  return Main(
      program,
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
}

}  // namespace halftoned
