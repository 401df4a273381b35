// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned.conf, the administrator's settings, in TOML; halftoned.conf(5)
// describes it. An unknown key or an impossible value is an error with its
// line, so that misspelled keys are not ignored silently. Every program checks
// the whole file.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "config/name_less.h"
#include "halftone/look/settings.h"

namespace halftoned {

// A value from the file, and where it stands, for later errors.
template <typename Value>
struct Setting {
  Setting(Value said, std::string said_where = "")  // NOLINT: implicit
      : value(std::move(said)), where(std::move(said_where)) {}

  Value value;
  std::string where;  // "FILE, line N"

  // Compares the values only.
  friend bool operator==(const Setting& a, const Setting& b) {
    return a.value == b.value;
  }
};

// The settings of how pages look (settings.h) in one table of the file.
class LookConfig {
 public:
  // Sets `setting`, as if the file did at `where`. False, without any change,
  // if the value is not allowed.
  template <typename Value>
  bool Set(const PrintSetting& setting, Value value, std::string where) {
    if (!setting.Set(value, look_)) return false;
    where_.insert_or_assign(&setting, std::move(where));
    return true;
  }

  // "FILE, line N"; null if the table does not set it.
  const std::string* Where(const PrintSetting& setting) const {
    const auto found = where_.find(&setting);
    return found == where_.end() ? nullptr : &found->second;
  }
  // Only settings that the table sets (Where) are meaningful.
  const Look& look() const { return look_; }

 private:
  Look look_;
  std::map<const PrintSetting*, std::string> where_;
};

// How the filter uses halftoned.
struct UseOfDaemon {
  bool use = true;
  double timeout = 10;  // seconds, 0.05 … 3600, to wait for its answers
  bool ring = true;     // pixels go through shared memory

  friend bool operator==(const UseOfDaemon&, const UseOfDaemon&) = default;
};

// What a renderer of a document, Ghostscript, may use. Documents are programs:
// they can loop, and can use up memory and disk space.
struct RenderLimits {
  int memory = 0;        // MiB, 256 … 1048576; 0: depends on the machine
  int total_memory = 0;  // MiB for all together, same range; 0: likewise
  int disk = 1024;       // MiB of temporary files, 16 … 1048576
  int files = 256;       // temporary files, and files open, 32 … 65536
  int time = 300;        // seconds of a CPU core without output, 1 … 86400

  friend bool operator==(const RenderLimits&, const RenderLimits&) = default;
};

// The GPUs that halftoned uses.
struct GpuChoice {
  bool all = true;                 // all GPUs of the machine
  std::vector<std::string> uuids;  // or these

  friend bool operator==(const GpuChoice&, const GpuChoice&) = default;
};

// halftoned itself.
struct DaemonConfig {
  std::string socket = "/run/halftoned/halftoned.sock";
  std::string status_socket = "/run/halftoned/status.sock";
  Setting<std::string> user{"halftoned"};  // unprivileged; root switches to it
  // The user of the workers, if root has started the daemon and the user
  // exists.
  Setting<std::string> worker_user{"halftoned-worker"};
  Setting<std::string> group{"lp"};    // may use `socket`
  int threads = 0;                     // 1 … 256; 0: one per processor
  int memory = 1024;                   // MiB for open pages, 16 … 1048576
  int max_connections = 512;           // 1 … 2000
  int max_connections_per_user = 256;  // 1 … 2000
  int page_idle = 60;                  // seconds, 1 … 86400
  int stop_timeout = 20;               // seconds, 1 … 3600
  int health_interval = 10;            // seconds, 1 … 3600
  GpuChoice gpus;
  int gpu_memory = 4096;  // MiB of each GPU's memory, 64 … 1048576
  int gpu_check = 64;  // checks one band in this many, 1 … 1000000; 0: none
  LogLevel log_level = LogLevel::kInfo;

  friend bool operator==(const DaemonConfig&, const DaemonConfig&) = default;
};

struct Config {
  bool is_said = false;  // read from an existing file
  std::optional<Setting<std::string>> engine;
  std::optional<Setting<int>> threads;  // 1 … 256; 0: one per processor
  int machine_threads = 0;      // for all filters together; 0: one per CPU core
  double max_page_length = 10;  // meters, 0.01 … 1000
  int parallel_pages = 0;       // renderers at a time; 0: auto
  int parallel_memory = 0;      // MiB for waiting pages, 1 … 65536; 0: auto
  RenderLimits render;
  UseOfDaemon use_of_daemon;
  LookConfig look;
  std::map<std::string, LookConfig, NameLess> queues;
  std::map<std::string, int, NameLess> parallel_pages_of_queues;
  DaemonConfig daemon;
};

// Parses the text of the halftoned.conf at `path`. The error is the first
// problem and begins with the path and the line. Relative paths in the file are
// relative to its folder.
Result<Config> ParseConfig(std::string_view text, const std::string& path);

struct CheckedConfig {
  Config config;  // without the wrong settings
  std::vector<std::string> problems;
};

// The same, but with all problems, one line each.
CheckedConfig CheckConfig(std::string_view text, const std::string& path);

// The file that $HALFTONED_CONF names, or the installed one.
std::string ConfPath();

// Reads the file at `path`; the defaults if there is none. An error names the
// file.
Result<Config> ReadConfig(const std::string& path);

// The same, but without the wrong settings; the defaults if the file cannot be
// read, or is not TOML.
CheckedConfig ReadWhatIsRight(const std::string& path);

}  // namespace halftoned
