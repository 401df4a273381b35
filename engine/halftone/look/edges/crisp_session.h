// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text (edge_snapper.h) for callers that push their bands: a
// session in front of another one. It holds back unfinished rows until the next
// bands show what is below them, so answers lag.
//
// It lends one room at a time: the same room until it is submitted.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

#include "base/result.h"
#include "halftone/look/edges/edge_snapper.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"
#include "halftone/run/session.h"

namespace halftoned {

class CrispSession : public Session {
 public:
  // The page begins with `session`, whose rooms have more rows than those of
  // this session: MostUnfinished(edges) more.
  CrispSession(std::unique_ptr<Session> session, const Page& page,
               const Recipe& recipe, TextEdges edges);

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override;

 private:
  std::byte* HeldRow(int32_t nth) {
    return held_.get() + static_cast<size_t>(nth) * row_bytes_;
  }
  void AddRows(const GrayRoom& room, int32_t rows, bool last);
  void Hold(const GrayRoom& room, int32_t first);

  const std::unique_ptr<Session> session_;
  const std::unique_ptr<EdgeSnapper> edges_;  // null if there is nothing to do
  const int32_t most_held_;
  const size_t row_bytes_;
  const Carry start_;

  // The room of the inner session that is filled next, if it is lent. The rows
  // held back are in its first rows; without a room, in held_.
  std::optional<GrayRoom> room_;
  int32_t rows_held_ = 0;
  bool is_lent_ = false;   // to the caller, and not submitted yet
  bool is_ended_ = false;  // the last band has been submitted
  const std::unique_ptr<std::byte[]> held_;

  // What is owed for each band: an answer of the inner session, or an empty one
  // if no row was finished.
  std::deque<bool> owes_empty_;
  int64_t next_row_;    // on the page, to be answered next
  const Carry* carry_;  // of the last answer
};

}  // namespace halftoned
