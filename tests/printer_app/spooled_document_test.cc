// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/spooled_document.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/temporary_folder.h"

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
  EXPECT_EQ(DocumentOf(job), document);
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
    RemoveForgottenDocuments(folder_.path());
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
  EXPECT_EQ(DocumentOf(job), job);
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
  RemoveForgottenDocuments(folder_.path());
  RemoveDocument(path);
  ASSERT_EQ(mkfifo((folder_.path() + "/p00001j000000002-a.pdf").c_str(), 0600),
            0);
  Put(DocumentName(NewDocumentNumber()), "%PDF");
  EXPECT_TRUE(RemoveForgottenDocuments(folder_.path()));
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
  RemoveForgottenDocuments(folder_.path());
  EXPECT_TRUE(IsThere(DocumentName(number_)));
  fs::remove(job);
  RemoveForgottenDocuments(folder_.path());
  EXPECT_FALSE(IsThere(DocumentName(number_)));
}

TEST_F(SpooledDocument, StaysWhileItIsLocked) {
  const std::string name = DocumentName(number_);
  const auto file = Descriptor::Open(Put(name, "%PDF"), O_RDONLY);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(flock(file->get(), LOCK_SH), 0);
  EXPECT_FALSE(RemoveForgottenDocuments(folder_.path()));
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
  RemoveForgottenDocuments(folder_.path());
  EXPECT_TRUE(IsThere(name));
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
  RemoveForgottenDocuments(folder_.path());
  EXPECT_FALSE(IsThere(name));
}

}  // namespace
}  // namespace halftoned
