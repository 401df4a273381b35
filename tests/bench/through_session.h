// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole page through a session, as fast as it takes it.

#ifndef HALFTONED_TESTS_BENCH_THROUGH_SESSION_H_
#define HALFTONED_TESTS_BENCH_THROUGH_SESSION_H_

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "halftone/session.h"

namespace halftoned::bench {

// Ends the process, with a message, on an error.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(2);
  }
  return std::move(*result);
}
inline void MustDo(const Result<void>& result) {
  if (!result.ok()) Must(Result<int>(result.error()));
}

struct DropBits {
  void operator()(const BitBand&) const {}
};

// `fill` is called for each room, with it, the page's first row in it and the
// number of rows to fill; `take` for each answer.
template <typename Fill, typename TakeBits = DropBits>
void RunThrough(Session& session, int32_t rows, const Fill& fill,
                const TakeBits& take = {}) {
  int32_t row = 0;
  int in_flight = 0;
  while (row < rows || in_flight > 0) {
    const GrayRoom room = row < rows ? Must(session.Lend()) : GrayRoom{};
    if (room.rows > 0) {
      const int32_t filled = std::min(rows - row, room.rows);
      fill(room, row, filled);
      row += filled;
      MustDo(session.Submit(filled, row == rows));
      ++in_flight;
    } else {
      take(Must(session.Take()).bits);
      --in_flight;
    }
  }
}

}  // namespace halftoned::bench

#endif  // HALFTONED_TESTS_BENCH_THROUGH_SESSION_H_
