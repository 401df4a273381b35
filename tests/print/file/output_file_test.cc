// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rare behavior of the system: this file replaces system calls, so that writes
// accept no bytes, calls fail for folders, or another user acts at the worst
// moment.

#include "print/file/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "print/file/temporary_file.h"

namespace {

bool takes_nothing = false;
int folder_errno = 0;
std::vector<std::string> synced;  // "file" or "folder"
std::string target;               // whether it is there is noted
// What somebody else does, once: before the text of a link is read, and when a
// file is written and not yet in place.
std::function<void()> before_readlink;
std::function<void()> before_commit;

void Act(std::function<void()>& action) {
  if (const auto once = std::exchange(action, nullptr)) once();
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t count) {
  return takes_nothing ? 0 : ::syscall(SYS_write, fd, bytes, count);
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return takes_nothing ? 0 : ::syscall(SYS_pwrite64, fd, bytes, count, offset);
}

ssize_t readlink(const char* path, char* text, size_t size) {
  Act(before_readlink);
  return ::syscall(SYS_readlinkat, AT_FDCWD, path, text, size);
}

ssize_t readlinkat(int at, const char* path, char* text, size_t size) {
  Act(before_readlink);
  return ::syscall(SYS_readlinkat, at, path, text, size);
}

int fsync(int fd) {
  Act(before_commit);
  struct stat status;
  ::fstat(fd, &status);
  const bool is_folder = S_ISDIR(status.st_mode);
  const bool is_there = ::access(target.c_str(), F_OK) == 0;
  synced.push_back(std::string(is_folder ? "folder" : "file") +
                   (is_there ? " after" : " before"));
  if (!is_folder || folder_errno == 0) return 0;
  errno = folder_errno;
  return -1;
}

}  // extern "C"

namespace halftoned {
namespace {

constexpr std::byte kBytes[3] = {};

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name =
        std::filesystem::temp_directory_path() / "halftone-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    target = folder_ / "out";
  }
  ~OutputFileTest() override {
    takes_nothing = false;
    folder_errno = 0;
    synced.clear();
    before_readlink = before_commit = nullptr;
    std::filesystem::remove_all(folder_);
  }

  size_t Files() const {
    size_t files = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(folder_)) {
      ++files;
    }
    return files;
  }

  std::string Path(const char* name) const { return folder_ / name; }
  void Put(const std::string& path, const std::string& text) const {
    std::ofstream(path) << text;
  }
  static std::string TextOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Why it is not written; "" if it is.
  std::string Write(const std::string& path, const std::string& text = "new") {
    const auto write = [&]() -> Result<void> {
      HALFTONED_TRY_ASSIGN(const auto file, OutputFile::Create(path, pending_));
      HALFTONED_TRY(file->Write(std::as_bytes(std::span(text))));
      return file->Commit();
    };
    const Result<void> written = write();
    return written.ok() ? "" : written.error().message;
  }
  // A folder in which everybody may make files, which belongs to `owner`.
  std::string MakeSharedFolder(uid_t owner = 0) const {
    const std::string shared = Path("shared");
    EXPECT_EQ(0, ::mkdir(shared.c_str(), 0777));
    EXPECT_EQ(0, ::chmod(shared.c_str(), 01777));
    EXPECT_EQ(0, ::chown(shared.c_str(), owner, owner));
    return shared;
  }

  std::filesystem::path folder_;
  PendingFiles pending_;
};

constexpr uid_t kSomebody = 12345;
constexpr char kForeignLink[] = "leads through another user's link";
constexpr char kForeignFile[] =
    "belongs to another user, in a world-writable directory";

TEST_F(OutputFileTest, IsSyncedBeforeItGetsItsNameAndSoIsTheName) {
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file.value()->Write(kBytes).ok());
  ASSERT_TRUE(file.value()->Commit().ok());
  EXPECT_EQ(synced, (std::vector<std::string>{"file before", "folder after"}));
}

TEST_F(OutputFileTest, ReportsANameThatCannotBeSynced) {
  folder_errno = EIO;
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file.value()->Commit().ok());
}

TEST_F(OutputFileTest, AcceptsDirectoriesThatCannotBeSynced) {
  folder_errno = EINVAL;
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file.value()->Commit().ok());
}

