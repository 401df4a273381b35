// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Malicious files. Whatever they contain, reading ends with pages or with a
// one-line error; sanitizers check that nothing else happens. A run tries a
// random part of the cuts and bytes, or all of them if HALFTONED_EVERY_BYTE is
// set.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <png.h>
#include <tiffio.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "images.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

std::vector<std::pair<std::string, std::string>> GoodImages() {
  std::vector<std::pair<std::string, std::string>> images;
  const auto add_tiff = [&](const char* name, TiffSpec spec) {
    spec.width = 19;
    spec.rows = 11;
    images.emplace_back(name, MakeTiff(spec, NoiseBelow(1 << spec.bits)));
  };
  add_tiff("gray tiff", {});
  add_tiff("bitmap tiff", {.bits = 1, .photometric = 0});
  add_tiff("big-endian tiff", {.bits = 16, .mode = "wb"});
  add_tiff("bigtiff", {.mode = "w8"});
  add_tiff("lzw tiff", {.samples = 3, .photometric = 2, .compression = 5});
  add_tiff("deflate planes tiff",
           {.samples = 3, .photometric = 2, .planar = 2, .compression = 8});
  add_tiff("packbits tiles tiff", {.compression = 32773, .tile = 16});
  add_tiff("g4 tiff", {.bits = 1, .photometric = 0, .compression = 4});
  add_tiff("jpeg tiff", {.compression = 7, .rows_per_strip = 8});
  add_tiff("ycbcr tiff", {.samples = 3, .photometric = 6});
  add_tiff("palette tiff", {.bits = 2, .photometric = 3});
  add_tiff("large palette tiff", {.photometric = 3});
  add_tiff("cmyk tiff", {.samples = 4, .photometric = 5, .orientation = 6});
  add_tiff("pages tiff", {.pages = 3});
  for (const bool interlaced : {false, true}) {
    const PngSpec spec{19, 11, 8, PNG_COLOR_TYPE_RGB, interlaced};
    images.emplace_back("png", MakePng(spec, NoiseBelow(256)));
  }
  images.emplace_back("palette png",
                      MakePng({19, 11, 2, 3, false}, NoiseBelow(4)));
  images.emplace_back("pgm", "P5 4 3 255\nabcdefghijkl");
  images.emplace_back("plain ppm", "P3 2 1 255 1 2 3 4 5 6");
  images.emplace_back("pbm", "P4 9 2\nabcd");
  return images;
}

class HostileImage : public testing::Test {
 protected:
  // One in `of`, or all.
  bool IsChosen(int of) {
    return is_whole_ || random_() % static_cast<unsigned>(of) == 0;
  }

  const bool is_whole_ = ::getenv("HALFTONED_EVERY_BYTE") != nullptr;
  const unsigned seed_ = std::random_device()();
  const testing::ScopedTrace trace_{__FILE__, __LINE__,
                                    "seed " + std::to_string(seed_)};
  std::mt19937 random_{seed_};
};

TEST_F(HostileImage, TheImagesAreValidBeforeTheyAreDamaged) {
  for (const auto& [name, bytes] : GoodImages()) {
    EXPECT_TRUE(IsRead(bytes, name)) << name;
  }
}

// A truncated image must not pass for a whole one.
TEST_F(HostileImage, CutAtAnyByteIsAnError) {
  for (const auto& [name, bytes] : GoodImages()) {
    for (size_t length = 0; length < bytes.size(); ++length) {
      const bool is_near = length < 32 || length + 32 > bytes.size();
      if (!is_near && !IsChosen(4)) continue;
      const std::string what = name + " cut at " + std::to_string(length) +
                               " of " + std::to_string(bytes.size());
      EXPECT_FALSE(IsRead(bytes.substr(0, length), what)) << what;
    }
  }
}

TEST_F(HostileImage, AnyByteCanBeWrong) {
  for (const auto& [name, bytes] : GoodImages()) {
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
        if (!IsChosen(5)) continue;
        std::string spoiled = bytes;
        spoiled[at] = static_cast<char>(value);
        IsRead(spoiled, name + " with byte " + std::to_string(at) + " = " +
                            std::to_string(value));
      }
    }
  }
}

TEST_F(HostileImage, ManyBytesCanBeWrong) {
  for (const auto& [name, bytes] : GoodImages()) {
    for (int round = is_whole_ ? 300 : 60; round > 0; --round) {
      std::string spoiled = bytes;
      for (unsigned i = random_() % 8 + 1; i > 0; --i) {
        spoiled[random_() % spoiled.size()] = static_cast<char>(random_());
      }
      IsRead(spoiled, name + ", round " + std::to_string(round));
    }
  }
}

