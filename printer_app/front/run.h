// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/front.h"
#include "printer_app/front/pappl/pappl_process.h"

namespace halftoned {

// An option of PAPPL's process that was started because the one before ended by
// itself, or had to be ended.
inline constexpr char kAfterCrash[] = "after-crash";

// Serves until a stop signal, which is blocked in all threads, or until PAPPL
// ends again and again. on_start: once clients are served. The exit status.
int RunFront(FrontSettings settings, std::vector<Descriptor> listeners,
             PapplProcess& pappl, const std::function<void()>& on_start);

}  // namespace halftoned
