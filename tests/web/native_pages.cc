// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library as a program, for tests and benches of the module: it reads a
// page from standard input and writes its output.
//
//   native_pages gray ENGINE OPTIONS WIDTH BITS
//   native_pages palette ENGINE COLORS WIDTH
//
// With a further argument, a number of times, it halftones the page so often,
// and writes only the fewest milliseconds of CPU time.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "halftoned/halftone.h"

namespace {

std::string ReadAll() {
  std::string all;
  char part[65536];
  while (const size_t size = std::fread(part, 1, sizeof(part), stdin)) {
    all.append(part, size);
  }
  return all;
}

void Check(ht_status status, const ht_error& error) {
  if (status == HT_OK) return;
  std::fprintf(stderr, "%s\n", error.text);
  std::exit(1);
}

ht_engine* EngineOf(const char* name) {
  ht_engine* engine = nullptr;
  ht_error error;
  Check(ht_engine_new(name, 1, &engine, &error), error);
  return engine;
}

// A page's work, and where its output goes.
struct Work {
  std::vector<unsigned char> out;
  std::function<void(unsigned char*)> run;
};

Work Gray(std::span<char*> args, const std::string& gray) {
  ht_error error;
  ht_recipe* recipe = nullptr;
  Check(ht_recipe_new(args[1], nullptr, &recipe, &error), error);
  ht_layout layout = {};
  layout.width = std::atoi(args[2]);
  layout.bits_per_sample = std::atoi(args[3]);
  const size_t row_bytes = static_cast<size_t>(layout.width) *
                           static_cast<size_t>(layout.bits_per_sample) / 8;
  const auto rows = static_cast<int64_t>(gray.size() / row_bytes);
  const size_t out_bytes = ht_recipe_row_bytes(recipe, layout.width);
  ht_engine* const engine = EngineOf(args[0]);
  return {std::vector<unsigned char>(static_cast<size_t>(rows) * out_bytes),
          [=, &gray](unsigned char* out) {
            ht_error failure;
            Check(ht_halftone(engine, recipe, &layout, gray.data(), 0, rows,
                              out, 0, &failure),
                  failure);
          }};
}

Work Colors(std::span<char*> args, const std::string& rgb) {
  ht_error error;
  ht_palette* palette = nullptr;
  Check(ht_palette_new(args[1], &palette, &error), error);
  const int width = std::atoi(args[2]);
  const size_t pixels = rgb.size() / 3;
  const auto rows = static_cast<int64_t>(pixels / static_cast<size_t>(width));
  ht_engine* const engine = EngineOf(args[0]);
  return {std::vector<unsigned char>(pixels), [=, &rgb](unsigned char* out) {
            ht_error failure;
            Check(ht_palette_halftone(engine, palette, width, rgb.data(), 0,
                                      rows, out, 0, &failure),
                  failure);
          }};
}

double Milliseconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> args(argv, static_cast<size_t>(argc));
  if (args.size() < 5) return 2;
  const bool is_gray = args[1] == std::string("gray");
  const size_t needed = is_gray ? 6 : 5;
  if (args.size() < needed) return 2;
  const std::string page = ReadAll();
  Work work =
      is_gray ? Gray(args.subspan(2), page) : Colors(args.subspan(2), page);
  const auto run = [&work] { work.run(work.out.data()); };
  if (args.size() > needed) {
    double fewest = std::numeric_limits<double>::max();
    for (int times = std::atoi(args[needed]); times > 0; --times) {
      fewest = std::min(fewest, Milliseconds(run));
    }
    std::printf("%.4f\n", fewest);
    return 0;
  }
  run();
  return std::fwrite(work.out.data(), 1, work.out.size(), stdout) ==
                 work.out.size()
             ? 0
             : 1;
}
