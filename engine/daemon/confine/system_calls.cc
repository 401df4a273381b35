// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "daemon/confine/confine.h"

namespace halftoned::daemon {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kProcessor = 0;  // unknown
#endif

// systemd's @clock, @cpu-emulation, @debug, @keyring, @module, @mount,
// @obsolete, @raw-io, @reboot and @swap, and the calls of @chown and
// @privileged that users can make; and calls that have often been a way into
// kernels.
constexpr int kDenied[] = {
    SYS_acct,
    SYS_add_key,
    SYS_adjtimex,
    SYS_bpf,
    SYS_chroot,
    SYS_clock_adjtime,
    SYS_clock_settime,
    SYS_delete_module,
    SYS_fanotify_init,
    SYS_fchown,
    SYS_fchownat,
    SYS_finit_module,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fsopen,
    SYS_fspick,
    SYS_init_module,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_uring_setup,
    SYS_kcmp,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_lookup_dcookie,
    SYS_mknodat,
    SYS_mount,
    SYS_move_mount,
    SYS_name_to_handle_at,
    SYS_nfsservctl,
    SYS_open_by_handle_at,
    SYS_open_tree,
    SYS_perf_event_open,
    SYS_personality,
    SYS_pidfd_getfd,
    SYS_pivot_root,
    SYS_process_madvise,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_quotactl,
    SYS_reboot,
    SYS_request_key,
    SYS_setdomainname,
    SYS_setfsgid,
    SYS_setfsuid,
    SYS_setgid,
    SYS_sethostname,
    SYS_setns,
    SYS_setregid,
    SYS_setreuid,
    SYS_settimeofday,
    SYS_setuid,
    SYS_swapoff,
    SYS_swapon,
    SYS_syslog,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
    SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_chown,
    SYS_create_module,
    SYS_get_kernel_syms,
    SYS_ioperm,
    SYS_iopl,
    SYS_lchown,
    SYS_mknod,
    SYS_modify_ldt,
    SYS_query_module,
    SYS_sysfs,
    SYS_uselib,
    SYS_ustat,
#endif
};

// A worker keeps its user, starts no program, and sends no signal.
constexpr int kDeniedToWorkers[] = {
    SYS_capset,
    SYS_execve,
    SYS_execveat,
    SYS_kill,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setgroups,
    SYS_setresgid,
    SYS_setresuid,
    SYS_tkill,
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
#endif
};

// A worker without a device gets all its connections from the supervisor, and
// leaves priorities unchanged, since it could also change those of other
// processes.
constexpr int kDeniedWithoutDevice[] = {
    SYS_accept,
    SYS_accept4,
    SYS_bind,
    SYS_connect,
    SYS_ioctl,
    SYS_ioprio_set,
    SYS_listen,
    SYS_sched_setaffinity,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_setpriority,
    SYS_shmat,
    SYS_socket,
    SYS_socketpair,
};

constexpr uint32_t kNewNamespaces = CLONE_NEWCGROUP | CLONE_NEWIPC |
                                    CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID |
                                    CLONE_NEWUSER | CLONE_NEWUTS;

constexpr uint32_t FailWith(int error) {
  return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error);
}

// A program that runs for each call. A jump skips only what directly follows
// it, so that rules can be read one by one.
class Program {
 public:
  Program() {
    Load(offsetof(seccomp_data, arch));
    Add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0));
    Return(FailWith(EPERM));
    LoadNumber();
#ifdef __x86_64__
    // x32 numbers for the same calls.
    Add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    Return(FailWith(EPERM));