// Its pixels, one band after another into the same room.
Result<void> ReadAll(InputFile file, const ImageTrust& trust) {
  HALFTONED_TRY_ASSIGN(const auto image, OpenImage(file, trust));
  HALFTONED_TRY_ASSIGN(const auto page, image->Next());
  const size_t pitch = page->info().page.gray_bytes_per_row();
  std::vector<std::byte> room(64 * pitch);
  for (bool last = false; !last;) {
    HALFTONED_TRY_ASSIGN(const Filled filled,
                         page->Read({room.data(), pitch, 64}));
    last = filled.last;
  }
  return {};
}

// In a pipe, where nobody knows where it will end.
Result<void> ReadAllOfPipe(const std::string& bytes, const ImageTrust& trust) {
  std::array<int, 2> ends;
  EXPECT_EQ(0, ::pipe2(ends.data(), O_CLOEXEC));
  Descriptor in(ends[1]);
  EXPECT_TRUE(WriteFully(in.get(), std::as_bytes(std::span(bytes))).ok());
  in.Close();
  HALFTONED_TRY_ASSIGN(InputFile file,
                       InputFile::FromDescriptor(Descriptor(ends[0])));
  return ReadAll(std::move(file), trust);
}

constexpr char kTooManyPixels[] = "has too many pixels for a file of this size";

// Blank paper of one bit per pixel is packed several thousand times.
TEST_F(HostileImage, ASmallPngCannotBeAHugeImage) {
  for (const bool interlaced : {false, true}) {
    const std::string bytes =
        MakePng({4096, 1024, 1, PNG_COLOR_TYPE_GRAY, interlaced},
                [](int, int, int) { return 1; });
    const auto pixels = int64_t{4096} * 1024;
    ASSERT_GT(pixels / int64_t(bytes.size()), 1000);
    const auto error = [&](int64_t free_pixels, bool is_pipe) {
      const ImageTrust trust{free_pixels, "try less"};
      const auto read = is_pipe ? ReadAllOfPipe(bytes, trust)
                                : ReadAll(std::move(*InputFile::FromDescriptor(
                                              MemoryFile(bytes))),
                                          trust);
      return read.ok() ? "" : read.error().message;
    };
    for (const bool is_pipe : {false, true}) {
      EXPECT_EQ(error(0, is_pipe), kTooManyPixels + std::string("; try less"));
      EXPECT_EQ(error(pixels / 2, is_pipe), error(0, is_pipe));
      EXPECT_EQ(error(pixels, is_pipe), "");
      EXPECT_EQ(error(ImageTrust::kAnySize, is_pipe), "");
      const auto in_proportion = pixels - 255 * int64_t(bytes.size());
      EXPECT_EQ(error(in_proportion, is_pipe), "");
    }
    // A file tells this before anything is decoded.
    auto file = InputFile::FromDescriptor(MemoryFile(bytes));
    ASSERT_TRUE(file.ok());
    const auto image = OpenImage(*file, {0});
    ASSERT_TRUE(image.ok());
    EXPECT_FALSE(image.value()->Next().ok());
  }
}

TEST_F(HostileImage, APngThatDoesNotCompressCanHaveAnySize) {
  const std::string bytes =
      MakePng({512, 64, 8, PNG_COLOR_TYPE_GRAY, true}, NoiseBelow(256));
  EXPECT_TRUE(
      ReadAll(std::move(*InputFile::FromDescriptor(MemoryFile(bytes))), {0})
          .ok());
}

// 85 000 × 80 000 pixels, as their header promises.
TEST_F(HostileImage, APngThatWouldFillADiskIsRefused) {
  std::string bytes = MakePng({1, 1, 1, PNG_COLOR_TYPE_GRAY, true},
                              [](int, int, int) { return 1; });
  const char header[] = "\0\1\x4c\x08\0\1\x38\x80\1\0\0\0\1";
  bytes.replace(16, 13, header, 13);
  uint32_t crc = ~0u;
  for (size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<uint8_t>(bytes[i]);
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  for (int i = 0; i < 4; ++i) bytes[29 + i] = char(~crc >> (24 - 8 * i));
  const auto pages = ReadPages(bytes);
  ASSERT_FALSE(pages.ok());
  EXPECT_EQ(pages.error().message, kTooManyPixels);
}

}  // namespace
}  // namespace halftoned
