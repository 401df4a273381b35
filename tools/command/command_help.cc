// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/command_help.h"

#include <memory>
#include <sstream>
#include <utility>

namespace halftoned {
namespace {

constexpr char kProgram[] = "halftone ";
const std::string kManual = "Manual: man halftone-";
constexpr size_t kColumns = 80;
constexpr size_t kNameColumns = 27;

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::vector<std::string> ways)
      : ways_(std::move(ways)) {
    column_width(kNameColumns);
  }

  std::string make_usage(const CLI::App*, std::string) const override {
    std::string text;
    for (const std::string& way : ways_) {
      text += (text.empty() ? "Usage: " : "       ") + (kProgram + way) + "\n";
    }
    return text;
  }

  // Omits excluded options, because errors name them.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional() || option->get_type_size() == 0) return "";
    const std::string& usual = option->get_default_str();
    return " " + option->get_type_name() + (usual.empty() ? "" : "=" + usual);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrapped(option->get_description(), kColumns - kNameColumns);
  }

 private:
  const std::vector<std::string> ways_;
};

}  // namespace

std::string Wrapped(const std::string& text, size_t width) {
  std::istringstream words(text);
  std::string lines;
  size_t used = 0;
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= width;
    if (!lines.empty()) lines += fits ? ' ' : '\n';
    lines += word;
    used = used > 0 && fits ? used + 1 + word.size() : word.size();
  }
  return lines;
}

void SetHelp(CLI::App& command, const CommandHelp& help) {
  command.formatter(std::make_shared<HelpFormatter>(help.ways));
  std::string footer;
  if (!help.examples.empty()) footer += "Examples:\n";
  for (const std::string& example : help.examples) {
    footer += "  " + (kProgram + example) + "\n";
  }
  if (!help.more.empty()) footer += (footer.empty() ? "" : "\n") + help.more;
  while (footer.ends_with('\n')) footer.pop_back();
  // Manuals of commands are named after the commands. The program's help names
  // its own manual.
  if (command.get_parent() && command.get_name() != "help") {
    footer += (footer.empty() ? "" : "\n\n") + kManual + command.get_name();
  }
  command.footer(footer);
}

}  // namespace halftoned