TEST_F(OutputFileTest, IsGivenUpWhenNothingIsTaken) {
  {
    auto file = OutputFile::Create(target, pending_);
    ASSERT_TRUE(file.ok());
    takes_nothing = true;
    EXPECT_FALSE(file.value()->Write(kBytes).ok());
    EXPECT_FALSE(WriteAt(file.value()->fd(), 0, kBytes).ok());
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(OutputFileTest, IsDeletedWithWhatIsPending) {
  auto pending = std::make_unique<PendingFiles>();
  const auto folder = std::make_shared<const Descriptor>(
      ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(pending->Create(folder, "out", 0600).ok());
  EXPECT_EQ(Files(), 1u);
  pending.reset();
  EXPECT_EQ(Files(), 0u);
}

TEST_F(OutputFileTest, KeepsExistingFilesIfRequired) {
  PendingFiles careful(false);
  Put(target, "old");
  const auto refused = OutputFile::Create(target, careful);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "already exists");
  // What is no regular file is written to, not replaced.
  EXPECT_TRUE(OutputFile::Create("/dev/null", careful).ok());
  // A later page of several may be there.
  Put(NumberedName(target, 2), "old");
  auto pages = OutputFile::Create(Path("out.new"), careful);
  ASSERT_TRUE(pages.ok());
  std::filesystem::rename(NumberedName(target, 2),
                          NumberedName(Path("out.new"), 2));
  EXPECT_TRUE((*pages)->Number(1).ok());
  EXPECT_FALSE((*pages)->Number(2).ok());
}

// Between the last look and the renaming.
TEST_F(OutputFileTest, ReplacesNothingThatAppearsLast) {
  PendingFiles careful(false);
  const auto folder = std::make_shared<const Descriptor>(
      ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(careful.Create(folder, "new", 0600).ok());
  Put(Path("late"), "old");
  EXPECT_FALSE(careful.Keep(folder, "new", "late").ok());
  EXPECT_EQ(TextOf(Path("late")), "old");
  EXPECT_TRUE(careful.Keep(folder, "new", "free").ok());
}

// The file that was looked at is the one that is replaced, and no other one
// gets its owner and permissions.
TEST_F(OutputFileTest, ALinkCanChangeWhileItIsFollowed) {
  Put(Path("bait"), "bait");
  Put(Path("private"), "secret");
  std::filesystem::create_symlink("bait", target);
  before_readlink = [this] {
    std::filesystem::remove(target);
    std::filesystem::create_symlink("private", target);
  };
  EXPECT_EQ(Write(target), "");
  EXPECT_EQ(TextOf(Path("private")), "secret");
  EXPECT_EQ(TextOf(Path("bait")), "new");
}

TEST_F(OutputFileTest, ReplacesOnlyTheFileThatItFound) {
  Put(target, "old");
  before_commit = [this] {
    Put(Path("private"), "secret");
    std::filesystem::rename(Path("private"), target);
  };
  EXPECT_EQ(Write(target),
            "has been created or replaced by another program meanwhile");
  EXPECT_EQ(TextOf(target), "secret");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, DoesNotReplaceANewFile) {
  before_commit = [this] { Put(target, "secret"); };
  EXPECT_EQ(Write(target),
            "has been created or replaced by another program meanwhile");
  EXPECT_EQ(TextOf(target), "secret");
}

TEST_F(OutputFileTest, PutsNothingInPlaceThatItHasNotWritten) {
  Put(target, "old");
  before_commit = [this] {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path() == target) continue;
      std::filesystem::remove(entry.path());
      Put(entry.path(), "smuggled");
      break;
    }
  };
  EXPECT_EQ(Write(target),
            "cannot be put in place: its temporary file is gone");
  EXPECT_EQ(TextOf(target), "old");
}

TEST_F(OutputFileTest, StaysInTheFolderThatItFound) {
  std::filesystem::create_directory(Path("a"));
  std::filesystem::create_directory(Path("b"));
  Put(Path("b/out"), "secret");
  before_commit = [this] {
    std::filesystem::rename(Path("a"), Path("c"));
    std::filesystem::create_symlink("b", Path("a"));
  };
  EXPECT_EQ(Write(Path("a/out")), "");
  EXPECT_EQ(TextOf(Path("b/out")), "secret");
  EXPECT_EQ(TextOf(Path("c/out")), "new");
}

// Also where the folder is theirs, and no other user may write to it.
TEST_F(OutputFileTest, FollowsNoLinkOfOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "gives files away";
  const std::string theirs = MakeSharedFolder(kSomebody);
  Put(Path("private"), "secret");
  for (const mode_t mode : {01777, 0775, 0700}) {
    ASSERT_EQ(0, ::chmod(theirs.c_str(), mode));
    for (const char* name : {"out", "new", "folder"}) {
      const std::string link = theirs + '/' + name;
      std::filesystem::remove(link);
      std::filesystem::create_symlink(
          name == std::string("folder")
              ? folder_.string()
              : Path(name == std::string("out") ? "private" : "none"),
          link);
      ASSERT_EQ(0, ::lchown(link.c_str(), kSomebody, kSomebody));
    }
    EXPECT_EQ(Write(theirs + "/out"), kForeignLink);
    EXPECT_EQ(Write(theirs + "/new"), kForeignLink);
    EXPECT_EQ(Write(theirs + "/folder/private"), kForeignLink);
  }
  EXPECT_EQ(TextOf(Path("private")), "secret");
  EXPECT_FALSE(std::filesystem::exists(Path("none")));
  // By way of a link of ours too.
  std::filesystem::create_symlink(theirs + "/out", target);
  EXPECT_EQ(Write(target), kForeignLink);
}

TEST_F(OutputFileTest, FollowsLinksOfOursAndOfRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "gives files away";
  const std::string theirs = MakeSharedFolder(kSomebody);
  std::filesystem::create_symlink(Path("out"), theirs + "/root's");
  EXPECT_EQ(Write(theirs + "/root's"), "");
  std::filesystem::create_symlink(theirs + "/made", theirs + "/own");
  ASSERT_EQ(0, ::lchown((theirs + "/own").c_str(), kSomebody, kSomebody));
  ASSERT_EQ(0, ::chmod(folder_.c_str(), 0755));
  ASSERT_EQ(0, ::seteuid(kSomebody));
  const std::string own = Write(theirs + "/own");
  ASSERT_EQ(0, ::seteuid(0));
  EXPECT_EQ(own, "");
}

TEST_F(OutputFileTest, RefusesFilesOfOthersInAWorldWritableDirectory) {
  if (::geteuid() != 0) GTEST_SKIP() << "gives files away";
  const std::string shared = MakeSharedFolder();
  Put(shared + "/out", "bait");
  ASSERT_EQ(0, ::mkfifo((shared + "/pipe").c_str(), 0666));
  for (const char* name : {"/out", "/pipe"}) {
    ASSERT_EQ(0, ::chown((shared + name).c_str(), kSomebody, kSomebody));
    EXPECT_EQ(Write(shared + name), kForeignFile);
  }
  EXPECT_EQ(TextOf(shared + "/out"), "bait");
  ASSERT_EQ(0, ::chown((shared + "/out").c_str(), 0, 0));
  EXPECT_EQ(Write(shared + "/out"), "");
}

TEST_F(OutputFileTest, WritesIntoAPipeByAnyOfItsNames) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const Descriptor out(ends[0]);
  const Descriptor in(ends[1]);
  const std::string number = std::to_string(in.get());
  std::filesystem::create_symlink("/dev/fd/" + number, Path("link"));
  for (const std::string& path :
       {"/proc/self/fd/" + number, "/dev/fd/" + number, Path("link")}) {
    EXPECT_EQ(Write(path), "") << path;
    std::array<char, 8> room;
    EXPECT_EQ(::read(out.get(), room.data(), room.size()), 3) << path;
  }
}

