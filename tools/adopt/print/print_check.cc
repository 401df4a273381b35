// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/print_check.h"

#include "adopt/print/page_words.h"
#include "adopt/queue/named_queue.h"
#include "print/page/test_page.h"

namespace halftoned {

Result<QueueOutcome> PrintCheckPage(const std::string& name,
                                    const Config& config) {
  HALFTONED_TRY_ASSIGN(const NamedQueue queue, FindNamedQueue(name));
  HALFTONED_TRY_ASSIGN(const auto words, PageWords(queue, config));
  HALFTONED_TRY_ASSIGN(const std::string job,
                       PrintDocument(queue, "halftone check", queue.options,
                                     TestPage(words, queue.size)));
  return QueueOutcome{"prints a page", "", job};
}

}  // namespace halftoned
