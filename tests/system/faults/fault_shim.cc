// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library to preload: makes one system call or one allocation of the
// program's main fail, once. HALFTONED_FAULT says which, by its number from 1
// on:
//
//   error N       the N-th system call that can fail does, with a likely error
//   interrupt N   the N-th that a signal could interrupt is interrupted
//   memory N      the N-th allocation finds no memory
//
// The fault is written to the file HALFTONED_FAULT_REPORT. If there is one
// already, nothing fails: of several programs in a row, only one is struck.
// Programs that this one starts are not affected.

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}

namespace {

// Excludes calls that end something, and those that never fail according to the
// C library or the kernel.
struct Call {
  int number;
  const char* name;
  int error;
  bool waits;  // and may be interrupted
};
constexpr Call kCalls[] = {
    {SYS_read, "read", EIO, true},
    {SYS_write, "write", EIO, true},
#ifdef SYS_poll
    {SYS_poll, "poll", ENOMEM, true},
#endif
    {SYS_ppoll, "ppoll", ENOMEM, true},
    {SYS_recvmsg, "recvmsg", ECONNRESET, true},
    {SYS_sendmsg, "sendmsg", ENOBUFS, true},
    {SYS_fallocate, "fallocate", ENOSPC, true},
    {SYS_pread64, "pread64", EIO, false},
    {SYS_openat, "openat", EMFILE, false},
    {SYS_newfstatat, "newfstatat", EACCES, false},
    {SYS_lseek, "lseek", ESPIPE, false},
    {SYS_ioctl, "ioctl", EINVAL, false},
    {SYS_fcntl, "fcntl", EINVAL, false},
    {SYS_mmap, "mmap", ENOMEM, false},
    {SYS_mprotect, "mprotect", ENOMEM, false},
    {SYS_madvise, "madvise", EINVAL, false},
    {SYS_brk, "brk", ENOMEM, false},
    {SYS_clone3, "clone3", EAGAIN, false},
    {SYS_clone, "clone", EAGAIN, false},
    {SYS_socket, "socket", EMFILE, false},
    {SYS_socketpair, "socketpair", EMFILE, false},
    {SYS_connect, "connect", EAGAIN, false},
    {SYS_accept4, "accept4", EMFILE, false},
    {SYS_bind, "bind", EACCES, false},
    {SYS_listen, "listen", EADDRINUSE, false},
    {SYS_getsockopt, "getsockopt", ENOBUFS, false},
    {SYS_memfd_create, "memfd_create", ENFILE, false},
    {SYS_eventfd2, "eventfd2", EMFILE, false},
    {SYS_signalfd4, "signalfd4", EMFILE, false},
    {SYS_pidfd_open, "pidfd_open", EMFILE, false},
    {SYS_statfs, "statfs", EIO, false},
    {SYS_fstatfs, "fstatfs", EIO, false},
};

enum class Kind { kNone, kError, kInterrupt, kMemory };

Kind kind = Kind::kNone;
long number_of_fault = 0;
int report = -1;  // the program may give up the right to open it
std::atomic<bool> is_in_main = false;
std::atomic<long> chances = 0;
std::atomic<int> listener = -1;

// Without an allocation, and in any thread.
void Report(const char* what, const char* where) {
  std::array<char, 512> line;
  const int size =
      std::snprintf(line.data(), line.size(), "%s %s\n", what, where);
  (void)!::write(report, line.data(), static_cast<size_t>(size));
}

bool IsItsTurn(Kind of) {
  return kind == of && is_in_main && ++chances == number_of_fault;
}

// The thread in which calls are judged; its own are not.
void* Judge(void*) {
  listener.wait(-1);
  for (;;) {
    seccomp_notif asked{};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
    seccomp_notif_resp answer{};
    answer.id = asked.id;
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (IsItsTurn(kind)) {
      for (const Call& call : kCalls) {
        if (call.number != asked.data.nr) continue;
        answer.error = kind == Kind::kInterrupt ? -EINTR : -call.error;
        Report(call.name, kind == Kind::kInterrupt ? "EINTR" : "error");
      }
      answer.flags = 0;
    }
    (void)::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

// Calls of this thread, and of those that it starts, are judged from now on.
void Listen() {
  std::array<sock_filter, 2 * std::size(kCalls) + 2> code;
  size_t at = 0;
  code[at++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (const Call& call : kCalls) {
    if (kind == Kind::kInterrupt && !call.waits) continue;
    code[at++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                          static_cast<uint32_t>(call.number), 0, 1);
    code[at++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  code[at++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog program{static_cast<unsigned short>(at), code.data()};
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t judge;
  if (::pthread_create(&judge, nullptr, Judge, nullptr) != 0) std::abort();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) std::abort();
  const auto fd =
      static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                 SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  if (fd < 0) std::abort();
  listener = fd;
  listener.notify_one();
}

void ReadOrder() {
  const char* order = std::getenv("HALFTONED_FAULT");
  const char* file = std::getenv("HALFTONED_FAULT_REPORT");
  char name[16];
  if (!order || !file ||
      std::sscanf(order, "%15s %ld", name, &number_of_fault) != 2) {
    std::abort();
  }
  ::unsetenv("HALFTONED_FAULT");
  ::unsetenv("LD_PRELOAD");
  report = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  (void)::fchmod(report, 0666);  // the next program's user may be another
  struct stat status;
  if (::fstat(report, &status) != 0 || status.st_size > 0) return;
  if (std::strcmp(name, "error") == 0) kind = Kind::kError;
  if (std::strcmp(name, "interrupt") == 0) kind = Kind::kInterrupt;
  if (std::strcmp(name, "memory") == 0) kind = Kind::kMemory;
  if (kind == Kind::kError || kind == Kind::kInterrupt) Listen();
}

using MainFunction = int (*)(int, char**, char**);
MainFunction real_main = nullptr;

int WatchedMain(int argc, char** argv, char** environment) {
  ReadOrder();
  is_in_main = true;
  const int status = real_main(argc, argv, environment);
  is_in_main = false;
  return status;
}

// Whether the allocation of `caller` fails.
bool IsShort(const void* caller) {
  if (!IsItsTurn(Kind::kMemory)) return false;
  Dl_info info{};
  const bool is_known = ::dladdr(caller, &info) != 0;
  Report("memory", is_known ? info.dli_fname : "?");
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

int __libc_start_main(MainFunction main, int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  const auto real = reinterpret_cast<decltype(&__libc_start_main)>(
      ::dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(WatchedMain, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(size_t bytes) {
  if (IsShort(__builtin_return_address(0))) return nullptr;
  return __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  if (IsShort(__builtin_return_address(0))) return nullptr;
  return __libc_calloc(count, bytes);
}

void* realloc(void* memory, size_t bytes) {
  if (IsShort(__builtin_return_address(0))) return nullptr;
  return __libc_realloc(memory, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  if (IsShort(__builtin_return_address(0))) return nullptr;
  return __libc_memalign(alignment, bytes);
}

}  // extern "C"
