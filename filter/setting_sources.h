// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has a say in how a job is printed, and what each of them says of a
// setting:
//
//   job  ▸  queue's PPD file  ▸  [queue.NAME]  ▸  [filter]
//
// A job's bad value is a warning and then unsaid: a user cannot see why a page
// does not come. An administrator's bad value is an error that names the file.
// "auto" says nothing: the next one is asked.

#ifndef HALFTONED_FILTER_SETTING_SOURCES_H_
#define HALFTONED_FILTER_SETTING_SOURCES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "filter/queue.h"
#include "halftone/look/settings.h"

namespace halftoned {

class SettingSources {
 public:
  // What is passed in outlives it.
  SettingSources(const Queue& queue, std::string_view queue_name,
                 const Config& config)
      : queue_(queue), config_(config.look) {
    const auto named = config.queues.find(queue_name);
    if (named != config.queues.end()) queue_config_ = &named->second;
  }

  const Queue& queue() const { return queue_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  void Warn(std::string text);

  // The job's option `name`; nothing if it says nothing.
  std::optional<std::string> Job(std::string_view name) const;
  // Warns that the job's option is none of `values`.
  void WarnOfJob(std::string_view name, const std::string& values);

  // Each of these sets what its source says of the setting in `look`, and
  // returns whether it says anything.
  bool SetByJob(const PrintSetting& setting, Look& look);
  Result<bool> SetByPpd(const PrintSetting& setting, Look& look) const;
  bool SetByConfiguration(const PrintSetting& setting, Look& look) const;
  // By the first that says anything.
  Result<bool> Set(const PrintSetting& setting, Look& look);

  // Where halftoned.conf says it: in the queue's table, or the filter's. Null
  // if it does not.
  const std::string* WhereConfigured(const PrintSetting& setting) const;

  // The administrator's mistake, and the file in which it is.
  Error InPpd(const std::string& mistake) const {
    return BadInput(queue_.ppd_path() + ": " + mistake);
  }

 private:
  // The table of halftoned.conf that says it; null if there is none.
  const LookConfig* Configured(const PrintSetting& setting) const;

  const Queue& queue_;
  const LookConfig& config_;
  const LookConfig* queue_config_ = nullptr;
  std::vector<std::string> warnings_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_SETTING_SOURCES_H_
