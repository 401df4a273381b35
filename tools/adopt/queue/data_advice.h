// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the owner of a queue should know about the size of its pages. Adoption
// makes photographs larger for drivers that compress; docs/measurements/
// adoption.md has the table. If the queue says that its link is slow, or that
// its printer's memory is smaller than a page of dots, the advice is to choose
// the type that sends less. It knows nothing of other queues: a USB or network
// URI does not show a speed, and most drivers do not state a memory size.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/config.h"

namespace halftoned {

// The advice, in one line for people; may be empty. `ppd`: of a queue that
// prints through our filter; `options`: of the queue.
std::string DataAdvice(const std::string& queue, std::string_view device_uri,
                       std::string_view ppd,
                       const std::map<std::string, std::string>& options,
                       const Config& config);

// Quoted for a shell.
std::string ShellWord(const std::string& text);

}  // namespace halftoned
