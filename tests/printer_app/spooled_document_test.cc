// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/spooled_document.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/temporary_folder.h"
#include "tests/printer_app/few_descriptors.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

class SpooledDocument : public ::testing::Test {
 protected:
  std::string Put(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + '/' + name;
    std::ofstream(path) << text;
    return path;
  }
  // Whether no document is left to remove soon.
  bool Sweep() {
    const Result<bool> done = RemoveForgottenDocuments(folder_.path());
    EXPECT_TRUE(done.ok());
    return done.ok() && *done;
  }
  bool IsThere(const std::string& name) {
    return fs::exists(folder_.path() + '/' + name);
  }

  TemporaryFolder folder_ =
      std::move(*TemporaryFolder::Make(fs::temp_directory_path(), "spool-"));
  const std::string number_ = NewDocumentNumber();
};

TEST_F(SpooledDocument, IsFoundByItsReference) {
  const std::string job = Put("p00001j000000001-a.pdf", ReferenceTo(number_));
  EXPECT_FALSE(HasDocument(job));
  const std::string document = Put(DocumentName(number_), "%PDF");
  EXPECT_TRUE(HasDocument(job));
  EXPECT_EQ(*DocumentOf(job), document);
}

TEST_F(SpooledDocument, HasANameThatNoOtherFileHas) {
  EXPECT_TRUE(IsDocumentName(DocumentName(number_)));
  EXPECT_TRUE(IsDocumentName(DocumentName(number_) + std::string(kPart)));
  for (const std::string& name :
       {std::string("document-final.pdf"), std::string("document-0.part"),
        DocumentName(number_) + "0", DocumentName("X" + number_.substr(1)),
        DocumentName(number_) + ".pdf", "my" + DocumentName(number_)}) {
    EXPECT_FALSE(IsDocumentName(name)) << name;
    const std::string other = Put(name, "mine");
    RemoveUnfinishedDocuments(folder_.path());
    Sweep();
    EXPECT_TRUE(IsThere(name)) << name;
  }
}

