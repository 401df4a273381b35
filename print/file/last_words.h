// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles uncaught exceptions on any thread, above all lack of memory: deletes
// the pending files, prints one line, and exits with status 1.

#pragma once

#include "print/file/pending_files.h"

namespace halftoned {

// Installs the handler for the whole process.
void PrepareLastWords();

// While it lives, the handler deletes these files. One object at a time.
class LastWordsFiles {
 public:
  explicit LastWordsFiles(PendingFiles& pending);
  ~LastWordsFiles();
  LastWordsFiles(const LastWordsFiles&) = delete;
  LastWordsFiles& operator=(const LastWordsFiles&) = delete;
};

}  // namespace halftoned
