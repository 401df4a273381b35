// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that print pages as the filter does: by the daemon, by the daemon
// again, or by themselves. Every page is compared with the definition, whatever
// happens to the daemon meanwhile.
//
// usage: honest_clients SOCKET OWNER SEED THREADS KINDS
//
// KINDS is "one-pass" where a GPU computes wrong bits: of pages that look ahead
// not every row is checked there. Else it is "all".
//
// It prints until its standard input ends, and then what it has done, as
// "NAME COUNT" lines. It exits with 1 as soon as a page is wrong, fails, or
// does not come to its end.

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/failover.h"
#include "tests/equality/difference.h"
#include "tests/equality/oracle.h"
#include "tests/equality/pages.h"
#include "tests/equality/run_engine.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

constexpr int kSamples = 24;  // of a thread
constexpr int kMostWidth = 1500;
constexpr int kMostRows = 150;
constexpr int kMostPagesOfJob = 3;
constexpr int kOneWaits = 50;   // of so many jobs
constexpr uint32_t kJobs = 50;  // so that some of them are refused
// Far more than all deadlines of a page together.
constexpr std::chrono::seconds kTimeForPage(60);

std::atomic<uint64_t> pages_done = 0;
std::atomic<uint64_t> pages_of_daemon = 0;
std::atomic<uint64_t> pages_moved = 0;  // in the middle
std::atomic<uint64_t> pages_waited = 0;

[[noreturn]] void Fail(const std::string& what) {
  static std::mutex mutex;
  mutex.lock();  // for ever: the first failure is the one that is told
  std::printf("FAILED %s\n", what.c_str());
  std::fflush(stdout);
  ::_exit(1);
}

int Uniform(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

// A page, its recipe, and the expected output.
struct Sample {
  Sample(GrayPage some_gray, Recipe some_recipe, Random& random)
      : gray(std::move(some_gray)),
        recipe(std::move(some_recipe)),
        above(MakeCarry(recipe, gray.page, random)),
        expected(HalftoneWhole(gray, recipe, above)),
        carries(gray, recipe, above) {}

  const GrayPage gray;
  const Recipe recipe;
  const Carry above;
  const BitPage expected;
  CarriesBelow carries;
};

std::unique_ptr<Sample> MakeSample(const std::vector<Recipe::Parts>& kinds,
                                   Random& random) {
  Recipe::Parts parts = kinds[random() % kinds.size()];
  parts.curve = MakeCurve(kCurves[random() % std::size(kCurves)], random);
  const Page page =
      *Page::Make(Uniform(random, 1, kMostWidth), random() % 2 ? 8 : 16,
                  Uniform(random, 0, 1000));
  return std::make_unique<Sample>(
      MakePage(page, Uniform(random, 1, kMostRows),
               kContents[random() % std::size(kContents)], random),
      *Recipe::Make(parts), random);
}

// A session whose page waits once, as for a printer that is out of paper: so
// long that the daemon may evict it.
class WaitingSession : public Session {
 public:
  WaitingSession(std::unique_ptr<Session> session, int bands)
      : session_(std::move(session)), bands_left_(bands) {}

  Result<GrayRoom> Lend() override { return session_->Lend(); }
  Result<void> Submit(int32_t rows, bool last) override {
    if (bands_left_-- == 0) std::this_thread::sleep_for(kWait);
    return session_->Submit(rows, last);
  }
  Result<Finished> Take() override { return session_->Take(); }
  bool Ready() override { return session_->Ready(); }

 private:
  static constexpr std::chrono::milliseconds kWait{1200};

  const std::unique_ptr<Session> session_;
  int bands_left_;
};

class WaitingEngine : public Engine {
 public:
  WaitingEngine(const Engine& engine, int bands)
      : engine_(engine), bands_(bands) {}

  std::string_view name() const override { return engine_.name(); }
  std::string_view needs() const override { return engine_.needs(); }
  int priority() const override { return engine_.priority(); }
  Result<void> Probe() const override { return engine_.Probe(); }
  Result<void> Serves(const Recipe& recipe) const override {
    return engine_.Serves(recipe);
  }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY_ASSIGN(auto session, engine_.Open(order));
    return std::unique_ptr<Session>(
        std::make_unique<WaitingSession>(std::move(session), bands_));
  }

 private:
  const Engine& engine_;
  const int bands_;
};

class Printer {
 public:
  Printer(std::string socket, std::string owner, uint64_t seed,
          const std::vector<Recipe::Parts>& kinds)
      : socket_(std::move(socket)), owner_(std::move(owner)), random_(seed) {
    for (int i = 0; i < kSamples; ++i) {
      samples_.push_back(MakeSample(kinds, random_));
    }
  }

