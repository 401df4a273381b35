// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when nobody has caught an exception, on whatever thread: memory
// that cannot be had, above all. The pending files are deleted, one line says
// why, and the process ends with status 1.

#ifndef HALFTONED_TOOLS_FILE_LAST_WORDS_H_
#define HALFTONED_TOOLS_FILE_LAST_WORDS_H_

#include "file/pending_files.h"

namespace halftoned {

// From now on, for the whole process.
void PrepareLastWords();

// While it lives, these are the files that are deleted then. One at a time.
class LastWordsFiles {
 public:
  explicit LastWordsFiles(PendingFiles& pending);
  ~LastWordsFiles();
  LastWordsFiles(const LastWordsFiles&) = delete;
  LastWordsFiles& operator=(const LastWordsFiles&) = delete;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_FILE_LAST_WORDS_H_
