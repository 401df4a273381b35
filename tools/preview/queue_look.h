// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CUPS queue prints its pages with, by the program that knows CUPS:
//
//   halftone-adopt look QUEUE
//
//   answer = { setting "=" value "\n" } [ "resolution=" words "\n" ]
//
// Settings are those of look/settings.h. A dot gain and a black point are there
// only if they are set, and a curve only if jobs are printed with it.

#ifndef HALFTONED_TOOLS_PREVIEW_QUEUE_LOOK_H_
#define HALFTONED_TOOLS_PREVIEW_QUEUE_LOOK_H_

#include <string>

#include "base/result.h"
#include "halftone/look/print_look.h"

namespace halftoned {

struct QueueLook {
  PrintLook print;
  std::string resolution;  // "600", "600x300"; empty: not known
};

// Sets one setting in `print`, and reads a curve's file. Precondition: the
// value is one of the setting's.
Result<void> SetInPrint(const PrintSetting& setting, const std::string& value,
                        PrintLook& print);

// Errors name the queue.
Result<QueueLook> ReadQueueLook(const std::string& queue);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_PREVIEW_QUEUE_LOOK_H_
