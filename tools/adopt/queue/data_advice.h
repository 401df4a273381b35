// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the owner of a queue should know about the size of its pages. Adoption
// makes photographs larger for drivers that compress; docs/measurements/
// adoption.md has the table. If the queue says that its link is slow, or that
// its printer's memory is smaller than a page of dots, the advice is to choose
// the type that sends less. It guesses nothing: a URI of USB or of a network
// tells no speed, and most drivers tell no memory.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/config.h"

namespace halftoned {

// What to do, in one line for people; may be empty. `ppd`: of a queue that
// prints through us; `options`: of the queue.
std::string DataAdvice(const std::string& queue, std::string_view device_uri,
                       std::string_view ppd,
                       const std::map<std::string, std::string>& options,
                       const Config& config);

// As a shell takes it.
std::string ShellWord(const std::string& text);

}  // namespace halftoned