TEST_F(SpooledDocument, IsNamedByWholeReferencesAlone) {
  const std::string first = ReferenceTo(number_);
  EXPECT_EQ(NumberIn(first), number_);
  EXPECT_EQ(OwnerOf(Put("p00001j000000001-a.pdf", first)), "");
  const std::string whole = ReferenceTo(number_, "office user bob");
  EXPECT_EQ(NumberIn(whole), number_);
  EXPECT_EQ(OwnerOf(Put("p00001j000000002-a.pdf", whole)), "office user bob");
  for (size_t size = 0; size < whole.size(); ++size) {
    if (size == first.size()) continue;
    EXPECT_FALSE(NumberIn(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(NumberIn(whole + "x\n"));
  EXPECT_FALSE(NumberIn(ReferenceTo("../../" + number_.substr(6))));
}

TEST_F(SpooledDocument, OfAnotherFileIsTheFileItself) {
  const std::string job = Put("p00001j000000001-a.pdf", "%PDF-1.7\n");
  EXPECT_EQ(*DocumentOf(job), job);
  EXPECT_FALSE(HasDocument(job));
}

TEST_F(SpooledDocument, IsAFileAndNothingElse) {
  const std::string job = Put("p00001j000000001-a.pdf", ReferenceTo(number_));
  const std::string path = folder_.path() + '/' + DocumentName(number_);
  const std::string other = Put("other", "%PDF");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(HasDocument(job));
  EXPECT_FALSE(ArrivingDocument::Open(job).ok());
  // Neither waits for the pipe, nor for one in place of the job's file.
  Sweep();
  RemoveDocument(path);
  ASSERT_EQ(mkfifo((folder_.path() + "/p00001j000000002-a.pdf").c_str(), 0600),
            0);
  Put(DocumentName(NewDocumentNumber()), "%PDF");
  EXPECT_TRUE(Sweep());
  fs::create_symlink(other, path);
  EXPECT_FALSE(HasDocument(job));
  EXPECT_FALSE(OpenSpooled(path).ok());
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_FALSE(HasDocument(job));
  EXPECT_TRUE(OpenSpooled(other).ok());
}

TEST_F(SpooledDocument, IsRemovedWhileNobodyWritesIt) {
  const std::string path = Put(DocumentName(number_), "%PDF");
  const std::string part = Put(DocumentName(number_) + ".part", "%P");
  {
    const auto writer = Descriptor::Open(part, O_WRONLY);
    ASSERT_TRUE(writer.ok());
    ASSERT_EQ(flock(writer->get(), LOCK_SH), 0);
    RemoveDocument(path);
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(part));
  }
  RemoveDocument(path);
  EXPECT_FALSE(fs::exists(part));
  RemoveDocument("");
}

TEST_F(SpooledDocument, GoesWithItsJob) {
  const std::string job = Put("p00001j000000001-a.pdf", ReferenceTo(number_));
  Put(DocumentName(number_), "%PDF");
  Sweep();
  EXPECT_TRUE(IsThere(DocumentName(number_)));
  fs::remove(job);
  Sweep();
  EXPECT_FALSE(IsThere(DocumentName(number_)));
}

TEST_F(SpooledDocument, StaysWhereThereAreMoreThanAProcessMayOpen) {
  std::vector<std::string> numbers;
  for (int i = 10; i < 30; ++i) {
    const std::string& number = numbers.emplace_back(NewDocumentNumber());
    Put(DocumentName(number), "%PDF");
    Put("p00001j0000000" + std::to_string(i) + "-a.pdf", ReferenceTo(number));
  }
  Put(DocumentName(number_), "%PDF");
  {
    const FewDescriptors none(0);
    EXPECT_FALSE(RemoveForgottenDocuments(folder_.path()).ok());
    RemoveUnfinishedDocuments(folder_.path());
  }
  EXPECT_TRUE(IsThere(DocumentName(number_)));
  {
    const FewDescriptors few(5);
    EXPECT_TRUE(Sweep());
  }
  EXPECT_FALSE(IsThere(DocumentName(number_)));
  for (const std::string& number : numbers) {
    EXPECT_TRUE(IsThere(DocumentName(number)));
  }
}

TEST_F(SpooledDocument, IsUnknownWhileFilesCannotBeRead) {
  const std::string job = Put("p00001j000000001-a.pdf", ReferenceTo(number_));
  const auto find = [](const std::string& file) {
    const auto found = FindsDocument(file);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::nullopt;
  };
  EXPECT_EQ(find(job), false);
  Put(DocumentName(number_), "%PDF");
  EXPECT_EQ(find(job), true);
  EXPECT_EQ(find(Put("p00001j000000002-a.pdf", "%PDF")), std::nullopt);
  const FewDescriptors none(0);
  EXPECT_FALSE(FindsDocument(job).ok());
  EXPECT_FALSE(DocumentOf(job).ok());
  EXPECT_FALSE(IsArriving(job));
}

TEST_F(SpooledDocument, StaysWhileItIsLocked) {
  const std::string name = DocumentName(number_);
  const auto file = Descriptor::Open(Put(name, "%PDF"), O_RDONLY);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(flock(file->get(), LOCK_SH), 0);
  EXPECT_FALSE(Sweep());
  EXPECT_TRUE(IsThere(name));
}

TEST_F(SpooledDocument, ThatNeverCameWholeGoesAtTheNextStart) {
  const std::string name = DocumentName(number_);
  Put(name + ".part", "%P");
  Put(name, "%PDF");
  RemoveUnfinishedDocuments(folder_.path());
  EXPECT_FALSE(IsThere(name + ".part"));
  EXPECT_TRUE(IsThere(name));
}

TEST_F(SpooledDocument, ThatNeverCameWholeGoesLater) {
  const std::string name = DocumentName(number_) + ".part";
  const std::string path = Put(name, "%P");
  Sweep();
  EXPECT_TRUE(IsThere(name));
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
  Sweep();
  EXPECT_FALSE(IsThere(name));
}

}  // namespace
}  // namespace halftoned
