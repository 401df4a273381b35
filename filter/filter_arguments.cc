// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/filter_arguments.h"

#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

// Real jobs have one or two kilobytes. libcups parses them in quadratic time:
// 0.2 s for this many.
constexpr size_t kMaxOptionBytes = size_t{64} << 10;

}  // namespace

Result<Arguments> ParseArguments(const std::string& program,
                                 std::span<char* const> arguments) {
  if (arguments.size() != 5 && arguments.size() != 6) {
    return BadInput("usage: " + program +
                    " job-id user title copies options [file]");
  }
  Arguments parsed;
  // Anything but a number is not a job of CUPS; that is no reason not to print.
  std::string_view job = arguments[0];
  parsed.job = TakeNumber<uint32_t>(job).value_or(0);
  parsed.title = arguments[2];
  parsed.options = arguments[4];
  if (parsed.options.size() > kMaxOptionBytes) {
    return BadInput("the job has more than 64 KiB of options");
  }
  if (arguments.size() == 5) return parsed;

  parsed.file = arguments[5];
  parsed.copies = ParseNumber<int>(arguments[3]).value_or(0);
  if (parsed.copies < 1 || parsed.copies > 9999) {
    return BadInput("the number of copies is not in 1 … 9999");
  }
  return parsed;
}

}  // namespace halftoned
