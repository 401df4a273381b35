// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a confined process can do no more, and what it must still be able to do.
// Each attempt is made in a child of the test, which the others do not affect.

#include "daemon/confine/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/confine/users.h"

namespace halftoned::daemon {
namespace {

constexpr WorkerUser kWorkerUser{12345, 23456};

// How a child ended, and what it left in a pipe.
struct End {
  int status;
  std::string said;
};

End InChild(const std::function<std::string()>& act) {
  int pipe[2];
  EXPECT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string said = act();
    (void)!::write(pipe[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(pipe[1]);
  End end{};
  char room[4096];
  for (ssize_t size; (size = ::read(pipe[0], room, sizeof(room))) > 0;) {
    end.said.append(room, static_cast<size_t>(size));
  }
  ::close(pipe[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

// Whether this kernel offers everything; the child is that of a test.
bool HasAll() {
  return InChild([] {
           const Confined confined = Confine({.role = Role::kWorker});
           return confined.missing + (confined.is_filtered ? "" : "a filter");
         })
      .said.empty();
}

struct Attempt {
  const char* name;
  std::function<bool()> succeeds;
};

bool Opens(const char* path, int flags) {
  const int file = ::open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}
bool Opens(const std::string& path, int flags) {
  return Opens(path.c_str(), flags);
}
bool Makes(int file) {
  if (file >= 0) ::close(file);
  return file >= 0;
}
bool Maps(int protection) {
  void* memory =
      ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED;
}
bool MakesExecutable() {
  void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return ::mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0;
}
bool Forks() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return child > 0;
}
bool Runs() {
  const char* arguments[] = {"true", nullptr};
  const pid_t child = static_cast<pid_t>(
      ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    ::execv("/bin/true", const_cast<char* const*>(arguments));
    ::_exit(1);
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}
bool Executes() {
  // Fails in another way if it is allowed.
  return ::execl("/nowhere", "nowhere", nullptr) != -1 || errno == ENOENT;
}
bool ReadsMemoryOf(pid_t process) {
  char room[8];
  const iovec own{room, sizeof(room)};
  const iovec other{const_cast<WorkerUser*>(&kWorkerUser), sizeof(room)};
  return ::process_vm_readv(process, &own, 1, &other, 1, 0) > 0;
}
std::string Proc(pid_t process, const char* file) {
  return "/proc/" + std::to_string(process) + "/" + file;
}

// What nobody here ever needs, and not every kernel offers.
std::vector<Attempt> Optional() {
  return {
      {"user namespaces", [] { return ::unshare(CLONE_NEWUSER) == 0; }},
      {"clone into one",
       [] {
         const long child = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD,
                                      nullptr, nullptr, nullptr, nullptr);
         if (child == 0) ::_exit(0);
         return child > 0;
       }},
      {"io_uring",
       [] {
         char parameters[120] = {};
         return Makes(
             static_cast<int>(::syscall(SYS_io_uring_setup, 1, parameters)));
       }},
      {"keyrings", [] { return ::syscall(SYS_keyctl, 0, -3, 1) > 0; }},
  };
}

// The same, where it is offered by all.
std::vector<Attempt> Dangerous() {
  return {
      {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }},
      {"read a parent's memory", [] { return ReadsMemoryOf(::getppid()); }},
      {"change owners", [] { return ::chown("/tmp", 0, 0) == 0; }},
  };
}

// A worker's, of either kind.
std::vector<Attempt> DeniedToWorkers() {
  auto attempts = Dangerous();
  const std::vector<Attempt> more = {
      {"signal its parent", [] { return ::kill(::getppid(), 0) == 0; }},
      {"signal a thread of its parent",
       [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0) == 0; }},
      {"watch its parent",
       [] {
         return Makes(
             static_cast<int>(::syscall(SYS_pidfd_open, ::getppid(), 0)));
       }},
      {"open its parent's memory",
       [] { return Opens(Proc(::getppid(), "mem"), O_RDONLY); }},
      {"limit its parent",
       [] {
         rlimit limit{};
         return ::prlimit(::getppid(), RLIMIT_NOFILE, nullptr, &limit) == 0;
       }},
      {"fork", Forks},
      {"run a program", Executes},
      {"create a file", [] { return Opens("/tmp", O_WRONLY | O_TMPFILE); }},
      {"read of home", [] { return Opens("/root/.", O_RDONLY | O_DIRECTORY); }},
      {"talk to the network",
       [] { return Makes(::socket(AF_INET, SOCK_STREAM, 0)); }},
  };
  attempts.insert(attempts.end(), more.begin(), more.end());
  return attempts;
}

std::vector<Attempt> DeniedToPlainWorkers() {
  auto attempts = DeniedToWorkers();
  const std::vector<Attempt> more = {
      {"open a file", [] { return Opens("/etc/passwd", O_RDONLY); }},
      {"open a device", [] { return Opens("/dev/null", O_WRONLY); }},
      {"make a socket",
       [] { return Makes(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
      {"write and execute",
       [] { return Maps(PROT_READ | PROT_WRITE | PROT_EXEC); }},
      {"write, then execute", MakesExecutable},
  };
  attempts.insert(attempts.end(), more.begin(), more.end());
  return attempts;
}

// The names of those that succeed, in a child that `role` confines, or none.
std::string Succeeding(const std::vector<Attempt>& attempts,
                       const std::optional<Confinement>& confinement) {
  std::string names;
  for (const Attempt& attempt : attempts) {
    const End end = InChild([&] {
      if (confinement) (void)Confine(*confinement);
      return std::string(attempt.succeeds() ? "yes" : "");
    });
    EXPECT_EQ(end.status, 0) << attempt.name;
    if (end.said == "yes") names += std::string(attempt.name) + ", ";
  }
  return names;
}

#define SKIP_UNLESS_CONFINED()                               \
  if (!HasAll()) {                                           \
    GTEST_SKIP() << "this kernel cannot confine processes, " \
                    "or sanitizers must not be confined";    \
  }

TEST(Confine, DeniesEveryRoleWhatItDoesNotNeed) {
  SKIP_UNLESS_CONFINED();
  for (const auto& [role, denied] :
       {std::pair(Role::kWorker, DeniedToPlainWorkers()),
        std::pair(Role::kGpuWorker, DeniedToWorkers()),
        std::pair(Role::kSupervisor, Dangerous())}) {
    SCOPED_TRACE(static_cast<int>(role));
    EXPECT_EQ(Succeeding(denied, {{.role = role}}), "");
    EXPECT_EQ(Succeeding(Optional(), {{.role = role}}), "");
  }
}

// So that the test above can fail.
TEST(Confine, AloneDeniesTheseAttempts) {
  std::string names;
  for (const Attempt& attempt : DeniedToPlainWorkers()) {
    names += std::string(attempt.name) + ", ";
  }
  if (::geteuid() != 0) GTEST_SKIP() << "some attempts need root";
  EXPECT_EQ(Succeeding(DeniedToPlainWorkers(), std::nullopt), names);
}

TEST(Confine, LeavesAWorkerWhatItNeeds) {
  const std::vector<Attempt> needed = {
      {"threads",
       [] {
         bool has_run = false;
         std::thread([&] { has_run = true; }).join();
         return has_run;
       }},
      {"shared memory", [] { return Makes(::memfd_create("a", 0)); }},
      {"memory", [] { return Maps(PROT_READ | PROT_WRITE); }},
      {"processors", [] { return std::thread::hardware_concurrency() > 0; }},
  };
  for (const Role role : {Role::kWorker, Role::kGpuWorker}) {
    EXPECT_EQ(Succeeding(needed, {{.role = role}}),
              "threads, shared memory, memory, processors, ");
    // It ends by its own signal.
    const End end = InChild([role]() -> std::string {
      (void)Confine({.role = role});
      std::abort();
    });
    EXPECT_TRUE(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT);
    EXPECT_FALSE(WCOREDUMP(end.status));
  }
}

TEST(Confine, LeavesAGpuWorkerItsDriver) {
  const std::vector<Attempt> needed = {
      {"libraries", [] { return Opens("/usr/lib", O_RDONLY | O_DIRECTORY); }},
      {"devices", [] { return Opens("/dev/null", O_RDWR); }},
      {"the system", [] { return Opens("/proc/self/maps", O_RDONLY); }},
      {"its own sockets",
       [] { return Makes(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
  };
  EXPECT_EQ(Succeeding(needed, {{.role = Role::kGpuWorker}}),
            "libraries, devices, the system, its own sockets, ");
}

TEST(Confine, LeavesASupervisorItsWorkersAndItsFolders) {
  char folder[] = "/tmp/halftoned-test-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder));
  const std::string other = std::string(folder) + "-other";
  ASSERT_EQ(::mkdir(other.c_str(), 0700), 0);
  const auto unlinks = [](const std::string& name) {
    return ::unlink(name.c_str()) == 0;
  };
  for (const std::string& name : {folder + std::string("/a"), other + "/a"}) {
    EXPECT_TRUE(Opens(name, O_WRONLY | O_CREAT));
  }
  const std::vector<Attempt> attempts = {
      {"run a program", Runs},
      {"signal it",
       [] {
         const pid_t child = ::fork();
         if (child == 0) ::pause();
         return ::kill(child, SIGKILL) == 0;
       }},
      {"read files", [] { return Opens("/etc/passwd", O_RDONLY); }},
      {"remove its sockets",
       [&] { return unlinks(folder + std::string("/a")); }},
      {"remove others", [&] { return unlinks(other + "/a"); }},
  };
  const std::string denied = HasAll() ? "" : "remove others, ";
  EXPECT_EQ(
      Succeeding(attempts, {{.role = Role::kSupervisor, .folders = {folder}}}),
      "run a program, signal it, read files, remove its sockets, " + denied);
  ::unlink((other + "/a").c_str());
  ::rmdir(folder);
  ::rmdir(other.c_str());
}

TEST(Confine, LetsASupervisorBecomeWorkersAndNobodyElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can change users";
  SKIP_UNLESS_CONFINED();
  constexpr uid_t kUid = 11111;
  constexpr gid_t kGid = 22222;
  const auto become = [&]() -> Result<void> {
    if (::setgroups(0, nullptr) == 0 && ::setresgid(kGid, kGid, kGid) == 0 &&
        ::setresuid(kUid, kUid, kUid) == 0) {
      return {};
    }
    return Bug("root is not root");
  };
  const std::vector<Attempt> attempts = {
      {"root", [] { return ::setresuid(0, 0, 0) == 0; }},
      {"root in part", [] { return ::setresuid(0, kUid, kUid) == 0; }},
      {"root otherwise", [] { return ::setuid(0) == 0 || ::seteuid(0) == 0; }},
      {"another", [] { return ::setresuid(1, 1, 1) == 0; }},
      {"another's files",
       [] { return ::setfsuid(1) == 1 || ::setfsuid(1) == 1; }},
      {"root's group", [] { return ::setresgid(0, 0, 0) == 0; }},
      {"another group",
       [] {
         const gid_t disk = 6;
         return ::setgroups(1, &disk) == 0;
       }},
      {"a worker", [] { return BecomeWorker(kWorkerUser).ok(); }},
      {"a worker, and back",
       [] {
         return BecomeWorker(kWorkerUser).ok() &&
                ::setresuid(kUid, kUid, kUid) == 0;
       }},
  };
  std::string names;
  for (const Attempt& attempt : attempts) {
    const End end = InChild([&]() -> std::string {
      if (!KeepChangingUsers(become).ok()) return "cannot keep them";
      (void)Confine({.role = Role::kSupervisor, .worker_user = kWorkerUser});
      return attempt.succeeds() ? std::string(attempt.name) + ", " : "";
    });
    names += end.said;
  }
  EXPECT_EQ(names, "a worker, ");
}

TEST(Confine, LetsASupervisorEndWorkersOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can change users";
  SKIP_UNLESS_CONFINED();
  constexpr uid_t kUid = 11111;
  const End end = InChild([]() -> std::string {
    const auto become = []() -> Result<void> {
      return ::setresuid(kUid, kUid, kUid) == 0 ? Result<void>() : Bug("");
    };
    if (!KeepChangingUsers(become).ok()) return "cannot keep them";
    (void)Confine({.role = Role::kSupervisor, .worker_user = kWorkerUser});
    int pipe[2];
    if (::pipe(pipe) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
      if (!BecomeWorker(kWorkerUser).ok()) ::_exit(1);
      ::close(pipe[1]);
      ::close(pipe[0]);
      for (;;) ::pause();
    }
    ::close(pipe[1]);
    char byte;
    (void)!::read(pipe[0], &byte, 1);  // until the child is another user's
    if (::kill(child, 0) == 0) return "it could signal it anyway";
    KillChild(child, kWorkerUser.uid);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (::geteuid() != kUid) return "it has stayed another user";
    return WIFSIGNALED(status) ? "killed" : "exited";
  });
  EXPECT_EQ(end.said, "killed");
}

}  // namespace
}  // namespace halftoned::daemon
