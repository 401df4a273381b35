// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finished pages that wait for their turn, encoded: one thread puts them in,
// another takes them out. Its memory is limited, and shared with other queues:
// when it is full, the thread that puts pages in waits until some are taken
// out, and so does its renderer once the pipe between them is full.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <variant>
#include <vector>

#include "base/result.h"
#include "print/raster/raster_header.h"
#include "print/render/page_memory.h"

namespace halftoned {

class PageQueue {
 public:
  struct Rows {
    std::vector<std::byte> bytes;
    int64_t count = 0;
  };
  // The header of the next page, rows of that page, or the end, with the reason
  // why there are no more pages.
  using Item = std::variant<PageHeader, Rows, Result<void>>;

  // `memory` outlives it. most_bytes: of that memory.
  PageQueue(PageMemory& memory, size_t most_bytes)
      : memory_(memory, most_bytes) {}

  // These fail once the queue is closed.
  Result<void> BeginPage(const PageHeader& header);
  Result<void> PutRows(Rows rows);
  // The writer's last call.
  void End(Result<void> result);

  // Waits for the next item. None follows the end.
  Item Take();
  // Whether a header is next. Waits for it.
  bool IsPageNext();
  // Drops its content, and everything that is put in later.
  void Close();

 private:
  Result<void> Put(Item item);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  PageMemory::Part memory_;  // of the items
  bool is_closed_ = false;
};

}  // namespace halftoned
