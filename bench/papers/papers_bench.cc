// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every method of the papers, and our engines, on squares of 1K … 16K pixels a
// side: gray in, a byte a pixel out for the papers' methods, as in the papers,
// and bits for ours. Writes JSON to standard output: the machine, the date and
// the figures, each the median of its runs. papers_report.py makes tables and a
// plot from it.
//
//   papers_bench [cpu] [gpu] [SIDE ...] [sweeps]
//
// Without arguments, all of them. SIDE is in units of 1024; sweeps try shares
// of the work between CPU and GPU, and between threads, at sizes of their own.

#include "bench/papers/papers_bench.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <thread>

namespace halftoned::bench {

namespace {

// Writes the start of a figure, up to its measurement.
void BeginFigure(const Subject& subject) {
  static bool first = true;
  std::printf("%s\n    {\"group\": \"%s\", \"name\": \"%s\", ",
              first ? "" : ",", subject.group.c_str(), subject.name.c_str());
  first = false;
  std::printf("\"width\": %d, \"rows\": %d, \"threads\": %d, ",
              subject.size.width, subject.size.rows, subject.threads);
  if (subject.cpu_labels > 0 || subject.cpu_columns > 0) {
    std::printf("\"cpu_labels\": %d, \"cpu_columns\": %d, ", subject.cpu_labels,
                subject.cpu_columns);
  }
}

}  // namespace

void Report(const Subject& subject, Timing whole, const Timing* run) {
  BeginFigure(subject);
  if (run) std::printf("\"run_ms\": %.4f, ", run->median_ms);
  std::printf("\"best_ms\": %.4f, \"ms\": %.4f}", whole.best_ms,
              whole.median_ms);
  std::fflush(stdout);
  std::fprintf(stderr, "%6d x %-6d %s, %s: %.3f ms\n", subject.size.width,
               subject.size.rows, subject.group.c_str(), subject.name.c_str(),
               whole.median_ms);
}

void ReportCounts(const Subject& subject, const papers::Counts& counts) {
  BeginFigure(subject);
  std::printf("\"reads\": %" PRId64 ", \"writes\": %" PRId64
              ", \"register_reads\": %" PRId64 ", \"register_writes\": %" PRId64
              "}",
              counts.memory.reads, counts.memory.writes, counts.registers.reads,
              counts.registers.writes);
}

testing::GrayPage NoiseOf(const Size& size) {
  testing::GrayPage gray{*Page::Make(size.width, 8), size.rows, {}};
  gray.samples.resize(gray.bytes_per_row() * static_cast<size_t>(size.rows));
  uint64_t state = 20240229;
  for (std::byte& sample : gray.samples) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sample = static_cast<std::byte>(state >> 56);
  }
  return gray;
}

namespace {

std::string CpuName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "a processor";
}

std::string Today() {
  char day[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(day, sizeof(day), "%Y-%m-%d", std::gmtime(&now));
  return day;
}

struct Choice {
  bool cpu = false;
  bool gpu = false;
  bool sweeps = false;
  std::vector<int> squares;
  std::string command = "papers_bench";
};

std::optional<Choice> Read(const std::vector<std::string>& words) {
  Choice choice;
  for (const std::string& word : words) {
    choice.command += " " + word;
    if (word == "cpu") {
      choice.cpu = true;
    } else if (word == "gpu") {
      choice.gpu = true;
    } else if (word == "sweeps") {
      choice.sweeps = true;
    } else if (const int side = std::atoi(word.c_str()); side > 0) {
      choice.squares.push_back(side);
    } else {
      return std::nullopt;
    }
  }
  if (!choice.cpu && !choice.gpu) choice.cpu = choice.gpu = true;
  if (choice.squares.empty() && !choice.sweeps) {
    choice.sweeps = true;
    choice.squares.assign(std::begin(kSquares), std::end(kSquares));
  }
  return choice;
}

int RunAll(const std::vector<std::string>& words) {
  const auto choice = Read(words);
  if (!choice) {
    std::fprintf(stderr,
                 "usage: papers_bench [cpu] [gpu] [SIDE ...] [sweeps]\n");
    return 1;
  }
  const std::string gpu_name = GpuName();
  std::printf(
      "{\n  \"cpu\": \"%s\",\n  \"processors\": %u,\n  \"gpu\": \"%s\",\n"
      "  \"date\": \"%s\",\n  \"command\": \"%s\",\n  \"figures\": [",
      CpuName().c_str(), std::thread::hardware_concurrency(), gpu_name.c_str(),
      Today().c_str(), choice->command.c_str());
  if (choice->cpu) {
    CountAccesses();
    BenchCpu(choice->squares);
    if (choice->sweeps) SweepCpu();
  }
  if (choice->gpu && !gpu_name.empty()) {
    BenchGpu(choice->squares);
    if (choice->sweeps) SweepGpu();
  }
  std::printf("\n  ]\n}\n");
  return 0;
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  return halftoned::bench::RunAll({argv + 1, argv + argc});
}
