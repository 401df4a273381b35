// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/arguments.h"

#include <cstdio>

#include "command/command_line.h"
#include "command/tool_app.h"

namespace halftoned {
namespace {

// A hint about an unknown option that is a setting of queues.
std::string HintOn(const std::string& message) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.MayBeSetBy(kCommandLine)) continue;
    if (message.starts_with("unknown option '--" + std::string(setting.name) +
                            "'")) {
      return ": it is a setting of queues; for files, use --dot-gain";
    }
  }
  return "";
}

// command: may be empty.
Ended ShowHelp(const CLI::App& app, const std::string& command, int status) {
  // app.help() would return the help of the parsed command.
  const std::string text =
      command.empty() ? app.get_formatter()->make_help(
                            &app, app.get_name(), CLI::AppFormatMode::Normal)
                      : app.get_subcommand(command)->help(app.get_name());
  std::fputs(text.c_str(), stdout);
  return {status};
}

}  // namespace

Command ParseArguments(int argc, char** argv) {
  ToolApp tool;
  CLI::App& app = tool.app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Ended{app.exit(error)};
    const std::string message = MessageOf(error, app);
    std::fprintf(stderr, "halftone: %s%s\n", message.c_str(),
                 HintOn(message).c_str());
    return Ended{kUsageStatus};
  }
  if (tool.engines_app->parsed()) return tool.engines;
  if (tool.status_app->parsed()) return tool.status;
  if (tool.convert_app->parsed()) return tool.convert;
  if (tool.check_app->parsed()) return tool.check;
  if (tool.calibrate_app->parsed() && !tool.calibrate.prints()) {
    return tool.calibrate;
  }
  if (tool.preview_app->parsed()) return tool.preview;
  if (tool.help_app->parsed()) return ShowHelp(app, tool.helped, 0);
  if (!app.get_subcommands().empty()) return PrinterCommand{argv};
  return ShowHelp(app, "", kUsageStatus);
}

}  // namespace halftoned
