// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a page of `best` is in memory at a time.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/page/page.h"
#include "halftone/run/pool.h"
#include "halftone/run/session.h"

namespace halftoned {

// The number of bands that are lent or have an answer on view.
size_t TwoPassRooms(const PageOrder& order);

// Each thread gets a row of blocks in each stage of a step. With one thread,
// the rows of a step stay in the second-level cache.
int32_t RowsOfTwoPassStep(int32_t width, int threads);

// The number of rows of TwoPassRows.
int32_t TwoPassWindow(const Page& page, const Pool& pool);

// The approximate memory of a session, without that of bands.
size_t TwoPassSessionBytes(const PageOrder& order, const Pool& pool);

}  // namespace halftoned
