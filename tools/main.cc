// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone: files through the engine that prints, and a look at the daemon.

#include <variant>

#include "arguments.h"
#include "base/descriptor.h"
#include "commands.h"
#include "file/last_words.h"

namespace halftoned {
namespace {

struct Run {
  int operator()(const ConvertOptions& options) const {
    return RunConvert(options);
  }
  int operator()(const ListEngines&) const { return RunEngines(); }
  int operator()(const StatusOptions& options) const {
    return RunStatus(options);
  }
  int operator()(const Ended& ended) const { return ended.status; }
};

}  // namespace
}  // namespace halftoned

int main(int argc, char** argv) {
  halftoned::PrepareLastWords();
  halftoned::OpenStandardDescriptors();
  return std::visit(halftoned::Run(), halftoned::ParseArguments(argc, argv));
}
