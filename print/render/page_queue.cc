// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_queue.h"

#include <utility>

namespace halftoned {

Result<void> PageQueue::Put(Item item, size_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return is_closed_ || items_.empty() || bytes_ + bytes <= most_bytes_;
  });
  if (is_closed_) return IoError("the page is no longer needed");
  items_.push_back(std::move(item));
  bytes_ += bytes;
  changed_.notify_all();
  return {};
}

Result<void> PageQueue::BeginPage(const PageHeader& header) {
  return Put(header, sizeof(header));
}

Result<void> PageQueue::PutRows(Rows rows) {
  const size_t bytes = rows.bytes.size();
  return Put(std::move(rows), bytes);
}

void PageQueue::End(Result<void> result) {
  const std::lock_guard lock(mutex_);
  items_.push_back(std::move(result));
  changed_.notify_all();
}

PageQueue::Item PageQueue::Take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !items_.empty(); });
  Item item = std::move(items_.front());
  items_.pop_front();
  if (const Rows* rows = std::get_if<Rows>(&item)) bytes_ -= rows->bytes.size();
  if (std::holds_alternative<PageHeader>(item)) bytes_ -= sizeof(PageHeader);
  changed_.notify_all();
  return item;
}

bool PageQueue::IsPageNext() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !items_.empty(); });
  return std::holds_alternative<PageHeader>(items_.front());
}

void PageQueue::Close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  items_.clear();
  bytes_ = 0;
  changed_.notify_all();
}

}  // namespace halftoned
