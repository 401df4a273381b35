// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone convert`: makes jobs from options, and runs them.

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/libexec.h"
#include "base/text_file.h"
#include "commands.h"
#include "console.h"
#include "convert.h"
#include "daemon_config.h"
#include "file/last_words.h"
#include "file/signal_watch.h"
#include "gpu_engine.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/look/halftone_type.h"
#include "halftone/run/failover.h"
#include "jobs.h"
#include "wire/remote_engine.h"

namespace halftoned {
namespace {

// While one file waits for its disk, another is halftoned; more files at once
// would only take memory.
constexpr size_t kMaxFilesAtOnce = 4;

Result<ToneCurve> ReadToneCurve(const std::string& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    return BadInput("tone curve " + path + ": is not a regular file");
  }
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) {
    return Error{text.error().code, "tone curve " + text.error().message};
  }
  const Result<ToneCurve> curve = ToneCurve::Parse(*text);
  return curve.ok() ? curve : InFile("tone curve " + path, curve.error());
}

Result<ToneCurve> InvertedTone() {
  ToneCurve::Table table;
  for (int i = 0; i <= kWhite; ++i) {
    table[static_cast<size_t>(i)] = static_cast<uint16_t>(kWhite - i);
  }
  return ToneCurve::FromTable(table);
}

// First the inversion, then the user's tones, then the printer's correction.
Result<ToneCurve> CurveOf(const ConvertOptions& options,
                          const Recipe::Parts& parts) {
  std::optional<ToneCurve> measured;
  if (!options.look.tone_curve.empty()) {
    HALFTONED_TRY_ASSIGN(measured, ReadToneCurve(options.look.tone_curve));
  }
  HALFTONED_TRY_ASSIGN(const ToneCurve curve,
                       CurveFor(parts, options.look, measured));
  if (!options.invert) return curve;
  HALFTONED_TRY_ASSIGN(const ToneCurve inverted, InvertedTone());
  return inverted.Then(curve);
}

// The recipe without its curve, which may come from a file.
Result<Recipe> DotsOf(const ConvertOptions& options) {
  const DotsPerInch resolution =
      options.dpi ? DotsPerInch{options.dpi->x, options.dpi->y} : DotsPerInch{};
  HALFTONED_TRY_ASSIGN(const Recipe::Parts parts,
                       PartsOf(options.look, options.look.levels,
                               options.look.has_crisp_edges(), resolution));
  return Recipe::Make(parts);
}

Result<Recipe> RecipeOf(Recipe::Parts parts, const ConvertOptions& options) {
  HALFTONED_TRY_ASSIGN(parts.curve, CurveOf(options, parts));
  return Recipe::Make(parts);
}

// Makes the folder that is missing, and takes it away again if nothing has come
// to be in it.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path) : path_(std::move(path)) {}
  ~OutputFolder() {
    if (!path_.empty()) ::rmdir(path_.c_str());
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  Result<void> Make() {
    if (path_.empty() || ::mkdir(path_.c_str(), 0777) == 0) return {};
    const Error error =
        ErrnoError(ErrorCode::kIo, path_ + ": cannot make the folder");
    path_.clear();
    return error;
  }

 private:
  std::string path_;  // empty: nothing to make
};

// What happens to programs whose reader has left: unless their parent process
// prevents it, a signal ends them, and they say nothing.
class ClosedPipe {
 public:
  ClosedPipe() {
    struct sigaction action;
    ends_program_ = ::sigaction(SIGPIPE, nullptr, &action) == 0 &&
                    action.sa_handler == SIG_DFL;
  }

  // Whether standard output is such a pipe, and errors are not to be shown.
  bool is_silent() const {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ends_program_ && ::poll(&output, 1, 0) == 1 &&
           (output.revents & POLLERR) != 0;
  }

  // Call it when no file is pending.
  static void End() {
    ::signal(SIGPIPE, SIG_DFL);
    ::raise(SIGPIPE);
  }

 private:
  bool ends_program_;
};

// Runs all jobs of the list.
class ConvertBatch {
 public:
  ConvertBatch(const std::vector<ConvertJob>& jobs,
               const ConvertSettings& settings, PendingFiles& pending,
               Console& console, bool json, const ClosedPipe& pipe)
      : jobs_(jobs),
        settings_(settings),
        pending_(pending),
        console_(console),
        json_(json),
        pipe_(pipe) {}

  void Run() {
    Flow flow;
    for (size_t i = next_++; i < jobs_.size(); i = next_++) {
      const auto report =
          Convert(jobs_[i], settings_, flow, pending_, console_);
      console_.EndFile();
      if (!report.ok()) {
        Fail(report.error());
      } else if (json_) {
        const auto printed =
            console_.PrintReport(jobs_[i], *report, settings_.engine->name());
        if (!printed.ok()) Fail(printed.error());
      }
    }
  }