TEST_F(OutputFileTest, ReplacesAnOpenFileIfItHasAName) {
  Put(target, "old");
  const Descriptor named(::open(target.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(Write("/dev/fd/" + std::to_string(named.get())), "");
  EXPECT_EQ(TextOf(target), "new");
  const Descriptor nameless(::memfd_create("nameless", MFD_CLOEXEC));
  EXPECT_EQ(Write("/dev/fd/" + std::to_string(nameless.get())),
            "leads to a file without a name");
}

TEST_F(OutputFileTest, ResolvesPathsAndLinks) {
  std::filesystem::create_directories(Path("a/b"));
  std::filesystem::create_symlink("a/b", Path("link"));
  std::filesystem::create_symlink("loop", Path("loop"));
  EXPECT_EQ(Write(Path("link/../c")), "");
  EXPECT_EQ(TextOf(Path("a/c")), "new");
  EXPECT_EQ(Write(Path(".//a/./b/../d")), "");
  EXPECT_EQ(TextOf(Path("a/d")), "new");
  EXPECT_EQ(Write(Path("loop")), "leads through too many links");
  for (const char* folder : {"", "a", "a/", "a/.", "a/b/..", "link"}) {
    EXPECT_EQ(Write(Path(folder)), "is a directory") << folder;
  }
  for (const char* nowhere : {"x/", "x/y", "a/c/", "a/c/x"}) {
    EXPECT_EQ(Write(Path(nowhere)).substr(0, 15), "cannot create: ") << nowhere;
  }
  EXPECT_EQ(Write(""), "cannot create: No such file or directory");
}

}  // namespace
}  // namespace halftoned
