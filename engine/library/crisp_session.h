// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text (edge_snapper.h) for callers that push their bands: a
// session before a session. It holds back the last row of each band until the
// next band shows what is below it, so answers lag by a row.
//
// It lends one room at a time: the same one until it is submitted.

#ifndef HALFTONED_LIBRARY_CRISP_SESSION_H_
#define HALFTONED_LIBRARY_CRISP_SESSION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "halftone/look/edge_snapper.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"
#include "halftone/run/session.h"

namespace halftoned {

class CrispSession : public Session {
 public:
  // The page begins with `session`, whose rooms have at least two rows: one
  // more than those of this session.
  CrispSession(std::unique_ptr<Session> session, const Page& page,
               const Recipe& recipe);

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override { return owes_empty_answer_ || session_->Ready(); }

 private:
  const std::unique_ptr<Session> session_;
  EdgeSnapper edges_;
  const Carry start_;

  // The room of the inner session that is filled next, if it is lent. If there
  // is a row held back, it lies in the first row of this room, or without a
  // room in ahead_.
  std::optional<GrayRoom> room_;
  bool is_row_held_ = false;
  bool is_lent_ = false;   // to the caller, and not submitted yet
  bool is_ended_ = false;  // the last band has been submitted
  std::vector<std::byte> ahead_;
  // The first band had one row, which is held back: nothing could be answered
  // yet, nor given to the inner session.
  bool owes_empty_answer_ = false;
};

}  // namespace halftoned

#endif  // HALFTONED_LIBRARY_CRISP_SESSION_H_
