// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the completions for a shell. Those in this folder, which are
// installed, are its output; a test compares them.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/descriptor.h"
#include "completions/completions.h"

int main(int argc, char** argv) {
  using halftoned::CompletedCommands;
  const std::string_view shell = argc == 2 ? argv[1] : "";
  std::string text;
  if (shell == "bash") text = BashCompletions(CompletedCommands());
  if (shell == "zsh") text = ZshCompletions(CompletedCommands());
  if (shell == "fish") text = FishCompletions(CompletedCommands());
  if (text.empty()) {
    std::fputs("usage: make_completions bash | zsh | fish\n", stderr);
    return 2;
  }
  std::fputs(text.c_str(), stdout);
  return halftoned::FlushStandardOutput().ok() ? EXIT_SUCCESS : EXIT_FAILURE;
}