  int status() const { return status_; }
  bool is_pipe_closed() const { return is_pipe_closed_; }

 private:
  void Fail(const Error& error) {
    status_ = 1;
    const bool is_of_output = error.message.starts_with("standard output: ");
    if (is_of_output && pipe_.is_silent()) {
      is_pipe_closed_ = true;
    } else {
      console_.ShowError(error);
    }
  }

  const std::vector<ConvertJob>& jobs_;
  const ConvertSettings& settings_;
  PendingFiles& pending_;
  Console& console_;
  const bool json_;
  const ClosedPipe& pipe_;
  std::atomic<bool> is_pipe_closed_ = false;
  std::atomic<size_t> next_ = 0;
  std::atomic<int> status_ = 0;
};

// Starts up to `count` threads beside this one; fewer do the same work if the
// system does not allow more.
std::vector<std::thread> StartHelpers(ConvertBatch& batch, size_t count) {
  std::vector<std::thread> helpers;
  helpers.reserve(count);
  try {
    while (helpers.size() < count) {
      helpers.emplace_back([&batch] { batch.Run(); });
    }
  } catch (const std::system_error&) {
  }
  return helpers;
}

// The configuration is read for engines that ask the daemon, and for no other:
// its mistakes are none of theirs.
Result<wire::RemoteOptions> RemoteFor(const ConvertOptions& options) {
  wire::RemoteOptions remote;
  if (options.engine != "remote" && options.engine != "cuda") return remote;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  remote.socket = options.socket.empty() ? daemon.socket : options.socket;
  remote.owner = daemon.user.value;
  return remote;
}

Result<EngineList> EnginesFor(const ConvertOptions& options,
                              const Recipe& recipe, Pool& pool) {
  HALFTONED_TRY_ASSIGN(wire::RemoteOptions remote, RemoteFor(options));
  remote.hello.recipe_kind = KindOf(recipe.parts());
  EngineList engines = LocalEngines(pool);
  engines.push_back(std::make_unique<GpuEngine>(
      remote, LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/worker-cuda"));
  engines.push_back(std::make_unique<wire::RemoteEngine>(std::move(remote)));
  return engines;
}

int RunJobs(const ConvertOptions& options, const ClosedPipe& pipe,
            bool& is_pipe_closed) {
  const auto jobs = JobsOf(options);
  Console console(!options.quiet, jobs.ok() ? jobs->size() : 0);
  const auto fail = [&](const Error& error, int status) {
    console.ShowError(error);
    return status;
  };
  if (!jobs.ok()) return fail(jobs.error(), kUsageStatus);
  const auto dots = DotsOf(options);
  if (!dots.ok()) return fail(dots.error(), kUsageStatus);

  PendingFiles pending;
  const LastWordsFiles last_words(pending);
  const SignalWatch signals(pending);
  Pool pool(options.threads);
  const auto recipe = RecipeOf(dots->parts(), options);
  if (!recipe.ok()) return fail(recipe.error(), 1);
  const auto engines = EnginesFor(options, *recipe, pool);
  if (!engines.ok()) return fail(engines.error(), 1);
  const auto engine = ChooseEngine(*engines, options.engine, *recipe);
  if (!engine.ok()) {
    const bool is_unknown = engine.error().code == ErrorCode::kBadInput;
    return fail(engine.error(), is_unknown ? kUsageStatus : 1);
  }

  const FailoverEngine named({*engine});
  ConvertSettings settings{*recipe, &named, options.rows_per_band,
                           options.look.text_edges, &pool};
  settings.dpi = options.dpi;
  settings.size = options.size;
  settings.rotate = options.rotate;
  if (options.any_size) settings.trust.free_pixels = ImageTrust::kAnySize;
  OutputFolder folder(FolderToMake(options));
  const Result<void> made = folder.Make();
  if (!made.ok()) return fail(made.error(), 1);
  ConvertBatch batch(*jobs, settings, pending, console, options.json, pipe);
  const size_t at_once = std::min(
      {jobs->size(), kMaxFilesAtOnce, static_cast<size_t>(pool.threads())});
  std::vector<std::thread> helpers =
      StartHelpers(batch, std::max<size_t>(at_once, 1) - 1);
  batch.Run();
  for (std::thread& helper : helpers) helper.join();
  is_pipe_closed = batch.is_pipe_closed();
  return batch.status();
}

}  // namespace

int RunConvert(const ConvertOptions& options) {
  const ClosedPipe pipe;
  bool is_pipe_closed = false;
  const int status = RunJobs(options, pipe, is_pipe_closed);
  if (is_pipe_closed) ClosedPipe::End();
  return status;
}

}  // namespace halftoned
