// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/stand_in.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/text.h"
#include "filter/ghostscript/dots_output.h"
#include "filter/ghostscript/gs_call.h"
#include "filter/job.h"
#include "filter/program.h"
#include "print/limits/render_guard.h"
#include "print/process/child.h"
#include "print/process/pipe.h"
#include "print/render/gs_program.h"
#include "print/render/pages_reader.h"

namespace halftoned {
namespace {

std::string PathOf(const Descriptor& file) {
  return "/dev/fd/" + std::to_string(file.get());
}

std::vector<std::string> Command(const std::string& program,
                                 std::vector<std::string> words) {
  words.insert(words.begin(), program);
  return words;
}

// This environment, without some variables; temporary files go to the guard's
// folder.
std::vector<std::string> VariablesFor(
    const RenderGuard& guard, std::initializer_list<std::string_view> without) {
  std::vector<std::string> variables = EnvironmentWithout(without);
  variables.push_back("TMPDIR=" + guard.folder());
  return variables;
}

// If a limit was exceeded, the error names the limit, not the exit status.
Result<void> FinishWithin(const RenderGuard& guard, const ChildWatch& watch,
                          Child& child, const Stop& stop) {
  Result<void> finished = child.Finish(stop);
  if (finished.ok() || stop.requested()) return finished;
  const std::string limit = guard.LimitHit(child, watch, "");
  if (limit.empty()) return finished;
  return BadInput("Ghostscript cannot render it: " + limit);
}

class StandIn {
 public:
  StandIn(const GsCall& call, std::string program, int output,
          PagesReader& reader)
      : call_(call),
        program_(std::move(program)),
        output_(output),
        reader_(reader) {}

  Result<void> Print(const FilterJob& filter) const {
    HALFTONED_TRY_ASSIGN(const Descriptor profile, CmykProfileFile());
    if (const auto pages = PagesWithoutGray(filter)) {
      return PrintAsItIs(*pages, profile, filter);
    }
    HALFTONED_TRY_ASSIGN(Pipe gray, Pipe::Make());
    HALFTONED_TRY_ASSIGN(Pipe dots, Pipe::Make());
    // The largest pipe for an ordinary user; it saves switches between
    // processes.
    (void)::fcntl(dots.writing.get(), F_SETPIPE_SZ, 1 << 20);
    HALFTONED_TRY_ASSIGN(const RenderGuard guard, MakeGuard());
    HALFTONED_TRY_ASSIGN(Child renderer, StartRenderer(profile, gray, guard));
    HALFTONED_TRY_ASSIGN(
        const auto watch,
        guard.Watch(renderer, {profile.get()}, {.output = gray.reading.get()}));
    // It prints only our dots.
    HALFTONED_TRY_ASSIGN(
        Child printer,
        Child::Start({"Ghostscript's device " + Printable(call_.device()),
                      Command(program_, call_.ForDots()),
                      EnvironmentWithout({}), dots.reading.get(), output_}));
    gray.writing.Close();
    dots.reading.Close();
    HALFTONED_TRY(PrintPages(
        filter,
        [&] { return FinishWithin(guard, *watch, renderer, filter.stop); },
        gray.reading, dots.writing));
    dots.writing.Close();
    return printer.Finish(filter.stop);
  }

 private:
  // The number of the document's pages, if Ghostscript would draw the same
  // dots.
  std::optional<int64_t> PagesWithoutGray(const FilterJob& filter) const {
    const Look& look = filter.settings.rendering.look;
    const std::string file = call_.only_file();
    if (file.empty() || look.levels != 2 || !look.keeps_pure_pixels()) {
      return std::nullopt;
    }
    const auto pages = reader_.Read(file, std::nullopt, true, filter.stop);
    if (!pages.ok() || !pages->is_black()) return std::nullopt;
    return static_cast<int64_t>(pages->pages.size());
  }

