// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings with which a queue's jobs are printed, in words, and their
// sources. Refuses queues that do not print through rastertohalftone.

#pragma once

#include <string>
#include <vector>

#include "adopt/queue/named_queue.h"
#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// A title, and a line for each setting. The error says what is wrong in the
// configuration.
Result<std::vector<std::string>> PageWords(const NamedQueue& queue,
                                           const Config& config);

// "600dpi", "600x300dpi"; empty if unknown.
std::string QueueResolution(const NamedQueue& queue);

// "halftone-type=fine" for each setting of its jobs, and "resolution=..."
// (tools/preview/run_preview.cc).
Result<std::vector<std::string>> LookWords(const NamedQueue& queue,
                                           const Config& config);

struct EffectiveSetting {
  const PrintSetting* setting;
  std::string value;
  std::string source;  // "FILE, line N", "its PPD file", "the default"
  bool is_of_conf;     // set in halftoned.conf
};

// The settings of the queue's jobs, and their sources.
Result<std::vector<EffectiveSetting>> EffectiveSettings(const NamedQueue& queue,
                                                        const Config& config);

}  // namespace halftoned
