// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources of a job's settings; for each setting, the first that sets it
// wins:
//
//   job  ▸  queue's PPD file  ▸  [queue.NAME]  ▸  [filter]
//
// A job's bad value is ignored with a warning, because its user could not see
// why a page is missing. A bad value in the configuration is ignored too,
// because a mistake there must not stop all queues; it becomes a problem that
// names the file and the line. A bad value in the PPD file is an error, because
// it says what the driver accepts. "auto" leaves a setting to the next source.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "halftone/look/settings.h"
#include "print/ppd/queue.h"

namespace halftoned {

class SettingSources {
 public:
  // The arguments outlive it.
  SettingSources(const Queue& queue, std::string_view queue_name,
                 const Config& config)
      : queue_(queue), config_(config.look) {
    const auto named = config.queues.find(queue_name);
    if (named != config.queues.end()) queue_config_ = &named->second;
  }

  const Queue& queue() const { return queue_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  void Warn(std::string text);
  const std::vector<std::string>& notes() const { return notes_; }
  void Inform(std::string text);
  const std::vector<std::string>& problems() const { return problems_; }
  void AddProblem(std::string text);

  // The job's option `name`; nothing if it is not set, or "auto".
  std::optional<std::string> Job(std::string_view name) const;
  // Warns that the job's option is not one of `values`.
  void WarnOfJob(std::string_view name, const std::string& values);

  // Each of these copies the setting from its source to `look`; false if the
  // source does not set it.
  bool SetByJob(const PrintSetting& setting, Look& look);
  Result<bool> SetByPpd(const PrintSetting& setting, Look& look) const;
  bool SetByConfiguration(const PrintSetting& setting, Look& look) const;
  // From the first source that sets it.
  Result<bool> Set(const PrintSetting& setting, Look& look);

  // Where halftoned.conf sets it, in the queue's table or the filter's; null if
  // it does not.
  const std::string* WhereConfigured(const PrintSetting& setting) const;

  // An error in the PPD file, with its path.
  Error InPpd(const std::string& mistake) const {
    return BadInput(queue_.ppd_path() + ": " + mistake);
  }

 private:
  // The table of halftoned.conf that sets it; null if there is none.
  const LookConfig* Configured(const PrintSetting& setting) const;

  const Queue& queue_;
  const LookConfig& config_;
  const LookConfig* queue_config_ = nullptr;
  std::vector<std::string> warnings_;
  std::vector<std::string> notes_;
  std::vector<std::string> problems_;
};

}  // namespace halftoned
