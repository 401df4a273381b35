// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "settings/settings_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "command/command_line.h"
#include "settings/change_settings.h"

namespace halftoned {
namespace {

// What is wrong with a command line.
std::string ErrorOfSettings(std::vector<std::string> words) {
  CLI::App app("", "halftone");
  app.require_subcommand(1);
  SettingsOptions options;
  const SettingsCommands commands = AddSettingsCommands(app, options);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return MessageOf(error, app);
  }
  const auto changes = ChangesOf(options, commands.set->parsed());
  return changes.ok() ? "" : changes.error().message;
}

TEST(SettingsCommandLine, ErrorsNameTheExpectedArguments) {
  EXPECT_EQ(ErrorOfSettings({"set"}), "missing queue, or --all; see --help");
  EXPECT_EQ(ErrorOfSettings({"set", "q"}),
            "missing KEY=VALUE, such as gamma=1.4; see --help");
  EXPECT_EQ(ErrorOfSettings({"unset", "q"}),
            "missing KEY, such as gamma, or --all-settings; see --help");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "gamma"}),
            "'gamma' has no value; write gamma=VALUE");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "gamma=1", "other"}),
            "'other' is not KEY=VALUE; name queues before settings, or none "
            "with --all");
  EXPECT_EQ(ErrorOfSettings({"set", "--all", "q", "gamma=1"}),
            "'q' is not KEY=VALUE; name queues before settings, or none with "
            "--all");
  EXPECT_EQ(ErrorOfSettings({"unset", "q", "gamma", "--all-settings"}),
            "--all-settings excludes gamma");
  EXPECT_EQ(ErrorOfSettings({"unset", "q", "gamma=1"}),
            "'gamma=1' has a value; write gamma");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "gama=1"}),
            "unknown setting 'gama'; did you mean 'gamma'?");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "halftone-brightness=1"}),
            "unknown setting 'halftone-brightness'; did you mean "
            "'brightness'?");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "gamma=1", "gamma=2"}),
            "gamma is given more than once");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "text-edges=sharp"}),
            "text-edges must be off, crisp, soft or barcode, not 'sharp'");
  EXPECT_EQ(ErrorOfSettings({"set", "q", "x=1"})
                .find("unknown setting 'x'; there are"),
            0u);
  EXPECT_EQ(ErrorOfSettings({"set", "q", "brightness=-15", "gamma=1.5"}), "");
  EXPECT_EQ(ErrorOfSettings({"unset", "q", "--all-settings"}), "");
  EXPECT_EQ(ErrorOfSettings({"show"}), "");
}

// The queues that a command line names.
std::vector<std::string> QueuesOf(std::vector<std::string> words) {
  CLI::App app("", "halftone");
  SettingsOptions options;
  AddSettingsCommands(app, options);
  std::ranges::reverse(words);
  app.parse(words);
  return options.queues;
}

TEST(SettingsCommandLine, TakesSeveralQueuesBeforeTheSettings) {
  const std::vector<std::string> both = {"q", "labels"};
  EXPECT_EQ(QueuesOf({"set", "q", "labels", "gamma=1", "levels=2"}), both);
  EXPECT_EQ(QueuesOf({"unset", "q", "labels", "gamma", "levels"}), both);
  EXPECT_EQ(QueuesOf({"unset", "q", "labels", "--all-settings"}), both);
  // A name is also that of a setting.
  EXPECT_EQ(QueuesOf({"set", "gamma", "gamma=1"}),
            std::vector<std::string>{"gamma"});
  EXPECT_EQ(QueuesOf({"set", "--all", "gamma=1"}),
            std::vector<std::string>{""});
  EXPECT_EQ(QueuesOf({"unset", "--all", "gamma"}),
            std::vector<std::string>{""});
  EXPECT_EQ(QueuesOf({"show"}), std::vector<std::string>{});
}

}  // namespace
}  // namespace halftoned
