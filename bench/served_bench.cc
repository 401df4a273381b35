// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A4 pages at 600 dpi through a running daemon, from several client
// processes at the same time. Each fills its ring once before the measurement.
//
// Usage: served_bench SOCKET [ENGINE [TYPE]]
// ENGINE: the engine that must have done all of the work.
// TYPE: only cases whose type's name begins so.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "bench/through_session.h"
#include "bench/timing.h"
#include "wire/remote_engine.h"

namespace halftoned::bench {
namespace {

constexpr int32_t kWidth = 4960;
constexpr int32_t kRows = 7016;
constexpr int kPages = 16;  // of each client
constexpr int kRuns = 5;

struct Type {
  const char* name;
  Recipe (*make)();
};
constexpr Type kFloydSteinberg{"floyd-steinberg",
                               [] { return Recipe::FloydSteinberg(); }};
constexpr Type kFine{"fine, pure, curve", DefaultPrint};
constexpr Type kBest{"best, pure, curve", [] { return BestPrint(); }};

struct Case {
  int clients;
  int32_t rows_per_band;  // 0: what suits the worker
  bool ring;
  Type type;
};

void RunPage(const Engine& engine, const Case& which, bool fill) {
  const Recipe recipe = which.type.make();
  const auto session = Must(
      engine.Open({*Page::Make(kWidth, 8), recipe, {}, which.rows_per_band}));
  RunNoise(*session, kRows, fill);
}

void Say(int fd) {
  if (::write(fd, "x", 1) != 1) std::exit(3);
}
void Hear(int fd) {
  char word;
  if (::read(fd, &word, 1) != 1) std::exit(3);
}

// Runs on each word from `go`, and says when it is done.
void BeClient(const wire::RemoteOptions& options, const Case& which, int go,
              int done) {
  const wire::RemoteEngine engine(options);
  RunPage(engine, which, true);
  Say(done);
  for (int run = 0; run < kRuns; ++run) {
    Hear(go);
    for (int page = 0; page < kPages; ++page) {
      RunPage(engine, which, false);
    }
    Say(done);
  }
}

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) std::exit(3);
    out = ends[0];
    in = ends[1];
  }
  int out, in;
};

Timing Run(wire::RemoteOptions options, const Case& which) {
  options.use_ring = which.ring;
  const Pipe go, done;
  std::vector<pid_t> clients;
  for (int i = 0; i < which.clients; ++i) {
    clients.push_back(::fork());
    if (clients.back() == 0) {
      BeClient(options, which, go.out, done.in);
      std::exit(0);
    }
  }
  const auto for_all = [&](const auto& call) {
    for (int i = 0; i < which.clients; ++i) call();
  };
  for_all([&] { Hear(done.out); });
  std::vector<double> ms;
  for (int run = 0; run < kRuns; ++run) {
    ms.push_back(Milliseconds([&] {
      for_all([&] { Say(go.in); });
      for_all([&] { Hear(done.out); });
    }));
  }
  for (const pid_t client : clients) {
    int status;
    if (::waitpid(client, &status, 0) < 0 || status != 0) std::exit(3);
  }
  return TimingOf(ms);
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char* argv[]) {
  using namespace halftoned;
  if (argc < 2) return 2;
  wire::RemoteOptions options;
  options.socket = argv[1];
  options.owner = "nobody";
  {
    const auto connection = bench::Must(wire::RemoteConnection::Make(options));
    if (argc > 2 && connection->welcome().engine != argv[2]) {
      std::fprintf(stderr, "engine %s serves\n",
                   connection->welcome().engine.c_str());
      return 2;
    }
  }
  using bench::kBest, bench::kFine, bench::kFloydSteinberg;
  std::vector<bench::Case> cases;
  for (const bench::Type& type : {kFloydSteinberg, kFine, kBest}) {
    for (const int clients : {1, 8, 16, 32}) {
      cases.push_back({clients, 0, true, type});
    }
  }
  cases.push_back({8, 256, true, kFloydSteinberg});
  cases.push_back({8, 256, false, kFloydSteinberg});
  for (const bench::Case& which : cases) {
    if (argc > 3 && !std::string_view(which.type.name).starts_with(argv[3])) {
      continue;
    }
    const bench::Timing timing = bench::Run(options, which);
    const int pages = which.clients * bench::kPages;
    std::printf(
        "{\"type\": \"%s\", \"clients\": %d, \"rows\": %d, \"ring\": %s, "
        "\"median_ms\": "
        "%.2f, \"best_ms\": %.2f, \"pages_per_s\": %.0f, "
        "\"gb_per_s\": %.2f}\n",
        which.type.name, which.clients, which.rows_per_band,
        which.ring ? "true" : "false", timing.median_ms, timing.best_ms,
        pages / timing.median_ms * 1000,
        double{bench::kWidth} * bench::kRows * pages / timing.median_ms / 1e6);
    std::fflush(stdout);
  }
}
