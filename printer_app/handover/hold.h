// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of job-hold-until for PAPPL. PAPPL 1.3 starts a job immediately
// even if it must wait for a time. So PAPPL gets words that it does not know;
// it holds such jobs forever:
//   halftone-turn          the job waits for its turn alone
//   halftone-night         and for a period of the standard: day-time, evening,
//                          night, second-shift, third-shift, weekend
//   halftone-at-<seconds>  and for a time, in seconds since 1970
//   another word           somebody holds it

#pragma once

#include <ctime>
#include <optional>
#include <string_view>

namespace halftoned {

inline constexpr char kHoldForTurn[] = "halftone-turn";

// Whether a job with this hold may begin at `now` if it is its turn; nothing:
// somebody holds it. hold: empty if the job has none.
std::optional<bool> MayBegin(std::string_view hold, time_t now);

}  // namespace halftoned
