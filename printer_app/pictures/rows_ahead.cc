// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/rows_ahead.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

namespace halftoned {
namespace {

constexpr int64_t kRowsOfBatch = 64;
constexpr size_t kMostAhead = size_t{2} << 20;

}  // namespace

RowsAhead::RowsAhead(PlacedRows& rows, int64_t width, int64_t count)
    : rows_(rows),
      width_(static_cast<size_t>(width)),
      count_(count),
      queue_(kMostAhead),
      thread_(&RowsAhead::Work, this) {}

RowsAhead::~RowsAhead() {
  queue_.Close();
  thread_.join();
}

void RowsAhead::Work() {
  try {
    queue_.End(ReadAll());
  } catch (const std::exception&) {
    queue_.End(IoError("there is not enough memory"));
  }
}

Result<void> RowsAhead::ReadAll() {
  for (int64_t row = 0; row < count_; row += kRowsOfBatch) {
    PageQueue::Rows batch;
    batch.count = std::min(kRowsOfBatch, count_ - row);
    batch.bytes.reserve(width_ * static_cast<size_t>(batch.count));
    for (int64_t i = 0; i < batch.count; ++i) {
      HALFTONED_TRY_ASSIGN(const uint8_t* next, rows_.Next());
      const auto* bytes = reinterpret_cast<const std::byte*>(next);
      batch.bytes.insert(batch.bytes.end(), bytes, bytes + width_);
    }
    HALFTONED_TRY(queue_.PutRows(std::move(batch)));
  }
  return {};
}

Result<const uint8_t*> RowsAhead::Next() {
  if (next_ == batch_.count) {
    PageQueue::Item item = queue_.Take();
    if (const auto* end = std::get_if<Result<void>>(&item)) {
      return end->ok() ? Bug("there are no more rows") : end->error();
    }
    batch_ = std::get<PageQueue::Rows>(std::move(item));
    next_ = 0;
  }
  return reinterpret_cast<const uint8_t*>(batch_.bytes.data()) +
         width_ * static_cast<size_t>(next_++);
}

}  // namespace halftoned
