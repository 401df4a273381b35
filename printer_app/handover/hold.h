// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of job-hold-until that PAPPL gets. PAPPL 1.3 starts a job at once
// that is to wait for a time, so it gets words that it does not know, and holds
// their jobs forever:
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

// Whether such a job may begin at `now` if it is its turn; nothing: somebody
// holds it. hold: empty for a job that has none.
std::optional<bool> MayBegin(std::string_view hold, time_t now);

}  // namespace halftoned
