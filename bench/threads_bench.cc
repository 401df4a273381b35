// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of noise, A4 at 600 dots an inch, through sessions of this process: how
// the rate grows with the threads of a pool and with the sessions at a time.
//
// Usage: threads_bench [THREADS ...], by default 1, 2, 4 … as many as there are
// processors. Prints a line of JSON for each case, in turn with the others.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "bench/through_session.h"
#include "bench/timing.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kRows = 7016;
constexpr int kRuns = 5;

struct Case {
  int threads;
  int sessions;  // at a time
  bool is_default_print;
  int rows_per_band;
  std::vector<double> ms = {};
};

// As a page is printed: the rooms are filled, so that its samples have to come
// from another processor's caches.
void RunPage(const Engine& engine, const Case& which, const GrayBand& noise) {
  const Recipe recipe =
      which.is_default_print ? DefaultPrint() : Recipe::FloydSteinberg();
  const auto session = Must(
      engine.Open({*Page::Make(kWidth, 8), recipe, {}, which.rows_per_band}));
  RunThrough(*session, kRows,
             [&](const GrayRoom& room, int32_t first, int32_t rows) {
               for (int32_t i = 0; i < rows; ++i) {
                 std::memcpy(room.row(i), noise.row((first + i) % noise.rows),
                             noise.bytes_per_row);
               }
             });
}

double Run(const Case& which, const GrayBand& noise) {
  Pool pool(which.threads);
  const EngineList engines = LocalEngines(pool);
  const Engine& engine =
      *Must(ChooseEngine(engines, "auto", Recipe::FloydSteinberg()));
  RunPage(engine, which, noise);  // starts the threads
  const int pages = which.sessions == 1 ? 4 : 2;
  const double ms = Milliseconds([&] {
    std::vector<std::thread> clients;
    for (int i = 0; i < which.sessions; ++i) {
      clients.emplace_back([&] {
        for (int page = 0; page < pages; ++page) {
          RunPage(engine, which, noise);
        }
      });
    }
    for (std::thread& client : clients) client.join();
  });
  return ms / pages;
}

std::vector<Case> CasesOf(const std::vector<int>& threads) {
  std::vector<Case> cases;
  for (const bool is_default_print : {false, true}) {
    for (const int sessions : {1, 4, 16, 32}) {
      for (const int each : threads) {
        for (const int rows : sessions == 1 ? std::vector<int>{128, 256}
                                            : std::vector<int>{256}) {
          cases.push_back({each, sessions, is_default_print, rows});
        }
      }
    }
  }
  return cases;
}

void MeasureAll(const std::vector<int>& threads) {
  std::vector<std::byte> samples(size_t{64} * kWidth);
  std::mt19937_64 random(1);
  for (std::byte& each : samples) each = static_cast<std::byte>(random());
  const GrayBand noise{samples.data(), kWidth, 64};
  std::vector<Case> cases = CasesOf(threads);
  for (int run = 0; run < kRuns; ++run) {
    for (Case& each : cases) each.ms.push_back(Run(each, noise));
  }
  for (const Case& each : cases) {
    const Timing timing = TimingOf(each.ms);
    std::printf(
        "{\"type\": \"%s\", \"threads\": %d, \"sessions\": %d, "
        "\"rows\": %d, \"median_ms\": %.2f, \"best_ms\": %.2f, "
        "\"pages_per_s\": %.0f}\n",
        each.is_default_print ? "fine, pure, curve" : "floyd-steinberg",
        each.threads, each.sessions, each.rows_per_band, timing.median_ms,
        timing.best_ms, each.sessions / timing.median_ms * 1000);
  }
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char* argv[]) {
  std::vector<int> threads;
  for (int i = 1; i < argc; ++i) threads.push_back(std::atoi(argv[i]));
  const auto processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (threads.empty()) {
    for (int each = 1; each < processors; each *= 2) threads.push_back(each);
    threads.push_back(processors);
  }
  halftoned::bench::MeasureAll(threads);
}
