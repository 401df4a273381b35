// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command lines of `halftone adopt` and `halftone release`.

#ifndef HALFTONED_TOOLS_ADOPT_ARGUMENTS_H_
#define HALFTONED_TOOLS_ADOPT_ARGUMENTS_H_

#include <string>
#include <variant>
#include <vector>

namespace halftoned {

// What is to be done, of which exactly one of the last three is asked for.
struct AdoptOptions {
  bool releases = false;
  std::vector<std::string> queues;
  std::vector<std::string> ppd;  // empty, or a file to read and one to write
  bool lists = false;
};

// The exit status if there is nothing to do: help was asked for, or a mistake
// was made, of which a line tells.
std::variant<AdoptOptions, int> ParseAdoptArguments(int argc, char** argv);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_ARGUMENTS_H_