  // When the page was begun that is being printed.
  std::chrono::steady_clock::time_point since() const { return since_; }

  [[noreturn]] void Run() {
    for (;;) PrintJob();
  }

 private:
  // As the filter has its engines.
  void PrintJob() {
    wire::RemoteOptions options;
    options.socket = socket_;
    options.owner = owner_;
    options.hello.job = static_cast<uint32_t>(random_() % kJobs);
    options.use_ring = random_() % 2 == 0;
    options.patience = std::chrono::milliseconds(random_() % 2 ? 100 : 400);
    options.welcome_patience = std::chrono::milliseconds(150);
    const wire::RemoteEngine remote(options);
    Sample& first = *samples_[random_() % kSamples];
    const auto local = ChooseEngine(engines_, "auto", first.recipe);
    if (!local.ok()) Fail(local.error().message);
    bool is_moved = false;
    bool is_here = false;
    const FailoverEngine failover({&remote, &remote, *local},
                                  [&](const Move& move) {
                                    is_here |= move.to != move.from;
                                    is_moved |= move.row > 0;
                                  });
    const WaitingEngine waiting(failover, Uniform(random_, 1, 3));
    const bool waits = random_() % kOneWaits == 0;
    pages_waited += waits ? 1 : 0;
    const Engine& engine =
        waits ? static_cast<const Engine&>(waiting) : failover;
    PrintPage(engine, first);
    for (int i = Uniform(random_, 1, kMostPagesOfJob); i > 1; --i) {
      Sample& next = *samples_[random_() % kSamples];
      if ((*local)->Serves(next.recipe).ok()) PrintPage(engine, next);
    }
    pages_moved += is_moved ? 1 : 0;
    pages_of_daemon += is_here ? 0 : 1;
  }

  void PrintPage(const Engine& engine, Sample& sample) {
    const std::vector<Plan> plans = PlansFor(sample.gray.rows, random_);
    Plan plan = plans[random_() % plans.size()];
    plan.poisons_answers = false;  // no client can write to a page's bits
    since_ = std::chrono::steady_clock::now();
    const auto bits = RunEngine(engine, sample.carries, plan);
    const std::string what = ", " + plan.name + ", " + Describe(sample.recipe);
    if (!bits.ok()) Fail(bits.error().message + what);
    const std::string difference = DescribeDifference(
        sample.expected, *bits, sample.recipe, sample.gray.page);
    if (!difference.empty()) Fail(difference + what);
    if (bits->below != sample.expected.below) Fail("a wrong carry" + what);
    ++pages_done;
  }

  const std::string socket_;
  const std::string owner_;
  Random random_;
  Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
  std::vector<std::unique_ptr<Sample>> samples_;
  std::atomic<std::chrono::steady_clock::time_point> since_{
      std::chrono::steady_clock::now()};
};

int Main(char* const* arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  const uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
  const auto& kinds = std::string(arguments[4]) == "one-pass"
                          ? EveryOnePassKind()
                          : EveryKind();
  std::vector<std::unique_ptr<Printer>> printers;
  for (int i = 0; i < std::atoi(arguments[3]); ++i) {
    printers.push_back(std::make_unique<Printer>(
        arguments[0], arguments[1], seed * 1000 + static_cast<uint64_t>(i),
        kinds));
  }
  for (const auto& printer : printers) {
    std::thread([&printer = *printer] { printer.Run(); }).detach();
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, 1000) <= 0) {
    for (const auto& printer : printers) {
      if (std::chrono::steady_clock::now() - printer->since() > kTimeForPage) {
        Fail("a page has not come to its end");
      }
    }
  }
  std::printf(
      "pages %llu\njobs-of-the-daemon-alone %llu\njobs-moved-in-mid-page "
      "%llu\npages-that-waited %llu\n",
      static_cast<unsigned long long>(pages_done),
      static_cast<unsigned long long>(pages_of_daemon),
      static_cast<unsigned long long>(pages_moved),
      static_cast<unsigned long long>(pages_waited));
  std::fflush(stdout);
  ::_exit(0);  // the threads do not end
}

}  // namespace
}  // namespace halftoned::testing

int main(int argc, char* argv[]) {
  if (argc != 6) {
    std::fputs("usage: honest_clients SOCKET OWNER SEED THREADS KINDS\n",
               stderr);
    return 2;
  }
  return halftoned::testing::Main(argv + 1);
}
