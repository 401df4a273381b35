// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halftones one page in memory with our library or with zimg; prints the
// seconds.
//
//   library_page floyd-steinberg|fine|zimg THREADS IN.pgm OUT.pbm

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "bench/peers/zimg.h"
#include "bench/through_session.h"
#include "bench/timing.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned::bench {
namespace {

struct Gray {
  int32_t width = 0;
  int32_t rows = 0;
  std::vector<std::byte> samples;
};

Gray ReadPgm(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string magic;
  Gray gray;
  int top = 0;
  file >> magic >> gray.width >> gray.rows >> top;
  if (magic != "P5" || top != 255) std::exit(1);
  file.get();
  gray.samples.resize(size_t(gray.width) * size_t(gray.rows));
  file.read(reinterpret_cast<char*>(gray.samples.data()),
            std::streamsize(gray.samples.size()));
  return gray;
}

// Bits are light; a PBM's are ink.
void WritePbm(const char* path, const Gray& gray, std::vector<std::byte> bits) {
  for (std::byte& byte : bits) byte = ~byte;
  std::ofstream file(path, std::ios::binary);
  file << "P4\n" << gray.width << " " << gray.rows << "\n";
  file.write(reinterpret_cast<const char*>(bits.data()),
             std::streamsize(bits.size()));
}

double RunOurs(const Gray& gray, const Recipe& recipe, int threads,
               std::vector<std::byte>& bits) {
  Pool pool(threads);
  const EngineList engines = LocalEngines(pool);
  const Engine* engine = *ChooseEngine(engines, "auto", recipe);
  const size_t pitch = recipe.bit_bytes_per_row(gray.width);
  return Milliseconds([&] {
    const auto session =
        Must(engine->Open({*Page::Make(gray.width, 8), recipe, {}, 0}));
    RunGray(*session, gray.rows, gray.samples.data(), [&](const BitBand& band) {
      std::memcpy(&bits[size_t(band.first_row) * pitch], band.bytes,
                  size_t(band.rows) * pitch);
    });
  });
}

// Its output is a byte per pixel; packing it is not timed.
double RunZimg(const Gray& gray, std::vector<std::byte>& bits) {
  const auto zimg = Zimg::Make(gray.width, gray.rows);
  if (!zimg) {
    std::fprintf(stderr,
                 "built without zimg; configure and build again with it\n");
    std::exit(1);
  }
  zimg->Copy(gray.samples.data());
  const double ms = Milliseconds([&] { zimg->Run(); });
  const size_t pitch = (size_t(gray.width) + 7) / 8;
  for (int32_t i = 0; i < gray.rows; ++i) {
    for (int32_t j = 0; j < gray.width; ++j) {
      if (zimg->row(i)[j] == std::byte{0}) continue;
      bits[size_t(i) * pitch + size_t(j / 8)] |= std::byte{0x80} >> (j % 8);
    }
  }
  return ms;
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  using namespace halftoned::bench;
  if (argc != 5) return 1;
  const Gray gray = ReadPgm(argv[3]);
  std::vector<std::byte> bits((static_cast<size_t>(gray.width) + 7) / 8 *
                              static_cast<size_t>(gray.rows));
  const halftoned::Recipe recipe = std::strcmp(argv[1], "fine") == 0
                                       ? halftoned::Recipe::Fine()
                                       : halftoned::Recipe::FloydSteinberg();
  const double ms = std::strcmp(argv[1], "zimg") == 0
                        ? RunZimg(gray, bits)
                        : RunOurs(gray, recipe, std::atoi(argv[2]), bits);
  WritePbm(argv[4], gray, std::move(bits));
  std::printf("%.6f\n", ms / 1000);
}
