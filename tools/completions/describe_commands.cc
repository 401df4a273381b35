// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the command line of `halftone` in JSON, from which
// make_completions.py makes the completions of shells:
//
//   commands = [ command … ]      halftone itself is the first, without a name
//   command  = { name, help, options, arguments, settings, sets, steps }
//   option   = { names, help, value, choices }
//   step     = { name, help, arguments }
//
// `value` and `arguments` state what is allowed there: "none", "any", "file",
// "queue", "engine" or "choice". `settings` are allowed as arguments, too: as
// "gamma", or as "gamma=" and a value if the command `sets` them. If there are
// steps, the first argument is a step, and the other arguments belong to it.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "base/descriptor.h"
#include "base/json.h"
#include "command/tool_app.h"
#include "halftone/look/settings.h"

namespace halftoned {
namespace {

const char* ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "none";
  const std::string type = option.get_type_name();
  if (type == "FILE" || type == "PATH" || type == "IN OUT") return "file";
  if (type == "ENGINE") return "engine";
  return type == "QUEUE" ? "queue" : "any";
}

Json OptionOf(const CLI::Option& option, const ToolApp::Choices& choices) {
  Json described = {{"names", Json::array()},
                    {"help", option.get_description()},
                    {"value", ValueOf(option)},
                    {"choices", Json::array()}};
  for (const std::string& name : option.get_snames()) {
    described["names"].push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    described["names"].push_back("--" + name);
  }
  const auto found = choices.find(described["names"].back());
  if (found == choices.end()) return described;
  // The help of these options ends with the values.
  const std::string help = option.get_description();
  described["help"] = help.substr(0, help.rfind(": "));
  if (!found->second.empty()) {
    described["value"] = "choice";
    described["choices"] = found->second;
  }
  return described;
}

Json SettingsOfQueues() {
  Json settings = Json::array();
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kConfiguration)) continue;
    Json choices = Json::array();
    if (setting.has_auto()) choices.push_back("auto");
    for (const Choice& choice : setting.Choices()) {
      choices.push_back(choice.name);
    }
    settings.push_back({{"names", Json::array({setting.name})},
                        {"help", setting.help},
                        {"value", !choices.empty()    ? "choice"
                                  : setting.is_file() ? "file"
                                                      : "any"},
                        {"choices", choices}});
  }
  return settings;
}

Json StepsOfCalibrate() {
  Json steps = Json::array();
  for (const CalibrateStep& step : kCalibrateSteps) {
    steps.push_back({{"name", step.name},
                     {"help", step.help},
                     {"arguments", step.is_of_queue ? "queue" : "file"}});
  }
  return steps;
}

Json CommandOf(const CLI::App& app, const std::string& name,
               const ToolApp::Choices& choices) {
  Json command = {{"name", name},
                  {"help", app.get_description()},
                  {"options", Json::array()},
                  {"arguments", "none"},
                  {"settings", Json::array()},
                  {"sets", false},
                  {"steps", Json::array()}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string word = option->get_name();
    if (word == "STEP") {
      command["steps"] = StepsOfCalibrate();
    } else if (word == "KEY" || word == "SETTING") {
      command["settings"] = SettingsOfQueues();
      command["sets"] = word == "SETTING";
    } else if (word == "NAME" || word == "URI" || word == "WORD" ||
               word == "COMMAND") {
      // Only their author knows these values.
    } else if (option->get_positional()) {
      command["arguments"] = word == "QUEUE" ? "queue" : "file";
    } else {
      command["options"].push_back(OptionOf(*option, choices));
    }
  }
  return command;
}

Json Commands() {
  const ToolApp tool;
  Json commands = Json::array({CommandOf(tool.app, "", tool.choices)});
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* app : tool.app.get_subcommands(all)) {
    commands.push_back(CommandOf(*app, app->get_name(), tool.choices));
  }
  return commands;
}

}  // namespace
}  // namespace halftoned

int main() {
  std::fputs(halftoned::JsonLine(halftoned::Commands()).c_str(), stdout);
  return halftoned::FlushStandardOutput().ok() ? EXIT_SUCCESS : EXIT_FAILURE;
}