  Result<void> PrintAsItIs(int64_t pages, const Descriptor& profile,
                           const FilterJob& filter) const {
    HALFTONED_TRY_ASSIGN(const RenderGuard guard, MakeGuard());
    HALFTONED_TRY_ASSIGN(
        Child printer,
        Child::Start(
            {.name = "Ghostscript",
             .words = Command(program_, call_.ForBlack(PathOf(profile))),
             .environment = VariablesFor(guard, {"TMPDIR"}),
             .input = STDIN_FILENO,
             .output = output_,
             .limits = guard.limits()}));
    HALFTONED_TRY_ASSIGN(const auto watch, guard.Watch(printer, {profile.get()},
                                                       {.times = pages}));
    HALFTONED_TRY(FinishWithin(guard, *watch, printer, filter.stop));
    for (int64_t page = 1; page <= pages; ++page) filter.messages.Page(page, 1);
    return {};
  }

  static Result<RenderGuard> MakeGuard() {
    return RenderGuard::Make(Environment("TMPDIR", "/tmp"), "halftone-rip-");
  }

  Result<Child> StartRenderer(const Descriptor& profile, const Pipe& gray,
                              const RenderGuard& guard) const {
    // With the variable PPD, the PPD file would change the raster.
    return Child::Start(
        {.name = "Ghostscript",
         .words = Command(program_, call_.ForGray("%stdout", PathOf(profile))),
         .environment = VariablesFor(guard, {"PPD", "TMPDIR"}),
         .input = STDIN_FILENO,
         .output = gray.writing.get(),
         .limits = guard.limits()});
  }

  Result<void> PrintPages(const FilterJob& filter,
                          const std::function<Result<void>()>& finish_renderer,
                          const Descriptor& gray,
                          const Descriptor& dots) const {
    PolledOutput program(dots.get(), filter.stop);
    DotsOutput output(DeviceNamed(call_.device()), program, filter.messages);
    HALFTONED_TRY_ASSIGN(PolledInput input,
                         PolledInput::Make(gray.get(), filter.stop));
    Settings settings = filter.settings;
    settings.is_black_solid = true;
    const Result<void> printed =
        Job(settings, filter.engine, output).Print(input);
    // Its own error says more than that its raster is truncated.
    if (printed.ok() || printed.error().code != ErrorCode::kIo) {
      HALFTONED_TRY(finish_renderer());
    }
    HALFTONED_TRY(printed);
    return output.Finish();
  }

  const GsCall& call_;
  const std::string program_;
  const int output_;
  PagesReader& reader_;
};

int Fail(const std::string& why) {
  Messages(STDERR_FILENO).Error("cannot print: " + why);
  return EXIT_FAILURE;
}

int Execute(const std::string& program, char* argv[]) {
  Limit(LimitsOfSystem(ReadRenderLimits()));
  ::execv(program.c_str(), argv);
  return Fail(ErrnoError(ErrorCode::kIo, "cannot run " + program).message);
}

// Prints as a filter, with the arguments of halftone-rip.
int PrintWith(const StandIn& stand_in) {
  std::vector<std::string> words = {"gs",
                                    Environment(kJobVariable, "0"),
                                    Environment(kUserVariable, "nobody"),
                                    Environment(kTitleVariable),
                                    "1",
                                    Environment(kOptionsVariable)};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return RunFilter(
      {"gs", "",
       [&](const FilterJob& filter) { return stand_in.Print(filter); }},
      static_cast<int>(argv.size()), argv.data());
}

}  // namespace

int StandInForGhostscript(int argc, char* argv[]) {
  OpenStandardDescriptors();
  const std::string program = FindGhostscript();
  if (program.empty()) return Fail("Ghostscript (gs) is not installed");
  const auto call = GsCall::Parse(
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
  if (!call.ok()) {
    return Fail("Ghostscript is called in an unknown way: " +
                call.error().message);
  }
  const DeviceKind kind = DeviceNamed(call->device()).kind;
  if (call->device().empty() || kind == DeviceKind::kDocument) {
    return Execute(program, argv);
  }
  if (kind == DeviceKind::kUnknown) {
    return Fail("Ghostscript's device " + Printable(call->device()) +
                " might change dots; type: halftone release " +
                Environment("PRINTER", "QUEUE"));
  }
  // Ghostscript keeps this output; what the filter does to stdout is dropped.
  const Descriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!output.open() || ::dup2(nothing.get(), STDOUT_FILENO) < 0) {
    return Fail("no file descriptors are left");
  }
  auto reader = PagesReader::Start();
  if (!reader.ok()) return Fail(reader.error().message);
  return PrintWith(StandIn(*call, program, output.get(), *reader));
}

}  // namespace halftoned
