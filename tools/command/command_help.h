// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of --help: the forms of a command, its options, wrapped to fit a
// terminal, and examples.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace halftoned {

// The words after the program's name.
struct CommandHelp {
  std::vector<std::string> ways;      // "set QUEUE KEY=VALUE ..."
  std::vector<std::string> examples;  // "set laser brightness=15"
  std::string more;                   // text after the examples; may be empty
};

void SetHelp(CLI::App& command, const CommandHelp& help);

// `text` in lines of at most `width` bytes, unless a word is longer.
std::string Wrapped(const std::string& text, size_t width);

}  // namespace halftoned
