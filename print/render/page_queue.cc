// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/page_queue.h"

#include <utility>

namespace halftoned {
namespace {

size_t BytesOf(const PageQueue::Item& item) {
  const auto* rows = std::get_if<PageQueue::Rows>(&item);
  return sizeof(item) + (rows ? rows->bytes.capacity() : 0);
}

}  // namespace

Result<void> PageQueue::Put(Item item) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return is_closed_ || memory_.TryTake(BytesOf(item)); });
  if (is_closed_) return IoError("the page is no longer needed");
  items_.push_back(std::move(item));
  changed_.notify_all();
  return {};
}

Result<void> PageQueue::BeginPage(const PageHeader& header) {
  return Put(header);
}

Result<void> PageQueue::PutRows(Rows rows) { return Put(std::move(rows)); }

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
  if (!std::holds_alternative<Result<void>>(item)) {
    memory_.Return(BytesOf(item));
  }
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
  memory_.ReturnAll();
  changed_.notify_all();
}

}  // namespace halftoned
