// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/command_line.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace halftoned {
namespace {

// The first option that a text names; empty if there is none.
std::string OptionIn(const std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of(": =", at), text.size());
    if (text[at] == '-') return text.substr(at, end - at);
    at = end + 1;
  }
  return "";
}

// "; did you mean 'NAME'?", or `otherwise` if no name is similar.
std::string Guess(const std::string& word,
                  const std::vector<std::string>& names,
                  const std::string& otherwise) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view meant = NearestOf(word, known);
  if (meant.empty()) return otherwise;
  return "; did you mean '" + std::string(meant) + "'?";
}

// The option whose last word is `name`, such as --halftone-type for --type, or
// an option with a similar name.
std::string UnknownOption(const std::string& name, const CLI::App& app) {
  std::vector<std::string> names;
  std::string guess;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& known : option->get_lnames()) {
      names.push_back("--" + known);
      if (name.starts_with("--") && known.ends_with(name.substr(1))) {
        guess = "; did you mean '--" + known + "'?";
      }
    }
  }
  return "unknown option '" + name + "'" + Guess(name, names, guess);
}

// The message about unexpected arguments.
std::string Unexpected(const std::string& argument, const CLI::App& app) {
  const auto commands = app.get_subcommands();
  if (argument.size() > 1 && argument[0] == '-') {
    return UnknownOption(OptionIn(argument),
                         commands.empty() ? app : *commands.front());
  }
  constexpr char kHelp[] = "; see --help";
  if (!commands.empty())
    return "unexpected argument '" + argument + "'" + kHelp;
  std::vector<std::string> names;
  const auto is_shown = [](const CLI::App* command) {
    return !command->get_group().empty();
  };
  for (const CLI::App* command : app.get_subcommands(is_shown)) {
    names.push_back(command->get_name());
  }
  return "unknown command '" + argument + "'" + Guess(argument, names, kHelp);
}

// The message about an option with too few or too many values.
std::string WrongValues(CLI::Option& option) {
  const std::string name = option.get_name();
  const int most = option.get_items_expected_max();
  if (most == 0) return name + ": takes no value";
  if (most == 1 && option.count() > 1) {
    return name + ": given more than once";
  }
  std::string nothing;
  return name + ": " + (*option.get_validator())(nothing);
}

}  // namespace

CLI::Validator MustBe(std::string values,
                      std::function<bool(const std::string&)> is_value,
                      std::function<std::string(const std::string&)> hint_on) {
  return CLI::Validator(
      [values = std::move(values), is_value = std::move(is_value),
       hint_on = std::move(hint_on)](std::string& text) -> std::string {
        if (text.empty()) return "expected " + values;
        if (is_value(text)) return "";
        return "'" + text + "' is not " + values +
               (hint_on ? hint_on(text) : "");
      },
      "");
}

CLI::Validator MustBeOf(const PrintSetting& setting) {
  return MustBe(
      setting.Values(),
      [&setting](const std::string& text) {
        Look tried;
        return setting.Set(setting.is_file() ? text : LowerCase(text), tried);
      },
      [&setting](const std::string& text) { return setting.HintOn(text); });
}

std::string OptionOf(const PrintSetting& setting) {
  const std::string option = "--" + std::string(setting.name);
  return setting.name == "halftone-type" ? "-t," + option : option;
}

CLI::Validator MustBeOneOf(std::vector<std::string_view> names) {
  return MustBe(
      Listed(names),
      [names](const std::string& text) {
        return std::ranges::count(names, LowerCase(text)) > 0;
      },
      [names](const std::string& text) {
        return Guess(text, {names.begin(), names.end()}, "");
      });
}

CLI::Validator MustBeSaid(std::string what) {
  return MustBe(std::move(what), [](const std::string&) { return true; });
}

CLI::Validator MustBeWhole(int least, int most) {
  return MustBe("a whole number from " + std::to_string(least) + " to " +
                    std::to_string(most),
                [=](const std::string& text) {
                  const auto value = ParseNumber<int>(text);
                  return value >= least && value <= most;
                });
}

void AddConfig(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--config",
          [](const std::string& path) {
            ::setenv("HALFTONED_CONF", std::filesystem::absolute(path).c_str(),
                     1);
          },
          "Configuration file, instead of halftoned.conf")
      ->check(MustBe("a file that you can read",
                     [](const std::string& path) {
                       std::error_code unknown;
                       return std::filesystem::is_regular_file(path, unknown) &&
                              ::access(path.c_str(), R_OK) == 0;
                     }))
      ->type_name("FILE");
}

CLI::Option* AddJson(CLI::App& command, bool& json, const std::string& what) {
  return command.add_flag("--json", json, "Print one line of JSON " + what);
}

CLI::Option* AddNoClobber(CLI::App& command, bool& no_clobber) {
  return command.add_flag("--no-clobber", no_clobber,
                          "Do not replace existing files");
}

std::string MessageOf(const CLI::ParseError& error, CLI::App& app) {
  std::string text = error.what();
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) {
    text = Unexpected(extras.front(), app);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) ||
             dynamic_cast<const CLI::ConversionError*>(&error)) {
    const auto commands = app.get_subcommands();
    CLI::App* command = commands.empty() ? &app : commands.front();
    CLI::Option* option = command->get_option_no_throw(OptionIn(text));
    if (option) text = WrongValues(*option);
  } else if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    constexpr std::string_view kExcludes = " excludes ";
    const size_t at = text.find(kExcludes);
    if (at != text.npos) {
      text.replace(at, kExcludes.size(), " cannot be given with ");
    }
  }
  return Printable(text);
}

}  // namespace halftoned
