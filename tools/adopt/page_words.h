// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue's settings in words, as rastertohalftone resolves them for a job, and
// their sources.

#ifndef HALFTONED_TOOLS_ADOPT_PAGE_WORDS_H_
#define HALFTONED_TOOLS_ADOPT_PAGE_WORDS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "config/config.h"

namespace halftoned {

struct NamedQueue {
  std::string name;
  std::string ppd;      // the text of its PPD file
  std::string options;  // of a job, as filters get them
};

// A title, and a line for each setting. The error says what in the
// configuration is wrong.
Result<std::vector<std::string>> PageWords(const NamedQueue& queue,
                                           const Config& config);

// "600dpi", "600x300dpi", as its PPD file says; empty if it does not.
std::string QueueResolution(const NamedQueue& queue);

// "halftone-type=fine" for each setting that its jobs have, and
// "resolution=..." (preview/queue_look.h). Refuses a queue that does not print
// through rastertohalftone.
Result<std::vector<std::string>> LookWords(const NamedQueue& queue,
                                           const Config& config);

struct EffectiveSetting {
  const PrintSetting* setting;
  std::string value;
  std::string source;  // "FILE, line N", "its PPD file", "the default"
  bool is_of_conf;     // from halftoned.conf
};

// What jobs of the queue are printed with, and who says so; nothing of a queue
// that does not print through rastertohalftone.
Result<std::vector<EffectiveSetting>> EffectiveSettings(const NamedQueue& queue,
                                                        const Config& config);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PAGE_WORDS_H_
