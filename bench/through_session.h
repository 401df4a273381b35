// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a whole page through a session, as fast as it can.

#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>

#include "halftone/page/recipe.h"
#include "halftone/run/session.h"

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

// The default for a laser: fine, with pure pixels and a curve.
inline Recipe DefaultPrint() {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = 1;
  parts.curve = Must(ToneCurve::FromGamma(1.8));
  return Must(Recipe::Make(parts));
}

// The same with the second pass, `best`. feedback: the strength of print
// feedback.
inline Recipe BestPrint(int feedback = 0) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kBest);
  parts.parameters[Recipe::kPure] = 1;
  parts.parameters[Recipe::kFeedback] = feedback;
  parts.curve = DefaultPrint().curve();
  return Must(Recipe::Make(parts));
}

struct DropBits {
  void operator()(const BitBand&) const {}
};

// fill: called for each room, with the room, the page's first row in it and the
// number of rows to fill. take: called for each answer.
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

// A page in memory, whose rows have no padding.
template <typename TakeBits = DropBits>
void RunGray(Session& session, int32_t rows, const std::byte* gray,
             const TakeBits& take = {}) {
  RunThrough(
      session, rows,
      [gray](const GrayRoom& room, int32_t row, int32_t some) {
        std::memcpy(room.bytes,
                    gray + static_cast<size_t>(row) * room.bytes_per_row,
                    static_cast<size_t>(some) * room.bytes_per_row);
      },
      take);
}

// A page whose rows run from black to white. Noise takes longer with `best`.
inline void RunRamp(Session& session, int32_t rows, bool fill) {
  RunThrough(session, rows, [fill](const GrayRoom& room, int32_t, int32_t) {
    for (int32_t i = 0; fill && i < room.rows; ++i) {
      for (size_t j = 0; j < room.bytes_per_row; ++j) {
        room.row(i)[j] =
            static_cast<std::byte>(1 + j * 254 / room.bytes_per_row);
      }
    }
  });
}

// A page of noise. Without `fill` the rooms keep their last contents, so that
// filling them is not measured.
inline void RunNoise(Session& session, int32_t rows, bool fill) {
  RunThrough(session, rows, [fill](const GrayRoom& room, int32_t, int32_t) {
    std::mt19937_64 random(2);
    const size_t bytes = room.bytes_per_row * static_cast<size_t>(room.rows);
    for (size_t i = 0; fill && i + 8 <= bytes; i += 8) {
      const uint64_t eight = random();
      std::memcpy(room.bytes + i, &eight, sizeof(eight));
    }
  });
}

}  // namespace halftoned::bench
