// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raster in the spool while it arrives: what its reader finds, and when.

#include "printer_app/front/pappl/paged_document.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/temporary_folder.h"
#include "printer_app/handover/spooled_document.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// A page of one row with so many white pixels.
std::string Page(uint8_t width) {
  std::string page(32, '\0');
  page[0] = 8;
  page[15] = static_cast<char>(width);
  page[19] = 1;
  return page + std::string("\0\x80", 2);
}

const std::string kFirst = std::string("UNIRAST\0\0\0\0\0", 12) + Page(8);

class Paged : public ::testing::Test {
 protected:
  Result<PagedDocument> Begin(bool is_raster = true) {
    return PagedDocument::Begin(folder_.path(), is_raster);
  }
  std::string Job(const PagedDocument& document) {
    const std::string path = folder_.path() + "/p00001j000000001-a.urf";
    std::ofstream(path) << document.Reference("");
    return path;
  }
  // All bytes that there are; an error in words.
  static std::string Read(ArrivingDocument& document, bool& is_end) {
    std::string text;
    std::array<char, 7> room;
    while (true) {
      const auto size = document.Read(std::as_writable_bytes(std::span(room)));
      if (!size.ok()) return size.error().message;
      is_end = size->has_value() && **size == 0;
      if (size->value_or(0) == 0) return text;
      text.append(room.data(), **size);
    }
  }
  static std::string ReadMore(ArrivingDocument& document) {
    bool is_end = true;
    const std::string text = Read(document, is_end);
    EXPECT_FALSE(is_end);
    return text;
  }

  TemporaryFolder folder_ =
      std::move(*TemporaryFolder::Make(fs::temp_directory_path(), "paged-"));
};

TEST_F(Paged, IsReadPageByPage) {
  auto document = Begin();
  ASSERT_TRUE(document.ok());
  EXPECT_FALSE(*document->Append(kFirst.substr(0, 20)));
  EXPECT_TRUE(*document->Append(kFirst.substr(20) + Page(9).substr(0, 33)));
  const std::string job = Job(*document);
  EXPECT_TRUE(IsArriving(job));
  auto reader = ArrivingDocument::Open(job);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(ReadMore(*reader), kFirst);
  EXPECT_EQ(ReadMore(*reader), "");
  EXPECT_FALSE(*document->Append(Page(9).substr(33) + Page(7) + Page(6) + "a"));
  EXPECT_EQ(ReadMore(*reader), Page(9) + Page(7) + Page(6));
  EXPECT_TRUE(document->Finish().ok());
  EXPECT_FALSE(IsArriving(job));
  bool is_end = false;
  EXPECT_EQ(Read(*reader, is_end), "");
  EXPECT_TRUE(is_end);
  document->Keep();
  EXPECT_TRUE(HasDocument(job));
}

TEST_F(Paged, ThatIsGivenUpIsAnErrorForItsReader) {
  std::optional<ArrivingDocument> reader;
  {
    auto document = Begin();
    ASSERT_TRUE(document.ok());
    EXPECT_TRUE(*document->Append(kFirst));
    auto opened = ArrivingDocument::Open(Job(*document));
    ASSERT_TRUE(opened.ok());
    reader.emplace(std::move(*opened));
    EXPECT_EQ(ReadMore(*reader), kFirst);
    EXPECT_FALSE(document->Append(std::string(32, '\0')).ok());
  }
  bool is_end = false;
  EXPECT_EQ(Read(*reader, is_end), "the document did not arrive completely");
  EXPECT_FALSE(is_end);
}

TEST_F(Paged, MustNotEndWithinAPage) {
  auto document = Begin();
  ASSERT_TRUE(document.ok());
  EXPECT_TRUE(*document->Append(kFirst + Page(9).substr(0, 33)));
  EXPECT_FALSE(document->Finish().ok());
}

// The pipe is full before all bytes are in it.
TEST_F(Paged, MovesHeldBytesPieceByPiece) {
  const std::string path = folder_.path() + "/held";
  std::ofstream(path) << std::string(1 << 20, 'x');
  const auto held = Descriptor::Open(path, O_RDWR);
  ASSERT_TRUE(held.ok());
  if (fallocate(held->get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                4096) != 0) {
    GTEST_SKIP() << "The file system does not support holes.";
  }
  ASSERT_EQ(fsync(held->get()), 0);
  const auto blocks = [&] {
    struct stat status = {};
    EXPECT_EQ(fstat(held->get(), &status), 0);
    return status.st_blocks;
  };
  const auto before = blocks();
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  EXPECT_FALSE(MoveBytes(held->get(), in.get(), 1 << 20).ok());
  EXPECT_LT(blocks(), before);
}

TEST_F(Paged, OfOtherKindsIsTakenWhole) {
  const std::string cut = kFirst.substr(0, kFirst.size() - 1);
  for (const auto& [text, is_raster] :
       {std::pair(std::string("%PDF"), true), std::pair(cut, true),
        std::pair(kFirst, false)}) {
    auto document = Begin(is_raster);
    ASSERT_TRUE(document.ok());
    EXPECT_FALSE(*document->Append(text));
    EXPECT_TRUE(document->Finish().ok());
    auto reader = ArrivingDocument::Open(Job(*document));
    ASSERT_TRUE(reader.ok());
    bool is_end = false;
    EXPECT_EQ(Read(*reader, is_end), text);
    EXPECT_TRUE(is_end);
  }
}

}  // namespace
}  // namespace halftoned
