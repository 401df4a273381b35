// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned.conf: what the administrator of a machine decides. TOML;
// halftoned.conf(5) describes it for people. A key that is not known, or a
// value that cannot be right, is an error with its line: a misspelt key must
// not quietly do nothing. Every program checks the whole file.

#ifndef HALFTONED_CONFIG_CONFIG_H_
#define HALFTONED_CONFIG_CONFIG_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "config/name_less.h"
#include "halftone/halftone_type.h"
#include "halftone/tone.h"

namespace halftoned {

// What the file says, and where, for those who find out later that it cannot
// be.
template <typename Value>
struct Setting {
  Setting(Value said, std::string said_where = "")  // NOLINT: implicit
      : value(std::move(said)), where(std::move(said_where)) {}

  Value value;
  std::string where;  // "FILE, line N"
};

// How tones come out; what is absent is decided elsewhere.
struct ToneConfig {
  std::optional<Setting<int>> levels;  // 2, 4, 8 or 16
  // Those of kToneNumbers (tone.h) and kTypeNumbers (halftone_type.h), by name,
  // each in its range.
  std::map<std::string, Setting<double>, std::less<>> numbers;
  std::optional<Setting<std::string>> tone_curve;  // a file's whole path
  std::optional<Setting<Algorithm>> halftone_type;
  std::optional<Setting<Technology>> technology;
  std::optional<Setting<bool>> crisp_edges;
};

// How the filter uses halftoned.
struct UseOfDaemon {
  bool use = true;
  double timeout = 10;  // seconds, 0.05 … 3600, for its next sign of life
  bool ring = true;     // pixels go through shared memory
};

// The GPUs that halftoned uses.
struct GpuChoice {
  bool all = true;                 // that the machine has
  std::vector<std::string> uuids;  // or these

  friend bool operator==(const GpuChoice&, const GpuChoice&) = default;
};

// halftoned itself.
struct DaemonConfig {
  std::string socket = "/run/halftoned/halftoned.sock";
  std::string status_socket = "/run/halftoned/status.sock";
  Setting<std::string> user{"halftoned"};  // that root becomes
  Setting<std::string> group{"lp"};        // that may use `socket`
  int threads = 0;                     // 1 … 256; 0: one for each processor
  int memory = 1024;                   // MiB for open pages, 16 … 1048576
  int max_connections = 512;           // 1 … 2000
  int max_connections_per_user = 256;  // 1 … 2000
  int page_idle = 60;                  // seconds, 1 … 86400
  int stop_timeout = 20;               // seconds, 1 … 3600
  int health_interval = 10;            // seconds, 1 … 3600
  GpuChoice gpus;
  int gpu_memory = 4096;  // MiB of each GPU's own, 64 … 1048576
  int gpu_check = 64;     // one band in so many; 0: none, … 1000000
  LogLevel log_level = LogLevel::kInfo;
};

struct Config {
  bool is_said = false;  // by a file that is there
  std::optional<Setting<std::string>> engine;
  std::optional<Setting<int>> threads;  // 1 … 256; 0: one for each processor
  int machine_threads = 0;              // of all filters together; 0: the same
  UseOfDaemon use_of_daemon;
  ToneConfig tone;
  std::map<std::string, ToneConfig, NameLess> queues;
  DaemonConfig daemon;
};

// Reads the text of the halftoned.conf at `path`. An error begins with the path
// and the line, and is the first of the problems. Files that it names lie
// beside it, unless their paths are absolute.
Result<Config> ParseConfig(std::string_view text, const std::string& path);

struct CheckedConfig {
  Config config;  // but for what is wrong
  std::vector<std::string> problems;
};

// The same, with all that is wrong: nothing, or a line for each problem.
CheckedConfig CheckConfig(std::string_view text, const std::string& path);

// What the file at `path` says; the defaults where there is none. An error
// names the file.
Result<Config> ReadConfig(const std::string& path);

}  // namespace halftoned

#endif  // HALFTONED_CONFIG_CONFIG_H_
