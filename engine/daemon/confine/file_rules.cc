// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "base/descriptor.h"
#include "daemon/confine/confine.h"

namespace halftoned::daemon {
namespace {

// The kernel's interface in full; headers of distributions know less of it.
struct RulesetAttributes {
  uint64_t files;
  uint64_t network;  // from version 4 on
  uint64_t scopes;   // from version 6 on
};
struct [[gnu::packed]] PathBeneath {
  uint64_t allowed;
  int32_t parent;
};
constexpr int kRulePathBeneath = 1;
constexpr unsigned kAskVersion = 1;

constexpr uint64_t kExecute = 1 << 0;
constexpr uint64_t kWriteFile = 1 << 1;
constexpr uint64_t kReadFile = 1 << 2;
constexpr uint64_t kReadFolder = 1 << 3;
constexpr uint64_t kRemoveFile = 1 << 5;
constexpr uint64_t kMakeFile = 1 << 8;
constexpr uint64_t kMakeSocket = 1 << 9;
constexpr uint64_t kTruncate = 1 << 14;
constexpr uint64_t kDeviceControl = 1 << 15;
// The rights beneath a path that also apply to a single file.
constexpr uint64_t kOfFiles =
    kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;
constexpr uint64_t kRead = kReadFile | kReadFolder;

// Binding and connecting by TCP.
constexpr uint64_t kNetwork = 3;
constexpr uint64_t kConnectToAbstract = 1 << 0;
constexpr uint64_t kSignal = 1 << 1;

// The rights that this version can restrict.
constexpr uint64_t FilesOf(long version) {
  if (version >= 5) return (1 << 16) - 1;
  if (version >= 3) return (1 << 15) - 1;
  return version == 2 ? (1 << 14) - 1 : (1 << 13) - 1;
}

class Ruleset {
 public:
  explicit Ruleset(uint64_t scopes) {
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
    if (version < 1) {
      error_ = errno;
      return;
    }
    files_ = FilesOf(version);
    const RulesetAttributes attributes{files_, version >= 4 ? kNetwork : 0,
                                       version >= 6 ? scopes : 0};
    const size_t size = version >= 6   ? sizeof(attributes)
                        : version >= 4 ? 2 * sizeof(uint64_t)
                                       : sizeof(uint64_t);
    file_ = Descriptor(static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
    error_ = errno;
  }

  // Does nothing if there is no such file.
  void Allow(const std::string& path, uint64_t allowed) const {
    const Descriptor parent(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status;
    if (!parent.open() || ::fstat(parent.get(), &status) != 0) return;
    allowed &= files_;
    if (!S_ISDIR(status.st_mode)) allowed &= kOfFiles;
    const PathBeneath rule{allowed, parent.get()};
    (void)::syscall(SYS_landlock_add_rule, file_.get(), kRulePathBeneath, &rule,
                    0);
  }

  // False, with errno, if the kernel refuses.
  bool Enforce() const {
    if (file_.open()) {
      return ::syscall(SYS_landlock_restrict_self, file_.get(), 0) == 0;
    }
    errno = error_;
    return false;
  }

 private:
  uint64_t files_ = 0;
  int error_ = 0;  // why there is no file
  Descriptor file_;
};

// All programs that it starts are restricted in the same way, so it may read
// and execute any file, and use devices.
void AllowSupervisor(const Ruleset& rules,
                     const std::vector<std::string>& folders) {
  rules.Allow("/", kRead | kExecute);
  for (const std::string& folder : folders) {
    rules.Allow(folder, kWriteFile | kMakeSocket | kRemoveFile);
  }
}

// CUDA's libraries are where programs are, or where LD_LIBRARY_PATH says. Code
// that the library compiles for a GPU is not stored, since that would be in the
// user's home.
void AllowDriver(const Ruleset& rules) {
  for (const char* path : {"/usr", "/lib", "/lib64", "/opt", "/nix", "/etc",
                           "/sys", "/run/opengl-driver"}) {
    rules.Allow(path, kRead);
  }
  const char* said = std::getenv("LD_LIBRARY_PATH");
  const std::string path = said ? said : "";
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    rules.Allow(path.substr(begin, end - begin), kRead);
    begin = end + 1;
  }
}

// For the driver in programs that the supervisor starts.
void AllowDevices(const Ruleset& rules) {
  rules.Allow("/dev", kRead | kWriteFile | kDeviceControl);
  rules.Allow("/dev/shm", kMakeFile | kRemoveFile | kTruncate);
  // CUDA's library opens a file of its own process there with O_TRUNC.
  rules.Allow("/proc", kRead | kWriteFile | kTruncate);
}

}  // namespace

bool RestrictFiles(const Confinement& confinement) {
  switch (confinement.role) {
    case Role::kSupervisor: {
      // systemd's socket for notifications may be abstract.
      const Ruleset rules(kSignal);
      AllowSupervisor(rules, confinement.folders);
      AllowDevices(rules);
      return rules.Enforce();
    }
    case Role::kWorker: {
      const Ruleset rules(kSignal | kConnectToAbstract);
      // For the number of processors.
      rules.Allow("/sys/devices/system/cpu", kRead);
      return rules.Enforce();
    }
    case Role::kGpuWorker:
      break;
  }
  const Ruleset rules(kSignal);
  AllowDriver(rules);
  AllowDevices(rules);
  return rules.Enforce();
}

}  // namespace halftoned::daemon
