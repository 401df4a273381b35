// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice for the owner of a queue about the size of its pages. Adoption makes
// photographs larger for drivers that compress; docs/measurements/ adoption.md
// has the table. If the queue's link is known to be slow, or its printer's
// memory is smaller than a page of dots, the advice is to choose the type that
// sends less. Other queues get no such advice: a USB or network URI does not
// show a speed, and most drivers do not state a memory size.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/config.h"

namespace halftoned {

// The advice in one line; may be empty. ppd: the PPD file of a queue that
// prints through our filter. options: the queue's options.
std::string DataAdvice(const std::string& queue, std::string_view device_uri,
                       std::string_view ppd,
                       const std::map<std::string, std::string>& options,
                       const Config& config);

// Quoted for a shell.
std::string ShellWord(const std::string& text);

}  // namespace halftoned
