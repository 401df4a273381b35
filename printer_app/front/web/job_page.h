// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's page for users without the right to change it: its jobs, with
// titles and buttons only for their own. Pure.

#pragma once

#include <string>
#include <vector>

#include "printer_app/front/pappl/printer_jobs.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {

// Those that wait come first, then the newest of those that have ended.
inline constexpr int kMostJobsOfPage = 100;

// said: above the jobs; may be empty. token: of its forms.
std::string JobPage(const std::string& printer,
                    const std::vector<JobOfPrinter>& jobs, const Caller& caller,
                    const std::string& said, const std::string& token);

}  // namespace halftoned
