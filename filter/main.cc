// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rastertohalftone: a CUPS filter that turns gray raster into 1-bit raster. A
// page goes through Job (pages) → GraySource → Session → PageSink. This file
// sets up the job from arguments, environment and configuration.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/standard_output.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/config.h"
#include "filter/arguments.h"
#include "filter/engines.h"
#include "filter/job.h"
#include "filter/messages.h"
#include "filter/polled_io.h"
#include "filter/queue.h"
#include "filter/settings.h"
#include "filter/stop.h"

namespace halftoned {
namespace {

constexpr char kUsage[] =
    "usage: rastertohalftone job-id user title copies options [file]\n"
    "       rastertohalftone --version | --help\n"
    "CUPS runs this filter; rastertohalftone(8) describes it.\n";
// What this job stopped at, and what it was printed without.
constexpr char kPpdReason[] = "halftoned-configuration-error";
constexpr char kProblemReason[] = "halftoned-configuration-warning";

std::string Environment(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

Result<Settings> ReadSettings(const Arguments& arguments) {
  CheckedConfig checked =
      ReadWhatIsRight(Environment("HALFTONED_CONF", HALFTONED_CONF_PATH));
  HALFTONED_TRY_ASSIGN(const Queue queue,
                       Queue::Read(Environment("PPD"), arguments.options));
  HALFTONED_TRY_ASSIGN(Settings settings,
                       ResolveSettings(queue, Environment("PRINTER"),
                                       checked.config, ReadTextFile));
  settings.problems.insert(settings.problems.begin(), checked.problems.begin(),
                           checked.problems.end());
  return settings;
}

// One warning, which cupsd keeps with the queue, and the printer's state.
void Report(const std::vector<std::string>& problems, Messages& messages) {
  messages.Reason(kProblemReason, !problems.empty());
  if (problems.empty()) return;
  const size_t others = problems.size() - 1;
  messages.Warning(
      "settings that are wrong are left out: " + problems.front() +
      (others > 0 ? " (and " + std::to_string(others) + " more)" : ""));
}

// A print file must be a regular file: a FIFO could block for ever.
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

Result<void> PrintCopies(const Arguments& arguments, const Stop& stop,
                         Job& job) {
  Descriptor file;
  if (arguments.file) {
    HALFTONED_TRY_ASSIGN(file, OpenPrintFile(*arguments.file));
  }
  const int fd = arguments.file ? file.get() : STDIN_FILENO;
  for (int copy = 0; copy < arguments.copies; ++copy) {
    if (copy > 0 && ::lseek(fd, 0, SEEK_SET) != 0) {
      return ErrnoError(ErrorCode::kIo, "cannot read the print file again");
    }
    HALFTONED_TRY_ASSIGN(PolledInput input, PolledInput::Make(fd, stop));
    HALFTONED_TRY(job.Print(input));
  }
  return {};
}

// Filters of all jobs run as the same user, who owns this folder.
std::string SlotsFile() {
  const std::string folder = Environment("CUPS_CACHEDIR");
  return folder.empty() ? folder : folder + "/halftoned.slots";
}

Result<void> RunJob(std::span<char* const> argv, const Stop& stop,
                    Messages& messages) {
  HALFTONED_TRY_ASSIGN(const Arguments arguments, ParseArguments(argv));
  Result<Settings> settings = ReadSettings(arguments);
  messages.Reason(kPpdReason, !settings.ok());
  if (!settings.ok()) return settings.error();
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
  Job job(*settings, **engine, output, messages);
  const Result<void> printed = PrintCopies(arguments, stop, job);
  if (const std::string moves = engines.Moves(); !moves.empty()) {
    messages.Debug(moves);
  }
  return printed;
}

// Our code returns results; libraries throw when memory runs out.
Result<void> Run(std::span<char* const> argv, const Stop& stop,
                 Messages& messages) {
  try {
    return RunJob(argv, stop, messages);
  } catch (const std::bad_alloc&) {
    return Unavailable("there is not enough memory");
  } catch (const std::exception& exception) {
    return Bug(exception.what());
  }
}

// Returns the exit status.
int Print(const char* text) {
  std::fputs(text, stdout);
  const Result<void> printed = FlushStandardOutput();
  if (printed.ok()) return EXIT_SUCCESS;
  Messages(STDERR_FILENO).Error(printed.error().message);
  return EXIT_FAILURE;
}

int Main(std::span<char* const> argv) {
  if (argv.size() == 1 && argv[0] == std::string_view("--version")) {
    return Print("rastertohalftone " HALFTONED_VERSION "\n");
  }
  if (argv.size() == 1 && argv[0] == std::string_view("--help")) {
    return Print(kUsage);
  }
  Result<Stop> stop = Stop::Make();
  if (!stop.ok()) {
    Messages(STDERR_FILENO).Error(stop.error().message);
    return EXIT_FAILURE;
  }
  Messages messages(STDERR_FILENO, &*stop);
  StopOnSignals(*stop);
  const Result<void> result = Run(argv, *stop, messages);
  if (result.ok()) return EXIT_SUCCESS;
  // A cancelled job needs no error message.
  if (stop->requested()) {
    messages.Debug("cancelled");
  } else {
    messages.Error("cannot print: " + result.error().message);
  }
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  halftoned::OpenStandardDescriptors();
  return halftoned::Main(
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
}