#endif
  }

  void Deny(int call, int error = EPERM) {
    Add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    Return(FailWith(error));
  }
  template <size_t count>
  void Deny(const int (&calls)[count]) {
    for (const int call : calls) Deny(call);
  }
  // Denies the call if the argument, from 0 on, has all of these bits.
  void DenyWithAll(int call, int argument, uint32_t bits) {
    OnlyOf(call, 4);
    LoadArgument(argument);
    Add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
    Add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1));
    Return(FailWith(EPERM));
    LoadNumber();
  }
  void DenyWithAny(int call, int argument, uint32_t bits) {
    OnlyOf(call, 3);
    LoadArgument(argument);
    Add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    Return(FailWith(EPERM));
    LoadNumber();
  }
  void DenyWithout(int call, int argument, uint32_t bits) {
    OnlyOf(call, 3);
    LoadArgument(argument);
    Add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    Return(FailWith(EPERM));
    LoadNumber();
  }
  // Denies the call unless the argument is one of these.
  void DenyExcept(int call, int argument,
                  std::initializer_list<uint32_t> values) {
    const auto count = static_cast<uint8_t>(values.size());
    OnlyOf(call, static_cast<uint8_t>(count + 2));
    LoadArgument(argument);
    uint8_t left = count;
    for (const uint32_t value : values) {
      Add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, left--, 0));
    }
    Return(FailWith(EPERM));
    LoadNumber();
  }

  // For the calling thread. The flag keeps the kernel from turning off the
  // processor's speculation, which would slow down computation.
  bool Install() {
    Return(SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(code_.size()),
                             code_.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                     SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
  }

 private:
  void Add(sock_filter step) { code_.push_back(step); }
  void Return(uint32_t value) { Add(BPF_STMT(BPF_RET | BPF_K, value)); }
  void Load(size_t offset) {
    Add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)));
  }
  void LoadNumber() { Load(offsetof(seccomp_data, nr)); }
  // The lower half: both kinds of processor are little-endian, and the kernel
  // ignores the upper half of these arguments.
  void LoadArgument(int argument) {
    Load(offsetof(seccomp_data, args) +
         static_cast<size_t>(argument) * sizeof(uint64_t));
  }
  // For other calls, skips the next `steps` and the LoadNumber behind them.
  void OnlyOf(int call, uint8_t steps) {
    Add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0,
                 static_cast<uint8_t>(steps + 1)));
  }

  std::vector<sock_filter> code_;
};

void DenyWorkers(Program& program) {
  program.Deny(kDeniedToWorkers);
  // Threads, but no processes.
  program.DenyWithout(SYS_clone, 0, CLONE_THREAD);
  const auto itself = static_cast<uint32_t>(::getpid());
  program.DenyExcept(SYS_tgkill, 0, {itself});  // for abort()
  // If the supervisor has the same user, these calls could reach it.
  program.DenyExcept(SYS_prlimit64, 0, {0, itself});
  program.DenyExcept(SYS_migrate_pages, 0, {0, itself});
  program.DenyExcept(SYS_move_pages, 0, {0, itself});
}

// Only the supervisor's user and the workers' user; no supplementary group.
void DenyOtherUsers(Program& program, const WorkerUser& workers) {
  const auto unchanged = static_cast<uint32_t>(-1);
  for (int argument = 0; argument < 3; ++argument) {
    program.DenyExcept(SYS_setresuid, argument,
                       {unchanged, ::getuid(), workers.uid});
    program.DenyExcept(SYS_setresgid, argument,
                       {unchanged, ::getgid(), workers.gid});
  }
  program.DenyExcept(SYS_setgroups, 0, {0});
}

}  // namespace

bool DenySystemCalls(const Confinement& confinement) {
  if (kProcessor == 0) {
    errno = ENOSYS;
    return false;
  }
  Program program;
  program.Deny(kDenied);
  // Its flags lie in memory, which a filter cannot read; the C library then
  // uses clone.
  program.Deny(SYS_clone3, ENOSYS);
  program.DenyWithAny(SYS_clone, 0, kNewNamespaces);
  if (confinement.role == Role::kSupervisor) {
    DenyOtherUsers(program, confinement.worker_user.value_or(
                                WorkerUser{::getuid(), ::getgid()}));
    return program.Install();
  }
  DenyWorkers(program);
  if (confinement.role == Role::kWorker) {
    program.Deny(kDeniedWithoutDevice);
    // No memory is both written and executed.
    program.DenyWithAll(SYS_mmap, 2, PROT_WRITE | PROT_EXEC);
    program.DenyWithAny(SYS_mprotect, 2, PROT_EXEC);
    program.DenyWithAny(SYS_pkey_mprotect, 2, PROT_EXEC);
  } else {
    program.DenyExcept(SYS_socket, 0, {AF_UNIX});
  }
  return program.Install();
}

}  // namespace halftoned::daemon
