// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page scaled to another number of pixels, in linear light (light_table.h),
// with the filters of axis_filter.h, row after row. It keeps as many rows as
// the filter is high. The result depends on neither threads nor bands.

#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "halftone/run/pool.h"
#include "print/image/image.h"

namespace halftoned {

// The memory, about, that scaling `page` to this size takes.
int64_t BytesToScale(const PageInfo& page, int64_t width, int64_t rows);

// width: 1 … Page::kMaxWidth; rows: 1 … Page::kMaxRows. The page keeps its
// metadata. Idle threads of the pool help; the pool outlives the page.
Result<std::unique_ptr<PageReader>> Scale(std::unique_ptr<PageReader> page,
                                          int64_t width, int64_t rows,
                                          Pool& pool);

}  // namespace halftoned
