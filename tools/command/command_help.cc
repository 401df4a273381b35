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

// A line of a list, whose text may continue on lines of its own.
std::string Entry(const std::string& name, const std::string& text) {
  const std::string margin(kNameColumns, ' ');
  std::string entry = "  " + name;
  if (entry.size() < kNameColumns) {
    entry.resize(kNameColumns, ' ');
  } else {
    entry += "\n" + margin;
  }
  for (const char c : text) entry += c == '\n' ? "\n" + margin : std::string{c};
  return entry + "\n";
}

std::string Section(const std::string& heading, const std::string& entries) {
  return entries.empty() ? "" : "\n" + heading + ":\n" + entries;
}

// Formats all of it, because versions of CLI11 differ.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::vector<std::string> ways)
      : ways_(std::move(ways)) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    std::string commands;
    for (const CLI::App* command :
         app->get_subcommands([](const CLI::App*) { return true; })) {
      if (command->get_group().empty()) continue;  // hidden
      commands += Entry(command->get_name(), command->get_description());
    }
    return app->get_description() + "\n" + Usage() +
           Section("Positionals", Options(*app, true)) +
           Section("Options", Options(*app, false)) +
           Section("Subcommands", commands) + "\n" + app->get_footer() + "\n";
  }

 private:
  std::string Usage() const {
    std::string text;
    for (const std::string& way : ways_) {
      text += (text.empty() ? "Usage: " : "       ") + (kProgram + way) + "\n";
    }
    return text;
  }

  std::string Options(const CLI::App& app, bool are_positional) const {
    std::string entries;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() != are_positional) continue;
      const std::string name = make_option_name(option, are_positional);
      entries +=
          Entry(name + ValueOf(*option),
                Wrapped(option->get_description(), kColumns - kNameColumns));
    }
    return entries;
  }

  // Omits excluded options, because errors name them.
  static std::string ValueOf(const CLI::Option& option) {
    if (option.get_positional() || option.get_type_size() == 0) return "";
    const std::string usual = option.get_default_str();
    return " " + option.get_type_name() + (usual.empty() ? "" : "=" + usual);
  }

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
