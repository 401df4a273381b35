// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page in this process and in a worker, through the ring and through the
// socket. Trust only ratios and medians of one run:
//
//   halftoned_wire_bench --benchmark_repetitions=9
//       --benchmark_enable_random_interleaving=true
//       --benchmark_report_aggregates_only=true
//
// Names are page|job|band/how/threads. `page`: A4 at 600 dpi, 8 bits, including
// the copy into its bands. `job`: the same over its own connection. `band`: the
// time from Submit to Take of 256 rows of it while nothing else is in flight.
// `best`: a page of noise or a photograph as `best`.
// `here` and `worker` are milliseconds of CPU time of the two processes.

#include <benchmark/benchmark.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_page.h"
#include "control/control.h"
#include "halftone/cpu/local_engines.h"
#include "tests/wire/listener.h"
#include "tests/wire/raw_peer.h"
#include "wire/remote_engine.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kRows = 7016;
constexpr int32_t kBandRows = 256;

double Milliseconds(clockid_t clock) {
  timespec time;
  ::clock_gettime(clock, &time);
  return 1e3 * static_cast<double>(time.tv_sec) +
         1e-6 * static_cast<double>(time.tv_nsec);
}

// worker-cpu, started as a supervisor would.
class WorkerProcess {
 public:
  explicit WorkerProcess(int threads) {
    auto ends = daemon::Control::MakePair();
    if (!ends.ok()) std::abort();
    control_ = std::make_unique<daemon::Control>(std::move(ends->supervisor));
    const std::string count = std::to_string(threads);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends->worker.fd(), daemon::kControlFd);
      ::execl(HALFTONED_WORKER, HALFTONED_WORKER, "--threads", count.c_str(),
              nullptr);
      ::_exit(127);
    }
    testing::WaitFor(control_->fd(), POLLIN);  // it is ready
    ::clock_getcpuclockid(pid_, &clock_);
    listener_ = std::make_unique<testing::Listener>([this](Descriptor socket) {
      daemon::Adopt adopt;
      adopt.connection = ++connections_;
      (void)control_->Send(daemon::FromSupervisor(adopt), socket.get());
    });
  }
  ~WorkerProcess() {
    listener_.reset();
    (void)control_->Send(daemon::FromSupervisor(daemon::Drain()));
    ::waitpid(pid_, nullptr, 0);
  }

  wire::RemoteOptions options(bool ring) const {
    wire::RemoteOptions options = listener_->options();
    options.use_ring = ring;
    return options;
  }
  clockid_t clock() const { return clock_; }

 private:
  std::unique_ptr<daemon::Control> control_;
  pid_t pid_;
  clockid_t clock_;
  uint64_t connections_ = 0;
  std::unique_ptr<testing::Listener> listener_;
};

// Counts the CPU time of both processes while it lives.
class CpuTime {
 public:
  CpuTime(benchmark::State& state, clockid_t worker)
      : state_(state),
        worker_(worker),
        here_from_(Milliseconds(CLOCK_PROCESS_CPUTIME_ID)),
        worker_from_(Milliseconds(worker)) {}
  ~CpuTime() {
    const auto mean = benchmark::Counter::kAvgIterations;
    state_.counters["here"] = benchmark::Counter(
        Milliseconds(CLOCK_PROCESS_CPUTIME_ID) - here_from_, mean);
    state_.counters["worker"] =
        benchmark::Counter(Milliseconds(worker_) - worker_from_, mean);
  }

 private:
  benchmark::State& state_;
  const clockid_t worker_;
  const double here_from_;
  const double worker_from_;
};

class Bench {
 public:
  explicit Bench(int threads)
      : pool_(threads),
        engines_(LocalEngines(pool_)),
        worker_(threads),
        ring_(worker_.options(true)),
        inline_(worker_.options(false)) {}

  const Engine& EngineOf(const std::string& how) const {
    if (how == "ring") return ring_;
    if (how == "inline") return inline_;
    return **ChooseEngine(engines_, "auto", best);
  }
  clockid_t worker_clock() const { return worker_.clock(); }
  wire::RemoteOptions options(bool ring) const { return worker_.options(ring); }

  const Page page = *Page::Make(4960, 8);
  const std::vector<std::byte> samples =
      MakeSamples(page, kRows, Content::kNoise);
  const std::vector<std::byte> photo =
      MakeSamples(page, kRows, Content::kPhoto);
  const Recipe best = *Recipe::Make(Recipe::PartsOf(Algorithm::kBest));

 private:
  Pool pool_;
  const EngineList engines_;
  WorkerProcess worker_;
  const wire::RemoteEngine ring_;
  const wire::RemoteEngine inline_;
};

std::unique_ptr<Session> OpenOf(
    const Bench& bench, const std::string& how,
    const Recipe& recipe = Recipe::FloydSteinberg()) {
  auto opened = bench.EngineOf(how).Open({bench.page, recipe, {}, kBandRows});
  if (!opened.ok()) std::abort();
  return std::move(*opened);
}

void RunPage(benchmark::State& state, const Bench& bench,
             const std::string& how, const Recipe& recipe,
             const std::vector<std::byte>& samples) {
  PassThrough(*OpenOf(bench, how, recipe), bench.page, samples, kRows);
  const CpuTime time(state, bench.worker_clock());
  for (auto _ : state) {
    PassThrough(*OpenOf(bench, how, recipe), bench.page, samples, kRows);
  }
  state.counters["pages/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void RunJob(benchmark::State& state, const Bench& bench, bool ring) {
  const CpuTime time(state, bench.worker_clock());
  for (auto _ : state) {
    const wire::RemoteEngine engine(bench.options(ring));
    const auto opened =
        engine.Open({bench.page, Recipe::FloydSteinberg(), {}, kBandRows});
    if (!opened.ok()) std::abort();
    PassThrough(**opened, bench.page, bench.samples, kRows);
  }
}

void RunBand(benchmark::State& state, const Bench& bench,
             const std::string& how) {
  const auto session = OpenOf(bench, how);
  const auto pass = [&] {
    benchmark::DoNotOptimize(session->Lend());
    benchmark::DoNotOptimize(session->Submit(kBandRows, false));
    benchmark::DoNotOptimize(session->Take());
  };
  for (int i = 0; i < 5; ++i) pass();  // once through every room
  const CpuTime time(state, bench.worker_clock());
  for (auto _ : state) pass();
}

void RegisterAll(const Bench& bench, int threads) {
  for (const bool ring : {true, false}) {
    benchmark::RegisterBenchmark(
        (std::string("job/") + (ring ? "ring" : "inline") + "/threads" +
         std::to_string(threads))
            .c_str(),
        [&bench, ring](benchmark::State& state) { RunJob(state, bench, ring); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  for (const std::string how : {"in-process", "ring", "inline"}) {
    const std::string name = how + "/threads" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        ("page/" + name).c_str(),
        [&bench, how](benchmark::State& state) {
          RunPage(state, bench, how, Recipe::FloydSteinberg(), bench.samples);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    for (const bool is_photo : {false, true}) {
      benchmark::RegisterBenchmark(
          ((is_photo ? "best/photo/" : "best/noise/") + name).c_str(),
          [&bench, how, is_photo](benchmark::State& state) {
            RunPage(state, bench, how, bench.best,
                    is_photo ? bench.photo : bench.samples);
          })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark(
        ("band/" + name).c_str(),
        [&bench, how](benchmark::State& state) { RunBand(state, bench, how); })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  const halftoned::bench::Bench one(1);
  const halftoned::bench::Bench two(2);
  halftoned::bench::RegisterAll(one, 1);
  halftoned::bench::RegisterAll(two, 2);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
