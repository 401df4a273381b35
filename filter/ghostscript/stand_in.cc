// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/stand_in.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/text.h"
#include "filter/ghostscript/dots_output.h"
#include "filter/ghostscript/gs_call.h"
#include "filter/job.h"
#include "filter/program.h"
#include "halftone/look/gray/cmyk_profile.h"
#include "print/process/child.h"
#include "print/render/pdf_pages.h"

namespace halftoned {
namespace {

// The gs that would be found if this program were not there; empty: none.
std::string RealGhostscript() {
  struct stat own;
  const bool has_own = ::stat("/proc/self/exe", &own) == 0;
  std::istringstream folders(Environment("PATH", "/usr/bin:/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + "/gs";
    struct stat found;
    if (::stat(path.c_str(), &found) != 0 ||
        ::access(path.c_str(), X_OK) != 0) {
      continue;
    }
    const bool is_own =
        has_own && found.st_dev == own.st_dev && found.st_ino == own.st_ino;
    if (!is_own) return path;
  }
  return "";
}

struct Pipe {
  Descriptor read;
  Descriptor written;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a pipe");
  }
  // As large as an ordinary user may; it saves switches between processes.
  (void)::fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A file without a name, which programs that we start have open, too.
Result<Descriptor> ProfileFile() {
  Descriptor file(::memfd_create("cmyk.icc", 0));
  if (!file.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot keep the colour profile");
  }
  const std::string profile = CmykProfile();
  HALFTONED_TRY(WriteFully(file.get(), std::as_bytes(std::span(profile))));
  return file;
}

std::string PathOf(const Descriptor& file) {
  return "/dev/fd/" + std::to_string(file.get());
}

std::vector<std::string> Command(const std::string& program,
                                 std::vector<std::string> words) {
  words.insert(words.begin(), program);
  return words;
}

class StandIn {
 public:
  StandIn(const GsCall& call, std::string program, int output)
      : call_(call), program_(std::move(program)), output_(output) {}

  Result<void> Print(const FilterJob& filter) const {
    HALFTONED_TRY_ASSIGN(const Descriptor profile, ProfileFile());
    if (const auto pages = PagesWithoutGray(filter.settings.rendering.look)) {
      return PrintAsItIs(*pages, profile, filter);
    }
    HALFTONED_TRY_ASSIGN(Pipe gray, MakePipe());
    HALFTONED_TRY_ASSIGN(Pipe dots, MakePipe());
    HALFTONED_TRY_ASSIGN(Child renderer, StartRenderer(profile, gray));
    HALFTONED_TRY_ASSIGN(
        Child printer,
        Child::Start({"Ghostscript's device " + Printable(call_.device()),
                      Command(program_, call_.ForDots()),
                      EnvironmentWithout({}), dots.read.get(), output_}));
    gray.written.Close();
    dots.read.Close();
    HALFTONED_TRY(PrintPages(filter, renderer, gray.read, dots.written));
    dots.written.Close();
    return printer.Finish(filter.stop);
  }

 private:
  // The number of the document's pages, if our dots are Ghostscript's.
  std::optional<int64_t> PagesWithoutGray(const Look& look) const {
    const std::string file = call_.only_file();
    if (file.empty() || look.levels != 2 ||
        look.text_edges == TextEdges::kBarcode) {
      return std::nullopt;
    }
    const auto pages = PagesOf(file, std::nullopt, true);
    if (!pages.ok() || !pages->is_black()) return std::nullopt;
    return static_cast<int64_t>(pages->pages.size());
  }

  Result<void> PrintAsItIs(int64_t pages, const Descriptor& profile,
                           const FilterJob& filter) const {
    HALFTONED_TRY_ASSIGN(
        Child printer,
        Child::Start({"Ghostscript",
                      Command(program_, call_.ForBlack(PathOf(profile))),
                      EnvironmentWithout({}), STDIN_FILENO, output_}));
    HALFTONED_TRY(printer.Finish(filter.stop));
    for (int64_t page = 1; page <= pages; ++page) filter.messages.Page(page, 1);
    return {};
  }

  Result<Child> StartRenderer(const Descriptor& profile,
                              const Pipe& gray) const {
    // With PPD, its raster would have what the PPD file says of raster.
    return Child::Start(
        {"Ghostscript",
         Command(program_, call_.ForGray("%stdout", PathOf(profile))),
         EnvironmentWithout({"PPD"}), STDIN_FILENO, gray.written.get()});
  }

  Result<void> PrintPages(const FilterJob& filter, Child& renderer,
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
    // Its own error says more than that its raster is cut.
    if (printed.ok() || printed.error().code != ErrorCode::kIo) {
      HALFTONED_TRY(renderer.Finish(filter.stop));
    }
    HALFTONED_TRY(printed);
    return output.Finish();
  }

  const GsCall& call_;
  const std::string program_;
  const int output_;
};

int Fail(const std::string& why) {
  Messages(STDERR_FILENO).Error("cannot print: " + why);
  return EXIT_FAILURE;
}

int Execute(const std::string& program, char* argv[]) {
  ::execv(program.c_str(), argv);
  return Fail(ErrnoError(ErrorCode::kIo, "cannot run " + program).message);
}

// As halftone-rip was called, in the form of a filter's main function.
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
  const std::string program = RealGhostscript();
  if (program.empty()) return Fail("there is no Ghostscript, gs");
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
                " may not print dots as they are; type: halftone release " +
                Environment("PRINTER", "QUEUE"));
  }
  // What a filter does to its stdout must not be seen by Ghostscript.
  const Descriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!output.open() || ::dup2(nothing.get(), STDOUT_FILENO) < 0) {
    return Fail("there are no descriptors left");
  }
  return PrintWith(StandIn(*call, program, output.get()));
}

}  // namespace halftoned
