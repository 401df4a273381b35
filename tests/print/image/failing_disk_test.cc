// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A disk that fails in the middle of a file: this file replaces the system
// call.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <tiffio.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "images.h"

namespace {

int good_reads = 1 << 30;

}  // namespace

extern "C" ssize_t pread(int fd, void* room, size_t count, off_t offset) {
  if (good_reads == 0) {
    errno = EIO;
    return -1;
  }
  --good_reads;
  return ::syscall(SYS_pread64, fd, room, count, offset);
}

namespace halftoned {
namespace {

TEST(FailingDisk, IsAnErrorAtAnyPlaceOfATiffFile) {
  for (const uint16_t compression :
       {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE}) {
    for (const uint32_t tile : {0u, 16u}) {
      TiffSpec spec;
      spec.compression = compression;
      spec.tile = tile;
      const std::string tiff = MakeTiff(
          spec, [](int x, int y, int) { return double((x * y) & 255); });
      int reads = 0;
      for (bool is_read = false; !is_read; ++reads) {
        good_reads = reads;
        const auto pages = ReadPages(tiff);
        is_read = pages.ok();
        const int left = good_reads;
        good_reads = 1 << 30;
        if (is_read) {
          EXPECT_EQ(left, 0);
        } else {
          EXPECT_EQ(pages.error().message, "cannot read: Input/output error");
        }
      }
      EXPECT_GT(reads, 5);
    }
  }
}

}  // namespace
}  // namespace halftoned
